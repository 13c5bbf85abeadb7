//! The hooks of the **conformance suite** for Goofspiel (GOO-11, GOO-13).

pub mod reader;

use super::Goofspiel;
use super::data::{Card, Cards, MIN_CARDS, points, suit};
use super::event::Event;
use super::options::{Options, Ties};
use super::state::{Player, State};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, PerSeat, Seat, Viewer};

impl Audit for Goofspiel {
    type Reader = reader::Reader;

    fn table(seats: usize, seed: u64) -> Options {
        let more = u8::try_from(seed % 9).unwrap_or_default();
        Options {
            seats: u8::try_from(seats).unwrap_or_default(),
            cards: MIN_CARDS + more,
            ties: Ties::ALL[usize::from(seed.is_multiple_of(2))],
        }
    }

    /// A turn, with its prizes.
    fn ends_period(event: &Event) -> bool {
        matches!(event, Event::PrizeTurnedUp { .. })
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        prizes_have_one_place(state)?;
        for (seat, player) in state.players.entries() {
            hand_fits(state, player, seat)?;
        }
        let all_have_bid = state.players.iter().all(|player| player.bid.is_some());
        Fault::unless(!all_have_bid, "GOO-INV-4", || String::from("all have bid"))
    }

    /// # Rule GOO-INV-5
    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        let mut scores = PerSeat::new(before.seats(), |seat| points(before.players[seat].won));
        for event in events {
            if let Event::PrizesTaken { seat, points, .. } = event {
                scores[*seat] += points;
            }
        }
        let actual = PerSeat::new(after.seats(), |seat| points(after.players[seat].won));
        Fault::unless(scores == actual, "GOO-INV-5", || {
            format!("the events give {scores:?}, the table has {actual:?}")
        })
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        let mut other = state.clone();
        if viewer != Viewer::Operator {
            let to_come = &mut other.order[usize::from(state.turn)..];
            chance.shuffle("scramble", None, to_come);
        }
        for (seat, player) in state.players.entries() {
            if player.bid.is_some() && !viewer.sees(seat) {
                other.players[seat].bid = any(player.hand, chance);
            }
        }
        other
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        let mut other = event.clone();
        if let Event::BidMade { seat, card } = &mut other
            && !viewer.sees(*seat)
        {
            *card = any(Cards::all(), chance);
        }
        other
    }
}

fn any(cards: Cards, chance: &mut Chance) -> Option<Card> {
    let cards: Vec<Card> = cards.iter().collect();
    chance.pick("scramble", None, &cards)
}

/// # Rule GOO-INV-1, GOO-INV-2
fn prizes_have_one_place(state: &State) -> Result<(), Fault> {
    let mut order = state.order.clone();
    order.sort_unstable();
    let is_complete = order.iter().copied().eq(suit(state.options.cards));
    Fault::unless(is_complete, "GOO-INV-1", || format!("{:?}", state.order))?;
    let mut seen = state.offered | state.to_come();
    let mut count = state.offered.len() + state.to_come().len();
    for player in &state.players {
        seen |= player.won;
        count += player.won.len();
    }
    let carries_over = state.options.ties == Ties::CarryOver && !state.is_over();
    let fits = count == seen.len() && (!carries_over || count == state.order.len());
    Fault::unless(fits, "GOO-INV-2", || format!("{state:?}"))
}

/// # Rule GOO-INV-3
fn hand_fits(state: &State, player: &Player, seat: Seat) -> Result<(), Fault> {
    let left = usize::from(state.options.cards - state.turn);
    let left = if state.is_over() { left } else { left + 1 };
    let bids = player.bid.is_none_or(|bid| player.hand.contains(bid));
    Fault::unless(bids && player.hand.len() == left, "GOO-INV-3", || {
        format!("{seat}: {player:?}")
    })
}
