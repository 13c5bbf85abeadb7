use gamekeeper_proto::gamekeeper::v1::{GameStatus, PendingDecision, Player};
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};
use gamekeeper_rules::terra_mystica::{Action, Draft, SetupMode, TerraMystica};
use gamekeeper_wire::Wire;
use pb::action::Kind;

use super::*;

const PLAYERS: [&str; 4] = ["Ann", "Bob", "Cid", "Dora"];

fn info() -> GameInfo {
    let player = |(seat, name): (u32, &&str)| Player {
        seat,
        name: (*name).to_owned(),
    };
    GameInfo {
        game_id: "0199aaaa-0000-7000-8000-000000000003".to_owned(),
        ruleset: "terra_mystica".to_owned(),
        version: 91,
        status: GameStatus::Active.into(),
        players: (1..).zip(&PLAYERS).map(player).collect(),
        pending: vec![PendingDecision {
            seat: 1,
            decision: "turn".to_owned(),
        }],
        ..GameInfo::default()
    }
}

/// The first game of four after so many actions: always one out of the middle of what is no
/// conversion.
fn played(mode: SetupMode, actions: usize) -> Applied<TerraMystica> {
    let draft = Draft {
        start_player: Some(1),
        setup_mode: mode,
        ..Draft::default()
    };
    let options = TerraMystica::options(&PLAYERS.map(str::to_owned), &draft).unwrap();
    let mut now = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(1)));
    for _ in 0..actions {
        let Some(owed) = TerraMystica::pending(&now.state).first().copied() else {
            break;
        };
        let mut legal = legal_actions::<TerraMystica>(&now.state, owed.seat, Detail::Moves);
        let converts = |action: &Action| matches!(action, Action::Convert { .. });
        if !legal.iter().all(converts) {
            legal.retain(|action| !converts(action));
        }
        let action = &legal[legal.len() / 2];
        now = apply::<TerraMystica>(&now.state, &now.chance, owed.seat, action).unwrap();
    }
    now
}

fn view(mode: SetupMode, actions: usize) -> pb::View {
    let table = played(mode, actions);
    TerraMystica::view_message(&TerraMystica::view(&table.state, Viewer::Spectator))
}

/// A table with everything on it that a turn can leave open.
fn busy() -> pb::View {
    let mut view = view(SetupMode::Introductory, 60);
    let bridge = |a: &str, b: &str, seat| pb::Bridge {
        a: a.to_owned(),
        b: b.to_owned(),
        seat,
    };
    view.bridges = vec![
        bridge("C2", "E5", 1),
        bridge("D6", "E8", 2),
        bridge("B2", "C1", 3),
        bridge("F1", "H1", 3),
    ];
    let town = |seat, tile: pb::TownTile, spaces: &[&str], river: Option<&str>| pb::Town {
        seat,
        tile: tile.into(),
        spaces: spaces.iter().map(|space| (*space).to_owned()).collect(),
        river: river.map(str::to_owned),
    };
    view.towns = vec![
        town(1, pb::TownTile::Tw1, &["E9", "F4"], None),
        town(4, pb::TownTile::Unspecified, &["D5", "E4"], Some("r16")),
    ];
    view.power_offers = vec![pb::PowerOffer {
        seat: 2,
        builder: 1,
        space: "F4".to_owned(),
        value: 4,
        gainable: 3,
    }];
    let owed = |kind: pb::FollowUpKind, count| pb::FollowUp {
        kind: kind.into(),
        count,
    };
    view.follow_ups = vec![
        owed(pb::FollowUpKind::FavorTiles, 2),
        owed(pb::FollowUpKind::TownTiles, 1),
    ];
    view.cult_spades = vec![pb::CultSpades { seat: 3, spades: 2 }];
    view.turn = Some(pb::Turn {
        seat: 1,
        main_action_done: true,
        extra_actions: 0,
        late_build: vec!["G3".to_owned()],
    });
    let priest = |cult: pb::Cult, slot: pb::PriestSlot, seat| pb::PriestOnCult {
        cult: cult.into(),
        slot: slot.into(),
        seat,
    };
    view.priests = vec![
        priest(pb::Cult::Fire, pb::PriestSlot::Three, 1),
        priest(pb::Cult::Air, pb::PriestSlot::Two, 4),
        priest(pb::Cult::Air, pb::PriestSlot::Two, 2),
    ];
    view.used_power_actions = vec![pb::PowerAction::Act4.into()];
    if let Some(rules) = &mut view.rules {
        rules.free_sacrifice = true;
        rules.turn_order = pb::TurnOrder::PassingOrder.into();
    }
    view
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn shown(view: &pb::View, width: usize) -> String {
    plain(&table(&info(), view, &TerraMystica::catalogue(), width))
}

#[test]
fn the_middle_of_a_game() {
    insta::assert_snapshot!(shown(&view(SetupMode::Introductory, 60), 80));
}

#[test]
fn a_wide_table_has_the_tiles_beside_the_map() {
    insta::assert_snapshot!(shown(&busy(), 160));
}

#[test]
fn factions_are_still_to_be_chosen() {
    let mut view = view(SetupMode::RandomColors, 1);
    view.unused_scoring_tiles.clear();
    insta::assert_snapshot!(shown(&view, 80));
}

#[test]
fn colors_repeat_what_letters_say() {
    let catalogue = TerraMystica::catalogue();
    let (info, view) = (info(), busy());
    let map = map::map(&view, &Names::new(&info, &catalogue), map::WIDTH);
    let lines: Vec<_> = map.lines().skip(2).take(4).collect();
    insta::assert_snapshot!(lines.join("\n").replace('\u{1b}', "^["));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for width in [72, 80, 100, 152, 160] {
        for actions in [0, 20, 60, 150, 1000] {
            let text = shown(&view(SetupMode::Introductory, actions), width);
            let line = text.lines().find(|line| line.chars().count() > width);
            assert_eq!(line, None, "{width}, {actions}");
        }
        let text = shown(&busy(), width);
        let line = text.lines().find(|line| line.chars().count() > width);
        assert_eq!(line, None, "{width}");
    }
}

#[test]
fn every_bridge_lies_between_two_river_hexes() {
    let catalogue = TerraMystica::catalogue();
    let (info, mut view) = (info(), view(SetupMode::Introductory, 0));
    let bare = map::map(&view, &Names::new(&info, &catalogue), map::WIDTH);
    let rows = |map: &str| -> Vec<Vec<char>> {
        let lines = map.lines().take(18);
        lines.map(|line| plain(line).chars().collect()).collect()
    };
    let bare = rows(&bare);
    for site in &catalogue.bridge_sites {
        view.bridges = vec![pb::Bridge {
            a: site.a.clone(),
            b: site.b.clone(),
            seat: 1,
        }];
        let map = map::map(&view, &Names::new(&info, &catalogue), map::WIDTH);
        let changed: Vec<(char, char)> = rows(&map)
            .into_iter()
            .zip(&bare)
            .flat_map(|(row, bare)| {
                row.into_iter()
                    .zip(bare.iter().copied())
                    .collect::<Vec<_>>()
            })
            .filter(|(now, before)| now != before)
            .collect();
        let fits = |(now, before): &(char, char)| "|/\\".contains(*now) && " ~".contains(*before);
        assert!(
            changed.len() == 2 && changed.iter().all(fits),
            "{site:?} {changed:?}"
        );
    }
}

#[test]
fn without_a_catalogue_the_contract_names_everything() {
    let view = view(SetupMode::Introductory, 60);
    let text = plain(&table(&info(), &view, &pb::Catalogue::default(), 80));
    for word in ["Halflings", "E6 P DW3", "SCORE5", "BON4"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

fn said(view: &pb::View, kind: Kind) -> Option<String> {
    let action = pb::Action { kind: Some(kind) };
    super::action(&info(), view, &TerraMystica::catalogue(), &action)
}

/// Actions as the Nomads in seat 2 say them, a line each.
fn all_said(kinds: impl IntoIterator<Item = Kind>) -> String {
    let mut view = busy();
    view.actor = 2;
    let told = kinds.into_iter().map(|kind| said(&view, kind));
    told.map(|told| told.expect("words") + "\n").collect()
}

/// These spaces to desert the short way, and a dwelling.
fn work(spaces: &[&str], build: Option<&str>) -> pb::Work {
    let transforms = spaces.iter().map(|space| pb::Transform {
        space: (*space).to_owned(),
        target: pb::Terrain::Desert.into(),
        direction: pb::Direction::Short.into(),
    });
    pb::Work {
        transforms: transforms.collect(),
        build_at: build.map(str::to_owned),
    }
}

#[test]
fn building_is_said_in_full() {
    let mut long = work(&["E6"], None);
    long.transforms[0].direction = pb::Direction::Long.into();
    let dig = |work| Kind::TransformAndBuild(pb::TransformAndBuild { work: Some(work) });
    let upgrade = |space: &str, to: pb::Structure| {
        Kind::UpgradeStructure(pb::UpgradeStructure {
            space: space.to_owned(),
            to: to.into(),
        })
    };
    let said = all_said([
        dig(work(&["E6"], Some("E6"))),
        dig(work(&["E6"], None)),
        dig(work(&[], Some("F3"))),
        dig(long),
        Kind::AdvanceShipping(pb::AdvanceShipping {}),
        Kind::AdvanceTerraforming(pb::AdvanceTerraforming {}),
        upgrade("E8", pb::Structure::TradingHouse),
        upgrade("I7", pb::Structure::TradingHouse),
        upgrade("E8", pb::Structure::Stronghold),
        Kind::UseStrongholdSpades(pb::UseStrongholdSpades { work: None }),
        Kind::UseCultSpades(pb::UseCultSpades {
            transforms: work(&["E6", "G2"], None).transforms,
        }),
    ]);
    let expected = "\
E6 to desert (1 spade), build there
E6 to desert (1 spade)
build a dwelling on F3, 1 worker, 2 coins
E6 to desert (6 spades)
advance shipping, 4 coins, 1 priest
advance digging, 2 workers, 5 coins, 1 priest
upgrade E8 to a trading house, 2 workers, 3 coins
upgrade I7 to a trading house, 2 workers, 6 coins
upgrade E8 to a stronghold, 4 workers, 8 coins
give the spades up
E6 to desert (1 spade), G2 to desert (1 spade)
";
    assert_eq!(said, expected);
}

#[test]
fn power_and_special_actions_are_said_in_full() {
    let power = |action: pb::PowerAction, sacrifice, bridge, work| {
        Kind::TakePowerAction(pb::TakePowerAction {
            action: action.into(),
            sacrifice,
            bridge,
            work,
        })
    };
    let span = pb::Span {
        a: "D6".to_owned(),
        b: "E8".to_owned(),
    };
    let two = work(&["E6", "G2"], Some("G2"));
    let said = all_said([
        power(pb::PowerAction::Act1, 0, Some(span), None),
        power(pb::PowerAction::Act1, 0, None, None),
        power(pb::PowerAction::Act3, 2, None, None),
        power(pb::PowerAction::Act6, 0, None, Some(two)),
        power(pb::PowerAction::Act5, 0, None, None),
        Kind::TakeSpecialAction(pb::TakeSpecialAction {
            action: pb::SpecialAction::ActN.into(),
            space: Some("E6".to_owned()),
            build: true,
            ..pb::TakeSpecialAction::default()
        }),
        Kind::TakeSpecialAction(pb::TakeSpecialAction {
            action: pb::SpecialAction::Fav6.into(),
            cult: pb::Cult::Water.into(),
            ..pb::TakeSpecialAction::default()
        }),
    ]);
    let expected = "\
power ACT1 bridge for 3: D6-E8
power ACT1 bridge for 3: give it up
power ACT3 2 workers for 4, sacrificing 2
power ACT6 2 spades for 6: E6 to desert (1 spade), G2 to desert (1 spade), build on G2
power ACT5 1 spade for 4: give it up
ACTN sandstorm: E6, build there
FAV6 cult step of the favor tile: water
";
    assert_eq!(said, expected);
}

#[test]
fn choices_and_conversions_are_said_in_full() {
    let priest = |cult: pb::Cult, slot: pb::PriestSlot| {
        Kind::SendPriest(pb::SendPriest {
            cult: cult.into(),
            slot: slot.into(),
        })
    };
    let convert = |kind: pb::Conversion, times, sacrifice| {
        Kind::Convert(pb::Convert {
            kind: kind.into(),
            times,
            sacrifice,
        })
    };
    let said = all_said([
        Kind::ChooseFaction(pb::ChooseFaction {
            faction: pb::Faction::ChaosMagicians.into(),
        }),
        Kind::ChooseBonusCard(pb::ChooseBonusCard {
            card: pb::BonusCard::Bon4.into(),
        }),
        priest(pb::Cult::Fire, pb::PriestSlot::Three),
        priest(pb::Cult::Air, pb::PriestSlot::Supply),
        Kind::Pass(pb::Pass {
            card: Some(pb::BonusCard::Bon8.into()),
        }),
        Kind::Pass(pb::Pass { card: None }),
        convert(pb::Conversion::PowerToWorker, 2, 1),
        convert(pb::Conversion::AlchemyCoinToVp, 3, 0),
        Kind::DecidePower(pb::DecidePower { accept: true }),
        Kind::DecidePower(pb::DecidePower { accept: false }),
        Kind::ChooseFavorTile(pb::ChooseFavorTile {
            tile: pb::FavorTile::Fav5.into(),
        }),
        Kind::ChooseTownTile(pb::ChooseTownTile {
            tile: pb::TownTile::Tw5.into(),
            key_cults: vec![pb::Cult::Fire.into()],
        }),
    ]);
    let expected = "\
play the Chaos Magicians (wasteland)
take BON4 3 power, shipping +1
priest to fire, 3 steps, for good
priest to air, 1 step, back to the supply
pass and take BON8 1 priest (with 4 coins)
pass
convert 6 power to 2 workers, sacrificing 1
convert 6 coins to 3 VP
take 3 power for 2 VP
refuse 3 power
take FAV5 2 fire, towns of power 6
take TW5 8 VP, 1 step on all cults, to the top of fire
";
    assert_eq!(said, expected);
}

#[test]
fn what_needs_no_words_of_its_own_has_none() {
    assert_eq!(said(&busy(), Kind::EndTurn(pb::EndTurn {})), None);
}
