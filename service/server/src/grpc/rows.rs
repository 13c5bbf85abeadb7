//! What is to be known of a method before it is called: a row for each, of the contract and of the libraries.

use crate::audit::Noted;

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MethodRow {
    /// The full name, such as `gamekeeper.v1.GameService/GetGame`.
    pub(super) name: &'static str,
    /// How requests and responses go.
    pub(super) form: Form,
    /// Who may call it at all. Whom a call then answers, the games decide.
    pub(super) by: By,
    /// When a response gives up the place of its call.
    pub(super) held_until: HeldUntil,
    /// Whose calls the audit log has.
    pub(super) noted: Noted,
}

/// How requests and responses of a method go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One response to one request.
    One,
    /// A stream of responses to one request.
    Many,
    /// A stream of responses to a stream of requests.
    ManyToMany,
}

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Everybody, without a token: clients call before they know the server. The answer is the same for everybody, and
    /// has nothing of any game.
    Anybody,
    /// Who has a token, if the server wants one.
    Callers,
}

/// When a response gives up the place of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldUntil {
    /// It begins: it is whole, or a stream with limits of its own.
    Begun,
    /// It has ended, by itself.
    Ended,
    /// It has ended, or is as old as connections become: its client asks again.
    Old,
    /// It has ended, or the deadline of calls has passed.
    Late,
}

/// A method that everybody may call, and that is not of the contract.
const fn of_library(name: &'static str, form: Form, held_until: HeldUntil) -> MethodRow {
    MethodRow {
        name,
        form,
        by: By::Anybody,
        held_until,
        noted: Noted::OfNobody,
    }
}

/// The methods of the libraries: health and reflection.
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

/// A method that does not exist.
pub(super) const UNKNOWN: MethodRow = of_library("", Form::One, HeldUntil::Ended);
