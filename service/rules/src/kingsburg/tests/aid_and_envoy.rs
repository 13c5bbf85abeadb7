//! Phases 1 and 5: the poorest player, and the envoy's purposes.

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse};
use gamekeeper_rules::kingsburg::data::{Advisor, Good, Phase};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::kingsburg::state::Envoy;

fn declare(purpose: EnvoyUse) -> Action {
    Action::DeclareEnvoy {
        purpose: Some(purpose),
    }
}

/// Autumn in which Eva holds the envoy.
fn eva_holds_the_envoy() -> Table {
    let mut table = Table::of(4).dice(EVA, &[1, 2, 3]);
    table.state.envoy = Envoy::Undeclared(EVA);
    table.begin(Phase::Autumn)
}

#[test]
fn kin_ac_88_two_of_three_are_tied() {
    let mut table = Table::of(3)
        .year(4)
        .rows(EVA, [1, 1, 1, 1, 1])
        .goods(EVA, (1, 1, 1))
        .rows(ANNA, [1, 1, 1, 1, 1])
        .goods(ANNA, (3, 0, 0))
        .rows(DAVID, [2, 1, 1, 1, 1])
        .begin(Phase::KingsAid);
    assert_eq!(table.asked(), Some((EVA, "aid_good")));
    let unknown = Action::ChooseAidGood { good: None };
    table.refuses(EVA, unknown, "UNKNOWN_ID");
    for (seat, good) in [(EVA, Good::Gold), (ANNA, Good::Stone)] {
        assert_eq!(table.asked(), Some((seat, "aid_good")));
        table.play(seat, Action::ChooseAidGood { good: Some(good) });
    }
    assert_eq!(
        (table.goods_of(EVA), table.goods_of(ANNA)),
        ((2, 1, 1), (3, 0, 1))
    );
    assert_eq!(table.state.phase, Phase::Spring);
    assert_eq!(table.state.aid_die, None);
    assert_eq!(table.faces_of(EVA).len(), 3);
}

/// KIN-16.16: tokens are not goods.
#[test]
fn tokens_soldiers_and_points_do_not_make_rich() {
    let table = Table::of(2)
        .year(2)
        .plus2(EVA, 5)
        .soldiers(EVA, 3)
        .vp(EVA, 20)
        .goods(ANNA, (1, 0, 0))
        .begin(Phase::KingsEnvoy);
    assert_eq!(table.state.envoy, Envoy::Undeclared(EVA));
}

#[test]
fn the_tie_is_fixed_when_the_phase_begins() {
    let mut table = Table::of(2).begin(Phase::KingsAid);
    let take = Action::ChooseAidGood {
        good: Some(Good::Wood),
    };
    table.play(EVA, take);
    // Anna alone is the poorest now, and still chooses a good.
    assert_eq!(table.asked(), Some((ANNA, "aid_good")));
}

#[test]
fn the_envoy_has_three_purposes() {
    let table = eva_holds_the_envoy();
    assert_eq!(table.legal(), EnvoyUse::ALL.map(declare));
    table.refuses(EVA, Action::DeclareEnvoy { purpose: None }, "UNKNOWN_ID");
    table.refuses(ANNA, declare(EnvoyUse::Nothing), "NOT_YOUR_TURN");
}

#[test]
fn the_declaration_comes_before_the_roll() {
    let mut table = eva_holds_the_envoy();
    let rolled = |event: &Event| matches!(event, Event::DiceRolled { .. });
    assert!(!table.log.events.iter().any(rolled));
    table.play(EVA, declare(EnvoyUse::Advisor));
    assert!(table.log.events.iter().any(rolled));
    assert_eq!(table.state.envoy.holder(), Some(EVA));
}

#[test]
fn an_unused_envoy_returns_at_the_end_of_autumn() {
    let table = Table::of(4)
        .envoy(EVA, EnvoyUse::Advisor)
        .season_end(Phase::Autumn);
    assert!(table.happened(&Event::EnvoyReturned { seat: EVA }));
    assert_eq!(table.state.envoy, Envoy::OnBoard);
}

#[test]
fn the_holder_always_has_a_placement_while_an_own_die_is_left() {
    let mut table = Table::of(4).envoy(EVA, EnvoyUse::Advisor).dice(EVA, &[6]);
    for advisor in Advisor::ALL {
        table = table.group(BELA, advisor);
        if advisor == Advisor::Inventor {
            break;
        }
    }
    let mut table = table.influence();
    assert_eq!(table.asked(), Some((EVA, "influence")));
    assert_eq!(table.legal(), [with_envoy(6, &[0]), Action::PassInfluence]);
    table.play(EVA, Action::PassInfluence);
    assert_eq!(table.state.envoy.holder(), Some(EVA), "still unused");
}
