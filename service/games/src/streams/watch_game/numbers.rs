//! Numbers for programs that learn, in the messages of one watch: they follow from what its seat has seen, so watchers
//! do not share them.

use bytes::Bytes;
use gamekeeper_proto::encode_shared;
use gamekeeper_proto::raw::{Table, WatchGameResponse};
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::aggregate::recent_events::RecentEvents;
use crate::broadcast::update::{StreamType, Update};
use crate::errors::ServiceError;
use crate::rendering::projection::Projection;
use crate::service::game_service::GameService;
use crate::service::numbers::{CountedTable, SeatNumbers};

/// Returns the events that the seats of a game have seen, if a watch shows numbers.
///
/// # Errors
/// If the viewer has no seat, or the store fails.
pub(super) async fn recent_events<W: Wire>(
    games: &GameService<W>,
    game: &Game<W>,
    (show, stream_type): (&Projection, StreamType),
) -> Result<Option<Box<RecentEvents>>, ServiceError> {
    match stream_type {
        // Only the watch of one game has them.
        StreamType::WatchGames => Ok(None),
        StreamType::WatchGame => match SeatNumbers::from_request(show)? {
            Some(_) => {
                let game = games.at_version_with_events(game.id, game.version).await?;
                Ok(game.recent)
            }
            None => Ok(None),
        },
    }
}

/// Counts the events of an update, if a watch shows numbers.
///
/// # Errors
/// If the store fails.
pub(super) async fn count_update<W: Wire>(
    games: &GameService<W>,
    recent: Option<Box<RecentEvents>>,
    update: &Update<W>,
) -> Result<Option<Box<RecentEvents>>, ServiceError> {
    let Some(recent) = recent else {
        return Ok(None);
    };
    let version = update.game.version;
    let counted = match update.cause() {
        None => Some(recent),
        Some((before, entry)) => recent.after::<W>(version, &before.state, entry),
    };
    if counted.is_some() {
        return Ok(counted);
    }
    let replayed = games
        .at_version_with_events(update.game.id, version)
        .await?;
    Ok(replayed.recent)
}

/// Adds numbers to a message about a game, if a watch shows them.
///
/// # Errors
/// If the spaces cannot be computed.
pub(super) async fn with_numbers<W: Wire>(
    games: &GameService<W>,
    game: &Game<W>,
    (show, recent): (&Projection, Option<&RecentEvents>),
    message: Bytes,
) -> Result<Bytes, ServiceError> {
    let (Some(recent), Some(numbers)) = (recent, SeatNumbers::from_request(show)?) else {
        return Ok(message);
    };
    let counted = CountedTable::new(game, Box::new(recent.clone()));
    let table = Some(Table {
        numbers: Some(games.numbers(&counted, numbers).await?),
        ..Table::default()
    });
    let part = encode_shared(&WatchGameResponse {
        table,
        ..WatchGameResponse::default()
    });
    // Whoever reads parts of the same message one after the other merges them.
    Ok([message, part].concat().into())
}
