//! Faults inside a call of the library, by how far they reach: a call, a game, or the store.

use gamekeeper_store::{GameId, StoreError};

/// The reason why work on the database failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// The work is refused. Nothing else is affected.
    Refused(StoreError),
    /// Data of this game is missing or damaged. Other games go on.
    Damaged(GameId, String),
    /// The library failed.
    Library(Box<redb::Error>),
}

impl Fault {
    /// Creates the fault of a game whose data is missing or damaged.
    pub(super) fn damaged(id: GameId, why: &str) -> Fault {
        Fault::Damaged(id, why.to_owned())
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Refused(error)
    }
}

macro_rules! of_the_library {
    ($($Error:ident),*) => {
        $(impl From<redb::$Error> for Fault {
            fn from(error: redb::$Error) -> Fault {
                Fault::Library(Box::new(error.into()))
            }
        })*
    };
}

of_the_library!(
    StorageError,
    TableError,
    TransactionError,
    CommitError,
    DatabaseError
);

/// The phase in which the library failed, which decides whether a change may have been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Reading, or preparing a change: nothing was changed.
    Work,
    /// Writing a change to the disk.
    Commit,
}
