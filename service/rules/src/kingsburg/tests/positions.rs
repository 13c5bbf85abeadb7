//! Games that begin on tables which somebody describes (KIN-5.8 to KIN-5.13).

mod changes;
mod described;
mod refused;

use described::Described;
use gamekeeper_rules::conformance::assert_changed_tables_are_judged;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, DieId, Enemy, Good, Phase};
use gamekeeper_rules::ruleset::Ruleset;

use super::table::*;

/// KIN-5.10: a game goes on from every table that is accepted.
#[test]
fn changed_tables_are_refused_or_played() {
    assert_changed_tables_are_judged::<Kingsburg>(150, changes::change);
}

/// KIN-AC-42.
#[test]
fn the_white_die_may_be_rolled_again() {
    let table = Described::of(3, 2, Phase::Spring)
        .rows(EVA, [1, 0, 0, 0, 0])
        .aid_die(EVA)
        .dice(EVA, &[3, 3, 3])
        .white(EVA, DieId::KingsAid, 3)
        .dice(ANNA, &[1, 1, 1])
        .dice(DAVID, &[6, 5, 4])
        .asks(EVA, "reroll")
        .begin();
    assert!(table.legal().contains(&Action::RerollDie { die: 3 }));
    table.refuses(EVA, Action::RerollDie { die: 4 }, "UNKNOWN_DIE");
}

/// KIN-AC-32: the envoy opens an advisor whom the same player has influenced, and both groups are helped.
#[test]
fn the_envoy_opens_an_advisor_of_ones_own() {
    let mut table = Described::of(2, 3, Phase::Autumn)
        .goods(EVA, (2, 0, 0))
        .envoy(EVA, EnvoyUse::Advisor)
        .dice(EVA, &[6, 6, 1])
        .set_aside(EVA, DieId::Own2)
        .group(EVA, Advisor::Alchemist, &[DieId::Own0])
        .dice(ANNA, &[6, 5, 5])
        .set_aside(ANNA, DieId::Own0)
        .passed(ANNA)
        .neutral(Advisor::Champion, &[3, 4, 6])
        .asks(EVA, "influence")
        .begin();
    table.refuses(EVA, place(6, &[1]), "ADVISOR_OCCUPIED");
    table.play(EVA, with_envoy(6, &[1]));
    table.play(EVA, exchange(Good::Gold));
    table.play(EVA, exchange(Good::Gold));
    assert_eq!(table.goods_of(EVA), (0, 2, 2));
}

/// KIN-10.5, KIN-6.50: the second of two groups of one player is asked.
#[test]
fn the_second_exchange_is_asked_alone() {
    let table = Described::of(2, 3, Phase::Autumn)
        .goods(EVA, (1, 1, 1))
        .envoy_used(EVA)
        .dice(EVA, &[6, 6, 1])
        .set_aside(EVA, DieId::Own2)
        .group(EVA, Advisor::Alchemist, &[DieId::Own0])
        .group_by_envoy(EVA, Advisor::Alchemist, &[DieId::Own1])
        .passed(EVA)
        .dice(ANNA, &[6, 5, 5])
        .set_aside(ANNA, DieId::Own0)
        .passed(ANNA)
        .neutral(Advisor::Champion, &[3, 4, 6])
        .asks_about(EVA, Advisor::Alchemist)
        .helped(1);
    let mut table = table.begin();
    table.play(EVA, exchange(Good::Gold));
    assert_eq!(table.goods_of(EVA), (0, 2, 2));
    assert_ne!(table.asked(), Some((EVA, "help_choice")));
}

/// KIN-5.8, KIN-6.52, KIN-6.70: what an advisor or a season gives before it asks, a described table has already.
#[test]
fn nothing_is_given_twice() {
    let mut helped = Described::of(3, 1, Phase::Spring)
        .goods(EVA, (0, 0, 2))
        .dice(EVA, &[5, 6, 6])
        .group(EVA, Advisor::Swordsmith, &[DieId::Own0, DieId::Own1])
        .passed(EVA)
        .dice(ANNA, &[6, 5, 5])
        .passed(ANNA)
        .dice(DAVID, &[6, 6, 6])
        .passed(DAVID)
        .order(&[ANNA, EVA, DAVID])
        .asks_about(EVA, Advisor::Swordsmith)
        .settled();
    assert_eq!(helped.goods_of(EVA), (0, 0, 2));
    helped.play(
        EVA,
        Action::ChooseHelpGood {
            good: Some(Good::Gold),
        },
    );
    assert_eq!(helped.goods_of(EVA), (1, 0, 2));
    let hall = Described::of(3, 2, Phase::Summer)
        .rows(EVA, [0, 1, 0, 0, 4])
        .goods(EVA, (1, 0, 0))
        .plus2(EVA, 1)
        .asks(EVA, "town_hall")
        .settled();
    assert_eq!(hall.state.players[EVA].plus2, 1);
    assert_eq!(hall.goods_of(EVA), (1, 0, 0));
}

/// KIN-AC-27: every aid at once reaches the King.
#[test]
fn the_king_is_reached_with_tokens_and_market() {
    let mut table = Described::of(3, 4, Phase::Summer)
        .rows(EVA, [0, 3, 0, 0, 0])
        .plus2(EVA, 1)
        .dice(EVA, &[6, 6, 1])
        .white(EVA, DieId::Farms, 5)
        .dice(ANNA, &[6, 6, 6])
        .passed(ANNA)
        .dice(DAVID, &[5, 6, 6])
        .passed(DAVID)
        .order(&[DAVID, EVA, ANNA])
        .asks(EVA, "influence")
        .begin();
    let all = gamekeeper_rules::kingsburg::action::Influence {
        plus2: 1,
        market_offset: -1,
        ..influence(18, &[0, 1, 4])
    };
    table.play(EVA, Action::Influence(all));
    table.refuses(EVA, with_market(2, &[2], 1), "MARKET_ALREADY_USED");
}

/// KIN-6.45: nothing can be placed where every advisor in reach is taken.
#[test]
fn who_finds_every_advisor_taken_can_only_pass() {
    let table = Described::of(2, 1, Phase::Spring)
        .dice(EVA, &[1, 4, 6])
        .set_aside(EVA, DieId::Own2)
        .group(EVA, Advisor::Jester, &[DieId::Own0])
        .dice(ANNA, &[2, 4, 6])
        .set_aside(ANNA, DieId::Own2)
        .group(ANNA, Advisor::Merchant, &[DieId::Own1])
        .neutral(Advisor::Sergeant, &[1, 2, 2])
        .asks(EVA, "influence")
        .begin();
    assert_eq!(table.legal(), [Action::PassInfluence]);
}

/// KIN-AC-57: the envoy lets two buildings be built, and the Crane of the first makes the second cheaper.
#[test]
fn two_buildings_with_the_envoy() {
    let mut table = Described::of(2, 2, Phase::Autumn)
        .rows(EVA, [0, 0, 0, 0, 1])
        .goods(EVA, (1, 2, 2))
        .envoy(EVA, EnvoyUse::SecondBuilding)
        .asks(EVA, "build")
        .begin();
    table.refuses(EVA, build(Building::TownHall), "PREREQUISITE_MISSING");
    table.play(EVA, build(Building::Crane));
    table.play(EVA, build(Building::TownHall));
    assert_eq!(table.goods_of(EVA), (0, 0, 0));
}

/// KIN-AC-77.
#[test]
fn goods_of_ones_choice_are_lost() {
    let mut table = Described::of(2, 4, Phase::Winter)
        .goods(EVA, (2, 1, 3))
        .vp(EVA, 2)
        .battle(Enemy::Y4Demons6, 1)
        .asks(EVA, "loss_goods")
        .begin();
    table.refuses(EVA, give_up(1, 1, 1), "INVALID_PAYMENT");
    table.refuses(EVA, give_up(3, 1, 0), "CANNOT_AFFORD");
    table.play(EVA, give_up(2, 0, 2));
    assert_eq!(table.goods_of(EVA), (0, 1, 1));
    assert_eq!(table.vp_of(EVA), 1);
}

/// KIN-AC-79.
#[test]
fn one_of_the_rightmost_buildings_is_lost() {
    let mut table = Described::of(2, 1, Phase::Winter)
        .rows(EVA, [2, 0, 2, 1, 0])
        .battle(Enemy::Y1Goblins3, 1)
        .asks(ANNA, "loss_building")
        .rows(ANNA, [1, 1, 0, 0, 0])
        .order(&[ANNA, EVA])
        .begin();
    table.refuses(ANNA, lose(Building::Market), "NOT_RIGHTMOST");
    table.play(ANNA, lose(Building::Inn));
    assert!(table.has(ANNA, Building::Statue) && !table.has(ANNA, Building::Inn));
}

/// KIN-AC-82, KIN-AC-72: the Stone Wall wins with the strength of the enemy.
#[test]
fn the_stone_wall_brings_the_reward() {
    let mut table = Described::of(2, 4, Phase::Winter)
        .rows(EVA, [0, 0, 0, 3, 0])
        .more_soldiers(EVA, 4)
        .battle(Enemy::Y4Orcs7, 1)
        .asks(EVA, "reward_good")
        .begin();
    table.play(
        EVA,
        Action::ChooseRewardGood {
            good: Some(Good::Stone),
        },
    );
    // The King's aid of the next year goes to Anna, who has no building.
    assert_eq!((table.goods_of(EVA), table.state.year), ((0, 0, 1), 5));
}

/// KIN-AC-88: the tied players take a good each, in turn order.
#[test]
fn tied_players_take_goods() {
    let mut table = Described::of(3, 4, Phase::KingsAid)
        .goods(EVA, (1, 1, 1))
        .goods(ANNA, (3, 0, 0))
        .rows(DAVID, [1, 0, 0, 0, 0])
        .asks(EVA, "aid_good")
        .begin();
    table.play(
        EVA,
        Action::ChooseAidGood {
            good: Some(Good::Gold),
        },
    );
    assert_eq!(table.asked(), Some((ANNA, "aid_good")));
    table.play(
        ANNA,
        Action::ChooseAidGood {
            good: Some(Good::Gold),
        },
    );
    assert_eq!(
        (table.state.aid_die, table.state.phase),
        (None, Phase::Spring)
    );
}

/// KIN-8.2: the last recruiting of the game, with the Cathedral.
#[test]
fn the_last_winter_ends_the_game() {
    let mut table = Described::of(2, 5, Phase::Recruit)
        .rows(EVA, [4, 0, 0, 0, 0])
        .goods(EVA, (2, 2, 1))
        .vp(EVA, 40)
        .enemy(Enemy::Y5Dragons9)
        .asks(EVA, "recruit")
        .begin();
    table.play(EVA, Action::PassRecruit);
    assert!(table.asked().is_none());
    assert_eq!(
        (table.vp_of(EVA), table.goods_of(EVA)),
        (40 - 5 + 2, (0, 0, 1))
    );
}

/// KIN-5.9: what is hidden and left out is drawn, as in a set-up; what is given is kept.
#[test]
fn enemies_that_are_left_out_are_drawn() {
    let table = Described::of(2, 3, Phase::Recruit)
        .goods(EVA, (2, 0, 0))
        .asks(EVA, "recruit");
    let (state, draws) = table.clone().drawn();
    assert_eq!(draws, ["enemy_year_3", "enemy_year_4", "enemy_year_5"]);
    assert_eq!(state.deck.map(|enemy| enemy.card().year), [1, 2, 3, 4, 5]);
    let (state, draws) = table.enemy(Enemy::Y3Orcs5).drawn();
    assert_eq!(draws, ["enemy_year_4", "enemy_year_5"]);
    assert_eq!(state.enemy(), Enemy::Y3Orcs5);
    let view = Kingsburg::view(&state, gamekeeper_rules::table::Viewer::Operator);
    let again = Described::of_view(view).drawn();
    assert_eq!(again, (state, Vec::new()));
}
