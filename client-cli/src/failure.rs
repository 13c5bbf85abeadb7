//! The failures of commands.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io;

use gamekeeper_wire::record::RecordFault;
use prost::DecodeError;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::exit::Exit;

/// The failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The server answered with an error, or could not be reached.
    #[error("{0}")]
    Call(Box<CallFailure>),
    /// No server listens at the address.
    #[error("no server answers at {server}{hint}")]
    NoServer {
        /// The address of the server.
        server: String,
        /// Advice on how to start a server; may be empty.
        hint: &'static str,
    },
    /// The admin port of a server does not respond.
    #[error("no answer from the admin port at {address}: {why}")]
    NoAdmin {
        /// The address of the admin port.
        address: String,
        /// The cause.
        why: String,
    },
    /// The receiver of webhooks wants no more.
    #[error(
        "the receiver at {receiver} answered 410 Gone: nothing more is sent to it, unless with --again"
    )]
    ReceiverGone {
        /// Scheme, host and port of the receiver.
        receiver: String,
    },
    /// The command line asks for something impossible.
    #[error("{0}")]
    Usage(String),
    /// The message to send is malformed.
    #[error("{0}")]
    Invalid(String),
    /// The record of a game contradicts the rules.
    #[error("the record does not verify: {0}")]
    Difference(String),
    /// The rules in this program refuse an action.
    #[error("{code} ({rule}): {text}")]
    Refused {
        /// The stable reason code.
        code: &'static str,
        /// The id of the rule.
        rule: &'static str,
        /// The explanation of the refusal.
        text: String,
    },
    /// A file or a stream failed.
    #[error("{what}: {error}")]
    Io {
        /// The file or the stream.
        what: String,
        /// The error message of the operating system.
        error: String,
    },
    /// The reader of our output has closed it. Not worth a message.
    #[error("the output was closed")]
    PipeClosed,
    /// The server violates the contract that this program knows.
    #[error("{0}")]
    Contract(String),
}

/// Reports a message that cannot be decoded.
impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        Self::Contract(error.to_string())
    }
}

/// Reports a record that is not accepted.
impl From<RecordFault> for Failure {
    fn from(fault: RecordFault) -> Self {
        match fault {
            RecordFault::Difference(text) => Self::Difference(text),
            RecordFault::Malformed(text) => Self::Invalid(text),
        }
    }
}

impl Failure {
    /// Builds the failure of a ruleset that is not part of this program.
    pub fn unknown_ruleset(ruleset: &str) -> Self {
        Self::Usage(format!(
            "this program does not know the ruleset {ruleset:?}"
        ))
    }

    /// Builds the failure of a file or a stream.
    pub fn io(what: impl Display, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::PipeClosed;
        }
        Self::Io {
            what: what.to_string(),
            error: error.to_string(),
        }
    }

    /// Returns the exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Call(call) => call.exit(),
            Self::NoServer { .. } | Self::NoAdmin { .. } => Exit::Unavailable,
            Self::Usage(_) => Exit::Usage,
            Self::Refused { .. } => Exit::Refused,
            Self::Invalid(_) => Exit::Invalid,
            Self::ReceiverGone { .. }
            | Self::Difference(_)
            | Self::Io { .. }
            | Self::PipeClosed
            | Self::Contract(_) => Exit::Other,
        }
    }

    /// Returns the id of the rule that refuses, such as `DOM-6.5`.
    pub(crate) fn rule(&self) -> Option<&str> {
        match self {
            Self::Call(call) => call.rule(),
            Self::Refused { rule, .. } => Some(rule),
            Self::NoServer { .. }
            | Self::NoAdmin { .. }
            | Self::ReceiverGone { .. }
            | Self::Usage(_)
            | Self::Invalid(_)
            | Self::Difference(_)
            | Self::Io { .. }
            | Self::PipeClosed
            | Self::Contract(_) => None,
        }
    }

    /// Returns the lines that `-v` adds.
    pub(crate) fn details(&self) -> Vec<String> {
        match self {
            Self::Call(call) => call.details(),
            Self::NoServer { .. }
            | Self::NoAdmin { .. }
            | Self::ReceiverGone { .. }
            | Self::Usage(_)
            | Self::Invalid(_)
            | Self::Difference(_)
            | Self::Refused { .. }
            | Self::Io { .. }
            | Self::PipeClosed
            | Self::Contract(_) => Vec::new(),
        }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Call(Box::new(CallFailure::new(status)))
    }
}

/// A failed call, with the details that the server attached to its error.
#[derive(Debug)]
pub struct CallFailure {
    status: Status,
    info: ErrorDetails,
}

impl CallFailure {
    fn new(status: Status) -> Self {
        let info = status.get_error_details();
        Self { status, info }
    }

    /// Returns the stable reason, such as `CARD_NOT_IN_HAND`; empty if there is none.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.info
            .error_info()
            .map_or("", |info| info.reason.as_str())
    }

    /// Returns the id of the rule that refuses, such as `DOM-6.5`.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        self.info
            .error_info()?
            .metadata
            .get("rule")
            .map(String::as_str)
    }

    /// Returns the metadata of the refusal as text, including the rule.
    #[must_use]
    pub fn metadata(&self) -> BTreeMap<&str, &str> {
        let info = self.info.error_info();
        let metadata = info.iter().flat_map(|info| &info.metadata);
        metadata.map(|(name, value)| (&**name, &**value)).collect()
    }

    /// Returns the error message of the server, unchanged.
    #[must_use]
    pub fn message(&self) -> &str {
        self.status.message()
    }

    /// Returns the error message of the server as one line.
    pub(crate) fn friendly_message(&self) -> String {
        one_line(self.message())
    }

    /// Returns the name of the status code, such as `FAILED_PRECONDITION`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        gamekeeper_proto::code_name(self.status.code())
    }

    /// Returns whether the request was based on an older version of the game.
    pub(crate) fn is_stale(&self) -> bool {
        self.exit() == Exit::Stale
    }

    fn exit(&self) -> Exit {
        if self.is_transport_error() {
            return Exit::Unavailable;
        }
        match self.status.code() {
            // Refused actions and refused options have different status codes, but both cite a rule.
            _ if self.rule().is_some() => Exit::Refused,
            Code::Aborted if self.reason() == "STALE_VERSION" => Exit::Stale,
            Code::Unavailable
            | Code::DeadlineExceeded
            | Code::ResourceExhausted
            | Code::Aborted => Exit::Unavailable,
            Code::Unauthenticated | Code::PermissionDenied => Exit::Auth,
            Code::NotFound => Exit::NotFound,
            Code::InvalidArgument | Code::OutOfRange => Exit::Invalid,
            Code::Ok
            | Code::Cancelled
            | Code::Unknown
            | Code::AlreadyExists
            | Code::FailedPrecondition
            | Code::Unimplemented
            | Code::Internal
            | Code::DataLoss => Exit::Other,
        }
    }

    /// Returns whether this client made the status because the connection failed. Only such a status has a cause.
    pub(crate) fn is_transport_error(&self) -> bool {
        std::error::Error::source(&self.status).is_some()
    }

    fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(info) = self.info.error_info() {
            lines.push(format!("domain: {}", info.domain));
            let mut metadata: Vec<_> = info.metadata.iter().collect();
            metadata.sort();
            lines.extend(
                metadata
                    .iter()
                    .map(|(key, value)| format!("{key}: {value}")),
            );
        }
        if let Some(bad) = self.info.bad_request() {
            lines.extend(
                bad.field_violations.iter().map(|violation| {
                    format!("field {}: {}", violation.field, violation.description)
                }),
            );
        }
        if let Some(quota) = self.info.quota_failure() {
            lines.extend(quota.violations.iter().map(|violation| {
                format!("limit {}: {}", violation.subject, violation.description)
            }));
        }
        if let Some(delay) = self.info.retry_info().and_then(|retry| retry.retry_delay) {
            lines.push(format!(
                "try again after: {}",
                humantime::format_duration(delay)
            ));
        }
        let mut cause = std::error::Error::source(&self.status);
        while let Some(error) = cause {
            // Skipped because a status only repeats its causes, at length.
            if !error.is::<Status>() {
                lines.push(format!("because: {error}"));
            }
            cause = error.source();
        }
        lines
    }
}

impl Display for CallFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = if self.is_transport_error() {
            Code::Unavailable
        } else {
            self.status.code()
        };
        write!(f, "{}", gamekeeper_proto::code_name(code))?;
        if !self.reason().is_empty() {
            write!(f, " {}", self.reason())?;
        }
        if let Some(rule) = self.rule() {
            write!(f, " ({rule})")?;
        }
        write!(f, ": {}", one_line(self.message()))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn failure(code: Code, reason: &str, rule: Option<&str>) -> Failure {
        let metadata: HashMap<String, String> = rule
            .map(|rule| ("rule".to_owned(), rule.to_owned()))
            .into_iter()
            .collect();
        let details = ErrorDetails::with_error_info(reason, "gamekeeper", metadata);
        Status::with_error_details(code, "you do not\nhold a Village", details).into()
    }

    #[test]
    fn an_error_is_one_line_of_status_reason_rule_and_message() {
        let refused = failure(
            Code::FailedPrecondition,
            "CARD_NOT_IN_HAND",
            Some("DOM-6.5"),
        );
        assert_eq!(
            refused.to_string(),
            "FAILED_PRECONDITION CARD_NOT_IN_HAND (DOM-6.5): you do not hold a Village"
        );
        assert_eq!(refused.details(), ["domain: gamekeeper", "rule: DOM-6.5"]);
    }

    #[test]
    fn each_kind_of_failure_has_its_exit_code() {
        let exits = [
            (
                failure(Code::FailedPrecondition, "PILE_EMPTY", Some("DOM-6.10")),
                Exit::Refused,
            ),
            (
                failure(Code::FailedPrecondition, "SNAPSHOT_TOO_NEW", None),
                Exit::Other,
            ),
            (failure(Code::Aborted, "STALE_VERSION", None), Exit::Stale),
            (
                failure(Code::Unavailable, "OUTCOME_UNKNOWN", None),
                Exit::Unavailable,
            ),
            (
                failure(Code::ResourceExhausted, "RATE", None),
                Exit::Unavailable,
            ),
            (failure(Code::Unauthenticated, "NO_TOKEN", None), Exit::Auth),
            (
                failure(Code::PermissionDenied, "NOT_YOURS", None),
                Exit::Auth,
            ),
            (
                failure(Code::NotFound, "NO_SUCH_GAME", None),
                Exit::NotFound,
            ),
            (
                failure(Code::InvalidArgument, "MALFORMED", None),
                Exit::Invalid,
            ),
            (failure(Code::Internal, "INTERNAL", None), Exit::Other),
        ];
        for (failure, exit) in exits {
            assert_eq!(failure.exit(), exit, "{failure}");
        }
    }

    #[test]
    fn a_broken_connection_is_unavailable_whatever_its_code() {
        let mut status = Status::cancelled("cannot reach the server");
        status.set_source(std::sync::Arc::new(io::Error::other("connection reset")));
        let failure = Failure::from(status);
        assert_eq!(failure.exit(), Exit::Unavailable);
        assert_eq!(failure.to_string(), "UNAVAILABLE: cannot reach the server");
        assert_eq!(failure.details(), ["because: connection reset"]);
    }
}
