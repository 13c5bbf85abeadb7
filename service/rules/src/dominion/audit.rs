//! The hooks of the **conformance suite** for Dominion (DOM-11, DOM-13).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each invariant, policy or ledger speaks of a few events, effects or actions only"
)]

pub mod cover;
pub mod invariants;
pub mod ledger;
pub mod policy;
pub mod reader;
pub mod scramble;
pub mod universe;

use super::Dominion;
use super::action::Action;
use super::data::{Card, Group, KINGDOM_SIZE, KingdomSet};
use super::event::{Event, Zone};
use super::options::{Kingdom, Options};
use super::state::State;
use crate::conformance::Audit;
use crate::table::{Chance, Fault, Seat, Seed, Viewer};

impl Audit for Dominion {
    type Reader = reader::Reader;

    fn table(seats: usize, seed: u64) -> Options {
        let mut chance = Chance::from_seed(&Seed::from_number(!seed));
        let places: Vec<Seat> = Seat::all(seats).collect();
        let drawn = chance.pick("first_player", None, &places);
        Options {
            seats: u8::try_from(seats).unwrap_or(4),
            kingdom: kingdom(seed, &mut chance),
            first_player: drawn.filter(|_| seed.is_multiple_of(2)),
            strict_secrecy: seed.is_multiple_of(3),
        }
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        cover::same_move(listed, accepted)
    }

    const RENEWED: &'static [&'static str] = &[
        "action",
        "buy",
        "coin",
        "hand_card",
        "copper",
        "silver",
        "gold",
    ];

    /// A turn: then come new cards and counters (DOM-6.14). Also a theft, which takes what its player chooses (DOM-7.20).
    fn ends_period(event: &Event) -> bool {
        match event {
            Event::CleanedUp { .. } => true,
            Event::CardsTrashed { zone, .. } => *zone == Zone::Revealed,
            _ => false,
        }
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::of_state(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        invariants::of_step(before, after, events)?;
        ledger::balance(before, after, events)
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        scramble::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        scramble::scramble_event(event, viewer, chance)
    }

    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        policy::choose(legal, chance)
    }
}

/// Returns each recommended set, a list of cards, and a kingdom drawn at random, in turn.
fn kingdom(seed: u64, chance: &mut Chance) -> Kingdom {
    let turn = usize::try_from(seed % 10).unwrap_or_default();
    match KingdomSet::ALL.get(turn) {
        Some(set) => Kingdom::Set(*set),
        None if turn == KingdomSet::ALL.len() => Kingdom::Random,
        None => {
            let kingdom = |card: &Card| card.sheet().group == Group::Kingdom;
            let mut cards: Vec<Card> = Card::ALL.into_iter().filter(kingdom).collect();
            chance.sample("kingdom", None, &mut cards, KINGDOM_SIZE);
            cards.sort_unstable();
            cards.try_into().map_or(Kingdom::Random, Kingdom::Cards)
        }
    }
}
