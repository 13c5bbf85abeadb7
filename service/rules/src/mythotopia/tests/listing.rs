//! Legal lists: exact at both levels of detail (MYT-6.12, 14.16).

use std::collections::BTreeSet;

use super::table::*;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::action::{Action, Invasion, Origin, Route, SymbolPlay};
use gamekeeper_rules::mythotopia::data::{
    Card, Converter, Improvement, Province, ProvinceSet, Sea, Symbol,
};
use gamekeeper_rules::mythotopia::state::State;
use gamekeeper_rules::ruleset::{Ruleset, apply, create, is_exhaustive, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, MaybeKnown, Seat, Seed, Wanted, encode};

/// Every way to name one card for a symbol, sensible or not.
fn plays(cards: &[Card], symbol: Symbol) -> Vec<SymbolPlay> {
    let merchant = Card::improvement(Improvement::Merchant);
    let mill = Card::improvement(Improvement::WaterMill);
    let helper = |card: Card| {
        [None, Some(Some(card))]
            .into_iter()
            .take(1 + usize::from(cards.contains(&card)))
    };
    let vias = || {
        [None]
            .into_iter()
            .chain(Converter::ALL.iter().map(|&via| Some(Some(via))))
    };
    let mut plays = Vec::new();
    for &card in cards {
        for via in vias() {
            for merchant in helper(merchant) {
                for water_mill in helper(mill) {
                    plays.push(SymbolPlay {
                        card: Some(card),
                        symbol: Some(symbol),
                        via,
                        merchant,
                        water_mill,
                    });
                }
            }
        }
    }
    plays
}

/// Lists of none, one, two or three plays in ascending order of cards.
fn lists(plays: &[SymbolPlay], most: usize) -> Vec<Vec<SymbolPlay>> {
    let mut lists: Vec<Vec<SymbolPlay>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let end = lists.len();
        for at in from..end {
            let last = lists[at].last().and_then(|play| play.card);
            for play in plays.iter().filter(|play| play.card > last) {
                let mut list = lists[at].clone();
                list.push(*play);
                lists.push(list);
            }
        }
        from = end;
    }
    lists
}

/// Actions of some kinds, with every payment of at most `most` cards.
fn payments(state: &State, seat: Seat, most: usize) -> Vec<Action> {
    let cards: Vec<Card> = state.players[seat].playable().iter().collect();
    let of = |symbol| lists(&plays(&cards, symbol), most);
    let (gold, ships) = (of(Symbol::Gold), of(Symbol::Ship));
    // Armies and food are paid together: pairs of one and pairs of the other are too many.
    let single = |symbol| lists(&plays(&cards, symbol), 1);
    let (armies, food) = (single(Symbol::Army), single(Symbol::Food));
    let mut universe = Vec::new();
    for gold in &gold {
        universe.push(Action::Patronage { gold: gold.clone() });
        for (armies, ships) in [(1, 0), (0, 1), (2, 0)] {
            universe.push(Action::BuyUnits {
                armies,
                ships,
                gold: gold.clone(),
            });
        }
        for improvement in state.display.iter().take(2) {
            let card = Some(Card::improvement(improvement));
            universe.push(Action::DraftCard {
                card,
                gold: gold.clone(),
            });
        }
    }
    for ships in &ships {
        for sea in Sea::ALL {
            universe.push(Action::PlaceShips {
                sea: Some(sea),
                ships: ships.clone(),
            });
        }
    }
    let player = &state.players[seat];
    let places =
        player.armies.provinces() | player.controlled().iter().take(1).collect::<ProvinceSet>();
    for province in places.iter().take(2) {
        for armies in &armies {
            for food in &food {
                universe.push(place(province.id(), armies, food));
            }
        }
    }
    universe
}

fn key(action: &Action) -> Vec<u8> {
    encode(action)
}

/// Plays a game with the policy and checks states at regular intervals.
fn sampled(seats: usize, seed: u64, every: usize, mut look: impl FnMut(&State, Seat)) {
    let options = Mythotopia::table(seats, seed);
    let mut now = create::<Mythotopia>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let mut player = Chance::from_seed(&Seed::from_number(seed + 1000));
    for step in 0..400 {
        let Some(pending) = Mythotopia::pending(&now.state).first().copied() else {
            return;
        };
        if step % every == 0 {
            look(&now.state, pending.seat);
        }
        let legal = legal_actions::<Mythotopia>(&now.state, pending.seat, Detail::Moves);
        let choice = Mythotopia::choose(&now.state, pending.seat, &legal, &mut player);
        now = apply::<Mythotopia>(&now.state, &now.chance, pending.seat, &legal[choice]).unwrap();
    }
}

/// Asserts that the exhaustive list has an action of the universe if and only if it is accepted.
fn payments_are_exact(state: &State, seat: Seat, most: usize) -> usize {
    let listed: BTreeSet<Vec<u8>> = legal_actions::<Mythotopia>(state, seat, Detail::AllPayments)
        .iter()
        .map(key)
        .collect();
    let mut accepted = 0;
    for action in payments(state, seat, most) {
        let ok = Mythotopia::check(state, seat, &action).is_ok();
        accepted += usize::from(ok);
        assert_eq!(listed.contains(&key(&action)), ok, "{action:?}");
    }
    accepted
}

#[test]
fn every_payment_of_sampled_tables_is_listed_exactly_if_it_is_accepted() {
    let mut accepted = 0;
    for seats in 2..=4 {
        sampled(seats, 40 + seats as u64, 90, |state, seat| {
            accepted += payments_are_exact(state, seat, 2);
        });
    }
    assert!(accepted > 50, "{accepted}");
}

/// A table with all helpers at once: converters in the reserve, Merchant and Water Mill in hand.
fn rich() -> Table {
    let mut table = Table::of(3);
    table.in_play(&["patronage"]);
    table.control(R, &["mome", "darb", "palmain"]);
    table.armies(R, "lea", 1);
    table.hand(
        R,
        &ids("prov:mome prov:darb imp:merchant imp:water_mill imp:ship"),
    );
    table.reserve(
        R,
        &["imp:farming", "imp:gold_mine", "imp:levies", "imp:army"],
    );
    table
}

#[test]
fn every_payment_of_a_rich_table_is_listed_exactly_if_it_is_accepted() {
    let table = rich();
    assert!(payments_are_exact(&table.state, R, 2) > 200);
}

#[test]
fn every_invasion_of_a_rich_table_is_listed_exactly_if_it_is_accepted() {
    let mut table = rich();
    table.reserve(R, &["imp:ranger"]);
    table.hand(R, &["prov:palmain"]);
    let cards: Vec<Card> = table.state.players[R].playable().iter().collect();
    let armies = lists(&plays(&cards, Symbol::Army), 1);
    let food = lists(&plays(&cards, Symbol::Food), 1);
    let listed: BTreeSet<Vec<u8>> =
        legal_actions::<Mythotopia>(&table.state, R, Detail::AllPayments)
            .iter()
            .map(key)
            .collect();
    let (mut accepted, mut checked) = (0, 0);
    for (target, transport) in [
        ("lea", None),
        ("fadge", None),
        ("remise", None),
        ("ogdoad", None),
        ("nesh", Some("imp:ship")),
    ] {
        for origin in ["mome", "darb", "palmain"] {
            for food in &food {
                for armies in &armies {
                    let route = transport.map_or(Route::Land, |_| by_sea(&["serpent_sea"]));
                    let transport: Vec<MaybeKnown<Card>> =
                        transport.iter().map(|id| Some(card(id))).collect();
                    let invasion = Action::Invade(Invasion {
                        route: Some(route),
                        transport,
                        ..invade(origin, target, armies, food)
                    });
                    let ok = Mythotopia::check(&table.state, R, &invasion).is_ok();
                    accepted += usize::from(ok);
                    checked += 1;
                    assert_eq!(listed.contains(&key(&invasion)), ok, "{invasion:?}");
                }
            }
        }
    }
    assert!(accepted > 50, "{accepted} of {checked}");
}

#[test]
fn exhaustive_lists_say_so() {
    let table = rich();
    let says = |detail| is_exhaustive::<Mythotopia>(&table.state, R, Wanted::all(detail));
    assert!(!says(Detail::Moves) && says(Detail::AllPayments));
}

#[test]
fn a_list_can_stop_anywhere() {
    let table = rich();
    let mut taken = Vec::new();
    let _stopped = gamekeeper_rules::ruleset::visit_legal::<Mythotopia>(
        &table.state,
        R,
        Detail::AllPayments,
        &mut |action| {
            taken.push(action);
            if taken.len() == 17 {
                std::ops::ControlFlow::Break(())
            } else {
                std::ops::ControlFlow::Continue(())
            }
        },
    );
    let all = legal_actions::<Mythotopia>(&table.state, R, Detail::AllPayments);
    assert_eq!(taken, all[..17]);
}

#[test]
fn myt_6_12_1_a_portal_is_listed_for_every_foreign_province() {
    let mut table = Table::of(3);
    table.control(R, &["mome"]);
    table.hand(R, &["imp:portal", "imp:army", "start:red:market#1"]);
    let list = legal_actions::<Mythotopia>(&table.state, R, Detail::Moves);
    let targets: Vec<Province> = list
        .iter()
        .filter_map(|action| {
            let Action::Invade(Invasion {
                target,
                origin: Origin::Portal { .. },
                ..
            }) = action
            else {
                return None;
            };
            *target
        })
        .collect();
    assert_eq!(targets.len(), 39);
}
