//! Set-up, options, turn start (CAY-5, CAY-6.3, CAY-9.2).

use super::table::*;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::caylus::action::Target;
use gamekeeper_rules::caylus::data::{Cubes, NEUTRAL_TILES, Resource, Tile};
use gamekeeper_rules::caylus::options::{Draft, Options};
use gamekeeper_rules::caylus::stage::Phase;
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};

fn first_deniers(players: u8) -> Vec<u16> {
    let reversed: Vec<Seat> = Seat::all(usize::from(players)).rev().collect();
    let table = Table::dealt(&Options {
        neutral_order: Some(BASE_ROAD),
        turn_order: Some(reversed.iter().copied().collect()),
        ..Options::plain(players)
    });
    for player in &table.state.players {
        let cubes = Cubes::of(2, Resource::Food).and(1, Resource::Wood);
        assert_eq!((player.cubes, player.vp, player.workers), (cubes, 0, 6));
        assert_eq!(player.markers, [0; 4]);
    }
    let order = table.state.turn_order.iter();
    order.map(|&seat| table.deniers(seat)).collect()
}

#[test]
fn cay_ac_1_first_income_comes_before_the_first_placement() {
    assert_eq!(first_deniers(5), [7, 8, 8, 9, 9]);
    assert_eq!(first_deniers(4), [7, 8, 8, 9]);
    assert_eq!(first_deniers(3), [7, 8, 8]);
    assert_eq!(first_deniers(2), [7, 7]);
}

#[test]
fn cay_ac_29_two_players_take_turns_to_be_first() {
    let mut table = Table::of(2);
    assert_eq!(table.state.turn_order[..], [BLUE, RED]);
    table.skip_turn();
    assert_eq!(table.state.turn_order[..], [RED, BLUE]);
    table.skip_turn();
    assert_eq!(table.state.turn_order[..], [BLUE, RED]);
}

#[test]
fn three_players_keep_their_order() {
    let mut table = Table::of(3);
    table.skip_turn();
    assert_eq!(table.state.turn_order[..], [BLUE, RED, GREEN]);
}

#[test]
fn the_board_is_set_as_printed() {
    let table = Table::of(3);
    for (number, tile) in (1..).zip(BASE_ROAD) {
        assert_eq!(table.standing(number), (Some(tile), None));
    }
    assert_eq!(table.standing(7).0, Some(Tile::FixedPeddler));
    assert_eq!(table.standing(8).0, Some(Tile::FixedCarpenter));
    assert_eq!(table.standing(16).0, Some(Tile::GoldMine));
    let empty = table
        .state
        .road
        .lots()
        .filter(|(_, lot)| lot.tile.is_none());
    assert_eq!(empty.count(), 19);
    assert_eq!(
        (table.state.bailiff, table.state.provost),
        (space(6), space(6))
    );
    assert_eq!((table.state.turn, table.state.phase), (1, Phase::Placement));
    assert_eq!(
        gamekeeper_rules::caylus::rules::placement::price(&table.state, BLUE, Target::Castle),
        1
    );
}

/// CAY-14.6: only what the options leave open is drawn, the tiles first.
#[test]
fn what_the_options_leave_open_is_drawn_in_order() {
    let seed = || Chance::from_seed(&Seed::from_number(7));
    let names = |options: &Options| -> Vec<String> {
        let draws = create::<Caylus>(options, seed()).draws;
        draws.iter().map(|draw| draw.name.to_string()).collect()
    };
    let plain = Options::plain(4);
    assert_eq!(names(&plain), ["neutral_order", "turn_order"]);
    let tiles = Options {
        neutral_order: Some(BASE_ROAD),
        ..plain.clone()
    };
    assert_eq!(names(&tiles), ["turn_order"]);
    let seats = Options {
        turn_order: Some(Seat::all(4).collect()),
        ..plain.clone()
    };
    assert_eq!(names(&seats), ["neutral_order"]);
    let drawn = create::<Caylus>(&plain, seed());
    let tiles: Vec<u16> = drawn
        .state
        .road
        .lots()
        .take(6)
        .map(|(_, lot)| lot.tile.unwrap() as u16)
        .collect();
    let seats: Vec<u16> = drawn
        .state
        .turn_order
        .iter()
        .map(|seat| u16::from(seat.number()))
        .collect();
    assert_eq!(
        [&drawn.draws[0].values, &drawn.draws[1].values],
        [&tiles, &seats]
    );
    assert_eq!(
        Caylus::draw_label("neutral_order", tiles[0]),
        NEUTRAL_TILES[usize::from(tiles[0])].id()
    );
    assert_eq!(Caylus::draw_label("turn_order", 3), "3");
}

fn judged(players: usize, draft: &Draft) -> Result<Options, &'static str> {
    let names = vec![String::from("somebody"); players];
    Caylus::options(&names, draft).map_err(|refusal| refusal.code())
}

/// CAY-5.1: 2 to 5 players; explicit orders are permutations.
#[test]
fn options_are_checked() {
    let plain = Draft::default();
    for players in [0, 1, 6, 300] {
        assert_eq!(judged(players, &plain), Err("INVALID_PLAYER_COUNT"));
    }
    for players in 2..=5 {
        assert_eq!(
            judged(usize::from(players), &plain),
            Ok(Options::plain(players))
        );
    }
    let tiles = |tiles: &[Option<Tile>]| Draft {
        neutral_order: tiles.to_vec(),
        ..Draft::default()
    };
    let mut order = BASE_ROAD.map(Some);
    let accepted = judged(3, &tiles(&order)).unwrap();
    assert_eq!(accepted.neutral_order, Some(BASE_ROAD));
    assert_eq!(judged(3, &tiles(&order[..5])), Err("INVALID_OPTION"));
    order[5] = None;
    assert_eq!(judged(3, &tiles(&order)), Err("INVALID_OPTION"));
    order[5] = Some(Tile::GoldMine);
    assert_eq!(judged(3, &tiles(&order)), Err("INVALID_OPTION"));
    order[5] = order[0];
    assert_eq!(judged(3, &tiles(&order)), Err("INVALID_OPTION"));
    let seats = |numbers: &[u32]| Draft {
        turn_order: numbers.to_vec(),
        simplified_favors: true,
        ..Draft::default()
    };
    let accepted = judged(3, &seats(&[2, 3, 1])).unwrap();
    assert_eq!(accepted.turn_order.unwrap()[..], [RED, GREEN, BLUE]);
    assert!(accepted.simplified_favors);
    for wrong in [
        &[2, 3][..],
        &[2, 3, 4],
        &[1, 2, 2],
        &[0, 1, 2],
        &[1, 2, 259],
        &[1, 2, 3, 4],
    ] {
        assert_eq!(judged(3, &seats(wrong)), Err("INVALID_OPTION"), "{wrong:?}");
    }
    assert_eq!(judged(9, &seats(&[1])), Err("INVALID_PLAYER_COUNT"));
}
