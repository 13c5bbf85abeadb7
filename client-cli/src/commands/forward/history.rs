//! Reads games at earlier versions: when a decision began, and what was owed before a version.

use gamekeeper_proto::gamekeeper::v1::{
    GameInfo, GetGameRequest, ListEventsRequest, PendingDecision,
};
use gamekeeper_proto::raw::LogEntry;

use super::news::{continues, first_version, play_ms, taken_back_to};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// Maximum number of versions that are read to find where a decision began.
const MAX_STEPS: usize = 1_000;

/// Reads a game, now (version 0) or at a version. Returns `None` if there is no such game any more.
pub(super) async fn game_at(
    session: &Session,
    game: &str,
    version: u64,
) -> Result<Option<GameInfo>, Failure> {
    let request = GetGameRequest {
        game_id: game.to_owned(),
        at_version: version,
        ..GetGameRequest::default()
    };
    let response = found(session.call(&request).await)?;
    let table = response.and_then(|response| response.table);
    Ok(table.and_then(|table| table.game))
}

/// Returns what was owed before a version of a game.
pub(super) async fn owed_before(
    session: &Session,
    info: &GameInfo,
) -> Result<Vec<PendingDecision>, Failure> {
    if info.version <= first_version(info) {
        return Ok(Vec::new());
    }
    let before = game_at(session, &info.game_id, info.version - 1).await?;
    Ok(before.map_or_else(Vec::new, |before| before.pending))
}

/// Finds the version and the time at which the decision began that a seat owes. What others did meanwhile, and actions
/// that were taken back, are no new beginning. Returns `None` if the seat owes none, or the game is gone.
pub(super) async fn decision_start(
    session: &Session,
    info: &GameInfo,
    seat: u32,
) -> Result<Option<(u64, u64)>, Failure> {
    let mut at = info.clone();
    for _ in 0..MAX_STEPS {
        let open = at.pending.iter().find(|open| open.seat == seat).cloned();
        let Some(open) = open else {
            return Ok(None);
        };
        let start = (at.version, play_ms(&at));
        if at.version <= first_version(&at) {
            return Ok(Some(start));
        }
        let Some(entry) = entry_of(session, &at.game_id, at.version).await? else {
            return Ok(None);
        };
        let earlier = taken_back_to(&entry);
        let version = earlier.unwrap_or(at.version - 1).clamp(1, at.version - 1);
        let Some(before) = game_at(session, &at.game_id, version).await? else {
            return Ok(None);
        };
        if earlier.is_none() && !continues(&before.pending, &entry, &open) {
            return Ok(Some(start));
        }
        at = before;
    }
    Ok(Some((at.version, play_ms(&at))))
}

/// Reads the entry that made a version. Returns `None` if there is no such game any more.
async fn entry_of(
    session: &Session,
    game: &str,
    version: u64,
) -> Result<Option<LogEntry>, Failure> {
    let request = ListEventsRequest {
        game_id: game.to_owned(),
        after_version: version - 1,
        page_size: 1,
        ..ListEventsRequest::default()
    };
    let response = found(session.call(&request).await)?;
    Ok(response.and_then(|response| response.entries.into_iter().next()))
}

/// Takes a missing game for no answer.
fn found<A>(result: Result<A, Failure>) -> Result<Option<A>, Failure> {
    match result {
        Ok(response) => Ok(Some(response)),
        Err(failure) if failure.exit() == Exit::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}
