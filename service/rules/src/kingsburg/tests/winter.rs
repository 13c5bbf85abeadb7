//! Soldiers and the battle (KIN-12e, first half).

use super::table::*;
use gamekeeper_rules::kingsburg::action::Action;
use gamekeeper_rules::kingsburg::data::{Advisor, Building, Enemy, Good, Phase};
use gamekeeper_rules::kingsburg::event::{Event, Outcome};
use gamekeeper_rules::kingsburg::state::PointSource;
use gamekeeper_rules::table::Seat;

/// Winter with this enemy and this face of the King's die.
fn winter(table: Table, enemy: Enemy, king_die: u16) -> Table {
    table
        .enemy(enemy)
        .luck(&[("king_die", None, &[king_die])])
        .begin(Phase::Winter)
}

/// A player's points from winter.
fn battle_points(table: &Table, seat: Seat) -> i16 {
    let player = &table.state.players[seat];
    [
        PointSource::Enemies,
        PointSource::Fortress,
        PointSource::Strongest,
    ]
    .map(|source| player.points(source))
    .iter()
    .sum()
}

/// The strength counted for a player.
fn strength(table: &Table, who: Seat) -> i16 {
    let counted = table.log.events.iter().find_map(|event| match event {
        Event::StrengthCounted { seat, strength, .. } if *seat == who => Some(*strength),
        _ => None,
    });
    counted.unwrap()
}

#[test]
fn kin_ac_70_two_goods_a_soldier() {
    let mut table = Table::of(4).goods(EVA, (1, 1, 1)).begin(Phase::Recruit);
    assert_eq!(table.asked(), Some((EVA, "recruit")));
    table.refuses(EVA, recruit(1, 0, 0), "INVALID_PAYMENT");
    table.refuses(EVA, recruit(2, 0, 0), "CANNOT_AFFORD");
    table.refuses(EVA, recruit(u32::MAX, u32::MAX, 4), "INVALID_PAYMENT");
    table.play(EVA, recruit(1, 1, 0));
    assert!(table.forced(EVA, Action::PassRecruit));
    assert_eq!(table.goods_of(EVA), (0, 0, 1));
    // One recruit and one from the King; nobody else can pay, so winter came.
    assert_eq!(strength(&table, EVA), 2);
}

#[test]
fn kin_ac_71_barracks_halve_the_price() {
    let mut table = Table::of(4)
        .rows(EVA, [0, 0, 3, 0, 0])
        .goods(EVA, (2, 0, 0))
        .goods(ANNA, (0, 2, 0))
        .begin(Phase::Recruit);
    table.refuses(EVA, recruit(2, 0, 0), "INVALID_PAYMENT");
    table.play(EVA, recruit(1, 0, 0));
    assert_eq!(table.asked(), Some((EVA, "recruit")));
    table.play(EVA, recruit(1, 0, 0));
    assert_eq!(table.soldiers_of(EVA), 2);
    assert_eq!(table.asked(), Some((ANNA, "recruit")));
}

#[test]
fn kin_ac_72_the_stone_wall_wins_ties() {
    // Palisade and Stone Wall give 2.
    let table = Table::of(4).rows(EVA, [0, 0, 0, 3, 0]).soldiers(EVA, 2);
    let table = winter(table, Enemy::Y2Barbarians5, 1);
    assert!(table.happened(&Event::StrengthCounted {
        seat: EVA,
        strength: 5,
        outcome: Outcome::Victory
    }));
    let goods = gamekeeper_rules::kingsburg::data::Goods::new(1, 0, 0);
    let gained = Event::EnemyRewarded {
        seat: EVA,
        goods,
        vp: 0,
    };
    assert!(table.happened(&gained));
}

#[test]
fn kin_ac_73_a_tie_with_the_stone_wall_may_be_the_strongest() {
    // Against zombies the Palisade gives 2 and the Stone Wall 1.
    let table = Table::of(2)
        .rows(EVA, [0, 0, 0, 3, 0])
        .soldiers(EVA, 1)
        .soldiers(ANNA, 4);
    let table = winter(table, Enemy::Y2Zombies5, 1);
    assert_eq!((strength(&table, EVA), strength(&table, ANNA)), (5, 5));
    assert_eq!(battle_points(&table, EVA), 2);
    assert_eq!(battle_points(&table, ANNA), 0);
    assert!(table.happened(&Event::StrongestPoint { seat: EVA }));
}

#[test]
fn kin_ac_74_a_standoff_is_never_the_strongest() {
    let table = Table::of(2).soldiers(EVA, 5).soldiers(ANNA, 3).vp(ANNA, 5);
    let table = winter(table, Enemy::Y3Zombies6, 1);
    let strongest = |event: &Event| matches!(event, Event::StrongestPoint { .. });
    assert!(!table.log.events.iter().any(strongest));
    assert_eq!(battle_points(&table, EVA), 0);
    assert_eq!(table.vp_of(ANNA), 3, "defeated: 2 VP less");
}

#[test]
fn kin_ac_75_dragons_beaten_from_the_fortress() {
    // Row 4 gives 3.
    let table = Table::of(2).rows(EVA, [0, 0, 0, 4, 0]).soldiers(EVA, 6);
    let table = winter(table, Enemy::Y5Dragons9, 1);
    assert_eq!(strength(&table, EVA), 10);
    assert_eq!(battle_points(&table, EVA), 3 + 1 + 1);
}

#[test]
fn kin_ac_76_demons_take_goods_and_a_point() {
    let table = Table::of(2).goods(EVA, (1, 2, 0)).vp(EVA, 4);
    let table = winter(table, Enemy::Y3Demons6, 1);
    assert_eq!((table.goods_of(EVA), table.vp_of(EVA)), ((0, 1, 0), 3));
}

#[test]
fn kin_ac_77_four_goods_of_the_players_choice() {
    let table = Table::of(2).goods(EVA, (2, 1, 3)).vp(EVA, 2);
    let mut table = winter(table, Enemy::Y4Demons6, 1);
    assert_eq!(table.asked(), Some((EVA, "loss_goods")));
    table.refuses(EVA, give_up(1, 1, 1), "INVALID_PAYMENT");
    table.refuses(EVA, give_up(3, 1, 0), "CANNOT_AFFORD");
    table.play(EVA, give_up(2, 0, 2));
    assert_eq!((table.goods_of(EVA), table.vp_of(EVA)), ((0, 1, 1), 1));
}

#[test]
fn kin_ac_78_all_goods_go_without_a_question() {
    let table = Table::of(2).goods(EVA, (1, 1, 1)).vp(EVA, 2);
    let table = winter(table, Enemy::Y4Demons6, 1);
    assert!(table.forced(EVA, give_up(1, 1, 1)));
    assert_eq!((table.goods_of(EVA), table.vp_of(EVA)), ((0, 0, 0), 1));
}

#[test]
fn kin_ac_79_one_of_the_rightmost_buildings() {
    let table = Table::of(2).rows(EVA, [2, 0, 2, 1, 0]);
    // Guard Tower, Blacksmith and Palisade give 3.
    let mut table = winter(table, Enemy::Y5Barbarians8, 1);
    assert_eq!(table.asked(), Some((EVA, "loss_building")));
    assert_eq!(
        table.legal(),
        [lose(Building::Chapel), lose(Building::Blacksmith)]
    );
    table.refuses(EVA, lose(Building::GuardTower), "NOT_RIGHTMOST");
    table.refuses(EVA, lose(Building::Embassy), "NOT_RIGHTMOST");
    table.refuses(EVA, Action::LoseBuilding { building: None }, "UNKNOWN_ID");
    let before = table.vp_of(EVA);
    table.play(EVA, lose(Building::Chapel));
    assert_eq!(table.vp_of(EVA), before - 5);
    assert_eq!(table.state.players[EVA].province.rows, [1, 0, 2, 1, 0]);
}

#[test]
fn kin_ac_80_points_fall_below_nothing() {
    let table = winter(Table::of(2).vp(EVA, 3), Enemy::Y5Barbarians7, 1);
    assert_eq!(table.vp_of(EVA), -5);
}

#[test]
fn kin_ac_81_some_buildings_help_against_some_enemies() {
    let against = |enemy| {
        let table = Table::of(2).rows(EVA, [3, 3, 0, 1, 1]);
        strength(&winter(table, enemy, 1), EVA)
    };
    assert_eq!(against(Enemy::Y3Demons6), 2);
    assert_eq!(against(Enemy::Y3Zombies6), 2);
    assert_eq!(against(Enemy::Y3Goblins4), 2);
    assert_eq!(against(Enemy::Y3Orcs5), 1);
}

#[test]
fn kin_ac_82_a_good_of_the_players_choice() {
    let table = Table::of(2).soldiers(EVA, 9);
    let mut table = winter(table, Enemy::Y4Orcs7, 1);
    assert_eq!(table.asked(), Some((EVA, "reward_good")));
    let choose = |good| Action::ChooseRewardGood { good };
    table.refuses(EVA, choose(None), "UNKNOWN_ID");
    table.play(EVA, choose(Some(Good::Stone)));
    assert_eq!(table.goods_of(EVA), (0, 0, 1));
}

#[test]
fn kin_ac_83_all_strongest_get_the_point() {
    let table = Table::of(3)
        .soldiers(EVA, 5)
        .soldiers(ANNA, 5)
        .soldiers(DAVID, 5);
    let table = winter(table, Enemy::Y2Barbarians5, 1);
    for seat in [EVA, ANNA, DAVID] {
        assert_eq!(strength(&table, seat), 6);
        assert!(table.happened(&Event::StrongestPoint { seat }));
        assert_eq!(table.vp_of(seat), 1);
    }
}

#[test]
fn kin_ac_89_nothing_to_lose() {
    let table = winter(Table::of(2), Enemy::Y1Barbarians2, 1);
    assert_eq!((table.vp_of(EVA), table.goods_of(EVA)), (0, (0, 0, 0)));
    assert!(table.log.automatic.is_empty());
}

#[test]
fn kin_ac_90_the_stable_helps_at_court_only() {
    let table = Table::of(2)
        .rows(EVA, [0, 0, 0, 2, 0])
        .group(EVA, Advisor::King)
        .help();
    assert_eq!(table.soldiers_of(EVA), 2);
    // Four from the King and one for the Palisade.
    let table = winter(table, Enemy::Y1Orcs3, 4);
    assert_eq!(strength(&table, EVA), 2 + 4 + 1);
}

/// KIN-16.16: fixed losses of several of one kind.
#[test]
fn several_of_a_named_kind_are_lost_as_far_as_they_are_there() {
    let after = |goods, enemy| winter(Table::of(2).goods(EVA, goods), enemy, 1).goods_of(EVA);
    assert_eq!(after((5, 5, 5), Enemy::Y4Goblins6), (1, 5, 5), "4 gold");
    assert_eq!(after((3, 5, 5), Enemy::Y4Goblins6), (0, 5, 5));
    let two = |goods| after(goods, Enemy::Y4Goblins5);
    assert_eq!(two((9, 5, 6)), (9, 1, 2), "4 stone and 4 wood");
    assert_eq!(two((9, 0, 6)), (9, 0, 2), "nothing is replaced");
}

/// KIN-16.16: `peeked_by` is emptied each winter.
#[test]
fn who_peeked_is_forgotten_when_the_enemy_comes() {
    let mut table = Table::of(2);
    table.state.peeked_by.insert(EVA);
    let table = winter(table, Enemy::Y1Orcs3, 1);
    assert_eq!(table.state.peeked_by.len(), 0);
}

#[test]
fn goods_of_one_kind_go_without_a_question() {
    let table = winter(Table::of(2).goods(EVA, (0, 5, 0)), Enemy::Y1Orcs3, 1);
    assert!(table.forced(EVA, give_up(0, 2, 0)));
    assert!(table.happened(&Event::AnyGoodsLost {
        seat: EVA,
        goods: gamekeeper_rules::kingsburg::data::Goods::new(0, 2, 0)
    }));
    assert_eq!(table.goods_of(EVA), (0, 3, 0));
}

#[test]
fn goods_then_building_then_points_for_each_loser_in_turn() {
    let table = Table::of(2)
        .order(&[ANNA, EVA])
        .rows(ANNA, [1, 1, 0, 0, 0])
        .goods(ANNA, (1, 1, 1))
        .goods(EVA, (2, 1, 0));
    let mut table = winter(table, Enemy::Y2Orcs4, 1);
    assert_eq!(table.asked(), Some((ANNA, "loss_goods")));
    table.play(ANNA, give_up(0, 1, 1));
    assert_eq!(table.asked(), Some((ANNA, "loss_building")));
    table.play(ANNA, lose(Building::Inn));
    assert_eq!(table.asked(), Some((EVA, "loss_goods")));
    table.play(EVA, give_up(2, 0, 0));
    // Anna alone is the poorest now; the new year has begun.
    assert_eq!((table.state.year, table.state.phase), (3, Phase::Spring));
}

#[test]
fn buildings_lost_do_not_change_the_outcome_of_others_or_the_strongest() {
    // Eva wins with the Wizards' Guild; Anna, stronger only by name, loses a building.
    let table = Table::of(2)
        .rows(EVA, [0, 0, 4, 0, 0])
        .soldiers(EVA, 8)
        .rows(ANNA, [0, 0, 0, 1, 0]);
    let table = winter(table, Enemy::Y5Demons8, 1);
    assert!(table.forced(ANNA, lose(Building::Palisade)));
    assert!(table.happened(&Event::StrongestPoint { seat: EVA }));
}

#[test]
fn a_victory_gains_before_the_fortress() {
    let table = Table::of(2).rows(EVA, [0, 0, 0, 4, 0]).soldiers(EVA, 9);
    let mut table = winter(table, Enemy::Y4Orcs7, 1);
    let fortress = Event::FortressPoint { seat: EVA };
    assert!(!table.happened(&fortress));
    table.play(
        EVA,
        Action::ChooseRewardGood {
            good: Some(Good::Gold),
        },
    );
    assert!(table.happened(&fortress));
}
