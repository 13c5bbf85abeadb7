//! Refusals: codes, rules, and the order of checks.

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse, Influence, NamedDice};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, DiceSet, DieId, Good, Phase};
use gamekeeper_rules::kingsburg::refusal::Refusal;
use gamekeeper_rules::table::{Refusal as _, Seat};

#[test]
fn codes_are_those_of_the_rule_document() {
    let figures: serde_json::Value = serde_json::from_str(include_str!("../data.json")).unwrap();
    assert_eq!(figures["errors"], serde_json::json!(Refusal::CODES));
}

#[test]
fn tokens_and_dice_are_counted_in_words() {
    let sentence = |dice| Refusal::Plus2ExceedsDice { plus2: 3, dice }.to_string();
    assert_eq!(
        [sentence(1), sentence(2)],
        [
            "You cannot use three +2 tokens with 1 die: one token for each die.",
            "You cannot use three +2 tokens with 2 dice: one token for each die."
        ]
    );
}

/// KIN-6.3.
#[test]
fn common_checks_come_first_and_in_order() {
    let over = {
        let mut table = Table::of(2);
        table.state.stage = gamekeeper_rules::kingsburg::stage::Stage::Over;
        table
    };
    let fifth = Seat::at(4);
    let misspelled = Action::ChooseHelpGood { good: None };
    over.refuses(fifth, misspelled, "GAME_OVER");
    let table = Table::of(2);
    table.refuses(fifth, misspelled, "NOT_YOUR_TURN");
    table.refuses(ANNA, misspelled, "NOT_YOUR_TURN");
    table.refuses(EVA, misspelled, "WRONG_DECISION");
    let misspelled = Action::ChooseAidGood { good: None };
    table.refuses(EVA, misspelled, "UNKNOWN_ID");
}

/// A placement in which everything is wrong.
const ALL_WRONG: Influence = Influence {
    advisor: 99,
    dice: NamedDice {
        named: DiceSet::empty(),
        repeated: DiceSet::empty(),
        unknown: None,
    },
    plus2: 99,
    market_offset: 9,
    use_envoy: true,
};

fn with_dice(numbers: &[u32], placement: Influence) -> Influence {
    Influence {
        dice: NamedDice::from_numbers(numbers.iter().copied()),
        ..placement
    }
}

#[track_caller]
fn refuses_placement(table: &Table, placement: Influence, code: &str) {
    table.refuses(EVA, Action::Influence(placement), code);
}

/// A table at which Eva has five dice, of which 0 and 4 cannot be placed.
fn eva_has_five_dice() -> Table {
    let mut table = Table::of(2)
        .dice(EVA, &[1, 2, 3])
        .white(EVA, DieId::KingsAid, 4)
        .white(EVA, DieId::Farms, 5)
        .dice(ANNA, &[1, 2, 3]);
    let aside = [DieId::Own0, DieId::Farms];
    table.state.players[EVA].dice.set_aside = aside.into_iter().collect();
    table.influence()
}

/// KIN-6.42, checks 1 to 6: a placement that breaks several is refused by the first.
#[test]
fn dice_are_checked_first_and_in_order() {
    let table = eva_has_five_dice();
    let refuses = |numbers, code| refuses_placement(&table, with_dice(numbers, ALL_WRONG), code);
    refuses(&[], "EMPTY_DICE_SET");
    refuses(&[0, 0, 9], "UNKNOWN_DIE");
    refuses(&[0, 0], "DUPLICATE_DIE");
    refuses(&[4], "DIE_NOT_AVAILABLE");
    refuses(&[3], "WHITE_DICE_ONLY");
    refuses(&[1], "INVALID_MARKET_OFFSET");
}

/// KIN-6.42, checks 7 to 11.
#[test]
fn market_and_tokens_are_checked_in_order() {
    let mut table = eva_has_five_dice();
    let wrong = Influence {
        market_offset: 1,
        ..with_dice(&[1], ALL_WRONG)
    };
    table.state.players[EVA].market_used = true;
    refuses_placement(&table, wrong, "MARKET_NOT_OWNED");
    let mut table = table.rows(EVA, [0, 2, 0, 0, 0]);
    refuses_placement(&table, wrong, "MARKET_ALREADY_USED");
    table.state.players[EVA].market_used = false;
    refuses_placement(&table, wrong, "PLUS2_EXCEEDS_DICE");
    let wrong = Influence { plus2: 1, ..wrong };
    refuses_placement(&table, wrong, "NOT_ENOUGH_PLUS2");
    let table = table.plus2(EVA, 1);
    refuses_placement(&table, wrong, "ADVISOR_OUT_OF_RANGE");
}

/// KIN-6.42, checks 12 to 15.
#[test]
fn total_and_court_are_checked_last() {
    let table = eva_has_five_dice();
    let at = |advisor, use_envoy| Influence {
        advisor,
        use_envoy,
        ..influence(0, &[1])
    };
    refuses_placement(&table, at(3, true), "SUM_MISMATCH");
    refuses_placement(&table, at(2, true), "ENVOY_NOT_NEEDED");
    let table = table
        .group(ANNA, Advisor::Squire)
        .group(ANNA, Advisor::Architect);
    refuses_placement(&table, at(3, false), "SUM_MISMATCH");
    refuses_placement(&table, at(2, false), "ADVISOR_OCCUPIED");
    refuses_placement(&table, at(2, true), "ENVOY_NOT_AVAILABLE");
}

#[test]
fn the_envoy_of_somebody_else_or_for_a_building_opens_nothing() {
    for (holder, purpose) in [
        (ANNA, EnvoyUse::Advisor),
        (EVA, EnvoyUse::SecondBuilding),
        (EVA, EnvoyUse::Nothing),
    ] {
        let table = Table::of(2)
            .dice(EVA, &[5, 1])
            .group(ANNA, Advisor::Sergeant)
            .envoy(holder, purpose)
            .influence();
        table.refuses(EVA, with_envoy(5, &[0]), "ENVOY_NOT_AVAILABLE");
    }
}

/// KIN-6.90: the amount paid is checked before the goods owned.
#[test]
fn payments_are_checked_in_order() {
    let table = Table::of(2).goods(EVA, (1, 1, 0)).begin(Phase::Recruit);
    table.refuses(EVA, recruit(0, 0, 3), "INVALID_PAYMENT");
    table.refuses(EVA, recruit(0, 0, 2), "CANNOT_AFFORD");
    table.refuses(
        EVA,
        recruit(u32::MAX, u32::MAX, u32::MAX),
        "INVALID_PAYMENT",
    );
}

/// KIN-16.17: also for codes of several paragraphs.
#[test]
fn a_refusal_cites_the_paragraph_of_the_action() {
    let dice = |table: Table| table.dice(EVA, &[4, 4, 4]).dice(ANNA, &[1, 2, 3]);
    let reroll = dice(Table::of(2)).built(EVA, &[Building::Statue]).reroll();
    assert_eq!(
        reroll.refusal(EVA, Action::RerollDie { die: 9 }).rule,
        "KIN-6.33"
    );
    let aside = dice(Table::of(2)).order(&[ANNA, EVA]).new_order();
    assert_eq!(
        aside.refusal(ANNA, Action::SetAsideDie { die: 9 }).rule,
        "KIN-6.37"
    );
    assert_eq!(aside.refusal(ANNA, Action::PassBuild).rule, "KIN-6.3");
    let influence = dice(Table::of(2)).influence();
    assert_eq!(influence.refusal(EVA, place(9, &[9])).rule, "KIN-6.42");
    let help = Table::of(2).group(EVA, Advisor::Merchant).help();
    assert_eq!(help.refusal(EVA, choose(Good::Stone)).rule, "KIN-6.51");
    assert_eq!(help.refusal(EVA, Action::DeclineExchange).rule, "KIN-6.51");
    assert_eq!(help.refusal(EVA, Action::PassBuild).rule, "KIN-6.3");
    let unknown = Action::Build { building: None };
    let build = Table::of(2).goods(EVA, (9, 9, 9)).build();
    assert_eq!(build.refusal(EVA, unknown).rule, "KIN-6.62");
    let recruit = Table::of(2).goods(EVA, (1, 1, 0)).begin(Phase::Recruit);
    assert_eq!(
        recruit.refusal(EVA, super::table::recruit(3, 0, 0)).rule,
        "KIN-6.90"
    );
}
