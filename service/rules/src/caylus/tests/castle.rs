//! Phase 6 (CAY-6.8).

use super::table::*;
use Resource::{Cloth, Food, Gold, Stone, Wood};
use gamekeeper_rules::caylus::action::Action;
use gamekeeper_rules::caylus::data::{FavorLine, Resource, Section};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::stage::{Decision, Phase};

/// This many cubes of each kind for everybody, and these players in the castle.
fn queue(players: u8, cubes: u16, queue: &[gamekeeper_rules::table::Seat]) -> Table {
    let mut table = Table::of(players);
    for seat in gamekeeper_rules::table::Seat::all(usize::from(players)) {
        let all = Resource::ALL.map(|resource| (cubes, resource));
        table.has(seat, 5, &all);
    }
    table.in_castle(queue.iter().copied());
    table
}

/// The Dungeon has 4 of 6 parts; red, then green build; red can pay for one batch.
fn two_parts_left() -> Table {
    let mut table = queue(3, 2, &[RED, GREEN]);
    table.parts(Section::Dungeon, [4]);
    table.has(RED, 5, &[(1, Food), (1, Stone), (1, Wood)]);
    table.castle();
    table.play(RED, batch(Stone, Wood));
    assert!(table.forced(RED, &Action::FinishCastle));
    assert_eq!(table.vp(RED), 5);
    assert_eq!(table.state.castle.built(Section::Dungeon), 5);
    table
}

#[test]
fn cay_ac_13_a_batch_too_many_goes_to_the_next_section() {
    let mut table = two_parts_left();
    table.play(GREEN, batch(Wood, Stone));
    table.play(GREEN, batch(Cloth, Gold));
    assert!(table.forced(GREEN, &Action::FinishCastle));
    assert_eq!(table.vp(GREEN), 9);
    assert_eq!(table.state.castle.built(Section::Dungeon), 6);
    assert_eq!(table.state.castle.built(Section::Walls), 1);
    assert!(table.happened(&Event::MostBatches {
        seat: GREEN,
        batches: 2,
        is_tied: false,
    }));
    assert_eq!(table.pending(), Some((GREEN, Decision::TakeFavor)));
    table.marker(GREEN, FavorLine::Prestige, 2);
    table.refuses(GREEN, favor(FavorLine::Prestige, 3), "FAVOR_COLUMN_LOCKED");
    assert!(table.allows(GREEN, favor(FavorLine::Prestige, 2)));
}

#[test]
fn cay_ac_14_of_equals_the_earlier_builder_gets_the_favor() {
    let mut table = two_parts_left();
    table.play(GREEN, batch(Wood, Stone));
    table.play(GREEN, &Action::FinishCastle);
    assert_eq!(table.vp(GREEN), 5);
    assert!(table.happened(&Event::MostBatches {
        seat: RED,
        batches: 1,
        is_tied: true,
    }));
    assert_eq!(table.pending(), Some((RED, Decision::TakeFavor)));
}

#[test]
fn cay_ac_21_the_earlier_of_two_with_two_batches() {
    let mut table = queue(3, 2, &[BLUE, RED, GREEN]);
    table.castle();
    table.play(BLUE, batch(Wood, Stone));
    table.play(BLUE, &Action::FinishCastle);
    assert!(table.happened(&Event::CastleFinished {
        seat: BLUE,
        batches: 1
    }));
    for seat in [RED, GREEN] {
        table.play(seat, batch(Wood, Stone));
        table.play(seat, batch(Cloth, Gold));
    }
    assert_eq!(table.pending(), Some((RED, Decision::TakeFavor)));
    assert_eq!(table.state.phase, Phase::Castle);
    // CAY-14.5: the cursor stays on the last builder, the workers are still there.
    assert_eq!((table.state.cursor, table.state.castle.queue.len()), (2, 3));
}

#[test]
fn cay_ac_68_a_batch_is_food_and_two_other_kinds() {
    let mut table = queue(3, 0, &[BLUE]);
    table.has(BLUE, 5, &[(1, Food), (1, Wood), (1, Gold)]);
    table.castle();
    table.refuses(BLUE, batch(Wood, Wood), "INVALID_BATCH");
    table.refuses(BLUE, batch(Food, Wood), "INVALID_BATCH");
    table.refuses(BLUE, batch(Wood, Stone), "CANNOT_AFFORD");
    let unknown = Action::BuildCastleBatch {
        second: Some(Wood),
        third: None,
    };
    table.refuses(BLUE, &unknown, "UNKNOWN_ID");
    assert_eq!(table.legal(), [batch(Wood, Gold), Action::FinishCastle]);
    table.play(BLUE, batch(Gold, Wood));
    assert_eq!(table.vp(BLUE), 5);
}

#[test]
fn cay_ac_69_a_player_who_cannot_build_finishes_and_loses_points() {
    let mut table = queue(3, 0, &[BLUE]);
    table.player(BLUE).vp = 1;
    table.castle();
    assert!(table.forced(BLUE, &Action::FinishCastle));
    assert!(table.happened(&Event::CastlePenalty { seat: BLUE, vp: 1 }));
    assert_eq!(table.vp(BLUE), 0);
}

#[test]
fn cay_ac_70_a_player_who_will_not_build_loses_points_and_gets_no_favor() {
    let mut table = queue(3, 1, &[BLUE, RED]);
    table.player(BLUE).vp = 6;
    table.castle();
    table.play(BLUE, &Action::FinishCastle);
    assert_eq!(table.vp(BLUE), 4);
    let mut nobody = table.clone();
    table.play(RED, batch(Wood, Stone));
    assert_eq!(table.pending(), Some((RED, Decision::TakeFavor)));
    nobody.play(RED, &Action::FinishCastle);
    assert_eq!(nobody.pending(), Some((BLUE, Decision::PlaceWorker)));
}

#[test]
fn cay_ac_71_full_towers_excuse_the_next_builder() {
    let mut table = queue(3, 2, &[RED, GREEN]);
    table.scored(2);
    table.parts(Section::Towers, [13]);
    table.player(GREEN).vp = 9;
    table.castle();
    table.play(RED, batch(Wood, Stone));
    assert_eq!(table.vp(RED), 3);
    assert!(table.forced(RED, &Action::FinishCastle));
    assert!(table.forced(GREEN, &Action::FinishCastle));
    assert!(table.happened(&Event::CastleFinished {
        seat: GREEN,
        batches: 0
    }));
    assert_eq!((table.vp(GREEN), table.count(GREEN, Food)), (9, 2));
    assert_eq!(table.pending(), Some((RED, Decision::TakeFavor)));
    assert_eq!(table.waste_favors(), [(RED, 1), (BLUE, 3)]);
    assert_eq!((table.state.phase, table.pending()), (Phase::Over, None));
}

#[test]
fn cay_ac_72_batches_overflow_two_sections() {
    let mut table = queue(3, 0, &[RED]);
    table.parts(Section::Dungeon, [5]);
    table.has(RED, 5, &[(12, Food), (12, Wood), (12, Gold)]);
    table.castle();
    for _ in 0..12 {
        table.play(RED, batch(Wood, Gold));
    }
    assert_eq!(table.vp(RED), 5 + 10 * 4 + 3);
    let built = Section::ALL.map(|section| table.state.castle.built(section));
    assert_eq!(built, [6, 10, 1]);
}

#[test]
fn cay_ac_73_a_full_dungeon_is_not_yet_scored() {
    let mut table = queue(3, 1, &[GREEN]);
    table.parts(Section::Dungeon, [5]);
    table.marker(GREEN, FavorLine::Deniers, 2);
    table.castle();
    table.play(GREEN, batch(Wood, Stone));
    assert!(table.state.castle.is_full(Section::Dungeon));
    table.refuses(GREEN, favor(FavorLine::Deniers, 3), "FAVOR_COLUMN_LOCKED");
    table.play(GREEN, favor(FavorLine::Deniers, 2));
    assert_eq!(table.marker_on(GREEN, FavorLine::Deniers), 2);
    assert!(table.happened(&Event::FavorTaken {
        seat: GREEN,
        line: FavorLine::Deniers,
        marker: 2,
        column: 2,
        paid: gamekeeper_rules::caylus::data::Goods::NONE,
        gained: gamekeeper_rules::caylus::data::Goods::deniers(4),
        marker_before: 2,
    }));
}

/// CAY-14.1: hidden by forced finishing in real games.
#[test]
fn a_full_castle_takes_no_batch() {
    let mut table = queue(3, 2, &[RED, GREEN]);
    table.scored(2);
    table.parts(Section::Towers, [12]);
    table.castle();
    table.parts(Section::Towers, [14]);
    table.refuses(RED, batch(Wood, Stone), "CASTLE_FULL");
}

/// CAY-6.8.5: free parts of a scored section stay free.
#[test]
fn a_scored_section_is_closed() {
    let mut table = queue(3, 1, &[RED]);
    table.scored(1);
    table.parts(Section::Dungeon, [3]);
    table.castle();
    table.play(RED, batch(Wood, Stone));
    assert_eq!(table.vp(RED), 4);
    assert_eq!(table.state.castle.built(Section::Walls), 1);
}
