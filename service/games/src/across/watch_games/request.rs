//! Decoding of the games that a request names.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;

use crate::heart::access::Caller;
use crate::heart::looking::viewer;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::show::Show;
use crate::heart::times::check_time;
use crate::streams::followed::{FollowedGame, Look};

/// The maximum number of games on one stream.
pub(super) const MAX_GAMES: usize = 1_000;

/// Decodes the games that a request names.
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
        check_time(game.after_time, &format!("games[{index}].after_time"))?;
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
            requested_games(&Caller::OPEN, &call).map(|games| games.len())
        };
        assert_eq!(count(1_000).unwrap(), 1_000);
        let more = count(1_001).unwrap_err();
        assert!(more.to_string().contains("more than 1000"), "{more}");
    }
}
