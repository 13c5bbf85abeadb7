//! The properties of each method that admission, limits and the audit log need: one row for each, of the contract and
//! of the libraries.

use crate::audit::Noted;

/// The properties of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MethodRow {
    /// The full name, such as `gamekeeper.v1.GameService/GetGame`.
    pub(super) name: &'static str,
    /// Whether requests and responses are streams.
    pub(super) form: Form,
    /// The kinds of callers that are admitted. Access to one game is checked later, by the games crate.
    pub(super) by: By,
    /// When a response releases the permit of its call.
    pub(super) held_until: HeldUntil,
    /// The calls that the audit log records, by caller.
    pub(super) noted: Noted,
}

/// The streaming form of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Unary: one response to one request.
    One,
    /// Server streaming: a stream of responses to one request.
    Many,
    /// Bidirectional streaming: a stream of responses to a stream of requests.
    ManyToMany,
}

/// The kinds of callers that a method admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Everybody, without a token: clients call such methods before they know the server. The answer is the same for
    /// everybody, and contains nothing about any game.
    Anybody,
    /// Callers with a valid token, if the server requires one.
    Callers,
}

/// The event on which a response releases the permit of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldUntil {
    /// The response begins: it is complete, or a stream with limits of its own.
    Begun,
    /// The response ends by itself.
    Ended,
    /// The response ends or reaches the maximum age of connections, after which the client calls again.
    Old,
    /// The response ends or exceeds the deadline of calls.
    Late,
}

/// Creates the row of a method that is not part of the contract and that everybody may call.
const fn of_library(name: &'static str, form: Form, held_until: HeldUntil) -> MethodRow {
    MethodRow {
        name,
        form,
        by: By::Anybody,
        held_until,
        noted: Noted::OfNobody,
    }
}

/// The methods of libraries: health and reflection.
pub(super) const LIBRARY_METHODS: [MethodRow; 4] = [
    of_library("grpc.health.v1.Health/Check", Form::One, HeldUntil::Ended),
    of_library("grpc.health.v1.Health/Watch", Form::Many, HeldUntil::Old),
    of_library(
        "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        Form::ManyToMany,
        HeldUntil::Late,
    ),
    of_library(
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        Form::ManyToMany,
        HeldUntil::Late,
    ),
];

/// The row that stands for all methods that do not exist.
pub(super) const UNKNOWN: MethodRow = of_library("", Form::One, HeldUntil::Ended);
