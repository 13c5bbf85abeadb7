//! The end of the game and the ranking (KIN-12e, second half).

use super::table::*;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::Action;
use gamekeeper_rules::kingsburg::data::{Building, Enemy, Phase, Step};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Ranking, Viewer};

/// Plays the last winter without effect: everybody is as strong as the enemy.
fn finish(table: Table) -> Table {
    let seats: Vec<_> = table.state.players.seats().collect();
    let enemy = Enemy::Y5Barbarians8;
    let mut table = table.enemy(enemy);
    for seat in seats {
        let player = &table.state.players[seat];
        let own = player.province.strength_against(enemy.card().kind);
        let soldiers = i16::from(enemy.card().strength) - 1 - own;
        table = table.soldiers(seat, u16::try_from(soldiers).unwrap());
    }
    table.luck(&[("king_die", None, &[1])]).begin(Phase::Winter)
}

fn ranking(table: &Table) -> Ranking {
    Kingsburg::ranking(&table.state).unwrap()
}

/// Seat numbers and ranks, best first.
fn ranks(table: &Table) -> Vec<(u8, u8)> {
    let ranks = table.ranks().into_iter();
    ranks.map(|(seat, rank, _)| (seat.number(), rank)).collect()
}

#[test]
fn kin_ac_84_the_cathedral_exchanges_all_it_can() {
    let table = Table::of(2)
        .rows(EVA, [4, 0, 0, 0, 0])
        .vp(EVA, 40)
        .goods(EVA, (2, 2, 1));
    let table = finish(table);
    assert_eq!(table.vp_of(EVA), 42);
    assert_eq!(table.goods_of(EVA), (0, 0, 1), "gold goes first, then wood");
    assert!(table.happened(&Event::CathedralExchange {
        seat: EVA,
        goods: gamekeeper_rules::kingsburg::data::Goods::new(2, 2, 0),
        vp: 2,
    }));
}

/// Two goods are a point, whatever they are; an odd one stays.
#[test]
fn kin_8_2_twice_as_many_goods_go_as_points_come() {
    for (goods, points, left) in [
        ((0, 0, 1), 0, (0, 0, 1)),
        ((1, 0, 1), 1, (0, 0, 0)),
        ((3, 2, 2), 3, (0, 0, 1)),
        ((1, 1, 7), 4, (0, 0, 1)),
        ((4, 4, 4), 6, (0, 0, 0)),
    ] {
        let table = Table::of(2)
            .rows(EVA, [4, 0, 0, 0, 0])
            .vp(EVA, 40)
            .goods(EVA, goods);
        let table = finish(table);
        assert_eq!(table.vp_of(EVA), 40 + points, "{goods:?}");
        assert_eq!(table.goods_of(EVA), left, "{goods:?}");
    }
}

#[test]
fn kin_ac_85_more_goods_decide() {
    let table = Table::of(2)
        .rows(EVA, [0, 2, 2, 2, 3])
        .vp(EVA, 42)
        .goods(EVA, (1, 0, 0))
        .rows(ANNA, [0, 1, 1, 2, 3])
        .vp(ANNA, 42)
        .goods(ANNA, (1, 1, 1));
    let table = finish(table);
    assert_eq!(ranks(&table), [(2, 1), (1, 2)]);
}

#[test]
fn kin_ac_86_then_more_buildings_or_a_shared_victory() {
    let table = |anna| {
        let table = Table::of(2)
            .rows(EVA, [0, 2, 2, 2, 3])
            .vp(EVA, 42)
            .goods(EVA, (1, 0, 0))
            .rows(ANNA, anna)
            .vp(ANNA, 42)
            .goods(ANNA, (0, 0, 1));
        finish(table)
    };
    assert_eq!(ranks(&table([0, 2, 1, 2, 3])), [(1, 1), (2, 2)]);
    let shared = table([1, 2, 2, 2, 2]);
    assert_eq!(ranks(&shared), [(1, 1), (2, 1)]);
    assert_eq!(ranking(&shared).winners().count(), 2);
}

#[test]
fn kin_ac_87_nothing_after_the_end() {
    let table = finish(Table::of(2));
    assert_eq!(table.asked(), None);
    table.refuses(EVA, Action::PassBuild, "GAME_OVER");
    let stranger = gamekeeper_rules::table::Seat::at(4);
    table.refuses(stranger, Action::PassBuild, "GAME_OVER");
}

#[test]
fn the_end_is_year_5_phase_8_step_final_and_everything_is_public() {
    let table = finish(Table::of(2));
    let view = Kingsburg::view(&table.state, Viewer::Spectator);
    assert_eq!((view.year, view.phase), (5, Phase::Winter));
    assert_eq!(view.step, Some(Step::Over));
    assert!(view.pending.is_empty() && view.question.is_none());
    assert_eq!(view.battle, None);
    assert_eq!(ranks(&table), [(1, 1), (2, 1)]);
}

#[test]
fn without_a_cathedral_goods_stay() {
    let table = finish(
        Table::of(2)
            .rows(EVA, [3, 0, 0, 0, 0])
            .goods(EVA, (2, 2, 2)),
    );
    assert_eq!(table.goods_of(EVA), (2, 2, 2));
}

#[test]
fn shared_ranks_are_skipped_and_the_breakdown_adds_up() {
    let table = Table::of(3)
        .vp(EVA, -4)
        .vp(ANNA, 10)
        .vp(DAVID, 10)
        .built(DAVID, &[Building::Statue])
        .vp(DAVID, 10)
        .built(ANNA, &[Building::Inn]);
    let table = finish(table);
    assert_eq!(ranks(&table), [(2, 1), (3, 1), (1, 3)]);
    for standing in ranking(&table).standings {
        let sum: i32 = standing.breakdown.iter().map(|item| item.points).sum();
        assert_eq!(sum, standing.score);
        assert_eq!(standing.score, i32::from(table.vp_of(standing.seat)));
    }
}
