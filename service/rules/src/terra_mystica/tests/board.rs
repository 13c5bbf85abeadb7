//! The table as text.

use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Names, OptionalParam, Seat, Seed, Viewer, text};
use gamekeeper_rules::terra_mystica::board::{board, map};
use gamekeeper_rules::terra_mystica::data::{BRIDGE_SITES, Land, PowerAction, River, TownTile};
use gamekeeper_rules::terra_mystica::{
    Action, BridgeView, Draft, FollowUp, OfferView, SetupMode, SpadesView, TerraMystica, TownView,
    TurnOrder, TurnView, View,
};

use super::table::{S1, S2, S3, S4, land};

fn players() -> [String; 4] {
    ["Ann", "Bob", "Cid", "Dora"].map(String::from)
}

/// The first game of four after this many actions: always one from the middle of the list,
/// conversions left out.
fn played(mode: SetupMode, actions: usize) -> Applied<TerraMystica> {
    let draft = Draft {
        first_player: Some(1),
        setup_mode: OptionalParam::Known(mode),
        ..Draft::default()
    };
    let options = TerraMystica::options(&players(), &draft).unwrap();
    let mut now = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(1)));
    for _ in 0..actions {
        let Some(pending) = TerraMystica::pending(&now.state).first().copied() else {
            break;
        };
        let mut legal = legal_actions::<TerraMystica>(&now.state, pending.seat, Detail::Moves);
        let converts = |action: &Action| matches!(action, Action::Convert { .. });
        if !legal.iter().all(converts) {
            legal.retain(|action| !converts(action));
        }
        let action = &legal[legal.len() / 2];
        now = apply::<TerraMystica>(&now.state, &now.chance, pending.seat, action).unwrap();
    }
    now
}

fn view(mode: SetupMode, actions: usize) -> View {
    TerraMystica::view(&played(mode, actions).state, Viewer::Spectator)
}

/// A table with everything that a turn can leave open.
pub(crate) fn busy() -> View {
    let mut view = view(SetupMode::Introductory, 60);
    let bridge = |a, b, seat| BridgeView {
        a: land(a),
        b: land(b),
        seat,
    };
    view.bridges = vec![
        bridge("C2", "E5", S1),
        bridge("D6", "E8", S2),
        bridge("B2", "C1", S3),
        bridge("F1", "H1", S3),
    ];
    let town = |seat: Seat, tile, lands: &[&str], river: Option<&str>| TownView {
        seat,
        tile,
        spaces: lands.iter().map(|id| land(id)).collect(),
        river: river.and_then(River::by_id),
    };
    view.towns = vec![
        town(S1, Some(TownTile::Tw1), &["E9", "F4"], None),
        town(S4, None, &["D5", "E4"], Some("r16")),
    ];
    view.power_offers = vec![OfferView {
        seat: S2,
        builder: S1,
        space: land("F4"),
        value: 4,
        gainable: 3,
    }];
    view.follow_ups = vec![FollowUp::FavorTiles(2), FollowUp::TownTiles(1)];
    view.cult_spades = vec![SpadesView {
        seat: S3,
        spades: 2,
    }];
    view.turn = Some(TurnView {
        seat: S1,
        main_action_done: true,
        extra_actions: 0,
        late_build: vec![land("G3")],
        power_accepted: false,
    });
    view.priests = [[None; 4]; 4];
    view.priests[0][0] = Some(S1);
    view.priests[3][1] = Some(S4);
    view.priests[3][2] = Some(S2);
    view.used_power_actions = vec![PowerAction::Act4];
    view.rules.free_sacrifice = true;
    view.rules.turn_order = TurnOrder::PassingOrder;
    view
}

fn shown(view: &View, width: usize) -> String {
    text::plain(&board(view, Names::new(&players()), width))
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
fn in_a_terminal_of_120_columns_the_tiles_are_beside_the_map() {
    insta::assert_snapshot!(shown(&busy(), 120));
}

#[test]
fn factions_are_still_to_be_chosen() {
    let mut view = view(SetupMode::RandomColors, 1);
    view.unused_scoring_tiles.clear();
    insta::assert_snapshot!(shown(&view, 80));
}

#[test]
fn colors_repeat_what_letters_say() {
    let map = map::map(&busy(), Names::new(&players()), map::WIDTH);
    let lines: Vec<_> = map.lines().skip(2).take(4).collect();
    insta::assert_snapshot!(lines.join("\n").replace('\u{1b}', "^["));
}

#[test]
fn no_line_is_wider_than_asked_for() {
    for width in [72, 80, 100, 119, 120, 152, 160] {
        let views = [0, 20, 60, 150, 1000].map(|actions| view(SetupMode::Introductory, actions));
        for view in views.iter().chain([&busy()]) {
            let text = shown(view, width);
            let line = text.lines().find(|line| line.chars().count() > width);
            assert_eq!(line, None, "{width}");
        }
    }
}

#[test]
fn every_bridge_lies_between_two_river_hexes() {
    let mut view = view(SetupMode::Introductory, 0);
    let rows = |view: &View| -> Vec<Vec<char>> {
        let map = text::plain(&map::map(view, Names::NONE, map::WIDTH));
        let lines = map.lines().take(18);
        lines.map(|line| line.chars().collect()).collect()
    };
    let bare = rows(&view);
    for site in BRIDGE_SITES {
        let (a, b): (Land, Land) = (site.a, site.b);
        view.bridges = vec![BridgeView { a, b, seat: S1 }];
        let changed: Vec<(char, char)> = std::iter::zip(rows(&view).concat(), bare.concat())
            .filter(|(now, before)| now != before)
            .collect();
        let fits = |(now, before): &(char, char)| "|/\\".contains(*now) && " ~".contains(*before);
        assert!(
            changed.len() == 2 && changed.iter().all(fits),
            "{site:?} {changed:?}"
        );
    }
}
