//! INFLUENCE: the advisors that dice may be placed on (KIN-12b).

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse, Influence};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, DieId, Good};

/// A table at which Eva has these dice and it is her turn.
fn eva_has(faces: &[u8]) -> Table {
    Table::of(4).dice(EVA, faces)
}

#[test]
fn kin_ac_20_the_total_must_equal_the_number() {
    let table = eva_has(&[4]).influence();
    table.refuses(EVA, place(3, &[0]), "SUM_MISMATCH");
}

#[test]
fn kin_ac_21_not_more_tokens_than_dice() {
    let table = eva_has(&[6]).plus2(EVA, 2).influence();
    table.refuses(EVA, with_plus2(10, &[0], 2), "PLUS2_EXCEEDS_DICE");
}

#[test]
fn kin_ac_22_two_tokens_on_two_dice() {
    let mut table = eva_has(&[2, 3]).plus2(EVA, 2).influence();
    table.play(EVA, with_plus2(9, &[0, 1], 2));
    assert_eq!(table.plus2_of(EVA), 0);
}

#[test]
fn kin_ac_23_not_more_tokens_than_in_hand() {
    let table = eva_has(&[2, 3]).plus2(EVA, 1).influence();
    table.refuses(EVA, with_plus2(9, &[0, 1], 2), "NOT_ENOUGH_PLUS2");
}

#[test]
fn kin_ac_24_white_dice_count_as_dice_for_tokens() {
    let mut table = eva_has(&[1])
        .white(EVA, DieId::KingsAid, 4)
        .white(EVA, DieId::Farms, 2)
        .plus2(EVA, 3)
        .influence();
    table.play(EVA, with_plus2(13, &[0, 3, 4], 3));
    assert_eq!(table.plus2_of(EVA), 0);
}

#[test]
fn kin_ac_25_a_white_die_needs_an_own_die() {
    let table = eva_has(&[5]).white(EVA, DieId::Farms, 3).influence();
    table.refuses(EVA, place(3, &[4]), "WHITE_DICE_ONLY");
}

#[test]
fn kin_ac_26_without_an_own_die_the_white_one_is_lost() {
    let mut table = eva_has(&[5])
        .white(EVA, DieId::Farms, 3)
        .dice(ANNA, &[1, 2])
        .influence();
    table.play(EVA, place(5, &[0]));
    assert!(table.state.players[EVA].influence_done);
    table.play(ANNA, place(1, &[0]));
    assert_eq!(table.asked(), Some((ANNA, "influence")), "Eva is skipped");
    assert_eq!(
        table.faces_of(EVA),
        [5, 3],
        "the white die stays in the pool"
    );
}

#[test]
fn kin_ac_27_nineteen_less_one_is_the_king() {
    let mut table = eva_has(&[6, 6])
        .white(EVA, DieId::Farms, 5)
        .plus2(EVA, 1)
        .built(EVA, &[Building::Market])
        .dice(ANNA, &[1])
        .influence();
    let king = Influence {
        plus2: 1,
        market_offset: -1,
        ..influence(18, &[0, 1, 4])
    };
    table.play(EVA, Action::Influence(king));
    assert!(table.state.players[EVA].market_used);
}

#[test]
fn kin_ac_28_there_is_no_advisor_0() {
    let table = eva_has(&[1]).built(EVA, &[Building::Market]).influence();
    table.refuses(EVA, with_market(0, &[0], -1), "ADVISOR_OUT_OF_RANGE");
}

#[test]
fn kin_ac_29_the_market_works_once_a_season() {
    let mut table = eva_has(&[1, 4])
        .built(EVA, &[Building::Market])
        .dice(ANNA, &[3])
        .influence();
    table.play(EVA, with_market(2, &[0], 1));
    table.refuses(ANNA, with_market(4, &[0], 1), "MARKET_NOT_OWNED");
    table.play(ANNA, place(3, &[0]));
    table.refuses(EVA, with_market(5, &[1], 1), "MARKET_ALREADY_USED");
    table.play(EVA, place(4, &[1]));
}

#[test]
fn kin_ac_30_an_advisor_is_closed_to_a_second_group_of_the_same_player_too() {
    let table = eva_has(&[5, 1]).group(EVA, Advisor::Sergeant).influence();
    table.refuses(EVA, place(5, &[0]), "ADVISOR_OCCUPIED");
    table.refuses(EVA, with_envoy(5, &[0]), "ENVOY_NOT_AVAILABLE");
}

#[test]
fn kin_ac_31_a_free_advisor_needs_no_envoy() {
    let table = eva_has(&[5]).envoy(EVA, EnvoyUse::Advisor).influence();
    table.refuses(EVA, with_envoy(5, &[0]), "ENVOY_NOT_NEEDED");
}

#[test]
fn kin_ac_32_two_exchanges_with_the_alchemist() {
    let mut table = eva_has(&[6])
        .envoy(EVA, EnvoyUse::Advisor)
        .group(EVA, Advisor::Alchemist)
        .goods(EVA, (2, 0, 0))
        .influence();
    table.play(EVA, with_envoy(6, &[0]));
    table.play(EVA, exchange(Good::Gold));
    assert_eq!(table.goods_of(EVA), (1, 1, 1));
    table.play(EVA, exchange(Good::Gold));
    assert_eq!(table.goods_of(EVA), (0, 2, 2));
}

#[test]
fn kin_ac_33_the_envoy_goes_once() {
    let mut table = eva_has(&[2, 3, 1])
        .envoy(EVA, EnvoyUse::Advisor)
        .group(BELA, Advisor::Squire)
        .group(BELA, Advisor::Architect)
        .influence();
    table.play(EVA, with_envoy(2, &[0]));
    table.refuses(EVA, with_envoy(3, &[1]), "ENVOY_NOT_AVAILABLE");
    assert_eq!(
        table.legal(),
        [place(1, &[2]), place(4, &[1, 2]), Action::PassInfluence]
    );
}

#[test]
fn kin_ac_34_a_player_who_passed_is_skipped() {
    let mut table = eva_has(&[1, 2])
        .dice(ANNA, &[3, 4])
        .dice(DAVID, &[5, 6])
        .influence();
    table.play(EVA, Action::PassInfluence);
    table.play(ANNA, place(3, &[0]));
    table.play(DAVID, place(5, &[0]));
    assert_eq!(table.asked(), Some((ANNA, "influence")));
    table.refuses(EVA, place(1, &[0]), "NOT_YOUR_TURN");
}

#[test]
fn kin_ac_35_only_free_known_and_different_dice() {
    let mut table = eva_has(&[1, 2, 3]).influence();
    table.play(EVA, place(1, &[0]));
    table.refuses(EVA, place(1, &[0]), "DIE_NOT_AVAILABLE");
    table.refuses(EVA, place(4, &[1, 1]), "DUPLICATE_DIE");
    table.refuses(EVA, place(2, &[1, 4]), "UNKNOWN_DIE");
    table.refuses(EVA, place(2, &[]), "EMPTY_DICE_SET");
}

#[test]
fn kin_ac_36_only_the_asked_player_and_only_the_asked_question() {
    let table = eva_has(&[1]).dice(ANNA, &[2]).influence();
    table.refuses(ANNA, place(2, &[0]), "NOT_YOUR_TURN");
    table.refuses(EVA, build(Building::Barricade), "WRONG_DECISION");
}

#[test]
fn kin_ac_37_equal_totals_of_two() {
    let table = Table::of(2)
        .order(&[ANNA, EVA])
        .dice(ANNA, &[2, 3, 5])
        .dice(EVA, &[1, 3, 6])
        .new_order();
    assert_eq!(table.state.order[..], [ANNA, EVA]);
}
