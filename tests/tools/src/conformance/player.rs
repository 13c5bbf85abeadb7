//! Plays the part of the client in a recorded session.

use std::collections::BTreeMap;

use bytes::Bytes;
use gamekeeper::{Failure, Raw, SHARED, Session, json_line, method, parse};
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use serde_json::{Value, json};

use crate::compare::{FORK, GAME, steady, within};

/// The placeholder for a text that no other run uses.
const RUN: &str = "$run";

/// A token that no server issued.
const STRANGER: &str = "a-token-that-nobody-was-given";

/// The tag of a length-delimited field 100, which no message of the contract has.
const FILLING: [u8; 2] = [0xa2, 0x06];

pub(crate) struct Player<'a> {
    session: &'a Session,
    run: String,
    /// The id of the session's game.
    game: String,
    /// The id of the fork that was answered last.
    fork: String,
    /// Its tokens, by the name of the holder.
    tokens: BTreeMap<String, String>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        Self {
            session,
            run: uuid::Uuid::now_v7().to_string(),
            game: String::new(),
            fork: String::new(),
            tokens: BTreeMap::new(),
        }
    }

    /// Begins a session, with a game of its own.
    pub(crate) fn begin(&mut self) {
        self.game.clear();
        self.fork.clear();
        self.tokens.clear();
    }

    /// Sends a request and compares. An inner error says what differs.
    pub(crate) async fn exchange(&mut self, line: &Value) -> Result<Result<(), String>, Failure> {
        let name = line["call"].as_str().unwrap_or_default();
        let method = method(name);
        let raw = Raw {
            path: path(name, method.as_ref()),
            message: self.message(line, method.as_ref())?,
            token: self.token(line["as"].as_str())?,
            compression: line["compression"].as_str(),
        };
        let answer = self.session.connection.send(&raw).await;
        Ok(match (answer, method) {
            (Ok(answer), Some(method)) => self.compare_answer(line, &method, answer)?,
            (Ok(_), None) => Err(format!("{name} is answered")),
            (Err(Failure::Call(call)), _) => {
                let found = json!({
                    "code": call.code(),
                    "reason": call.reason(),
                    "rule": call.rule(),
                });
                match line.get("refusal") {
                    None => Err(format!("{name} is refused: {found}")),
                    Some(expected) => within(expected, &found, name),
                }
            }
            (Err(failure), _) => return Err(failure),
        })
    }

    /// The bytes to send: those of the line, or its request, padded to the size that it names.
    fn message(&self, line: &Value, method: Option<&MethodDescriptor>) -> Result<Bytes, Failure> {
        let mut bytes = match (line["bytes"].as_str(), method) {
            (Some(digits), _) => const_hex::decode(digits).map_err(|_| {
                Failure::Invalid(format!("{digits:?} are not bytes in hexadecimal"))
            })?,
            (None, Some(method)) => {
                let request = line["request"].to_string();
                let request = request.replace(GAME, &self.game).replace(RUN, &self.run);
                let request = request.replace(FORK, &self.fork);
                parse(&method.input(), &request)?.encode_to_vec()
            }
            (None, None) => Vec::new(),
        };
        let size = line["size"].as_u64().unwrap_or(0);
        let missing = usize::try_from(size)
            .unwrap_or(0)
            .saturating_sub(bytes.len());
        if missing > 0 {
            bytes.extend(FILLING);
            prost::encode_length_delimiter(missing, &mut bytes)
                .map_err(|error| Failure::Contract(error.to_string()))?;
            bytes.resize(bytes.len() + missing, 0);
        }
        Ok(bytes.into())
    }

    /// The token of the named caller; without a name, the one given to the command.
    fn token(&self, name: Option<&str>) -> Result<Option<&str>, Failure> {
        let named = match name {
            None => self.session.token(),
            Some("nobody") => None,
            Some("a stranger") => Some(STRANGER),
            Some(name) => match self.tokens.get(name) {
                Some(token) => Some(&**token).filter(|token| !token.is_empty()),
                // The server gives no tokens.
                None if self.tokens.values().any(String::is_empty) => None,
                None => return Err(Failure::Invalid(format!("nobody is called {name:?}"))),
            },
        };
        Ok(named)
    }

    fn compare_answer(
        &mut self,
        line: &Value,
        method: &MethodDescriptor,
        answer: Bytes,
    ) -> Result<Result<(), String>, Failure> {
        let name = method.name();
        let Some(expected) = line.get("answer") else {
            let refusal = &line["refusal"];
            return Ok(Err(format!("{name} is answered, not refused as {refusal}")));
        };
        let answer = DynamicMessage::decode(method.output(), answer)
            .map_err(|error| Failure::Contract(format!("the answer of {name}: {error}")))?;
        let mut found: Value = serde_json::from_str(&json_line(&answer)?)
            .map_err(|error| Failure::Contract(error.to_string()))?;
        let (named, id) = (game_id(expected), game_id(&found).to_owned());
        if self.game.is_empty() && named == GAME {
            self.tokens = tokens(&found["tokens"]);
            self.game = id;
        } else if named == FORK {
            self.fork = id;
        }
        steady(&mut found, &[(&self.game, GAME), (&self.fork, FORK)]);
        Ok(within(expected, &found, name))
    }
}

/// Where a call is sent; one that the contract does not have, to the service of games.
fn path(name: &str, method: Option<&MethodDescriptor>) -> String {
    match method {
        Some(method) => format!("/{}/{}", method.parent_service().full_name(), method.name()),
        None if name.contains('/') => format!("/{name}"),
        None => format!("/{SHARED}.GameService/{name}"),
    }
}

/// The id of the game in an answer: of its table, or beside it.
fn game_id(answer: &Value) -> &str {
    let game = match answer.get("table") {
        Some(table) => &table["game"],
        None => &answer["game"],
    };
    game["gameId"].as_str().unwrap_or_default()
}

/// The tokens of a new game, by the name of the holder.
fn tokens(created: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let seats = created["seats"].as_array().into_iter().flatten();
    let seats = seats.map(|seat| (format!("seat {}", seat["seat"]), text(&seat["token"])));
    let spectator = ("spectator".to_owned(), text(&created["spectator"]));
    seats.chain([spectator]).collect()
}
