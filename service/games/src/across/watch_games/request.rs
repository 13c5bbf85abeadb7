//! The games that a call names.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;

use crate::heart::access::Caller;
use crate::heart::looking::viewer;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::show::Show;
use crate::streams::followed::{FollowedGame, Look};

/// The maximum number of games on one stream.
pub(super) const MAX_GAMES: usize = 1_000;

/// The games that a call names.
pub(super) fn requested_games(
    caller: &Caller,
    call: &pb::WatchGamesRequest,
) -> Result<Vec<FollowedGame>, Problem> {
    if call.games.len() > MAX_GAMES {
        let text = format!("has more than {MAX_GAMES} games");
        return Err(Malformed::new("games", text).into());
    }
    // Reject what cannot be shown before the stream begins.
    Show::read(Viewer::Spectator, call.show.as_ref())?;
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
        let look = match &game.viewer {
            None if !call.user.is_empty() => Look::OfUser(call.user.clone()),
            viewer => Look::As(*viewer),
        };
        asked.push(FollowedGame {
            id,
            after_version: game.after_version,
            after_time: game.after_time,
            look,
            show: call.show,
            user: (!call.user.is_empty()).then(|| call.user.clone()),
        });
    }
    Ok(asked)
}
