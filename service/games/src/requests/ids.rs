//! Ids in requests: of games, and of the requests themselves.

use gamekeeper_store::GameId;
use gamekeeper_wire::Malformed;
use uuid::Uuid;

use crate::errors::ServiceError;
use crate::hashed_id::hashed_id;

/// The maximum length of a request id, in bytes.
const MAX_REQUEST_ID_LEN: usize = 64;

/// Parses the game id of a request.
pub(crate) fn parse_id(text: &str) -> Result<GameId, ServiceError> {
    if text.is_empty() {
        return Err(Malformed::missing("game_id").into());
    }
    Uuid::try_parse(text).map_err(|_| ServiceError::no_such_game(text))
}

/// Checks the length of a request id.
///
/// # Errors
/// If the id is too long.
pub(crate) fn check_request_id(id: &str) -> Result<(), ServiceError> {
    if id.len() <= MAX_REQUEST_ID_LEN {
        return Ok(());
    }
    Err(Malformed::new(
        "request_id",
        format!("is longer than {MAX_REQUEST_ID_LEN} bytes"),
    )
    .into())
}

/// Derives an id from a request id and the values that scope it, so that a repeated request gets the same one. Returns
/// a new id if the request has none.
pub(crate) fn id_of_request(request_id: &str, qualifiers: &[&[u8]]) -> GameId {
    if request_id.is_empty() {
        return Uuid::now_v7();
    }
    hashed_id(&[qualifiers, &[request_id.as_bytes()]].concat())
}
