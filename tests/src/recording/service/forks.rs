//! Sessions of forks.

use serde_json::json;

use super::Sessions;
use super::requests::{end_turn, game, line, look, of_seat, table, with};

/// Maximum number of ancestors of a fork.
const MAX_ANCESTORS: usize = 64;

impl Sessions {
    pub(super) fn forks(&mut self) {
        self.begin("a game that is forked", None);
        self.game();
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        let at = |version: u64| with(look(), "atVersion", json!(version.to_string()));
        let forked = |version: u64, seat: u64| {
            let mut game = with(game(version, seat), "forkedFrom", look());
            game["forkedFrom"]["version"] = json!(version.to_string());
            // The id of the fork is its own, so it is not compared.
            game.as_object_mut().map(|game| game.remove("gameId"));
            json!({"game": game})
        };
        self.answered("ForkGame", &at(1), &forked(1, 1));
        let again = with(at(1), "requestId", json!("$run fork"));
        for _ in 0..2 {
            self.answered("ForkGame", &again, &forked(1, 1));
        }
        let other = with(again, "atVersion", json!("2"));
        let refused = line("ForkGame", &other);
        self.refused(refused, "INVALID_ARGUMENT", "REQUEST_ID_REUSED");
        self.answered("ForkGame", &look(), &forked(2, 2));
        let beyond = line("ForkGame", &at(3));
        self.refused(beyond, "OUT_OF_RANGE", "NO_SUCH_VERSION");
        let over = json!({"status": "GAME_STATUS_FINISHED", "resigned": [1]});
        self.answered("Resign", &of_seat(1), &json!({"game": over}));
        self.late(line("ForkGame", &look()), "GAME_OVER");
        self.answered("ForkGame", &at(2), &forked(2, 2));
    }

    pub(super) fn forks_of_players(&mut self) {
        self.begin("players who fork a game", Some("tokens"));
        self.game();
        let at = with(look(), "atVersion", json!("1"));
        let as_who = |who: &str| with(line("ForkGame", &at), "as", json!(who));
        self.late(as_who("seat 1"), "GAME_NOT_OVER");
        self.denied(as_who("spectator"));
        let fork = json!({"gameId": "$fork", "version": "1"});
        self.answered("ForkGame", &at, &json!({"game": fork}));
        let holder = json!({"holder": {"seat": {"gameId": "$fork", "seat": 1}}});
        self.late(line("IssueToken", &holder), "ORIGIN_NOT_OVER");
        let over = json!({"status": "GAME_STATUS_FINISHED", "resigned": [1]});
        self.answered("Resign", &of_seat(1), &json!({"game": over}));
        self.passes(as_who("seat 2"), &json!({"game": {"version": "1"}}));
        self.answered("IssueToken", &holder, &json!({}));
    }

    pub(super) fn forks_of_forks(&mut self) {
        self.begin("a game that is forked again and again", None);
        self.game();
        let fork = json!({"game": {"gameId": "$fork", "version": "1"}});
        self.answered("ForkGame", &look(), &fork);
        let deeper = json!({"gameId": "$fork"});
        for _ in 1..MAX_ANCESTORS {
            self.answered("ForkGame", &deeper, &fork);
        }
        self.late(line("ForkGame", &deeper), "TOO_MANY_FORKS");
        self.answered("GetGame", &deeper, &json!({"table": fork}));
    }
}
