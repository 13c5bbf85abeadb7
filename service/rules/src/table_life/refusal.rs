//! Refusals of table events.

use crate::table::Seat;

/// A refusal of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableRefusal {
    /// The game is over; nothing can happen any more.
    #[error("the game is over")]
    GameOver,
    /// The table does not have this seat.
    #[error("the table has no such seat")]
    NoSeat,
    /// The seat has already left.
    #[error("{0} has already left")]
    HasLeft(Seat),
    /// The seat is still in the game.
    #[error("{0} has not left")]
    HasNotLeft(Seat),
    /// The game has no clock.
    #[error("this game has no clock")]
    NoClock,
    /// The clocks are paused.
    #[error("the game is paused")]
    Paused,
    /// The clocks run.
    #[error("the game is not paused")]
    NotPaused,
    /// The seat owes no decision.
    #[error("{0} owes no decision")]
    NoPendingDecision(Seat),
    /// There is time left.
    #[error("{seat} has {left_ms} ms left")]
    NotOverdue {
        /// The seat whose timeout was claimed.
        seat: Seat,
        /// The time left, in milliseconds.
        left_ms: u64,
    },
    /// The options of the table do not allow this.
    #[error("this game does not allow this kind of take-back")]
    NoTakeBack,
    /// The options of the table do not allow this agreement.
    #[error("the players of this game cannot agree to this")]
    NotByAgreement,
    /// There is no such version, or it is not open to the seat.
    #[error("this seat cannot go back to that version")]
    NothingToTakeBack,
    /// There were too many entries that do not advance the game.
    #[error(
        "this game has reached its limit of pauses, returns, take-backs, proposals and additions of time"
    )]
    EntryLimitReached,
    /// The seat has used up its share of these entries.
    #[error("{seat} has used its share of {max} take-backs and proposals")]
    QuotaUsed {
        /// The seat.
        seat: Seat,
        /// The size of its share.
        max: u16,
    },
    /// No proposal waits for this seat's answer.
    #[error("there is nothing for {0} to agree to")]
    NoOpenProposal(Seat),
}
