//! Actions in words.

use super::board::busy;
use super::table::{S2, convert, space, work};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Names, Pending};
use gamekeeper_rules::terra_mystica::data::Terrain::Desert;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, PriestSlot, Structure, TownTile,
};
use gamekeeper_rules::terra_mystica::{
    Action, Decision, Direction, PowerUse, Span, SpecialUse, TerraMystica, Work,
};

/// Actions in the words of the Nomads in seat 2, one line each.
fn all_said(actions: impl IntoIterator<Item = Action>) -> String {
    let mut view = busy();
    view.pending = Pending::all([(S2, Decision::Turn)], Decision::id);
    let said = |action| TerraMystica::action_text(&view, &action, Names::NONE) + "\n";
    actions.into_iter().map(said).collect()
}

#[test]
fn building_is_said_in_full() {
    let dig = |work| Action::TransformAndBuild { work };
    let mut long = work(&[("E6", Desert)], "");
    long.transforms[0].direction = Direction::Long;
    let upgrade = |id, to| Action::UpgradeStructure {
        space: space(id),
        to_structure: to,
    };
    let said = all_said([
        dig(work(&[("E6", Desert)], "E6")),
        dig(work(&[("E6", Desert)], "")),
        dig(work(&[], "F3")),
        dig(long),
        Action::AdvanceShipping,
        Action::AdvanceTerraforming,
        upgrade("E8", Structure::TradingHouse),
        upgrade("I7", Structure::TradingHouse),
        upgrade("E8", Structure::Stronghold),
        Action::UseStrongholdSpades {
            work: Work::default(),
        },
        Action::UseCultSpades {
            transforms: work(&[("E6", Desert), ("G2", Desert)], "").transforms,
        },
    ]);
    let expected = "\
transform E6 to desert with 1 spade and build a dwelling there
transform E6 to desert with 1 spade
build a dwelling on F3 for 1 worker and 2 coins
transform E6 to desert with 6 spades
advance on the shipping track for 4 coins and 1 priest
advance on the exchange track for 2 workers, 5 coins and 1 priest
upgrade E8 to a trading house for 2 workers and 3 coins
upgrade I7 to a trading house for 2 workers and 6 coins
upgrade E8 to a stronghold for 4 workers and 8 coins
use no spades
transform E6 to desert with 1 spade, G2 to desert with 1 spade
";
    assert_eq!(said, expected);
}

#[test]
fn power_and_special_actions_are_said_in_full() {
    let power = |power_use, sacrifice| Action::TakePowerAction {
        power_use,
        sacrifice,
    };
    let span = Span {
        a: space("D6"),
        b: space("E8"),
    };
    let two = work(&[("E6", Desert), ("G2", Desert)], "G2");
    let said = all_said([
        power(PowerUse::Bridge { span: Some(span) }, 0),
        power(PowerUse::Bridge { span: None }, 0),
        power(PowerUse::Workers, 2),
        power(PowerUse::TwoSpades(two), 0),
        power(PowerUse::Spade(Work::default()), 0),
        Action::TakeSpecialAction {
            special_use: SpecialUse::Sandstorm {
                space: space("E6"),
                build: true,
            },
        },
        Action::TakeSpecialAction {
            special_use: SpecialUse::FavorCultStep(Cult::Water),
        },
    ]);
    let expected = "\
take ACT1 (bridge) for 3 power: build a bridge between D6 and E8
take ACT1 (bridge) for 3 power: build no bridge
take ACT3 (2 workers) for 4 power, sacrificing 2 power tokens
take ACT6 (2 spades) for 6 power: transform E6 to desert with 1 spade, G2 to desert with 1 spade \
and build a dwelling on G2
take ACT5 (1 spade) for 4 power: use no spades
use ACTN (sandstorm): transform E6 to desert and build a dwelling there
use the cult step of FAV6: advance 1 step on the water track
";
    assert_eq!(said, expected);
}

#[test]
fn choices_and_conversions_are_said_in_full() {
    let said = all_said([
        Action::ChooseFaction {
            faction: Some(Faction::ChaosMagicians),
        },
        Action::ChooseBonusCard {
            card: BonusCard::Bon4,
        },
        Action::SendPriest {
            cult: Cult::Fire,
            slot: PriestSlot::Three,
        },
        Action::SendPriest {
            cult: Cult::Air,
            slot: PriestSlot::Supply,
        },
        Action::PassTurn {
            card: Some(BonusCard::Bon8),
        },
        Action::PassTurn { card: None },
        Action::Convert {
            kind: Conversion::PowerToWorker,
            times: 2,
            sacrifice: 1,
        },
        convert(Conversion::AlchemyCoinToVp, 3),
        Action::DecidePower { accept: true },
        Action::DecidePower { accept: false },
        Action::ChooseFavorTile {
            tile: FavorTile::Fav5,
        },
        Action::ChooseTownTile {
            tile: TownTile::Tw5,
            key_cults: [Cult::Fire].into_iter().collect(),
        },
        Action::EndTurn,
    ]);
    let expected = "\
play the Chaos Magicians (wasteland)
take BON4 (3 power, shipping +1)
send a priest to the 3-step space of the fire cult
send a priest to the air cult for 1 step and back to the supply
pass and take BON8 (1 priest) with 3 coins
pass
convert 6 power into 2 workers, sacrificing 1 power token
convert 6 coins into 3 VP
take 3 power for 2 VP, because the Witches built on F4
decline 3 power, because the Witches built on F4
take FAV5 (2 fire, towns of power 6)
take TW5 (8 VP, 1 step on all cults) and reach the top of the fire track
end the turn
";
    assert_eq!(said, expected);
}
