//! Decoding of the games that a request names.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;

use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::rendering::projection::Projection;
use crate::requests::ids::parse_id;
use crate::requests::times::check_time;
use crate::service::viewer::resolve_viewer;
use crate::streams::watched_game::{ViewerSelector, WatchedGame};

/// The maximum number of games on one stream.
pub(super) const MAX_GAMES: usize = 1_000;

/// Decodes the games that a request names.
pub(super) fn decode_games(
    caller: &Caller,
    call: &pb::WatchGamesRequest,
) -> Result<Vec<WatchedGame>, ServiceError> {
    if call.games.len() > MAX_GAMES {
        let text = format!("has more than {MAX_GAMES} games");
        return Err(Malformed::new("games", text).into());
    }
    // Reject what cannot be shown before the stream begins.
    Projection::from_request(Viewer::Spectator, call.show.as_ref())?;
    let mut ids = HashSet::new();
    let mut games = Vec::with_capacity(call.games.len());
    for (index, game) in call.games.iter().enumerate() {
        let place = format!("games[{index}]");
        let id = parse_id(&game.game_id).map_err(|problem| problem.within(&place))?;
        if !ids.insert(id) {
            let field = format!("{place}.game_id");
            return Err(Malformed::new(field, "is listed twice").into());
        }
        // Reject a malformed viewer before the stream begins.
        resolve_viewer(caller, game.viewer.as_ref()).map_err(|problem| problem.within(&place))?;
        check_time(game.after_time, &format!("{place}.after_time"))?;
        let viewer_selector = match &game.viewer {
            None if !call.user.is_empty() => ViewerSelector::SeatOfUser(call.user.clone()),
            viewer => ViewerSelector::Requested(*viewer),
        };
        games.push(WatchedGame {
            id,
            after_version: game.after_version,
            after_time: game.after_time,
            viewer: viewer_selector,
            show: call.show.clone(),
            user: (!call.user.is_empty()).then(|| call.user.clone()),
            place,
        });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_stream_follows_a_thousand_games_at_most() {
        let count = |games: usize| {
            let game = |number: u128| pb::WatchedGame {
                game_id: Uuid::from_u128(number).to_string(),
                ..Default::default()
            };
            let call = pb::WatchGamesRequest {
                games: (0..games as u128).map(game).collect(),
                ..Default::default()
            };
            decode_games(&Caller::UNAUTHENTICATED, &call).map(|games| games.len())
        };
        assert_eq!(count(1_000).unwrap(), 1_000);
        let more = count(1_001).unwrap_err();
        assert!(more.to_string().contains("more than 1000"), "{more}");
    }
}
