//! The placeholders of a recording, and the values that replace them in one run.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde_json::Value;

/// A text that no other run uses.
const RUN: &str = "$run";

/// The id of the session's game, and that of another one: the first that a response contains.
const GAME: &str = "$game";
const OTHER: &str = "$other";

/// The id of the last fork.
const FORK: &str = "$fork";

/// The cursor of the last message that had one.
const CURSOR: &str = "$cursor";

/// A time soon after the call is sent.
const SOON: &str = "$soon";

/// The time from the call to `$soon`. The server's clock must not be ahead of this machine's by that much.
const SOON_AFTER: Duration = Duration::from_secs(4);

/// A token that no server issued.
const STRANGER: &str = "a-token-that-nobody-was-given";

/// The token that a call carries.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bearer<'a> {
    /// The token that was given to the command.
    Command,
    Nobody,
    Token(&'a str),
}

/// The values of the placeholders in one session.
pub(crate) struct Names {
    run: String,
    game: String,
    other: String,
    fork: String,
    cursor: String,
    /// The tokens by the name of the holder.
    tokens: BTreeMap<String, String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Self {
            run: uuid::Uuid::now_v7().to_string(),
            game: String::new(),
            other: String::new(),
            fork: String::new(),
            cursor: String::new(),
            tokens: BTreeMap::new(),
        }
    }

    /// Forgets everything except the value of the run.
    pub(crate) fn begin(&mut self) {
        let run = std::mem::take(&mut self.run);
        *self = Self { run, ..Self::new() };
    }

    /// Returns a request with its placeholders replaced by values.
    pub(crate) fn filled(&self, request: &Value) -> String {
        let mut text = request.to_string();
        for (value, name) in self.named() {
            text = text.replace(name, value);
        }
        let soon = humantime::format_rfc3339_seconds(SystemTime::now() + SOON_AFTER);
        text.replace(CURSOR, &self.cursor)
            .replace(SOON, &soon.to_string())
    }

    /// Returns the texts that differ from run to run, each with its placeholder.
    pub(crate) fn named(&self) -> [(&str, &'static str); 4] {
        [
            (&self.game, GAME),
            (&self.other, OTHER),
            (&self.fork, FORK),
            (&self.run, RUN),
        ]
    }

    /// Stores the values in a response: the id of the recorded game, its tokens, and the token that is issued to a
    /// named caller.
    pub(crate) fn learn(&mut self, expected: &Value, gives: Option<&str>, actual: &Value) {
        let (named, id) = (game_id(expected), game_id(actual));
        match named {
            GAME if self.game.is_empty() => {
                self.tokens.extend(tokens(&actual["tokens"]));
                id.clone_into(&mut self.game);
            }
            OTHER if self.other.is_empty() => id.clone_into(&mut self.other),
            FORK => id.clone_into(&mut self.fork),
            _ => {}
        }
        if let Some(holder) = gives {
            self.tokens
                .insert(holder.to_owned(), text(&actual["token"]));
        }
    }

    /// Stores the cursor of a message, if it has one.
    pub(crate) fn pass(&mut self, message: &Value) {
        if let Some(cursor) = message["cursor"].as_str() {
            cursor.clone_into(&mut self.cursor);
        }
    }

    /// Returns the token of the named caller. Returns `None` if there is no caller of this name.
    pub(crate) fn bearer(&self, name: Option<&str>) -> Option<Bearer<'_>> {
        let named = match name {
            None => return Some(Bearer::Command),
            Some("nobody") => return Some(Bearer::Nobody),
            Some("a stranger") => return Some(Bearer::Token(STRANGER)),
            Some(name) => self.tokens.get(name),
        };
        match named {
            Some(token) if token.is_empty() => Some(Bearer::Nobody),
            Some(token) => Some(Bearer::Token(token)),
            // The server does not use tokens.
            None if self.tokens.values().any(String::is_empty) => Some(Bearer::Nobody),
            None => None,
        }
    }
}

/// Returns the id of the game in a response, from its table or beside it.
fn game_id(answer: &Value) -> &str {
    let game = match answer.get("table") {
        Some(table) => &table["game"],
        None => &answer["game"],
    };
    game["gameId"].as_str().unwrap_or_default()
}

/// Returns the tokens of a new game, by the name of the holder.
fn tokens(created: &Value) -> BTreeMap<String, String> {
    let seats = created["seats"].as_array().into_iter().flatten();
    let seats = seats.map(|seat| (format!("seat {}", seat["seat"]), text(&seat["token"])));
    let spectator = ("spectator".to_owned(), text(&created["spectator"]));
    seats.chain([spectator]).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn created(id: &str) -> Value {
        let seat = json!({"seat": 1, "token": format!("token of {id}")});
        json!({"table": {"game": {"gameId": id}}, "tokens": {"seats": [seat], "spectator": "s"}})
    }

    #[test]
    fn an_answer_names_games_and_callers() {
        let mut names = Names::new();
        assert_eq!(names.bearer(Some("seat 1")), None);
        let game = |name: &str| json!({"table": {"game": {"gameId": name}}});
        for (name, id) in [(GAME, "a"), (OTHER, "b"), (GAME, "c"), (OTHER, "d")] {
            names.learn(&game(name), None, &created(id));
        }
        for id in ["e", "f"] {
            names.learn(
                &json!({"game": {"gameId": FORK}}),
                None,
                &json!({"game": {"gameId": id}}),
            );
        }
        names.learn(&json!({}), Some("ada"), &json!({"token": "t"}));
        names.pass(&json!({"cursor": "here"}));
        names.pass(&json!({}));
        let request = json!(["$game", "$other", "$fork", "$cursor"]);
        assert_eq!(names.filled(&request), r#"["a","b","f","here"]"#);
        assert_eq!(
            names.bearer(Some("seat 1")),
            Some(Bearer::Token("token of a"))
        );
        assert_eq!(names.bearer(Some("ada")), Some(Bearer::Token("t")));
        assert_eq!(names.bearer(Some("nobody")), Some(Bearer::Nobody));
        assert_eq!(names.bearer(None), Some(Bearer::Command));
        let run = names.filled(&json!("$run"));
        names.begin();
        assert_eq!(names.filled(&request), r#"["","","",""]"#);
        assert_eq!(names.bearer(Some("ada")), None);
        assert_eq!(names.filled(&json!("$run")), run);
    }

    #[test]
    fn a_server_without_tokens_knows_everybody_alike() {
        let mut names = Names::new();
        let plain = json!({"table": {"game": {"gameId": "a"}}});
        names.learn(&json!({"table": {"game": {"gameId": GAME}}}), None, &plain);
        names.learn(&json!({}), Some("ada"), &json!({}));
        for holder in ["seat 2", "ada"] {
            assert_eq!(names.bearer(Some(holder)), Some(Bearer::Nobody));
        }
    }
}
