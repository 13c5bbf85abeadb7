//! The roll, the reroll, and the rules for two players (KIN-12c).

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, DieId, Phase};
use gamekeeper_rules::kingsburg::event::Event;

fn reroll(die: u32) -> Action {
    Action::RerollDie { die }
}

fn set_aside(die: u32) -> Action {
    Action::SetAsideDie { die }
}

/// A table at which Eva rolled these dice and has these buildings.
fn eva_rolled(faces: &[u8], buildings: &[Building]) -> Table {
    Table::of(4).built(EVA, buildings).dice(EVA, faces)
}

#[test]
fn kin_ac_40_one_reroll_even_if_all_are_equal_again() {
    let mut table = eva_rolled(&[4, 4, 4], &[Building::Statue])
        .luck(&[("reroll", Some(EVA), &[4])])
        .reroll();
    assert_eq!(table.asked(), Some((EVA, "reroll")));
    table.play(EVA, reroll(1));
    assert_ne!(table.asked(), Some((EVA, "reroll")));
    assert!(table.state.players[EVA].reroll_used);
    assert_eq!(table.state.players[EVA].dice.total(), 12);
}

#[test]
fn kin_ac_41_the_chapel_adds_nothing() {
    let mut table = eva_rolled(&[2, 2, 2], &[Building::Statue, Building::Chapel])
        .luck(&[("reroll", Some(EVA), &[5])])
        .reroll();
    assert_eq!(
        table.legal(),
        [reroll(0), reroll(1), reroll(2), Action::KeepRoll]
    );
    table.play(EVA, reroll(0));
    assert_eq!(table.faces_of(EVA), [5, 2, 2]);
    assert_ne!(table.asked(), Some((EVA, "reroll")));
}

#[test]
fn kin_ac_42_white_dice_must_show_the_same() {
    let table = |white| {
        eva_rolled(&[3, 3, 3], &[Building::Statue])
            .white(EVA, DieId::Farms, white)
            .reroll()
    };
    assert_ne!(table(5).asked(), Some((EVA, "reroll")));
    let mut offered = table(3).luck(&[("reroll", Some(EVA), &[6])]);
    offered.refuses(EVA, reroll(3), "UNKNOWN_DIE");
    offered.play(EVA, reroll(4));
    assert_eq!(offered.faces_of(EVA), [3, 3, 3, 6]);
}

#[test]
fn kin_ac_43_without_the_statue_nothing_is_rolled_again() {
    let table = eva_rolled(&[5, 5, 5], &[]).reroll();
    assert_eq!(table.asked(), Some((EVA, "influence")));
}

/// The advisors blocked by these neutral dice.
fn blocked(together: &[u16], alone: &[u16]) -> Vec<u8> {
    let table = Table::of(2)
        .luck(&[
            ("neutral", None, together),
            ("neutral", None, alone),
            ("roll", Some(EVA), &[1, 2, 3]),
            ("roll", Some(ANNA), &[1, 2, 3]),
        ])
        .begin(Phase::Spring);
    let neutral = table.state.neutral.iter();
    neutral.map(|group| group.advisor.number()).collect()
}

#[test]
fn kin_ac_44_equal_neutral_dice_block_once() {
    assert_eq!(blocked(&[2, 3, 4], &[5, 5]), [9, 5]);
}

#[test]
fn kin_ac_45_a_neutral_die_on_the_sum_blocks_once() {
    assert_eq!(blocked(&[1, 1, 2], &[4, 2]), [4, 2]);
}

#[test]
fn kin_ac_46_all_neutral_dice_on_one_advisor() {
    assert_eq!(blocked(&[1, 1, 1], &[3, 3]), [3]);
}

#[test]
fn kin_ac_47_each_of_two_sets_a_die_aside_in_the_new_order() {
    let mut table = Table::of(2)
        .order(&[ANNA, EVA])
        .dice(ANNA, &[6, 1, 1])
        .dice(EVA, &[2, 2, 3])
        .new_order();
    assert!(table.happened(&Event::OrderSet {
        order: [EVA, ANNA].into_iter().collect(),
        totals: [7, 8].into_iter().collect(),
    }));
    assert_eq!(table.asked(), Some((EVA, "set_aside")));
    table.refuses(EVA, set_aside(3), "UNKNOWN_DIE");
    table.play(EVA, set_aside(0));
    assert_eq!(table.asked(), Some((ANNA, "set_aside")));
    table.play(ANNA, set_aside(0));
    table.play(EVA, Action::PassInfluence);
    table.refuses(ANNA, place(6, &[0]), "DIE_NOT_AVAILABLE");
}

#[test]
fn kin_ac_48_the_envoy_opens_a_neutral_advisor() {
    let mut table = Table::of(2)
        .envoy(EVA, EnvoyUse::Advisor)
        .neutral(Advisor::MasterHunter)
        .dice(EVA, &[4, 5])
        .influence();
    table.play(EVA, with_envoy(9, &[0, 1]));
    assert_eq!(table.asked(), Some((EVA, "help_choice")));
    let good = gamekeeper_rules::kingsburg::data::Good::Gold;
    table.play(EVA, choose(good));
    assert_eq!(table.goods_of(EVA), (1, 1, 0), "helped once");
    assert_eq!(table.goods_of(ANNA), (0, 0, 0));
}

#[test]
fn kin_ac_49_without_the_option_nobody_sets_a_die_aside() {
    let mut table = Table::of(2).dice(EVA, &[1, 2, 4]).dice(ANNA, &[6, 6, 6]);
    table.state.options.two_player_set_aside = false;
    let table = table.new_order();
    assert_eq!(table.asked(), Some((EVA, "influence")));
    assert!(table.legal().contains(&place(7, &[0, 1, 2])));
}

#[test]
fn a_kept_roll_stays_and_the_next_player_is_asked() {
    let mut table = eva_rolled(&[4, 4, 4], &[Building::Statue])
        .built(ANNA, &[Building::Statue])
        .dice(ANNA, &[6, 6, 6])
        .reroll();
    table.play(EVA, Action::KeepRoll);
    assert_eq!(table.asked(), Some((ANNA, "reroll")));
    assert!(!table.state.players[EVA].reroll_used);
    assert_eq!(table.faces_of(EVA), [4, 4, 4]);
}

#[test]
fn five_equal_dice_are_the_same_rule() {
    let table = eva_rolled(&[2, 2, 2, 2, 2], &[Building::Statue]).reroll();
    assert_eq!(table.legal().len(), 6, "five dice and keep_roll");
}

#[test]
fn the_white_die_may_be_set_aside_and_still_counts_for_the_order() {
    let mut table = Table::of(2)
        .dice(EVA, &[1, 1, 1])
        .white(EVA, DieId::KingsAid, 6)
        .dice(ANNA, &[2, 3, 3])
        .new_order();
    assert_eq!(table.state.order[..], [ANNA, EVA], "8 before 9");
    table.play(ANNA, set_aside(0));
    table.play(EVA, set_aside(3));
    assert_eq!(table.state.order[..], [ANNA, EVA]);
    assert!(
        table.state.players[EVA]
            .dice
            .set_aside
            .contains(DieId::KingsAid)
    );
}
