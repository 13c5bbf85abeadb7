//! The hooks of the **conformance suite** for Caylus (CAY-11, CAY-13).

pub mod cover;
pub mod invariants;
pub mod ledger;
pub mod reader;
pub mod rich;
pub mod universe;

#[cfg(feature = "conformance")]
pub use ledger::balance;
pub use rich::RichCaylus;

use super::action::Action;
use super::data::Tile;
use super::event::Event;
use super::options::Options;
use super::stage::SeatList;
use super::state::State;
use super::{Caylus, data};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, Seat, Seed};

impl Audit for Caylus {
    type Reader = reader::Reader;

    const UNREACHED: &'static [(&'static str, &'static str)] = &[
        (
            "refusal NO_WORKERS",
            "a player without workers can only pass, so the rules pass for them (CAY-6.1.2)",
        ),
        (
            "refusal CASTLE_FULL",
            "a builder in a full castle can only finish, so the rules finish for them (CAY-6.1.2)",
        ),
    ];

    const CEILINGS: &'static [&'static str] = &["CAY-15.3"];

    /// Simplified favors one time in four; named neutral tiles one time in three, and a named turn order somewhat more
    /// often.
    fn table(seats: usize, seed: u64) -> Options {
        let named = seed.is_multiple_of(3);
        Options {
            players: u8::try_from(seats).unwrap_or(2),
            simplified_favors: seed.is_multiple_of(4),
            neutral_order: named.then(|| named_tiles(seed)),
            turn_order: (named || seed.is_multiple_of(5)).then(|| named_seats(seats, seed)),
        }
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        cover::same_move(listed, accepted)
    }

    const RENEWED: &'static [&'static str] = &["denier", "favor", "prestige_point"];

    /// The building of a turn: then come the favor for the most batches, the bailiff, the scoring of a section, and the
    /// income of the next turn (CAY-6.3, CAY-6.8.7, CAY-6.9).
    fn ends_period(event: &Event) -> bool {
        matches!(
            event,
            Event::MostBatches { .. } | Event::BailiffMoved { .. } | Event::Income { .. }
        )
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::of_state(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        invariants::of_step(before, after, events)?;
        ledger::balance(before, after, events)
    }
}

fn named_tiles(seed: u64) -> [Tile; 6] {
    let mut tiles = data::NEUTRAL_TILES;
    Chance::from_seed(&Seed::from_number(seed)).shuffle("named", None, &mut tiles);
    tiles
}

fn named_seats(seats: usize, seed: u64) -> SeatList {
    let mut order: SeatList = Seat::all(seats).collect();
    Chance::from_seed(&Seed::from_number(seed)).shuffle("named", None, &mut order);
    order
}
