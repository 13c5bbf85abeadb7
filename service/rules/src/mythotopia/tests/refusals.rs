//! The sentences of refusals: every code at least once, as a table. A changed sentence shows as a diff.

mod board;
mod cards;
mod creation;
mod order;

use super::table::*;
use Symbol::{Army, Food, Gold, Ship, Stone};
use gamekeeper_rules::mythotopia::action::{Action, Invasion, Origin, Route, TokenSource};
use gamekeeper_rules::mythotopia::data::{
    Card, Color, Converter, Improvement, Province, Stack, Symbol,
};
use gamekeeper_rules::mythotopia::options::Draft;
use gamekeeper_rules::mythotopia::stage::Stage;
use gamekeeper_rules::mythotopia::state::Award;
use gamekeeper_rules::mythotopia::{Mythotopia, Refusal};
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Refusal as _, Refused, Seat};

/// Collects refusals.
#[derive(Default)]
struct Said(Vec<Refused<Refusal>>);

impl Said {
    /// Asserts that the action of the active player is refused, and collects the refusal.
    fn refuses(&mut self, table: &Table, action: &Action) {
        self.no_to(R, table, action);
    }

    fn no_to(&mut self, seat: Seat, table: &Table, action: &Action) {
        let refusal = Mythotopia::check(&table.state, seat, action).err();
        self.0
            .push(refusal.unwrap_or_else(|| panic!("accepted: {action:?}")));
    }

    fn options(&mut self, seats: usize, draft: &Draft) {
        let players = vec![String::from("Anybody"); seats];
        let refusal = Mythotopia::options(&players, draft).err();
        self.0.push(refusal.unwrap().refused);
    }

    /// Prints the refusals by code, in the order of the rule document.
    fn table(mut self) -> String {
        let place = |refusal: &Refused<Refusal>| {
            let codes = Refusal::CODES.iter();
            codes.clone().position(|&code| code == refusal.code())
        };
        self.0.sort_by_key(place);
        let line = |refusal: &Refused<Refusal>| {
            let (code, rule) = (refusal.code(), refusal.rule);
            format!("{code:23} {rule:10} {refusal}\n")
        };
        self.0.iter().map(line).collect()
    }
}

/// A table with everything at once: hands, reserves, wars, ships, a road.
fn table() -> Table {
    let mut table = Table::of(3);
    table.in_play(&["patronage", "guild_city"]);
    table.control(R, &ids("mome remise coryphee palmain scombroid quean"));
    table.control(B, &["talion", "fadge"]);
    table.city(R, "remise");
    table.road("coryphee", "mome");
    table.armies(R, "talion", 2);
    table.armies(R, "mome", 1);
    table.armies(B, "talion", 2);
    table.armies(Y, "lea", 1);
    table.ships(R, "serpent_sea", 1);
    table.hand(
        R,
        &ids(
            "prov:mome prov:palmain prov:scombroid start:red:build#1 start:red:build#2 \
             start:red:market#1 start:red:army#1 start:red:ship#1 imp:hero imp:merchant \
             imp:water_mill",
        ),
    );
    table.reserve(R, &["imp:farming", "imp:mercenary"]);
    table
}

fn city(site: &str, province: &str, stone: &[gamekeeper_rules::mythotopia::SymbolPlay]) -> Action {
    Action::BuildCity {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(site)),
        province: Some(prov(province)),
        stone: stone.to_vec(),
        guild_gold: Vec::new(),
    }
}

fn castle(site: &str, province: &str) -> Action {
    Action::BuildCastle {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card(site)),
        province: Some(prov(province)),
        stone: vec![play("start:red:build#2", Stone)],
    }
}

fn road(a: &str, b: &str) -> Action {
    Action::BuildRoad {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card("prov:mome")),
        a: Some(prov(a)),
        b: Some(prov(b)),
        stone: vec![play("start:red:build#2", Stone)],
        inn_gold: Vec::new(),
    }
}

fn patronage(plays: &[gamekeeper_rules::mythotopia::SymbolPlay]) -> Action {
    Action::Patronage {
        gold: plays.to_vec(),
    }
}

#[test]
fn every_refusal_says_what_is_wrong() {
    let mut said = Said::default();
    for part in [
        order::of_phases,
        order::of_form,
        order::of_turns,
        cards::of_cards,
        cards::of_uses,
        board::of_ways,
        board::of_wars,
        board::of_works,
        board::of_ends,
        creation::of_options,
    ] {
        part(&mut said);
    }
    let book = Rulebook::read(Mythotopia::RULES);
    for refusal in &said.0 {
        assert!(book.rule(refusal.rule).is_some(), "{}", refusal.rule);
    }
    let missing = Refusal::CODES
        .iter()
        .copied()
        .filter(|code| said.0.iter().all(|refusal| refusal.code() != *code));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("refusals", said.table());
    });
}
