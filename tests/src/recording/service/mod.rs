//! Sessions that show the service regardless of the rules.

mod access;
mod calls;
mod due;
mod feeds;
mod following;
mod forks;
mod people;
mod reading;
mod requests;
mod table_events;
mod users;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use self::requests::{create, game, line, table};

/// The recording of the service.
#[derive(Debug)]
pub struct ServiceRecording {
    /// The sessions as JSON Lines.
    pub text: String,
    /// The reasons that occur in the sessions.
    pub covered: BTreeSet<String>,
    /// The methods that are answered in the sessions.
    pub answered: BTreeSet<String>,
}

/// Records the sessions of the service.
#[must_use]
pub fn record_service() -> ServiceRecording {
    let mut sessions = Sessions::default();
    sessions.sent_again();
    sessions.senseless();
    sessions.deleted();
    sessions.too_large();
    sessions.documents();
    sessions.read();
    sessions.exported();
    sessions.imported();
    sessions.practised();
    sessions.strangers();
    sessions.other_seats();
    sessions.revoked_token();
    sessions.own_games();
    sessions.revoked_user();
    sessions.expired_tokens();
    sessions.left();
    sessions.timed();
    sessions.late_player();
    sessions.take_backs();
    sessions.agreed_take_backs();
    sessions.ended();
    sessions.due();
    sessions.changed_people();
    sessions.erased();
    sessions.followed();
    sessions.followed_games();
    sessions.feed_of_a_label();
    sessions.feed_of_a_user();
    sessions.wrong_feeds();
    sessions.no_feed();
    sessions.forks();
    sessions.forks_of_players();
    sessions.forks_of_forks();
    let lines: Vec<String> = sessions.lines.iter().map(Value::to_string).collect();
    ServiceRecording {
        text: lines.join("\n") + "\n",
        covered: sessions.covered,
        answered: sessions.answered,
    }
}

#[derive(Default)]
struct Sessions {
    lines: Vec<Value>,
    covered: BTreeSet<String>,
    answered: BTreeSet<String>,
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
        self.passes(line(call, request), answer);
    }

    /// Records a call that is answered. The line may have further fields, such as the caller.
    fn passes(&mut self, mut line: Value, answer: &Value) {
        self.note_answered(&line);
        line["answer"] = answer.clone();
        self.lines.push(line);
    }

    /// Records a call that is answered by a stream that begins with these messages. Empty if it begins without news.
    fn streams(&mut self, mut line: Value, answers: &[Value]) {
        self.note_answered(&line);
        line["answers"] = json!(answers);
        self.lines.push(line);
    }

    fn note_answered(&mut self, line: &Value) {
        let call = line["call"].as_str().unwrap_or_default();
        self.answered.insert(call.to_owned());
    }

    fn refused(&mut self, mut line: Value, code: &str, reason: &str) {
        self.covered.insert(reason.to_owned());
        line["refusal"] = json!({"code": code, "reason": reason});
        self.lines.push(line);
    }

    /// Records a call whose request is malformed.
    fn wrong(&mut self, call: &str, request: &Value) {
        self.refused(line(call, request), "INVALID_ARGUMENT", "MALFORMED");
    }

    /// Records a call that is valid but refused in the current state.
    fn late(&mut self, line: Value, reason: &str) {
        self.refused(line, "FAILED_PRECONDITION", reason);
    }

    /// Records a call that the caller is not permitted to make.
    fn denied(&mut self, line: Value) {
        self.refused(line, "PERMISSION_DENIED", "NOT_ALLOWED");
    }

    /// Records a call about a game that does not exist for the caller.
    fn missing(&mut self, line: Value) {
        self.refused(line, "NOT_FOUND", "NO_SUCH_GAME");
    }
}
