//! Sessions of calls that are sent again, that are meaningless, and that are too large.

use serde_json::json;

use super::Sessions;
use super::requests::{RULESET, create, end_turn, game, line, look, table, with, worlds};

/// A size above the default limit.
const TOO_LARGE: u64 = 70_000;

impl Sessions {
    pub(super) fn sent_again(&mut self) {
        self.begin("calls that are sent again", None);
        let id = "$run-create";
        for _ in 0..2 {
            self.answered("CreateGame", &create(id), &table(&game(1, 1)));
        }
        let mut other = create(id);
        other["players"][0]["name"] = json!("Eve");
        let reused = ("INVALID_ARGUMENT", "REQUEST_ID_REUSED");
        self.refused(line("CreateGame", &other), reused.0, reused.1);
        for _ in 0..2 {
            let again = with(end_turn(1), "requestId", json!("first"));
            self.answered("ApplyAction", &again, &table(&game(2, 2)));
        }
        let mut other = with(end_turn(1), "requestId", json!("first"));
        other["action"] = json!({RULESET: {"playAllTreasures": {}}});
        self.refused(line("ApplyAction", &other), reused.0, reused.1);
        let stale = with(end_turn(2), "expectedVersion", json!("1"));
        self.refused(line("ApplyAction", &stale), "ABORTED", "STALE_VERSION");
        let current = with(end_turn(2), "expectedVersion", json!("2"));
        self.answered("ApplyAction", &current, &table(&game(3, 1)));
        let later = with(look(), "atVersion", json!("4"));
        self.refused(line("GetGame", &later), "OUT_OF_RANGE", "NO_SUCH_VERSION");
        let earlier = with(look(), "atVersion", json!("2"));
        self.answered("GetGame", &earlier, &table(&game(2, 2)));
    }

    pub(super) fn senseless(&mut self) {
        self.begin("calls that mean nothing", None);
        self.game();
        let unread = json!({"call": "GetGame", "bytes": "ffff"});
        self.refused(unread, "INVALID_ARGUMENT", "MALFORMED_MESSAGE");
        let unknown = json!({"call": "Cheat", "bytes": ""});
        self.refused(unknown, "UNIMPLEMENTED", "UNKNOWN_METHOD");
        let compressed = with(line("GetGame", &look()), "compression", json!("lzma"));
        self.refused(compressed, "UNIMPLEMENTED", "UNKNOWN_COMPRESSION");
        let long = with(end_turn(1), "requestId", json!("x".repeat(65)));
        let wrong = [
            ("ApplyAction", long),
            ("GetGame", json!({"gameId": ""})),
            ("ListGames", json!({"pageToken": "no token"})),
            ("ListGames", json!({"pageSize": -1})),
            (
                "SelfPlay",
                json!({"plan": {"ruleset": RULESET, "seats": 2}}),
            ),
            ("SelfPlay", worlds("", 1)),
        ];
        for (call, request) in wrong {
            self.wrong(call, &request);
        }
        let many = json!({"plan": {"ruleset": RULESET, "seats": 2, "games": u32::MAX}});
        let many = line("SelfPlay", &many);
        self.refused(many, "INVALID_ARGUMENT", "OUT_OF_BOUNDS");
        let nobody = line("SelfPlay", &worlds("$game", 9));
        self.refused(nobody, "INVALID_ARGUMENT", "NO_SUCH_SEAT");
        let unknown = line("GetRule", &json!({"id": "CHESS-1.1"}));
        self.refused(unknown, "NOT_FOUND", "NO_SUCH_RULE");
        self.answered("GetGame", &look(), &table(&game(1, 1)));
    }

    pub(super) fn deleted(&mut self) {
        self.begin("a game that is deleted", None);
        self.game();
        self.answered("DeleteGame", &look(), &json!({}));
        let again = with(look(), "allowMissing", json!(true));
        self.answered("DeleteGame", &again, &json!({}));
        for call in ["GetGame", "ListEvents", "ExportGame"] {
            self.missing(line(call, &look()));
        }
    }

    pub(super) fn too_large(&mut self) {
        let needs = Some("default_limits");
        self.begin("a request that is too large", needs);
        self.game();
        let large = with(line("GetGame", &look()), "size", json!(TOO_LARGE));
        self.refused(large, "RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE");
    }
}
