//! The movements of events: prizes. Cards of bids stay with their players.

use super::components::prize;
use super::event::Event;
use crate::table::{Component, Movement};

/// Lists what an event moves.
pub fn event(event: &Event) -> Vec<Movement> {
    match event {
        Event::PrizesTaken { seat, prizes, .. } => {
            let taken = |card| Movement::of(prize(card), 1_u8).reaching(Component::seat(*seat));
            prizes.iter().map(taken).collect()
        }
        Event::PrizeTurnedUp { .. }
        | Event::BidMade { .. }
        | Event::BidsRevealed { .. }
        | Event::PrizesCarriedOver { .. }
        | Event::PrizesDiscarded { .. } => Vec::new(),
    }
}
