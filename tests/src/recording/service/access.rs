//! Sessions of callers who lack the permission for their calls.

use serde_json::json;

use super::Sessions;
use super::requests::{create, end_turn, game, holder, line, look, table, with};

impl Sessions {
    pub(super) fn strangers(&mut self) {
        self.begin("callers without a token that holds", Some("tokens"));
        self.game();
        for (who, reason) in [("nobody", "NO_TOKEN"), ("a stranger", "BAD_TOKEN")] {
            let calls = [
                line("CreateGame", &create("")),
                line("ApplyAction", &end_turn(1)),
                line("GetGame", &look()),
                line("ListLegalActions", &with(look(), "seat", json!(1))),
                line("ListEvents", &look()),
                line("ListGames", &json!({})),
                line("WatchGame", &look()),
                line("WatchGames", &json!({"filter": {}})),
                line("ExportGame", &look()),
                line("IssueToken", &holder(1)),
                line("RevokeTokens", &holder(1)),
                line("UpdateGame", &look()),
                line("EraseUser", &json!({"user": "ada"})),
                line("DeleteGame", &look()),
            ];
            for call in calls {
                let call = with(call, "as", json!(who));
                self.refused(call, "UNAUTHENTICATED", reason);
            }
        }
    }

    pub(super) fn other_seats(&mut self) {
        self.begin("callers who may not do that", Some("tokens"));
        self.game();
        let seat = |number: u64| json!({"kind": "VIEWER_KIND_SEAT", "seat": number});
        let denied = [
            ("seat 2", line("ApplyAction", &end_turn(1))),
            ("spectator", line("ApplyAction", &end_turn(1))),
            ("seat 1", line("GetGame", &with(look(), "viewer", seat(2)))),
            (
                "spectator",
                line("GetGame", &with(look(), "viewer", seat(1))),
            ),
            (
                "seat 1",
                line("ListLegalActions", &with(look(), "seat", json!(2))),
            ),
            ("seat 1", line("ListGames", &json!({}))),
            ("seat 1", line("WatchGames", &json!({"filter": {}}))),
            ("seat 1", line("IssueToken", &holder(1))),
            ("seat 1", line("RevokeTokens", &holder(1))),
            ("seat 1", line("EraseUser", &json!({"user": "ada"}))),
            ("seat 1", line("DeleteGame", &look())),
            ("seat 1", line("CreateGame", &create(""))),
        ];
        for (who, call) in denied {
            self.denied(with(call, "as", json!(who)));
        }
        let export = with(line("ExportGame", &look()), "as", json!("seat 1"));
        self.refused(export, "FAILED_PRECONDITION", "GAME_NOT_OVER");
        let own_action = with(line("ApplyAction", &end_turn(1)), "as", json!("seat 1"));
        self.passes(own_action, &table(&game(2, 2)));
    }

    pub(super) fn revoked_token(&mut self) {
        self.begin("a token that is revoked", Some("tokens"));
        self.game();
        self.answered("IssueToken", &holder(1), &json!({}));
        for seat in [0, 3] {
            for call in ["IssueToken", "RevokeTokens"] {
                let nobody = line(call, &holder(seat));
                self.refused(nobody, "INVALID_ARGUMENT", "NO_SUCH_SEAT");
            }
        }
        self.wrong("IssueToken", &json!({"holder": {}}));
        // Issuing another token leaves the first one valid.
        let own_action = with(line("ApplyAction", &end_turn(1)), "as", json!("seat 1"));
        self.passes(own_action, &table(&game(2, 2)));
        self.answered("RevokeTokens", &holder(1), &json!({}));
        let old = with(line("GetGame", &look()), "as", json!("seat 1"));
        self.refused(old, "UNAUTHENTICATED", "TOKEN_REPLACED");
    }
}
