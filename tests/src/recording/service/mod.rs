//! Sessions about what the service refuses regardless of the rules.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The ruleset of the games in these sessions: any would do.
const RULESET: &str = "dominion";

/// Larger than the default limit.
const TOO_LARGE: u64 = 70_000;

/// The most games that a fork may come from.
const MAX_ANCESTORS: usize = 64;

/// The recording of the service.
#[derive(Debug)]
pub struct ServiceRecording {
    /// JSON Lines.
    pub text: String,
    /// The reasons that occur in it.
    pub covered: BTreeSet<String>,
}

/// Records the sessions of the service.
#[must_use]
pub fn record_service() -> ServiceRecording {
    let mut sessions = Sessions::default();
    sessions.sent_again();
    sessions.senseless();
    sessions.deleted();
    sessions.too_large();
    sessions.strangers();
    sessions.other_seats();
    sessions.revoked_token();
    sessions.left();
    sessions.timed();
    sessions.take_backs();
    sessions.ended();
    sessions.forks();
    sessions.forks_of_players();
    sessions.forks_of_forks();
    let lines: Vec<String> = sessions.lines.iter().map(Value::to_string).collect();
    ServiceRecording {
        text: lines.join("\n") + "\n",
        covered: sessions.covered,
    }
}

#[derive(Default)]
struct Sessions {
    lines: Vec<Value>,
    covered: BTreeSet<String>,
}

impl Sessions {
    fn begin(&mut self, title: &str, needs: Option<&str>) {
        let mut line = json!({"session": format!("The service: {title}")});
        if let Some(needs) = needs {
            line["needs"] = json!(needs);
        }
        self.lines.push(line);
    }

    fn game(&mut self) {
        self.answered("CreateGame", &create(""), &table(&game(1, 1)));
    }

    fn answered(&mut self, call: &str, request: &Value, answer: &Value) {
        self.lines
            .push(json!({"call": call, "request": request, "answer": answer}));
    }

    /// A call with its request, and whatever else the line says.
    fn refused(&mut self, mut line: Value, code: &str, reason: &str) {
        self.covered.insert(reason.to_owned());
        line["refusal"] = json!({"code": code, "reason": reason});
        self.lines.push(line);
    }

    fn sent_again(&mut self) {
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

    fn senseless(&mut self) {
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
            self.refused(line(call, &request), "INVALID_ARGUMENT", "MALFORMED");
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

    fn deleted(&mut self) {
        self.begin("a game that is deleted", None);
        self.game();
        self.answered("DeleteGame", &look(), &json!({}));
        let again = with(look(), "allowMissing", json!(true));
        self.answered("DeleteGame", &again, &json!({}));
        for call in ["GetGame", "ListEvents", "ExportGame"] {
            self.refused(line(call, &look()), "NOT_FOUND", "NO_SUCH_GAME");
        }
    }

    fn too_large(&mut self) {
        let needs = Some("default_limits");
        self.begin("a request that is too large", needs);
        self.game();
        let large = with(line("GetGame", &look()), "size", json!(TOO_LARGE));
        self.refused(large, "RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE");
    }

    fn strangers(&mut self) {
        self.begin("callers without a token that holds", Some("tokens"));
        self.game();
        for (who, reason) in [("nobody", "NO_TOKEN"), ("a stranger", "BAD_TOKEN")] {
            let calls = [
                line("CreateGame", &create("")),
                line("ApplyAction", &end_turn(1)),
                line("GetGame", &look()),
                line("ListLegalActions", &with(look(), "seat", json!(1))),
                line("ListEvents", &look()),
                line("WatchGame", &look()),
                line("ExportGame", &look()),
                line("IssueToken", &holder(1)),
                line("DeleteGame", &look()),
            ];
            for call in calls {
                let call = with(call, "as", json!(who));
                self.refused(call, "UNAUTHENTICATED", reason);
            }
        }
    }

    fn other_seats(&mut self) {
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
            ("seat 1", line("DeleteGame", &look())),
            ("seat 1", line("CreateGame", &create(""))),
        ];
        for (who, call) in denied {
            let call = with(call, "as", json!(who));
            self.refused(call, "PERMISSION_DENIED", "NOT_ALLOWED");
        }
        let export = with(line("ExportGame", &look()), "as", json!("seat 1"));
        self.refused(export, "FAILED_PRECONDITION", "GAME_NOT_OVER");
        let mut own = line("ApplyAction", &end_turn(1));
        own["as"] = json!("seat 1");
        own["answer"] = table(&game(2, 2));
        self.lines.push(own);
    }

    fn revoked_token(&mut self) {
        self.begin("a token that is revoked", Some("tokens"));
        self.game();
        self.answered("IssueToken", &holder(1), &json!({}));
        for seat in [0, 3] {
            for call in ["IssueToken", "RevokeTokens"] {
                let nobody = line(call, &holder(seat));
                self.refused(nobody, "INVALID_ARGUMENT", "NO_SUCH_SEAT");
            }
        }
        let nobody = line("IssueToken", &json!({"holder": {}}));
        self.refused(nobody, "INVALID_ARGUMENT", "MALFORMED");
        // Another token leaves the first as it is.
        let mut own = with(line("ApplyAction", &end_turn(1)), "as", json!("seat 1"));
        own["answer"] = table(&game(2, 2));
        self.lines.push(own);
        self.answered("RevokeTokens", &holder(1), &json!({}));
        let of_user = |user: &str| json!({"holder": {"user": {"user": user}}});
        for call in ["IssueToken", "RevokeTokens"] {
            self.answered(call, &of_user("ada"), &json!({}));
            let nobody = line(call, &of_user(""));
            self.refused(nobody, "INVALID_ARGUMENT", "MALFORMED");
            let player = with(line(call, &of_user("ada")), "as", json!("seat 2"));
            self.refused(player, "PERMISSION_DENIED", "NOT_ALLOWED");
        }
        let old = with(line("GetGame", &look()), "as", json!("seat 1"));
        self.refused(old, "UNAUTHENTICATED", "TOKEN_REPLACED");
    }
}

impl Sessions {
    fn late(&mut self, line: Value, reason: &str) {
        self.refused(line, "FAILED_PRECONDITION", reason);
    }

    fn left(&mut self) {
        self.begin("players who leave, and seats that are filled again", None);
        let mut three = create("");
        three["players"] = json!([{"name": "Ada"}, {"name": "Bob"}, {"name": "Cyd"}]);
        self.answered("CreateGame", &three, &table(&game(1, 1)));
        self.late(line("FillSeat", &of_seat(2)), "HAS_NOT_LEFT");
        let left = with(game(2, 1), "resigned", json!([2]));
        let again = with(of_seat(2), "requestId", json!("leave"));
        for _ in 0..2 {
            self.answered("Resign", &again, &json!({"game": left}));
        }
        self.late(line("Resign", &of_seat(2)), "HAS_LEFT");
        self.answered("FillSeat", &of_seat(2), &json!({"game": game(3, 1)}));
        self.answered("Resign", &of_seat(1), &json!({"game": game(4, 2)}));
        let over = json!({
            "status": "GAME_STATUS_FINISHED",
            "endReason": "END_REASON_RESIGNATION",
            "resigned": [1, 3],
        });
        self.answered("Resign", &of_seat(3), &json!({"game": over}));
        self.late(line("Resign", &of_seat(2)), "GAME_OVER");
    }

    fn timed(&mut self) {
        self.begin("a table with clocks", None);
        let clock = json!({"clock": {"bankSeconds": 86_400}});
        let create = with(create(""), "table", clock);
        // The time at which a seat times out differs in every run.
        let at = |version: &str| json!({"gameId": "$game", "version": version});
        self.answered("CreateGame", &create, &table(&at("1")));
        self.late(line("ClaimTimeout", &of_seat(1)), "NOT_DUE");
        self.late(line("ClaimTimeout", &of_seat(2)), "OWES_NOTHING");
        self.late(line("ResumeGame", &look()), "NOT_PAUSED");
        let paused = with(at("2"), "paused", json!(true));
        self.answered("PauseGame", &look(), &json!({"game": paused}));
        self.late(line("PauseGame", &look()), "PAUSED");
        self.answered("ResumeGame", &look(), &json!({"game": at("3")}));
        let more = with(look(), "time", json!("60s"));
        self.answered("AddTime", &more, &json!({"game": at("4")}));
        let none = with(look(), "time", json!("0s"));
        self.refused(line("AddTime", &none), "INVALID_ARGUMENT", "MALFORMED");
    }

    fn take_backs(&mut self) {
        self.begin("a table that takes back what nobody has seen", None);
        let unseen = json!({"takeBack": "TAKE_BACK_POLICY_UNSEEN"});
        let create = with(create(""), "table", unseen);
        self.answered("CreateGame", &create, &table(&game(1, 1)));
        self.late(line("TakeBack", &of_seat(1)), "NOTHING_TO_TAKE_BACK");
        let answer = with(of_seat(2), "number", json!("1"));
        self.late(line("AnswerProposal", &answer), "NOT_ASKED");
        self.late(line("PauseGame", &look()), "NO_CLOCK");
        self.begin("a table that takes nothing back", None);
        self.game();
        self.late(line("TakeBack", &of_seat(1)), "NO_TAKE_BACK");
        self.late(line("PauseGame", &of_seat(1)), "NOT_BY_AGREEMENT");
        self.late(line("EndGame", &of_seat(1)), "NOT_BY_AGREEMENT");
    }

    fn ended(&mut self) {
        self.begin("a game that its owner ends", None);
        self.game();
        let scored = with(look(), "scored", json!(true));
        self.refused(line("EndGame", &scored), "INVALID_ARGUMENT", "MALFORMED");
        let ended = |reason: &str| json!({"status": "GAME_STATUS_FINISHED", "endReason": reason, "version": "2"});
        let again = with(look(), "requestId", json!("end"));
        let aborted = json!({"game": ended("END_REASON_ABORTED")});
        for _ in 0..2 {
            self.answered("EndGame", &again, &aborted);
        }
        self.late(line("EndGame", &look()), "GAME_OVER");
        self.late(line("ApplyAction", &end_turn(1)), "GAME_OVER");
        self.begin("a game that its players agree to end", None);
        let agreed = json!({"endByAgreement": true});
        let create = with(create(""), "table", agreed);
        let at = |version: &str| json!({"gameId": "$game", "version": version});
        self.answered("CreateGame", &create, &table(&at("1")));
        let scored = with(of_seat(1), "scored", json!(true));
        let proposal = json!({"number": "2", "seat": 1, "end": {"scored": true}});
        let asked = with(at("2"), "proposal", proposal);
        self.answered("EndGame", &scored, &json!({"game": asked}));
        let answer = |number: &str| {
            let answer = with(of_seat(2), "number", json!(number));
            with(answer, "agrees", json!(true))
        };
        self.late(line("AnswerProposal", &answer("1")), "NOT_ASKED");
        let over = with(ended("END_REASON_AGREED"), "version", json!("3"));
        self.answered("AnswerProposal", &answer("2"), &json!({"game": over}));
        self.late(line("AnswerProposal", &answer("2")), "GAME_OVER");
    }
}

impl Sessions {
    fn forks(&mut self) {
        self.begin("a game that is forked", None);
        self.game();
        self.answered("ApplyAction", &end_turn(1), &table(&game(2, 2)));
        let at = |version: u64| with(look(), "atVersion", json!(version.to_string()));
        let forked = |version: u64, seat: u64| {
            let mut game = with(game(version, seat), "forkedFrom", look());
            game["forkedFrom"]["version"] = json!(version.to_string());
            // It has an id of its own.
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

    fn forks_of_players(&mut self) {
        self.begin("players who fork a game", Some("tokens"));
        self.game();
        let at = with(look(), "atVersion", json!("1"));
        let as_who = |who: &str| with(line("ForkGame", &at), "as", json!(who));
        self.late(as_who("seat 1"), "GAME_NOT_OVER");
        self.refused(as_who("spectator"), "PERMISSION_DENIED", "NOT_ALLOWED");
        let fork = json!({"gameId": "$fork", "version": "1"});
        self.answered("ForkGame", &at, &json!({"game": fork}));
        let holder = json!({"holder": {"seat": {"gameId": "$fork", "seat": 1}}});
        self.late(line("IssueToken", &holder), "ORIGIN_NOT_OVER");
        let over = json!({"status": "GAME_STATUS_FINISHED", "resigned": [1]});
        self.answered("Resign", &of_seat(1), &json!({"game": over}));
        let mut own = as_who("seat 2");
        own["answer"] = json!({"game": {"version": "1"}});
        self.lines.push(own);
        self.answered("IssueToken", &holder, &json!({}));
    }

    fn forks_of_forks(&mut self) {
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

fn of_seat(seat: u64) -> Value {
    with(look(), "seat", json!(seat))
}

fn line(call: &str, request: &Value) -> Value {
    json!({"call": call, "request": request})
}

fn with(mut line: Value, field: &str, value: Value) -> Value {
    line[field] = value;
    line
}

fn create(request_id: &str) -> Value {
    json!({
        "ruleset": RULESET,
        "players": [{"name": "Ada"}, {"name": "Bob"}],
        "options": {RULESET: {"firstPlayer": 1}},
        "requestId": request_id,
    })
}

fn look() -> Value {
    json!({"gameId": "$game"})
}

fn end_turn(seat: u64) -> Value {
    json!({"gameId": "$game", "seat": seat, "action": {RULESET: {"endTurn": {}}}})
}

/// The facts of the game at a version, when a seat is in its buy phase.
fn game(version: u64, seat: u64) -> Value {
    json!({
        "gameId": "$game",
        "version": version.to_string(),
        "status": "GAME_STATUS_ACTIVE",
        "pending": [{"seat": seat, "decision": "buy_phase"}],
    })
}

/// The holder of a token for a seat.
fn holder(seat: u64) -> Value {
    json!({"holder": {"seat": of_seat(seat)}})
}

/// An answer with the table of a game of these facts.
fn table(game: &Value) -> Value {
    json!({"table": {"game": game}})
}

/// A plan for worlds of a seat.
fn worlds(game: &str, seat: u32) -> Value {
    json!({"plan": {"games": 1, "worlds": {"gameId": game, "seat": seat}}})
}
