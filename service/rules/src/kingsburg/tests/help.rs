//! HELP: the help of the advisors (KIN-12d, first half).

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, Choice, Enemy, Good, Goods};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::kingsburg::{Kingsburg, View};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Seat, Viewer};

/// A table at which Eva alone is on this advisor and the advisors help.
fn eva_at(advisor: Advisor) -> Table {
    Table::of(4).group(EVA, advisor)
}

#[test]
fn kin_ac_50_the_duchess_gives_two_of_a_kind() {
    let mut table = eva_at(Advisor::Duchess).help();
    assert_eq!(table.asked(), Some((EVA, "help_choice")));
    table.play(EVA, choose(Good::Stone));
    assert_eq!((table.goods_of(EVA), table.plus2_of(EVA)), ((0, 0, 2), 1));
}

#[test]
fn kin_ac_51_the_smuggler_gives_a_point() {
    let mut table = eva_at(Advisor::Smuggler).vp(EVA, -3).help();
    table.play(EVA, choose(Good::Wood));
    assert_eq!(table.state.players[EVA].goods, Goods::new(0, 3, 0));
    assert!(table.vp_of(EVA) >= -2, "the King's Reward may follow");
    let advisors = gamekeeper_rules::kingsburg::state::PointSource::Advisors;
    assert_eq!(table.state.players[EVA].points(advisors), 1);
}

#[test]
fn kin_ac_52_the_queen_shows_the_enemy_to_the_owner_alone() {
    let mut table = eva_at(Advisor::Queen).enemy(Enemy::Y1Zombies4).help();
    let view = |table: &Table, viewer| -> View { Kingsburg::view(&table.state, viewer) };
    // The card comes before the choice (KIN-16.4).
    let card = |view: View| view.enemies[0].card;
    let seen = Some(Enemy::Y1Zombies4);
    assert_eq!(card(view(&table, Viewer::Seat(EVA))), seen);
    assert_eq!(card(view(&table, Viewer::Seat(ANNA))), None);
    assert_eq!(card(view(&table, Viewer::Spectator)), None);
    let peek = Event::EnemyPeeked {
        seat: EVA,
        advisor: Advisor::Queen,
        year: 1,
        card: seen,
    };
    assert!(table.happened(&peek));
    assert_eq!(view(&table, Viewer::Spectator).peeked_by, [EVA]);
    assert_eq!(table.vp_of(EVA), 3);
    table.play(EVA, choose(Good::Gold));
    assert_eq!(table.goods_of(EVA), (2, 0, 0));
}

#[test]
fn kin_ac_53_the_merchant_has_no_stone() {
    let table = eva_at(Advisor::Merchant).help();
    table.refuses(EVA, choose(Good::Stone), "GOOD_NOT_OFFERED");
}

#[test]
fn kin_ac_54_nothing_to_exchange() {
    let table = eva_at(Advisor::Alchemist).help();
    assert_ne!(table.asked(), Some((EVA, "help_choice")));
    assert_eq!(table.goods_of(EVA), (0, 0, 0));
    let declined = |event: &Event| matches!(event, Event::ExchangeDeclined { .. });
    assert!(!table.log.events.iter().any(declined));
}

#[test]
fn kin_ac_55_the_alchemist_takes_one_and_gives_two() {
    let table = || eva_at(Advisor::Alchemist).goods(EVA, (0, 0, 1)).help();
    let mut exchanged = table();
    exchanged.refuses(EVA, exchange(Good::Gold), "GOOD_NOT_OWNED");
    exchanged.play(EVA, exchange(Good::Stone));
    assert_eq!(exchanged.goods_of(EVA), (1, 1, 0));
    let mut declined = table();
    declined.play(EVA, Action::DeclineExchange);
    assert_eq!(declined.goods_of(EVA), (0, 0, 1));
}

#[test]
fn kin_ac_56_a_fixed_good_and_a_chosen_one() {
    let mut swordsmith = eva_at(Advisor::Swordsmith).help();
    swordsmith.play(EVA, choose(Good::Wood));
    assert_eq!(swordsmith.goods_of(EVA), (0, 1, 1));
    let mut hunter = eva_at(Advisor::MasterHunter).help();
    hunter.play(EVA, choose(Good::Stone));
    assert_eq!(hunter.goods_of(EVA), (0, 1, 1));
}

#[test]
fn every_advisor_gives_what_the_table_says() {
    for advisor in Advisor::ALL {
        let help = advisor.help();
        let table = eva_at(advisor).help();
        let player = &table.state.players[EVA];
        assert_eq!(player.goods, help.goods, "{advisor:?}");
        assert_eq!(player.plus2, help.plus2);
        assert_eq!(player.soldiers, u16::from(help.soldiers));
        let peeks = |event: &Event| matches!(event, Event::EnemyPeeked { seat: EVA, .. });
        assert_eq!(table.log.events.iter().any(peeks), help.peek);
        let is_pending = table.asked() == Some((EVA, "help_choice"));
        let offers = matches!(help.choice, Some(Choice::OneOf { .. }));
        assert_eq!(is_pending, offers, "{advisor:?}");
    }
}

#[test]
fn every_good_that_is_offered_is_given_and_no_other() {
    for advisor in Advisor::ALL {
        let Some(Choice::OneOf { amount, goods }) = advisor.help().choice else {
            continue;
        };
        for good in Good::ALL {
            let mut table = eva_at(advisor).help();
            if goods.contains(&good) {
                table.play(EVA, choose(good));
                let gained = advisor.help().goods.plus(Goods::of(good, amount));
                assert_eq!(table.state.players[EVA].goods, gained);
            } else {
                table.refuses(EVA, choose(good), "GOOD_NOT_OFFERED");
            }
            let mut again = eva_at(advisor).help();
            let unknown = Action::ChooseHelpGood { good: None };
            again.refuses(EVA, unknown, "UNKNOWN_ID");
            again.refuses(EVA, exchange(good), "WRONG_DECISION");
            again.play(EVA, choose(goods[0]));
        }
    }
}

#[test]
fn the_alchemist_has_no_goods_to_choose() {
    let table = eva_at(Advisor::Alchemist).goods(EVA, (1, 0, 0)).help();
    table.refuses(EVA, choose(Good::Gold), "WRONG_DECISION");
    let unknown = Action::ChooseHelpGood { good: None };
    table.refuses(EVA, unknown, "WRONG_DECISION");
    let unknown = Action::AlchemistExchange { give: None };
    table.refuses(EVA, unknown, "UNKNOWN_ID");
}

#[test]
fn goods_of_the_merchant_can_be_exchanged_at_the_alchemist() {
    let mut table = eva_at(Advisor::Alchemist)
        .group(EVA, Advisor::Merchant)
        .help();
    table.play(EVA, choose(Good::Wood));
    table.play(EVA, exchange(Good::Wood));
    assert_eq!(table.goods_of(EVA), (1, 0, 1));
}

/// KIN-16.16: order of help of two groups on one advisor.
#[test]
fn two_groups_are_served_in_turn_order_whoever_came_first() {
    let served = |placed: [Seat; 2], order: [Seat; 4]| -> Vec<Seat> {
        let table = Table::of(4)
            .order(&order)
            .envoy(EVA, EnvoyUse::Advisor)
            .group(placed[0], Advisor::General)
            .group(placed[1], Advisor::General)
            .help();
        let peeks = table.log.events.iter().filter_map(|event| match event {
            Event::EnemyPeeked { seat, .. } => Some(*seat),
            _ => None,
        });
        peeks.collect()
    };
    let order = [ANNA, EVA, DAVID, BELA];
    assert_eq!(served([EVA, ANNA], order), [ANNA, EVA]);
    assert_eq!(served([ANNA, EVA], order), [ANNA, EVA]);
    assert_eq!(served([EVA, EVA], order), [EVA, EVA]);
}

#[test]
fn both_owners_at_the_general_get_soldiers_and_a_look() {
    let table = Table::of(4)
        .group(EVA, Advisor::General)
        .group(ANNA, Advisor::General)
        .help();
    for seat in [EVA, ANNA] {
        assert_eq!(table.soldiers_of(seat), 2);
        assert!(table.state.peeked_by.contains(seat));
    }
}

#[test]
fn after_help_dice_and_court_are_gone_and_used_tokens_too() {
    let mut table = Table::of(2)
        .dice(EVA, &[1, 2])
        .plus2(EVA, 1)
        .goods(EVA, (0, 1, 0))
        .neutral(Advisor::King)
        .influence();
    table.play(EVA, with_plus2(5, &[0, 1], 1));
    assert_eq!(table.asked(), Some((EVA, "build")));
    assert!(table.happened(&Event::CourtCleared));
    assert!(table.state.groups.is_empty() && table.state.neutral.is_empty());
    assert!(table.faces_of(EVA).is_empty());
    assert_eq!(table.plus2_of(EVA), 0);
}

#[test]
fn the_stable_does_not_touch_recruits_and_reinforcement() {
    let mut table = Table::of(4)
        .order(&[EVA, ANNA, DAVID, BELA])
        .enemy(Enemy::Y1Goblins2)
        .built(EVA, &[Building::Stable])
        .goods(EVA, (2, 0, 0))
        .begin(gamekeeper_rules::kingsburg::data::Phase::Recruit);
    table.play(EVA, recruit(2, 0, 0));
    let counted = table.log.events.iter().find_map(|event| match event {
        Event::StrengthCounted {
            seat: EVA,
            strength,
            ..
        } => Some(*strength),
        _ => None,
    });
    // One recruit, one from the King, one for the Palisade.
    assert_eq!(counted, Some(3));
}
