//! The **projection** of the table for one viewer, field by field (GOO-13).

use super::data::{Card, Cards, points};
use super::options::Options;
use super::stage::Decision;
use super::state::{Player, State};
use crate::table::{Pending, PendingList, Seat, Viewer};

/// The table as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub options: Options,
    /// The turn, from 1.
    pub turn: u8,
    /// The prizes of this turn.
    pub offered: Cards,
    /// The prizes that are not turned up yet.
    pub to_come: Cards,
    /// The order of the prizes to come; only the operator knows it.
    pub order: Vec<Card>,
    /// The prizes turned up so far, in that order; for the operator only.
    pub turned_up: Vec<Card>,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// The pending decisions.
    pub pending: PendingList,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    pub seat: Seat,
    /// The cards that are not revealed, the bid of this turn included. Public: all hands are equal at the start.
    pub hand: Cards,
    pub has_bid: bool,
    /// The bid of this turn, for its owner.
    pub bid: Option<Card>,
    /// The prizes taken.
    pub won: Cards,
    pub points: u8,
}

/// # Rule GOO-13.1 to GOO-13.3
pub fn view(state: &State, viewer: Viewer) -> View {
    let for_operator = |order: &[Card]| match viewer {
        Viewer::Operator => order.to_vec(),
        Viewer::Seat(_) | Viewer::Spectator => Vec::new(),
    };
    let turned_up = usize::from(state.turn).min(state.order.len());
    let (turned_up, hidden) = state.order.split_at(turned_up);
    let player = |(seat, player): (Seat, &Player)| PlayerView {
        seat,
        hand: player.hand,
        has_bid: player.bid.is_some(),
        bid: player.bid.filter(|_| viewer.sees(seat)),
        won: player.won,
        points: points(player.won),
    };
    View {
        options: state.options,
        turn: state.turn,
        offered: state.offered,
        to_come: state.to_come(),
        order: for_operator(hidden),
        turned_up: for_operator(turned_up),
        players: state.players.entries().map(player).collect(),
        pending: Pending::all(state.pending(), Decision::id),
    }
}
