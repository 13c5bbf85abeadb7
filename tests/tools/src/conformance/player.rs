//! Plays the client's part in a recorded session.

use std::time::Duration;

use bytes::Bytes;
use gamekeeper::{
    COMMON_PACKAGE, CallFailure, Failure, RawCall, RawStream, Session, json_line, method, parse,
};
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::compare::{digests_within, steady, within};
use crate::names::{Bearer, Names};

/// The tag of a length-delimited field 100, which no message of the contract has.
const FILLING: [u8; 2] = [0xa2, 0x06];

/// The delay before a call is repeated whose response does not match the recording yet.
const PAUSE: Duration = Duration::from_millis(100);

/// The outcome of an exchange. The inner error describes the difference.
type Compared = Result<Result<(), String>, Failure>;

pub(crate) struct Player<'a> {
    session: &'a Session,
    names: Names,
    /// The reports of feeds in this session: games, each with its version, or with an empty version if the feed left
    /// it.
    reported: Vec<(String, String)>,
    /// The parts of the record that this session has exported last.
    record: Vec<Bytes>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        Self {
            session,
            names: Names::new(),
            reported: Vec::new(),
            record: Vec::new(),
        }
    }

    /// Begins a session with a game of its own.
    pub(crate) fn begin(&mut self) {
        self.names.begin();
        self.reported.clear();
        self.record.clear();
    }

    /// Sends a request and compares the response, repeatedly if the recording allows time for it.
    pub(crate) async fn exchange(&mut self, line: &Value) -> Compared {
        let patience = Duration::from_secs(line["within"].as_u64().unwrap_or(0));
        let begun = Instant::now();
        loop {
            let compared = self.exchange_once(line).await?;
            if compared.is_ok() || begun.elapsed() >= patience {
                return Ok(compared);
            }
            sleep(PAUSE).await;
        }
    }

    async fn exchange_once(&mut self, line: &Value) -> Compared {
        let name = line["call"].as_str().unwrap_or_default();
        let method = method(name);
        let raw = RawCall {
            path: path(name, method.as_ref()),
            message: self.message(line, method.as_ref())?,
            token: self.token(line["as"].as_str())?,
            compression: line["compression"].as_str(),
        };
        let connection = &self.session.connection;
        let compared = match method {
            Some(method) if method.is_server_streaming() => match connection.open(&raw).await {
                Ok(messages) => {
                    self.record.clear();
                    self.compare_stream(line, &method, messages).await
                }
                Err(failure) => Err(failure),
            },
            Some(method) if method.is_client_streaming() => {
                match connection.send_all(&raw, self.record_of(line)).await {
                    Ok(answer) => self.compare_answer(line, &method, answer),
                    Err(failure) => Err(failure),
                }
            }
            method => match (connection.send(&raw).await, method) {
                (Ok(answer), Some(method)) => self.compare_answer(line, &method, answer),
                (Ok(_), None) => Ok(Err(format!("{name} is answered"))),
                (Err(failure), _) => Err(failure),
            },
        };
        match compared {
            Err(Failure::Call(call)) => Ok(compare_refusal(line, name, &call)),
            compared => compared,
        }
    }

    /// Returns the messages to send after the request: the first parts of the record that was exported. The parts of an
    /// export and of an import are encoded alike.
    fn record_of(&self, line: &Value) -> &[Bytes] {
        let parts = line["record"].as_u64().unwrap_or(0);
        let parts = usize::try_from(parts).unwrap_or(usize::MAX);
        &self.record[..parts.min(self.record.len())]
    }

    /// Returns the bytes to send: those of the line, or its request, padded to the given size.
    fn message(&self, line: &Value, method: Option<&MethodDescriptor>) -> Result<Bytes, Failure> {
        let mut bytes = match (line["bytes"].as_str(), method) {
            (Some(digits), _) => const_hex::decode(digits).map_err(|_| {
                Failure::Invalid(format!("{digits:?} are not bytes in hexadecimal"))
            })?,
            (None, Some(method)) => {
                let request = self.names.filled(&line["request"]);
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

    fn token(&self, name: Option<&str>) -> Result<Option<&str>, Failure> {
        match self.names.bearer(name) {
            Some(Bearer::Command) => Ok(self.session.token()),
            Some(Bearer::Nobody) => Ok(None),
            Some(Bearer::Token(token)) => Ok(Some(token)),
            None => {
                let name = name.unwrap_or_default();
                Err(Failure::Invalid(format!("nobody is called {name:?}")))
            }
        }
    }

    fn compare_answer(
        &mut self,
        line: &Value,
        method: &MethodDescriptor,
        answer: Bytes,
    ) -> Compared {
        let name = method.name();
        let Some(expected) = line.get("answer") else {
            return Ok(Err(not_refused(line, name)));
        };
        let mut response = read(method, answer)?;
        self.names
            .learn(expected, line["gives"].as_str(), &response);
        steady(&mut response, &self.names.named());
        Ok(within(expected, &response, name).and_then(|()| digests_within(line, &response, name)))
    }

    /// Reads a stream as far as it is recorded. Messages without news may arrive at any time.
    async fn compare_stream(
        &mut self,
        line: &Value,
        method: &MethodDescriptor,
        mut messages: RawStream,
    ) -> Compared {
        let name = method.name();
        let Some(expected) = line["answers"].as_array() else {
            messages.next().await?;
            return Ok(Err(not_refused(line, name)));
        };
        if expected.is_empty() {
            let first = self.next(method, &mut messages).await?;
            let is_quiet = first.is_some_and(|(_, is_news)| !is_news);
            return Ok(is_quiet
                .then_some(())
                .ok_or_else(|| format!("{name} has news")));
        }
        for (index, expected) in expected.iter().enumerate() {
            loop {
                let Some(message) = self.news(method, &mut messages).await? else {
                    return Ok(Err(format!("{name} ends after {index} messages")));
                };
                match within(expected, &message, &format!("{name}[{index}]")) {
                    Ok(()) => {
                        self.reported.push(reported(&message));
                        break;
                    }
                    Err(_) if self.may_be_passed_over(line, &message) => {}
                    Err(difference) => return Ok(Err(difference)),
                }
            }
        }
        if line["ends"] == true && self.news(method, &mut messages).await?.is_some() {
            return Ok(Err(format!("{name} goes on")));
        }
        Ok(Ok(()))
    }

    /// Returns whether a feed's message may be skipped: a repeated report from before the cursor, or the departure of a
    /// game that it has not reported, which belongs to another session or caller.
    fn may_be_passed_over(&self, line: &Value, message: &Value) -> bool {
        let request = &line["request"];
        let left = message["left"]["gameId"].as_str();
        let is_strange = left.is_some_and(|game| !game.starts_with('$'));
        let is_again = request["cursor"].is_string() && self.reported.contains(&reported(message));
        request["filter"].is_object() && (is_strange || is_again)
    }

    /// Returns the next message with news, or `None` at the end.
    async fn news(
        &mut self,
        method: &MethodDescriptor,
        messages: &mut RawStream,
    ) -> Result<Option<Value>, Failure> {
        loop {
            match self.next(method, messages).await? {
                Some((_, false)) => {}
                Some((message, true)) => return Ok(Some(message)),
                None => return Ok(None),
            }
        }
    }

    /// Returns the next message, and whether it has news. Only messages without news carry the time of the server.
    async fn next(
        &mut self,
        method: &MethodDescriptor,
        messages: &mut RawStream,
    ) -> Result<Option<(Value, bool)>, Failure> {
        let Some(message) = messages.next().await? else {
            return Ok(None);
        };
        if method.name() == "ExportGame" {
            self.record.push(message.clone());
        }
        let mut decoded = read(method, message)?;
        self.names.pass(&decoded);
        let is_news = decoded.get("serverTime").is_none();
        steady(&mut decoded, &self.names.named());
        Ok(Some((decoded, is_news)))
    }
}

fn compare_refusal(line: &Value, name: &str, call: &CallFailure) -> Result<(), String> {
    let refusal = json!({
        "code": call.code(),
        "reason": call.reason(),
        "rule": call.rule(),
        "message": call.message(),
        "metadata": call.metadata(),
    });
    match line.get("refusal") {
        None => Err(format!("{name} is refused: {refusal}")),
        Some(expected) => within(expected, &refusal, name),
    }
}

fn not_refused(line: &Value, name: &str) -> String {
    format!("{name} is answered, not refused as {}", line["refusal"])
}

/// Returns the game of a feed's message, and its version.
fn reported(message: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let game = &message["change"]["table"]["game"];
    let left = text(&message["left"]["gameId"]);
    (text(&game["gameId"]) + &left, text(&game["version"]))
}

/// Formats a response as protobuf JSON.
fn read(method: &MethodDescriptor, answer: Bytes) -> Result<Value, Failure> {
    let name = method.name();
    let answer = DynamicMessage::decode(method.output(), answer)
        .map_err(|error| Failure::Contract(format!("the answer of {name}: {error}")))?;
    serde_json::from_str(&json_line(&answer)?).map_err(|error| Failure::Contract(error.to_string()))
}

/// Returns the path of a call. Unknown methods are sent to the game service.
fn path(name: &str, method: Option<&MethodDescriptor>) -> String {
    match method {
        Some(method) => format!("/{}/{}", method.parent_service().full_name(), method.name()),
        None if name.contains('/') => format!("/{name}"),
        None => format!("/{COMMON_PACKAGE}.GameService/{name}"),
    }
}
