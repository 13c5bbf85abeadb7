//! The contradictions that calls, logs and records must not contain.

/// A contradiction between calls and logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Two requests were answered with the same version.
    SameVersion([String; 2], u64),
    /// One request was answered in two different ways.
    TwoAnswers(String),
    /// A change began when the same or a higher version was already known.
    OutOfOrder(String, u64),
    /// A read returned a lower version than the one known before it began.
    StaleRead(u64, u64),
    /// A request that was answered OK is not in the log at its version.
    Lost(String, u64),
    /// A request is in the log twice.
    Doubled(String),
    /// A request was refused and yet carried out.
    PlayedThough(String),
    /// The log has an entry that no request explains.
    OfNobody(u64),
    /// A known version of a game is beyond the end of its log.
    BeyondTheLog(u64),
    /// A watch skipped or repeated a version, or went backwards.
    WatchGap(u64, Vec<u64>),
    /// A token was used that was never issued.
    UnknownToken {
        /// The seat of the token, or 0 for spectators.
        seat: u32,
        /// The number of the token.
        token: u64,
    },
    /// A token was accepted after it had been revoked.
    RevokedTokenAccepted {
        /// The seat of the token, or 0 for spectators.
        seat: u32,
        /// The number of the token.
        token: u64,
    },
    /// A token was reported as revoked before that was requested.
    ValidTokenRefused {
        /// The seat of the token, or 0 for spectators.
        seat: u32,
        /// The number of the token.
        token: u64,
    },
    /// The record has an entry that cannot happen at the table.
    AtTheTable(u64, Breach),
    /// A label was seen with an impossible value, or was missing.
    WrongLabel(String, Option<u64>),
    /// A call failed with a status that no fault excuses.
    Broken(String),
}

/// A contradiction in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The version has an earlier time than the previous one.
    TimeRanBack,
    /// A seat left that had already left.
    LeftTwice(u32),
    /// A seat was filled that nobody had left.
    NeverLeft(u32),
    /// A seat that had left acted or requested something.
    ActedAfterLeaving(u32),
    /// A seat that has left has a pending decision.
    OwesAfterLeaving(u32),
    /// Stopped clocks were paused, or running ones resumed.
    ClocksTwice,
    /// A seat timed out that had time left, no pending decision, or no running clock.
    NotLate(u32),
    /// Time was added, but the deadlines moved by another amount.
    OtherTime,
    /// A decision is due although the clocks are paused.
    DueInAPause(u32),
    /// The version to go back to does not exist.
    NoSuchVersion(u64),
    /// The restored table differs from that version.
    OtherTable(u64),
    /// Others acted or left after the actions that were taken back without their consent.
    OthersActed(u32),
    /// A seat answered a proposal that does not exist.
    NotProposed(u32),
    /// A change that needs the consent of all seats was made without it.
    NotAgreed,
    /// Something happened after the end of the game.
    AfterTheEnd,
    /// The game was ended, but seats still have pending decisions.
    OwesAfterTheEnd,
    /// The request of this version asked for another entry.
    NotWished,
}
