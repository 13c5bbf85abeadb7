//! Events: sentences, figures, order (TM-14.12).

use super::table::*;
use gamekeeper_rules::ruleset::{fallback, legal_actions};
use gamekeeper_rules::table::{Detail, Kind as _};
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::Cult::Fire;
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{Desert, Plains};
use gamekeeper_rules::terra_mystica::data::{BonusCard, Faction, PriestSlot, TownTile};
use gamekeeper_rules::terra_mystica::{Action, Event, PowerUse, SpecialUse, TerraMystica};

/// The position of an action in TM-6.3.
fn place(action: &Action) -> usize {
    let kinds = "choose_faction place_dwelling choose_bonus_card transform_and_build build_dwelling \
        advance_shipping advance_terraforming upgrade_structure send_priest take_power_action \
        take_special_action build_engineer_bridge pass_turn convert sacrifice_power found_river_town \
        end_turn decide_power choose_favor_tile choose_town_tile choose_cult_step ordain_priests \
        use_stronghold_spades use_cult_spades";
    let place = kinds
        .split_whitespace()
        .position(|kind| kind == action.kind());
    place.expect("an action of TM-6.3")
}

#[track_caller]
fn kinds_in_order(table: &Table) -> Vec<&'static str> {
    let (seat, _) = table.decision().expect("a decision");
    let legal = legal_actions::<TerraMystica>(&table.state, seat, Detail::Moves);
    assert!(legal.is_sorted_by_key(place));
    let mut kinds: Vec<_> = legal.iter().map(Action::kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn tm_14_12_lists_follow_the_order_of_actions() {
    let owing = Table::of(&[Mermaids, Nomads])
        .at(S1, TP, &["D5", "E8"])
        .at(S1, SH, &["D6"])
        .at(S1, D, &["C4"])
        .goods(S1, 3, 3, 1)
        .favor_owed(1);
    let expected = ["convert", "found_river_town", "choose_favor_tile"];
    assert_eq!(kinds_in_order(&owing), expected);
    let offered = Table::of(&[Auren, Alchemists])
        .at(S1, D, &["E6"])
        .at(S2, D, &["F3"])
        .goods(S1, 9, 9, 0)
        .play(S1, &build("F4"));
    assert_eq!(kinds_in_order(&offered), ["convert", "decide_power"]);
    let halfway = Table::of(&[ChaosMagicians, Nomads])
        .at(S1, SH, &["D4"])
        .at(S2, D, &["A5"])
        .goods(S1, 12, 9, 1)
        .play(S1, &special(SpecialUse::DoubleTurn))
        .play(
            S1,
            &transform(&[("E7", Faction::ChaosMagicians.home())], ""),
        );
    let kinds = kinds_in_order(&halfway);
    assert_eq!(kinds[..2], ["transform_and_build", "build_dwelling"]);
    assert!(kinds.contains(&"pass_turn"));
}

#[test]
fn tm_14_12_leaps_are_described_by_faction() {
    let leaping = [Dwarves, Fakirs].map(Faction::first_leap);
    assert_eq!(leaping, [Some(2); 2]);
    let choose = Action::ChooseFaction {
        faction: Some(Fakirs),
    };
    let table = super::setup::choosing(2).play(S1, &choose);
    let board = table.view(Spectator).players[0]
        .board
        .clone()
        .expect("a board");
    assert_eq!((board.faction, board.leap_range), (Fakirs, Some(2)));
}

#[test]
fn tm_14_12_received_is_what_was_moved() {
    let table = Table::of(&[Alchemists, Nomads])
        .at(S1, TP, &["E5"])
        .goods(S1, 9, 9, 0)
        .bowls(S1, [2, 3, 7]);
    let table = table.play(S1, &upgrade("E5", SH));
    let expected_text = "Seat 1 receives 7 power for the stronghold.";
    assert!(table.sentences().iter().any(|text| text == expected_text));
    let full = Table::of(&[Auren, Nomads])
        .cults(S1, [2, 0, 0, 0])
        .bowls(S1, [0, 0, 12])
        .goods(S1, 0, 0, 1)
        .play(S1, &priest(Fire, PriestSlot::Three));
    assert!(
        !full
            .sentences()
            .iter()
            .any(|text| text.contains("receives"))
    );
}

#[test]
fn tm_14_12_a_town_that_grows_is_named() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E6", "G2"])
        .terrain("F3", Desert)
        .town(S1, Some(TownTile::Tw1), &["E6"])
        .goods(S1, 9, 9, 0)
        .play(S1, &build("F3"));
    let joined = Event::TownExtended {
        seat: S1,
        town: land("E6"),
        spaces: [land("F3"), land("G2")].into_iter().collect(),
    };
    assert!(table.log.events.contains(&joined));
    let expected_text = "Seat 1 adds F3 and G2 to the town on E6.";
    assert!(table.sentences().iter().any(|text| text == expected_text));
}

#[test]
fn tm_14_12_empty_gains_have_no_event() {
    let mut table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["E8"])
        .goods(S1, 2, 2, 0);
    for pooled in &mut table.state.pool {
        pooled.coins = 0;
    }
    let storm = special(SpecialUse::Sandstorm {
        space: space("E7"),
        build: false,
    });
    let sentences = table.clone().play(S1, &storm).sentences();
    assert_eq!(
        sentences[1],
        "Seat 1 transforms E7 from mountains to desert."
    );
    let sentences = table.play(S1, &pass(BonusCard::Bon4)).sentences();
    assert_eq!(sentences[1], "Seat 1 takes BON4 (3 power, shipping +1).");
    let ordain = Action::OrdainPriests { count: 0 };
    let table = Table::of(&[Darklings, Nomads])
        .at(S1, TP, &["E5"])
        .goods(S1, 9, 9, 0)
        .play(S1, &upgrade("E5", SH))
        .play(S1, &ordain);
    assert_eq!(table.sentences(), ["Seat 1 ordains no priest."]);
}

#[test]
fn refusals_say_thing_price_and_purse() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .at(S1, TP, &["I7"])
        .goods(S1, 1, 6, 1)
        .bowls(S1, [0, 5, 3]);
    let says = |action: &Action| table.refusal(S1, action).to_string();
    assert_eq!(
        says(&upgrade("I7", TE)),
        "A temple costs 2 workers and 5 coins; you have 1 worker and 6 coins."
    );
    assert_eq!(
        says(&transform(&[("E6", Desert)], "E6")),
        "This work costs 4 workers and 2 coins; you have 1 worker and 6 coins."
    );
    assert_eq!(
        says(&convert(Conversion::WorkerToCoin, 2)),
        "This conversion costs 2 workers; you have 1 worker."
    );
    assert_eq!(
        says(&act1("F3", "G2")),
        "There is no site for a bridge between F3 and G2."
    );
    let sacrificing =
        |tokens| sacrificing(gamekeeper_rules::terra_mystica::PowerUse::Workers, tokens);
    assert_eq!(
        says(&sacrificing(0)),
        "This takes 4 power; bowl III and the sacrifice give 3."
    );
    assert_eq!(
        says(&sacrificing(2)),
        "You can sacrifice at most 1 power token for this, not 2."
    );
    assert_eq!(
        says(&transform(&[("F4", Plains), ("E6", Desert)], "")),
        "2 spaces are too many: this transforms at most 1."
    );
    assert_eq!(says(&build("A1")), "A1 is plains, not desert.");
    assert_eq!(
        says(&river_town("r18")),
        "Only the Mermaids can do this; you play the Nomads."
    );
    let stone = Table::of(&[Alchemists, Nomads]).vp(S1, 3);
    assert_eq!(
        stone
            .refusal(S1, convert(Conversion::AlchemyVpToCoin, 4))
            .to_string(),
        "This conversion costs 4 VP; you have 3 VP."
    );
}

#[test]
fn tm_14_13_a_sacrifice_comes_before_what_it_paid() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .bowls(S1, [0, 2, 3]);
    let sentences = table.play(S1, &sacrificing(PowerUse::Coins, 1)).sentences();
    let begins = ["sacrifices 1 power token", "takes ACT4", "receives 7 coins"];
    for (sentence, words) in sentences.iter().zip(begins) {
        assert!(sentence.contains(words), "{sentences:?}");
    }
}

/// The fallback of a seat whose player has left takes the card that the others miss least: BON2 gives 4 coins and an
/// action, BON4 3 power, BON9 2 coins.
#[test]
fn the_fallback_takes_the_card_with_the_least_income() {
    let table = Table::of(&[Nomads, Witches]).at(S1, D, &["F3"]);
    let card = Some(BonusCard::Bon9);
    assert_eq!(
        fallback::<TerraMystica>(&table.state, S1),
        Some(Action::PassTurn { card })
    );
}
