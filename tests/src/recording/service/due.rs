//! Sessions of lists ordered by deadlines.

use serde_json::{Value, json};

use super::Sessions;
use super::requests::{create_for, look, with};

/// The user whose games are listed.
const USER: &str = "$run due";

/// Builds a list of the user's games by deadline, with further filters.
fn list(more: &[(&str, &str)]) -> Value {
    let request = json!({"filter": {"user": USER}, "order": "GAME_ORDER_DUE_TIME"});
    let add = |request, (field, value): &(&str, &str)| with(request, field, json!(value));
    more.iter().fold(request, add)
}

/// Builds a request for a game with this time limit for decisions, in seconds.
fn timed(seconds: u64) -> Value {
    let clock = json!({"clock": {"decisionSeconds": seconds}});
    with(create_for([USER, ""]), "table", clock)
}

fn games(ids: &[&str]) -> Value {
    let games = ids.iter().map(|id| json!({"gameId": id}));
    json!({"games": games.collect::<Vec<_>>()})
}

impl Sessions {
    pub(super) fn due(&mut self) {
        self.begin("lists of what is due", None);
        let listed = |sessions: &mut Self, ids: &[&str]| {
            sessions.answered("ListGames", &list(&[]), &games(ids));
        };
        listed(self, &[]);
        // A game without a clock is never due.
        let plain = json!({"table": {"game": {"version": "1"}}});
        self.answered("CreateGame", &create_for([USER, ""]), &plain);
        listed(self, &[]);
        let at = |id: &str, version: u64| json!({"gameId": id, "version": version.to_string()});
        let created = |id: &str| json!({"table": {"game": at(id, 1)}});
        self.answered("CreateGame", &timed(86_400), &created("$game"));
        listed(self, &["$game"]);
        self.answered("CreateGame", &timed(3_600), &created("$other"));
        listed(self, &["$other", "$game"]);
        // Added time moves the deadline back.
        let other = json!({"gameId": "$other"});
        let more = with(other.clone(), "time", json!("172800s"));
        self.answered("AddTime", &more, &json!({"game": at("$other", 2)}));
        listed(self, &["$game", "$other"]);
        // A game with paused clocks is not due.
        let paused = with(at("$game", 2), "paused", json!(true));
        self.answered("PauseGame", &look(), &json!({"game": paused}));
        listed(self, &["$other"]);
        self.answered("ResumeGame", &look(), &json!({"game": at("$game", 3)}));
        listed(self, &["$game", "$other"]);
        let long_ago = "2000-01-01T00:00:00Z";
        let all = list(&[("fromTime", long_ago)]);
        self.answered("ListGames", &all, &games(&["$game", "$other"]));
        let none = list(&[("untilTime", long_ago)]);
        self.answered("ListGames", &none, &games(&[]));
        // A finished game is not due.
        let ended = with(at("$game", 4), "status", json!("GAME_STATUS_FINISHED"));
        self.answered("EndGame", &look(), &json!({"game": ended}));
        listed(self, &["$other"]);
        self.answered("DeleteGame", &other, &json!({}));
        listed(self, &[]);
        let by_creation = list(&[("order", "GAME_ORDER_CREATE_TIME")]);
        self.wrong("ListGames", &by_creation);
        self.wrong("ListGames", &with(list(&[]), "order", json!(99)));
    }
}
