//! The games that a call names.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Malformed;
use pb::ViewMode;
use prost_types::Timestamp;

use crate::auth::Caller;
use crate::games::parse_id;
use crate::games::query::viewer;
use crate::problem::Problem;
use crate::store::{GameId, Version};

/// The maximum number of games on one stream.
pub(super) const MOST_GAMES: usize = 1_000;

/// A game to be followed.
#[derive(Clone, Debug)]
pub struct FollowedGame {
    /// The game.
    pub id: GameId,
    /// The last version that the caller has; 0: begin with the newest.
    pub after_version: Version,
    /// The time of that version, as it was reported.
    pub after_time: Option<Timestamp>,
    /// What to show of the game.
    pub view_request: ViewRequest,
    /// The user whose games the stream follows, if any.
    pub user: Option<String>,
}

/// What to show of a game besides the public facts.
#[derive(Clone, Debug)]
pub enum ViewRequest {
    /// Nothing.
    Facts,
    /// The view of the viewer that the request names.
    Of(Option<pb::Viewer>),
    /// The view of the first seat of a user.
    OfUser(String),
}

/// The games that a call names.
pub(super) fn requested_games(
    caller: &Caller,
    call: &pb::WatchGamesRequest,
) -> Result<Vec<FollowedGame>, Problem> {
    if call.games.len() > MOST_GAMES {
        let text = format!("has more than {MOST_GAMES} games");
        return Err(Malformed::new("games", text).into());
    }
    let with_views = with_views(call)?;
    let mut ids = HashSet::new();
    let mut asked = Vec::with_capacity(call.games.len());
    for (index, game) in call.games.iter().enumerate() {
        let id = parse_id(&game.game_id)?;
        if !ids.insert(id) {
            let field = format!("games[{index}].game_id");
            return Err(Malformed::new(field, "is listed twice").into());
        }
        // Reject a malformed viewer before the stream begins.
        viewer(caller, game.viewer.as_ref())?;
        let view_request = match (with_views, &game.viewer) {
            (false, _) => ViewRequest::Facts,
            (true, None) if !call.user.is_empty() => ViewRequest::OfUser(call.user.clone()),
            (true, viewer) => ViewRequest::Of(*viewer),
        };
        asked.push(FollowedGame {
            id,
            after_version: game.after_version,
            after_time: game.after_time,
            view_request,
            user: (!call.user.is_empty()).then(|| call.user.clone()),
        });
    }
    Ok(asked)
}

pub(super) fn with_views(call: &pb::WatchGamesRequest) -> Result<bool, Malformed> {
    match ViewMode::try_from(call.view_mode) {
        Ok(ViewMode::Unspecified | ViewMode::None) => Ok(false),
        Ok(ViewMode::Seat) => Ok(true),
        Err(_) => Err(Malformed::new("view_mode", "is unknown")),
    }
}
