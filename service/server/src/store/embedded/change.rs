//! The changes that the committer makes.

use bytes::Bytes;
use tokio::sync::oneshot;

use crate::store::{Commit, Committed, Created, GameId, Head, IndexRow, NewGame, StoreError};

/// Where the answer goes. If the caller has gone, it is dropped.
pub(super) type Reply<A> = oneshot::Sender<Result<A, StoreError>>;

/// A change with the channel for its answer.
pub(super) enum Change {
    Create(NewGame, Reply<Created>),
    Commit(Commit, Reply<Committed>),
    SetAccess {
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
        reply: Reply<bool>,
    },
    Delete(GameId, Reply<bool>),
    Ping(Reply<()>),
}

impl Change {
    /// The game that it changes, if any.
    pub(super) fn game(&self) -> Option<GameId> {
        match self {
            Change::Create(game, _) => Some(game.id),
            Change::Commit(commit, _) => Some(commit.id),
            Change::SetAccess { id, .. } | Change::Delete(id, _) => Some(*id),
            Change::Ping(_) => None,
        }
    }
}
