//! Sessions of tokens of users, which are valid for every seat of the user while it is the user's.

use serde_json::{Value, json};

use super::Sessions;
use super::requests::{
    PATIENCE, change, create, create_for, end_turn, game, holder, line, look, of_seat, table,
    user_holder, with,
};

const ADA: &str = "$run ada";
const BOB: &str = "$run bob";

impl Sessions {
    /// Builds a call of a named caller.
    fn by(who: &str, call: &str, request: &Value) -> Value {
        with(line(call, request), "as", json!(who))
    }

    /// Issues a token for a user, and gives it this name.
    fn issue(&mut self, user: &str, name: &str) {
        let issue = line("IssueToken", &user_holder(user));
        self.passes(with(issue, "gives", json!(name)), &json!({}));
    }

    pub(super) fn own_games(&mut self) {
        self.begin("users who play with tokens of their own", Some("tokens"));
        let create = with(create_for([ADA, BOB]), "labels", json!({"league": "gold"}));
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        let other = table(&json!({"gameId": "$other", "version": "1"}));
        self.answered("CreateGame", &create_for(["", BOB]), &other);
        self.issue(ADA, "ada");
        self.issue(BOB, "bob");
        // Users see only their own id, and no labels.
        let players = |visible: usize| {
            let mut players = json!([{"seat": 1, "name": "Ada"}, {"seat": 2, "name": "Bob"}]);
            players[visible]["user"] = json!([ADA, BOB][visible]);
            players
        };
        let visible_game = json!({"gameId": "$game", "players": players(0), "labels": null});
        let listed = json!({"games": [visible_game]});
        self.passes(Self::by("ada", "ListGames", &json!({})), &listed);
        let of_bob = json!({"gameId": "$game", "players": players(1)});
        let both = json!({"games": [{"gameId": "$other"}, of_bob]});
        let by_creation = json!({"filter": {"user": BOB}});
        self.passes(Self::by("bob", "ListGames", &by_creation), &both);
        let turn = Self::by("ada", "ApplyAction", &end_turn(1));
        self.passes(turn, &table(&game(2, 2)));
        let watch = Self::by("ada", "WatchGames", &json!({}));
        self.streams(watch, &[change("$game", 2)]);
        self.denied(Self::by("ada", "ApplyAction", &end_turn(2)));
        let turn = Self::by("bob", "ApplyAction", &end_turn(2));
        self.passes(turn, &table(&game(3, 1)));
        self.strange_games();
        self.not_for_users();
    }

    /// Records that games of others look like missing ones, and that a seat that is taken away is lost at once.
    fn strange_games(&mut self) {
        let other = json!({"gameId": "$other"});
        for call in ["GetGame", "ListEvents", "WatchGame", "ExportGame"] {
            self.missing(Self::by("ada", call, &other));
        }
        let gone = json!({"seat": 2, "user": ""});
        let update = with(look(), "players", json!([gone]));
        self.answered("UpdateGame", &update, &json!({"game": game(3, 1)}));
        self.missing(Self::by("bob", "GetGame", &look()));
        let left = json!({"games": [{"gameId": "$other"}]});
        self.passes(Self::by("bob", "ListGames", &json!({})), &left);
    }

    fn not_for_users(&mut self) {
        let filter = |filter: Value| json!({"filter": filter});
        let denied = [
            ("ListGames", filter(json!({"user": BOB}))),
            ("ListGames", filter(json!({"labels": {"league": "gold"}}))),
            ("WatchGames", filter(json!({}))),
            ("WatchGames", json!({"user": BOB})),
            ("CreateGame", create("")),
            ("UpdateGame", with(look(), "setLabels", json!({"a": "b"}))),
            ("DeleteGame", look()),
            ("EraseUser", json!({"user": ADA})),
            ("IssueToken", user_holder(ADA)),
            ("RevokeTokens", user_holder(ADA)),
            ("IssueToken", holder(1)),
        ];
        for (call, request) in denied {
            self.denied(Self::by("ada", call, &request));
        }
    }

    pub(super) fn revoked_user(&mut self) {
        self.begin("tokens of a user that are revoked", Some("tokens"));
        let create = create_for(["$run eve", ""]);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        self.issue("$run eve", "eve");
        self.issue("$run eve", "eve's phone");
        for who in ["eve", "eve's phone"] {
            let looks = Self::by(who, "GetGame", &look());
            self.passes(looks, &table(&game(1, 1)));
        }
        let revoke = user_holder("$run eve");
        self.answered("RevokeTokens", &revoke, &json!({}));
        for who in ["eve", "eve's phone"] {
            // Other processes notice the revocation within 5 seconds.
            let looks = Self::by(who, "GetGame", &look());
            let looks = with(looks, "within", json!(PATIENCE));
            self.refused(looks, "UNAUTHENTICATED", "TOKEN_REPLACED");
        }
        self.refused(
            Self::by("eve", "WatchGames", &json!({})),
            "UNAUTHENTICATED",
            "TOKEN_REPLACED",
        );
        let seat = Self::by("seat 1", "ApplyAction", &end_turn(1));
        self.passes(seat, &table(&game(2, 2)));
        self.issue("$run eve", "eve again");
        let looks = Self::by("eve again", "GetGame", &look());
        self.passes(looks, &table(&game(2, 2)));
        for call in ["IssueToken", "RevokeTokens"] {
            self.wrong(call, &user_holder(""));
            self.wrong(call, &user_holder(&"x".repeat(65)));
        }
    }

    pub(super) fn expired_tokens(&mut self) {
        self.begin("tokens that expire", Some("tokens"));
        let create = create_for(["$run gus", ""]);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        let until = |holder: Value, time: &str| with(holder, "expireTime", json!(time));
        let short = [("gus", user_holder("$run gus")), ("guest", holder(1))];
        for (name, holder) in &short {
            let issue = line("IssueToken", &until(holder.clone(), "$soon"));
            self.passes(with(issue, "gives", json!(name)), &json!({}));
            let looks = Self::by(name, "GetGame", &look());
            self.passes(looks, &table(&game(1, 1)));
            let lists = Self::by(name, "ListLegalActions", &of_seat(1));
            self.passes(lists, &json!({"version": "1"}));
        }
        for (name, _) in &short {
            let looks = Self::by(name, "GetGame", &look());
            let looks = with(looks, "within", json!(PATIENCE));
            self.refused(looks, "UNAUTHENTICATED", "TOKEN_EXPIRED");
        }
        for holder in [user_holder("$run gus"), holder(1)] {
            self.wrong("IssueToken", &until(holder, "2000-01-01T00:00:00Z"));
        }
        let beyond = until(user_holder("$run gus"), "9999-01-01T00:00:00Z");
        self.wrong("IssueToken", &beyond);
    }
}
