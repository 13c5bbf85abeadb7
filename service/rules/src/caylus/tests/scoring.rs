//! Phase 7 and the end of the game (CAY-6.9, CAY-8).

use super::table::*;
use FavorLine::{Buildings, Deniers, Prestige, Resources};
use Resource::{Cloth, Food, Gold, Stone};
use Section::{Dungeon, Towers, Walls};
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::caylus::action::Action;
use gamekeeper_rules::caylus::data::{Cubes, FavorLine, Resource, Section, Special, Tile};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::stage::{Decision, Phase};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{GameEvent as _, Names, Seat};

fn scored(table: &Table) -> Vec<Section> {
    let is_scored = |section: &Section| table.happened(&Event::SectionScored { section: *section });
    Section::ALL.into_iter().filter(is_scored).collect()
}

#[test]
fn cay_ac_15_the_bailiff_goes_one_space_and_the_provost_joins_it() {
    let mut table = Table::of(3);
    table.officials(8, 7);
    table.parts(Dungeon, [1, 1, 1]);
    table.end_of_turn();
    assert_eq!(
        (table.state.bailiff, table.state.provost),
        (space(9), space(9))
    );
    assert_eq!(scored(&table), []);
    table.officials(8, 7);
    table.parts(Dungeon, [1, 1, 4]);
    table.end_of_turn();
    assert_eq!(table.waste_favors(), [(GREEN, 1)]);
    assert_eq!(scored(&table), [Dungeon]);
}

#[test]
fn cay_ac_16_the_bailiff_reaches_the_trigger() {
    let mut table = Table::of(3);
    table.officials(10, 11);
    table.parts(Dungeon, [1, 1, 1]);
    table.end_of_turn();
    assert_eq!(
        (table.state.bailiff, table.state.provost),
        (space(12), space(12))
    );
    assert_eq!(scored(&table), [Dungeon]);
    assert_eq!(table.state.castle.open(), Some(Walls));
    table.officials(10, 11);
    table.end_of_turn();
    assert_eq!(scored(&table), []);
}

#[test]
fn cay_ac_17_scoring_goes_in_turn_order() {
    let mut table = Table::of(4);
    table.order([RED, BLUE, ORANGE, GREEN]);
    table.officials(11, 11);
    table.parts(Dungeon, [3, 2, 1, 0]);
    table.parts(Walls, [0, 0, 1, 0]);
    table.player(ORANGE).vp = 1;
    table.end_of_turn();
    assert_eq!(table.pending(), Some((RED, Decision::TakeFavor)));
    assert_eq!((table.vp(ORANGE), table.state.cursor), (1, 0));
    table.play(RED, favor(Prestige, 0));
    assert_eq!(table.pending(), Some((BLUE, Decision::TakeFavor)));
    assert_eq!((table.vp(ORANGE), table.state.cursor), (1, 1));
    table.play(BLUE, favor(Prestige, 0));
    assert_eq!(table.vp(ORANGE), 0);
    assert!(table.happened(&Event::SectionPenalty {
        seat: ORANGE,
        section: Dungeon,
        vp: 1
    }));
    assert_eq!(table.state.phase, Phase::Placement);
    assert_eq!(table.vp(GREEN), 0);
}

#[test]
fn cay_ac_18_dungeon_favors_stop_at_column_2() {
    let mut table = Table::of(4);
    table.officials(11, 11);
    table.parts(Dungeon, [1, 1, 1, 2]);
    table.marker(ORANGE, Prestige, 2);
    table.end_of_turn();
    assert_eq!(table.pending(), Some((ORANGE, Decision::TakeFavor)));
    table.refuses(ORANGE, favor(Prestige, 3), "FAVOR_COLUMN_LOCKED");
    table.play(ORANGE, favor(Prestige, 2));
    assert_eq!(
        (table.vp(ORANGE), table.marker_on(ORANGE, Prestige)),
        (2, 2)
    );
}

#[test]
fn cay_ac_22_a_cube_of_the_first_favor_pays_for_the_second() {
    let mut table = Table::of(3);
    table.scored(1);
    table.officials(17, 17);
    table.parts(Walls, [3, 1, 1]);
    table.has(BLUE, 0, &[]);
    table.marker(BLUE, Buildings, 1);
    table.end_of_turn();
    table.play(BLUE, favor(Resources, 1));
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Food));
    assert_eq!(table.marker_on(BLUE, Resources), 1);
    table.play(BLUE, favor_with(Buildings, 2, tile(Tile::WoodQuarry)));
    assert_eq!(table.marker_on(BLUE, Buildings), 2);
    assert_eq!((table.cubes(BLUE), table.vp(BLUE)), (Cubes::NONE, 2));
    assert_eq!(table.standing(9), (Some(Tile::WoodQuarry), Some(BLUE)));
}

#[test]
fn cay_ac_25_two_sections_are_scored_one_after_the_other() {
    let mut table = Table::of(5);
    table.officials(9, 9);
    table.parts(Dungeon, [2, 1, 1, 1, 1]);
    table.parts(Walls, [2, 8, 0, 0, 0]);
    table.marker(BLUE, Prestige, 2);
    table.marker(BLUE, Deniers, 2);
    table.end_of_turn();
    assert_eq!(table.state.castle.current(), Some(Dungeon));
    table.refuses(BLUE, favor(Prestige, 3), "FAVOR_COLUMN_LOCKED");
    table.play(BLUE, favor(Prestige, 1));
    assert_eq!(table.state.castle.current(), Some(Walls));
    table.refuses(BLUE, favor(Prestige, 1), "FAVOR_LINE_USED");
    table.play(BLUE, favor(Deniers, 3));
    assert_eq!(table.marker_on(BLUE, Deniers), 3);
    assert_eq!(table.waste_favors(), [(RED, 3)]);
    assert_eq!(table.state.castle.current(), Some(Towers));
    assert_eq!((table.state.bailiff, table.state.turn), (space(10), 2));
}

#[test]
fn cay_ac_26_a_section_is_scored_once() {
    let mut table = Table::of(3);
    table.officials(8, 8);
    table.parts(Dungeon, [6]);
    table.end_of_turn();
    table.waste_favors();
    assert_eq!(
        (table.state.bailiff, table.state.castle.scored),
        (space(9), 1)
    );
    for number in [10, 11, 12] {
        table.end_of_turn();
        assert_eq!(table.state.bailiff, space(number));
        assert_eq!((scored(&table), table.state.castle.scored), (vec![], 1));
    }
}

#[test]
fn cay_ac_79_the_bailiff_may_pass_the_trigger() {
    let mut table = Table::of(3);
    table.officials(11, 12);
    table.end_of_turn();
    assert_eq!(table.state.bailiff, space(13));
    assert_eq!(scored(&table), [Dungeon]);
}

#[test]
fn cay_ac_80_the_bailiff_ends_the_game() {
    let mut table = Table::of(3);
    table.scored(2);
    table.officials(23, 24);
    table.end_of_turn();
    assert_eq!(
        (table.state.bailiff, table.state.provost),
        (space(25), space(25))
    );
    assert_eq!(scored(&table), [Towers]);
    assert_eq!((table.state.phase, table.pending()), (Phase::Over, None));
}

/// The Towers are scored for three players with one part each: no penalty, no favor.
fn ended(vp: [u16; 3], blue: (u16, &[(u16, Resource)])) -> Table {
    let mut table = Table::of(3);
    table.scored(2);
    table.officials(23, 23);
    table.parts(Towers, [1, 1, 1]);
    for (index, vp) in vp.into_iter().enumerate() {
        table.has(Seat::at(index), 0, &[]);
        table.player(Seat::at(index)).vp = vp;
    }
    table.has(BLUE, blue.0, blue.1);
    table.end_of_turn();
    table
}

#[test]
fn cay_ac_81_gold_cubes_and_deniers_count_at_the_end() {
    let table = ended(
        [10, 0, 0],
        (9, &[(2, Gold), (3, Food), (3, Stone), (1, Cloth)]),
    );
    assert_eq!(table.vp(BLUE), 20);
    // CAY-14.4: nothing is spent.
    assert_eq!((table.deniers(BLUE), table.count(BLUE, Gold)), (9, 2));
    let ranking = Caylus::ranking(&table.state).unwrap();
    let blue = &ranking.standings[0];
    assert_eq!((blue.seat, blue.score), (BLUE, 20));
    let points: Vec<i32> = blue.breakdown.iter().map(|item| item.points).collect();
    assert_eq!(points, [10, 6, 2, 2]);
    let scored = Event::FinalScored {
        seat: BLUE,
        gold: 6,
        cubes: 2,
        deniers: 2,
    };
    assert!(table.log.events.contains(&scored));
    assert_eq!(
        scored.sentence(Names::NONE),
        "Seat 1 scores 6 VP for gold, 2 VP for cubes and 2 VP for deniers."
    );
}

#[test]
fn cay_ac_82_equal_players_win_together() {
    let table = ended([40, 39, 40], (0, &[]));
    let ranking = Caylus::ranking(&table.state).unwrap();
    assert_eq!(ranking.winners().collect::<Vec<_>>(), [BLUE, GREEN]);
    let scored = |event: &&Event| matches!(event, Event::FinalScored { .. });
    let sentences: Vec<String> = (table.log.events.iter().filter(scored))
        .map(|event| event.sentence(Names::NONE))
        .collect();
    assert_eq!(sentences.len(), 3);
    assert_eq!(sentences[0], "Seat 1 scores nothing for what is left.");
}

#[test]
fn cay_ac_84_simplified_favors_of_the_walls() {
    let mut table = Table::of(3);
    table.state.simplified_favors = true;
    table.scored(1);
    table.officials(17, 17);
    table.parts(Walls, [5, 1, 1]);
    table.end_of_turn();
    assert_eq!(table.vp(BLUE), 9);
    assert_eq!(table.state.phase, Phase::Placement);
}

/// Scores a section with these parts; returns the players with favors, and their number.
fn favors_for<const N: usize>(
    section: Section,
    parts: [u8; N],
    vp: u16,
) -> (Table, Vec<(Seat, usize)>) {
    let mut table = Table::of(u8::try_from(N).unwrap());
    table.scored(section as u8);
    let before = section.sheet().trigger.number() - 1;
    table.officials(before, before);
    table.parts(section, parts);
    for player in table.state.players.iter_mut() {
        player.vp = vp;
        (player.deniers, player.cubes) = (0, Cubes::NONE);
    }
    table.end_of_turn();
    let favors = table.waste_favors();
    (table, favors)
}

#[test]
fn cay_ac_89_the_walls_reward_two_to_four_parts() {
    let (table, favors) = favors_for(Walls, [0, 1, 2, 3, 4], 2);
    assert_eq!(favors, [(GREEN, 1), (ORANGE, 2), (BLACK, 2)]);
    assert_eq!([table.vp(BLUE), table.vp(RED)], [0, 2]);
    let (table, favors) = favors_for(Walls, [0, 5, 5], 5);
    assert_eq!(favors, [(RED, 3), (GREEN, 3)]);
    assert_eq!(table.vp(BLUE), 2);
}

#[test]
fn cay_ac_90_the_towers_reward_two_to_six_parts() {
    let (table, favors) = favors_for(Towers, [0, 1, 2, 4, 6], 10);
    assert_eq!(favors, [(GREEN, 1), (ORANGE, 2), (BLACK, 3)]);
    assert_eq!([table.vp(BLUE), table.vp(RED)], [6, 10]);
    let (_, favors) = favors_for(Towers, [3, 5], 10);
    assert_eq!(favors, [(BLUE, 1), (RED, 2)]);
}

#[test]
fn cay_ac_91_strangers_and_late_comers() {
    let table = Table::of(3);
    table.refuses(ORANGE, &Action::PassTurn, "NOT_YOUR_TURN");
    let table = ended([1, 2, 3], (0, &[]));
    for action in [Action::PassTurn, provost(0), Action::FinishCastle] {
        table.refuses(BLUE, &action, "GAME_OVER");
        table.refuses(BLACK, &action, "GAME_OVER");
    }
}

#[test]
fn cay_ac_92_a_new_turn_order_holds_for_scoring() {
    let mut table = Table::of(3);
    table.officials(11, 11);
    table.parts(Dungeon, [2, 2, 2]);
    table.special(Special::Stables, GREEN);
    table.specials();
    table.bribing([BLUE, RED, GREEN]);
    for seat in [BLUE, RED, GREEN] {
        table.play(seat, provost(0));
    }
    assert_eq!(table.waste_favors(), [(GREEN, 1), (BLUE, 1), (RED, 1)]);
}

#[test]
fn cay_ac_95_in_phase_7_a_transformation_is_immediate() {
    let mut table = Table::of(3);
    table.scored(1);
    table.officials(17, 17);
    table.parts(Walls, [2, 1, 1]);
    table.built(11, Tile::WoodSawmill, BLUE);
    table.has(BLUE, 0, &[(1, Cloth)]);
    table.marker(BLUE, Buildings, 3);
    table.end_of_turn();
    table.play(BLUE, favor_with(Buildings, 4, on(11)));
    assert_eq!(table.standing(11), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!((table.vp(BLUE), table.cubes(BLUE)), (2, Cubes::NONE));
    assert_eq!(table.state.supply.count(Tile::WoodSawmill), 1);
}
