//! The properties of each method that admission, limits and the audit log need: one row for each, of the contract and
//! of the libraries.

use crate::audit::AuditPolicy;

/// The properties of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MethodSpec {
    /// The full name, such as `gamekeeper.v1.GameService/GetGame`.
    pub(super) name: &'static str,
    /// Whether requests and responses are streams.
    pub(super) streaming: Streaming,
    /// The kinds of callers that are admitted. Access to one game is checked later, by the games crate.
    pub(super) auth: AuthRequirement,
    /// When a response releases the permit of its call.
    pub(super) permit_release: PermitRelease,
    /// The calls that the audit log records, by caller.
    pub(super) audit: AuditPolicy,
}

/// The streaming form of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Streaming {
    /// Unary: one response to one request.
    Unary,
    /// Server streaming: a stream of responses to one request.
    Server,
    /// Client streaming: one response to a stream of requests.
    Client,
    /// Bidirectional streaming: a stream of responses to a stream of requests.
    Bidi,
}

impl Streaming {
    /// Returns whether requests are streams, which the method reads itself.
    pub(super) const fn reads_stream(self) -> bool {
        matches!(self, Self::Client | Self::Bidi)
    }
}

/// The kinds of callers that a method admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuthRequirement {
    /// Everybody, without a token: clients call such methods before they know the server. The answer is the same for
    /// everybody, and contains nothing about any game.
    Public,
    /// Callers with a valid token, if the server requires one.
    Authenticated,
}

/// The event on which a response releases the permit of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PermitRelease {
    /// The response begins: it is complete, or a stream with limits of its own.
    Response,
    /// The response ends by itself.
    End,
    /// The response ends or reaches the maximum age of connections, after which the client calls again.
    MaxAge,
    /// The response ends or exceeds the deadline of calls.
    Deadline,
}

/// Creates the row of a method that is not part of the contract and that everybody may call.
const fn library_method(
    name: &'static str,
    streaming: Streaming,
    permit_release: PermitRelease,
) -> MethodSpec {
    MethodSpec {
        name,
        streaming,
        auth: AuthRequirement::Public,
        permit_release,
        audit: AuditPolicy::Never,
    }
}

/// The methods of libraries: health and reflection.
pub(super) const LIBRARY_METHODS: [MethodSpec; 4] = [
    library_method(
        "grpc.health.v1.Health/Check",
        Streaming::Unary,
        PermitRelease::End,
    ),
    library_method(
        "grpc.health.v1.Health/Watch",
        Streaming::Server,
        PermitRelease::MaxAge,
    ),
    library_method(
        "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        Streaming::Bidi,
        PermitRelease::Deadline,
    ),
    library_method(
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        Streaming::Bidi,
        PermitRelease::Deadline,
    ),
];

/// The row that stands for all methods that do not exist.
pub(super) const UNKNOWN_METHOD: MethodSpec =
    library_method("", Streaming::Unary, PermitRelease::End);
