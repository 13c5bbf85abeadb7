use gamekeeper_rules::table::Kind as _;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, PriestSlot, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Direction, TerraMystica};

use super::*;
use crate::Wire;
use crate::contract::kinds;
use crate::rows::action;

fn some_work() -> Work {
    let transform = |id, direction| Transform {
        space: Space::by_id(id),
        target: Terrain::Desert,
        direction,
    };
    Work {
        transforms: [
            transform("E6", Direction::Short),
            transform("G2", Direction::Long),
        ]
        .into_iter()
        .collect(),
        build_at: Some(Space::by_id("G2")),
    }
}

fn power_actions() -> Vec<Action> {
    let bridge = Span {
        a: Space::by_id("E8"),
        b: Space::by_id("G3"),
    };
    let uses = [
        PowerUse::Bridge(None),
        PowerUse::Bridge(Some(bridge)),
        PowerUse::Priest,
        PowerUse::Workers,
        PowerUse::Coins,
        PowerUse::Spade(Work::default()),
        PowerUse::TwoSpades(some_work()),
    ];
    let action = |power_use| Action::TakePowerAction {
        power_use,
        sacrifice: 2,
    };
    uses.into_iter().map(action).collect()
}

fn special_actions() -> Vec<Action> {
    let space = Space::by_id("F4");
    let uses = [
        SpecialUse::BonusSpade(some_work()),
        SpecialUse::BonusCultStep(Cult::Fire),
        SpecialUse::FavorCultStep(Cult::Air),
        SpecialUse::CultSteps(Cult::Earth),
        SpecialUse::WitchesRide(space),
        SpecialUse::FreeTradingHouse(Space::Unknown),
        SpecialUse::DoubleTurn,
        SpecialUse::GiantSpades(Work::default()),
        SpecialUse::Sandstorm { space, build: true },
        SpecialUse::Sandstorm {
            space,
            build: false,
        },
    ];
    let action = |special_use| Action::TakeSpecialAction { special_use };
    uses.into_iter().map(action).collect()
}

/// Every kind of action, in the order of the contract, each with its shapes.
fn samples() -> Vec<Action> {
    let space = Space::by_id("E6");
    let river = Space::by_id("r18");
    let mut samples = vec![
        Action::ChooseFaction { faction: None },
        Action::ChooseFaction {
            faction: Some(Faction::Nomads),
        },
        Action::PlaceDwelling { space },
        Action::ChooseBonusCard {
            card: BonusCard::Bon1,
        },
        Action::TransformAndBuild { work: some_work() },
        Action::BuildDwelling { space },
        Action::AdvanceShipping,
        Action::AdvanceTerraforming,
        Action::UpgradeStructure {
            space,
            to: Structure::Temple,
        },
        Action::SendPriest {
            cult: Cult::Water,
            slot: PriestSlot::Three,
        },
    ];
    samples.extend(power_actions());
    samples.extend(special_actions());
    samples.push(Action::BuildEngineerBridge {
        span: Span { a: space, b: river },
    });
    samples.extend([None, Some(BonusCard::Bon9)].map(|card| Action::Pass { card }));
    samples.extend([
        Action::Convert {
            kind: Conversion::PowerToWorker,
            times: 3,
            sacrifice: 1,
        },
        Action::SacrificePower { tokens: 2 },
        Action::FoundRiverTown { river },
        Action::EndTurn,
        Action::DecidePower { accept: true },
        Action::DecidePower { accept: false },
        Action::ChooseFavorTile {
            tile: FavorTile::Fav5,
        },
        Action::ChooseTownTile {
            tile: TownTile::Tw5,
            key_cults: [Cult::Water, Cult::Air].into_iter().collect(),
        },
        Action::ChooseCultStep { cult: Cult::Air },
        Action::OrdainPriests { count: 3 },
        Action::UseStrongholdSpades { work: some_work() },
        Action::UseCultSpades {
            transforms: some_work().transforms,
        },
    ]);
    samples
}

#[test]
fn the_samples_are_all_kinds_of_the_contract() {
    let mut sampled: Vec<_> = samples().iter().map(Action::kind).collect();
    sampled.dedup();
    assert_eq!(sampled, kinds("gamekeeper.terra_mystica.v1", "Action"));
}

#[test]
fn actions_come_back_from_their_message() {
    for sample in samples() {
        let sent = TerraMystica::action_message(&sample);
        assert_eq!(TerraMystica::action(sent), Ok(sample));
    }
}

fn fault(kind: Kind) -> String {
    action::<Action, _>(Some(kind)).unwrap_err().field
}

#[test]
fn what_means_nothing_is_malformed() {
    let priest = pb::SendPriest { cult: 1, slot: 9 };
    assert_eq!(fault(Kind::SendPriest(priest)), "action.send_priest.slot");
    let bridge = pb::BuildEngineerBridge { span: None };
    let field = "action.build_engineer_bridge.span";
    assert_eq!(fault(Kind::BuildEngineerBridge(bridge)), field);
    let transform = pb::Transform::default();
    let spades = pb::UseCultSpades {
        transforms: vec![transform.clone()],
    };
    let field = "action.use_cult_spades.transforms[0].target";
    assert_eq!(fault(Kind::UseCultSpades(spades)), field);
    let many = pb::UseCultSpades {
        transforms: vec![transform; 9],
    };
    let field = "action.use_cult_spades.transforms";
    assert_eq!(fault(Kind::UseCultSpades(many)), field);
    let dig = |target| pb::Transform {
        target,
        ..pb::Transform::default()
    };
    let power = pb::TakePowerAction {
        action: pb::PowerAction::Act6.into(),
        work: Some(pb::Work {
            transforms: vec![dig(1), dig(8)],
            build_at: None,
        }),
        ..pb::TakePowerAction::default()
    };
    let field = "action.take_power_action.work.transforms[1].target";
    assert_eq!(fault(Kind::TakePowerAction(power)), field);
    let pass = pb::Pass { card: Some(0) };
    assert_eq!(fault(Kind::Pass(pass)), "action.pass.card");
    let town = pb::ChooseTownTile {
        tile: 1,
        key_cults: vec![4, 5],
    };
    let field = "action.choose_town_tile.key_cults[1]";
    assert_eq!(fault(Kind::ChooseTownTile(town)), field);
}

#[test]
fn what_an_action_does_not_use_is_malformed() {
    let power = pb::TakePowerAction {
        action: pb::PowerAction::Act2.into(),
        work: Some(pb::Work::default()),
        ..pb::TakePowerAction::default()
    };
    assert_eq!(
        fault(Kind::TakePowerAction(power)),
        "action.take_power_action.work"
    );
    let special = pb::TakeSpecialAction {
        action: pb::SpecialAction::ActW.into(),
        cult: 1,
        ..pb::TakeSpecialAction::default()
    };
    assert_eq!(
        fault(Kind::TakeSpecialAction(special)),
        "action.take_special_action.cult"
    );
}

#[test]
fn spaces_that_do_not_exist_are_left_to_the_rules() {
    let sent = Kind::PlaceDwelling(pb::PlaceDwelling { space: "Z1".into() });
    let space = Space::Unknown;
    assert_eq!(action(Some(sent)), Ok(Action::PlaceDwelling { space }));
}
