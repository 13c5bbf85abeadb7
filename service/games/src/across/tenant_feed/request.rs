//! Decoding of requests for a feed.

use std::collections::HashMap;
use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_store::GameId;
use gamekeeper_store::feed::FeedFrom;
use gamekeeper_wire::Malformed;

use super::cursor::Cursor;
use crate::heart::access::{Caller, check_labels, check_user};
use crate::heart::filter::bound;
use crate::heart::looking::viewer;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::show::Show;

/// The maximum number of games for which a request names a viewer.
const MAX_VIEWERS: usize = 1_000;

/// A decoded request for a feed.
pub(super) struct Asked {
    pub(super) tenant: String,
    pub(super) filter: Arc<pb::GameFilter>,
    pub(super) show: Option<pb::Show>,
    pub(super) viewers: HashMap<GameId, pb::Viewer>,
    pub(super) cursor: Option<Cursor>,
    pub(super) from: FeedFrom,
}

impl Asked {
    /// Validates and decodes a request.
    ///
    /// # Errors
    /// If the caller has no feed, or a field is malformed.
    pub(super) fn read(
        caller: &Caller,
        call: &pb::WatchGamesRequest,
        filter: &pb::GameFilter,
    ) -> Result<Asked, Problem> {
        let tenant = tenant(caller)?;
        if !call.user.is_empty() {
            let text = "cannot stand beside a filter, which may name the user";
            return Err(Malformed::new("user", text).into());
        }
        check_filter(filter)?;
        Show::read(Viewer::Spectator, call.show.as_ref())?;
        let cursor = Cursor::read(&call.cursor, &tenant)?;
        let from = match (cursor, call.from_time) {
            (Some(_), Some(_)) => {
                return Err(Malformed::new("from_time", "cannot stand beside a cursor").into());
            }
            (Some(cursor), None) => FeedFrom::After(cursor.place),
            (None, Some(time)) => FeedFrom::Time(bound(Some(time), 0, "from_time")?),
            (None, None) => FeedFrom::End,
        };
        Ok(Asked {
            viewers: viewers(caller, call)?,
            tenant,
            filter: Arc::new(filter.clone()),
            show: call.show,
            cursor,
            from,
        })
    }
}

fn tenant(caller: &Caller) -> Result<String, Problem> {
    let refusal = match caller.user() {
        Some(_) => "only tenants follow a feed: users follow their own games without a filter",
        None => "only tenants follow a feed",
    };
    caller.tenant(refusal).map(str::to_owned)
}

/// Validates the filter. A feed follows a game from its beginning to its end, so properties that change with every
/// action cannot be filtered by.
fn check_filter(filter: &pb::GameFilter) -> Result<(), Problem> {
    let refused = |field, is_set: bool| {
        let text = "has no meaning for a feed, which follows a game from its beginning to its end";
        is_set.then(|| Malformed::new(field, text))
    };
    let refused = refused("filter.status", filter.status != 0)
        .or_else(|| refused("filter.awaiting_user", !filter.awaiting_user.is_empty()));
    if let Some(refused) = refused {
        return Err(refused.into());
    }
    check_user(&filter.user, "filter.user")?;
    check_labels(&filter.labels, "filter.labels")?;
    Ok(())
}

/// Decodes the viewers that a request names for games.
fn viewers(
    caller: &Caller,
    call: &pb::WatchGamesRequest,
) -> Result<HashMap<GameId, pb::Viewer>, Problem> {
    if call.games.len() > MAX_VIEWERS {
        let text = format!("has more than {MAX_VIEWERS} games");
        return Err(Malformed::new("games", text).into());
    }
    let mut viewers = HashMap::new();
    for (index, game) in call.games.iter().enumerate() {
        let wrong = |field: &str, text| Malformed::new(format!("games[{index}].{field}"), text);
        if game.after_version != 0 || game.after_time.is_some() {
            let text = "cannot stand beside a filter: a feed continues from its cursor";
            return Err(wrong("after_version", text).into());
        }
        let named = game.viewer.ok_or_else(|| {
            wrong(
                "viewer",
                "is missing: beside a filter, games only name viewers",
            )
        })?;
        viewer(caller, Some(&named))?;
        if viewers.insert(parse_id(&game.game_id)?, named).is_some() {
            return Err(wrong("game_id", "is listed twice").into());
        }
    }
    Ok(viewers)
}
