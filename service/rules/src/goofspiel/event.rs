//! Events, each with its sentence and with what only one seat knows of it (GOO-13).

use super::data::{Card, Cards, named};
use crate::table::{Count, JoinAnd, PerSeat, Seat, events};

events! {
    /// One event.
    Event, names {
        /// GOO-6.1.
        PrizeTurnedUp { turn: u8, prize: Card } reveals(true) =>
            "Turn {turn}: the prize is the {prize}.";
        /// A seat bids. Others learn that there is a bid, not its card (GOO-6.2).
        BidMade { seat: Seat, card: Option<Card> } secret(card of seat) =>
            "{} bids {}.", names.who(*seat), match card {
                Some(card) => format!("the {card}"),
                None => String::from("a card"),
            };
        /// All bids are revealed at once, in seat order (GOO-6.5).
        BidsRevealed { bids: PerSeat<Card> } reveals(true) =>
            "The bids are {}.", JoinAnd(bids.entries().map(|(seat, card)| format!("the {card} from {}", names.of(seat))).collect::<Vec<_>>());
        /// GOO-6.6.
        PrizesTaken { seat: Seat, prizes: Cards, points: u8 } =>
            "{} takes {} for {}.", names.who(*seat), named(*prizes), Count(*points, "point");
        /// The highest bids are equal, and the prizes wait for the next turn (GOO-6.7).
        PrizesCarriedOver { prizes: Cards } =>
            "Nobody bids more than everybody else: {} {} for the next turn.", named(*prizes), match prizes.len() {
                1 => "stays",
                _ => "stay",
            };
        /// The highest bids are equal, and nobody gets the prizes (GOO-6.7, GOO-6.8).
        PrizesDiscarded { prizes: Cards } =>
            "Nobody bids more than everybody else: nobody takes {}.", named(*prizes);
    }
}
