//! The components that actions and events touch. `picture` draws them under the same names.

use super::action::Action;
use super::data::{Card, Cards};
use super::event::Event;
use super::view::View;
use crate::table::{Component, Seat};

/// A prize.
pub fn prize(card: Card) -> Component {
    Component::new("prize", card.id())
}

/// A card with which a player bids.
pub fn card(seat: Seat, card: Card) -> Component {
    Component::of(seat, "card", card.id())
}

/// Lists the components that an action touches.
pub fn action(_view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let Action::Bid { card: bid } = action;
    bid.map(|bid| card(seat, bid)).into_iter().collect()
}

/// Lists the components that an event touches.
pub fn event(event: &Event) -> Vec<Component> {
    let prizes = |cards: Cards| cards.iter().map(prize);
    match event {
        Event::PrizeTurnedUp { prize, .. } => vec![self::prize(*prize)],
        Event::BidMade { seat, card } => {
            let card = card.map(|card| self::card(*seat, card));
            vec![card.unwrap_or_else(|| Component::seat(*seat))]
        }
        Event::BidsRevealed { bids } => {
            let bids = bids.entries();
            bids.map(|(seat, bid)| card(seat, *bid)).collect()
        }
        Event::PrizesTaken {
            seat,
            prizes: taken,
            ..
        } => {
            let player = Component::seat(*seat);
            [player].into_iter().chain(prizes(*taken)).collect()
        }
        Event::PrizesCarriedOver { prizes: those } | Event::PrizesDiscarded { prizes: those } => {
            prizes(*those).collect()
        }
    }
}
