//! What calls and logs must not show.

/// A contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Two requests were answered with the same version.
    SameVersion([String; 2], u64),
    /// One request was answered in two ways.
    TwoAnswers(String),
    /// A change began when the same or a higher version was already known.
    OutOfOrder(String, u64),
    /// A read gave a lower version than was known before it began.
    StaleRead(u64, u64),
    /// A request that was answered OK is not in the log at its version.
    Lost(String, u64),
    /// A request is in the log twice.
    Doubled(String),
    /// A request was refused and still played.
    PlayedThough(String),
    /// The log has an entry without a request.
    OfNobody(u64),
    /// A known version of a game is beyond the end of its log.
    BeyondTheLog(u64),
    /// A watch skipped a version, repeated one, or went back.
    WatchGap(u64, Vec<u64>),
    /// A token was used that was never issued.
    UnknownToken {
        /// Of this seat, or 0 for spectators.
        seat: u32,
        /// Its number.
        token: u64,
    },
    /// A token was accepted after it had been revoked.
    RevokedTokenHeld {
        /// Of this seat, or 0 for spectators.
        seat: u32,
        /// Its number.
        token: u64,
    },
    /// A token was reported as revoked before that was requested.
    ValidTokenRefused {
        /// Of this seat, or 0 for spectators.
        seat: u32,
        /// Its number.
        token: u64,
    },
    /// The record has an entry that cannot happen at the table.
    AtTheTable(u64, Breach),
    /// A label was seen with an impossible value, or without one.
    WrongLabel(String, Option<u64>),
    /// A status that no fault excuses.
    Broken(String),
}

/// A contradiction in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// Its time is before that of the previous version.
    TimeRanBack,
    /// A seat that had left left again.
    LeftTwice(u32),
    /// A seat that had not left came back.
    NeverLeft(u32),
    /// A seat that had left acted or requested something.
    ActedAfterLeaving(u32),
    /// A seat that has left owes a decision.
    OwesAfterLeaving(u32),
    /// Stopped clocks were paused, or running ones resumed.
    ClocksTwice,
    /// A seat timed out that had time left, owed nothing, or had no running clock.
    NotLate(u32),
    /// Time was added, but decisions are due at other times.
    OtherTime,
    /// A decision is due while the clocks are paused.
    DueInAPause(u32),
    /// There is no such version to go back to.
    NoSuchVersion(u64),
    /// The table is not as it was at that version.
    OtherTable(u64),
    /// Others acted or left after the actions that were taken back without their consent.
    OthersActed(u32),
    /// An answer without a request.
    NotAsked(u32),
    /// Not all have agreed.
    NotAgreed,
    /// Something happened after the end of the game.
    AfterTheEnd,
    /// The game was ended, but seats still owe decisions.
    OwesAfterTheEnd,
    /// The request of this version asked for something else.
    NotWished,
}
