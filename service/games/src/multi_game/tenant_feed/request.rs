//! Decoding of requests for a feed.

use std::collections::HashMap;
use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_store::GameId;
use gamekeeper_store::feed::FeedFrom;
use gamekeeper_wire::Malformed;

use super::cursor::FeedCursor;
use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::metadata::{check_labels, check_user};
use crate::rendering::projection::Projection;
use crate::requests::filter::timestamp_ms_or;
use crate::requests::ids::parse_id;
use crate::service::viewer::resolve_viewer;

/// The maximum number of games for which a request names a viewer.
const MAX_VIEWERS: usize = 1_000;

/// A decoded request for a feed.
pub(super) struct FeedRequest {
    pub(super) tenant: String,
    pub(super) filter: Arc<pb::GameFilter>,
    pub(super) show: Option<pb::Show>,
    pub(super) viewers: HashMap<GameId, pb::Viewer>,
    pub(super) cursor: Option<FeedCursor>,
    pub(super) from: FeedFrom,
}

impl FeedRequest {
    /// Validates and decodes a request.
    ///
    /// # Errors
    /// If the caller has no feed, or a field is malformed.
    pub(super) fn decode(
        caller: &Caller,
        call: &pb::WatchGamesRequest,
        filter: &pb::GameFilter,
    ) -> Result<FeedRequest, ServiceError> {
        let tenant = tenant_of(caller)?;
        if !call.user.is_empty() {
            let text = "cannot stand beside a filter, which may name the user";
            return Err(Malformed::new("user", text).into());
        }
        check_filter(filter)?;
        Projection::from_request(Viewer::Spectator, call.show.as_ref())?;
        let cursor = FeedCursor::decode(&call.cursor, &tenant)?;
        let from = match (cursor, call.from_time) {
            (Some(_), Some(_)) => {
                return Err(Malformed::new("from_time", "cannot stand beside a cursor").into());
            }
            (Some(cursor), None) => FeedFrom::After(cursor.position),
            (None, Some(time)) => FeedFrom::Time(timestamp_ms_or(Some(time), 0, "from_time")?),
            (None, None) => FeedFrom::End,
        };
        Ok(FeedRequest {
            viewers: read_viewers(caller, call)?,
            tenant,
            filter: Arc::new(filter.clone()),
            show: call.show.clone(),
            cursor,
            from,
        })
    }
}

fn tenant_of(caller: &Caller) -> Result<String, ServiceError> {
    let refusal = match caller.user() {
        Some(_) => "only tenants follow a feed: users follow their own games without a filter",
        None => "only tenants follow a feed",
    };
    caller.tenant(refusal).map(str::to_owned)
}

/// Validates the filter. A feed follows a game from its beginning to its end, so properties that change with every
/// action cannot be filtered by.
fn check_filter(filter: &pb::GameFilter) -> Result<(), ServiceError> {
    let reject_if_set = |field, is_set: bool| {
        let text = "has no meaning for a feed, which follows a game from its beginning to its end";
        is_set.then(|| Malformed::new(field, text))
    };
    let rejected = reject_if_set("filter.status", filter.status != 0)
        .or_else(|| reject_if_set("filter.awaiting_user", !filter.awaiting_user.is_empty()));
    if let Some(rejected) = rejected {
        return Err(rejected.into());
    }
    check_user(&filter.user, "filter.user")?;
    check_labels(&filter.labels, "filter.labels")?;
    Ok(())
}

/// Decodes the viewers that a request names for games.
fn read_viewers(
    caller: &Caller,
    call: &pb::WatchGamesRequest,
) -> Result<HashMap<GameId, pb::Viewer>, ServiceError> {
    if call.games.len() > MAX_VIEWERS {
        let text = format!("has more than {MAX_VIEWERS} games");
        return Err(Malformed::new("games", text).into());
    }
    let mut viewers = HashMap::new();
    for (index, game) in call.games.iter().enumerate() {
        let malformed = |field: &str, text| Malformed::new(format!("games[{index}].{field}"), text);
        if game.after_version != 0 || game.after_time.is_some() {
            let text = "cannot stand beside a filter: a feed continues from its cursor";
            return Err(malformed("after_version", text).into());
        }
        let requested = game.viewer.ok_or_else(|| {
            malformed(
                "viewer",
                "is missing: beside a filter, games only name viewers",
            )
        })?;
        let place = format!("games[{index}]");
        resolve_viewer(caller, Some(&requested)).map_err(|problem| problem.within(&place))?;
        let id = parse_id(&game.game_id).map_err(|problem| problem.within(&place))?;
        if viewers.insert(id, requested).is_some() {
            return Err(malformed("game_id", "is listed twice").into());
        }
    }
    Ok(viewers)
}
