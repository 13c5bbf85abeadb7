//! The settings of calls and connections, without the names of flags.

use std::time::Duration;

use gamekeeper_games::scheduling::Rate;

/// Settings of calls.
#[derive(Clone, Debug)]
pub struct EdgeSettings {
    /// Default and maximum deadline of a call.
    pub deadline: Duration,
    /// Maximum time until the body of a call has arrived.
    pub request_timeout: Duration,
    /// Maximum time in which a client reads nothing of a response that keeps the permit of its call.
    pub slow_consumer_timeout: Duration,
    /// Approximate maximum age of a connection. Is `None` if there is no limit.
    pub max_connection_age: Option<Duration>,
    /// Maximum size of a message, in bytes.
    pub max_bytes: usize,
    /// Maximum number of concurrent calls; further calls are refused.
    pub max_in_flight: usize,
    /// Rate limit of an address without a token. Is `None` if there is no limit.
    pub anonymous_rate: Option<Rate>,
    /// Maximum number of concurrent calls that need no token (health, reflection, rulesets,
    /// rule documents, unknown methods). They do not count against the other limits.
    pub max_unauthenticated: usize,
}

/// Settings of connections.
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    /// Maximum time for the TLS handshake, and then for the first bytes of HTTP.
    pub handshake: Duration,
    /// Maximum time between a response over HTTP/1.1 and the next request.
    pub http1_idle: Duration,
    /// Maximum number of concurrent calls on one connection.
    pub max_streams: u32,
    /// Interval of pings on a silent connection.
    pub keepalive: Duration,
    /// Maximum time for the answer to a ping.
    pub keepalive_timeout: Duration,
    /// Approximate maximum age of a connection. Is `None` if there is no limit.
    pub max_age: Option<Duration>,
}
