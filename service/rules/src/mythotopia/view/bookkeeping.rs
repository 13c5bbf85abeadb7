//! The facts that the table keeps and that only the operator sees (MYT-13.7).

use crate::mythotopia::data::{Card, CardSet, Improvement};
use crate::mythotopia::stage::{Decision, Stage};
use crate::mythotopia::state::{Player, State};
use crate::table::{Pending, PendingList, Seat};

/// The facts that the table keeps and that no player needs to see: with them the view tells the whole table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookkeeping {
    /// The open decisions. Empty when the game is over.
    pub open: PendingList,
    /// The improvements that are face down, from the top, those included that Philosopher shows.
    pub improvement_deck: Vec<Improvement>,
    /// The facts of each player, in seat order.
    pub players: Vec<PlayerBookkeeping>,
}

/// The facts that the table keeps of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerBookkeeping {
    pub seat: Seat,
    /// The deck from the top. Empty during the set-up, when decks are not shuffled yet.
    pub deck: Vec<Card>,
    /// Cards of the hand that everybody knows to be there.
    pub shown: CardSet,
    /// The improvement of the hand that only its player has seen.
    pub secret: Option<Improvement>,
    /// Whether the player knows the improvements on top of the face-down ones.
    pub has_looked: bool,
}

/// # Rule MYT-13.7
pub(super) fn bookkeeping(state: &State) -> Bookkeeping {
    let set_up = matches!(state.stage, Stage::SetupDiscard | Stage::SetupCitadel);
    let kept = |(seat, player): (Seat, &Player)| PlayerBookkeeping {
        seat,
        deck: if set_up {
            Vec::new()
        } else {
            player.deck.iter().rev().copied().collect()
        },
        shown: player.shown,
        secret: player.secret,
        has_looked: player.has_looked,
    };
    Bookkeeping {
        open: Pending::all(state.pending(), Decision::id),
        improvement_deck: state.improvement_deck.iter().rev().copied().collect(),
        players: state.players.entries().map(kept).collect(),
    }
}
