//! Metrics of connections.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundCounter, Meter};

/// The reason why a connection was refused or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The limit of open connections is reached.
    Full,
    /// The TLS handshake failed.
    Tls,
    /// TLS or the first bytes of HTTP took too long.
    TooSlow,
}

impl RejectReason {
    const ALL: [Self; 3] = [Self::Full, Self::Tls, Self::TooSlow];

    const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Tls => "tls",
            Self::TooSlow => "too_slow",
        }
    }
}

/// Metrics of connections.
pub struct ConnectionMetrics {
    refused: [BoundCounter<u64>; 3],
}

impl ConnectionMetrics {
    /// Creates the metrics. They are exported from the start, so that the first refused connection shows as an
    /// increase.
    pub(super) fn new(meter: &Meter) -> Self {
        let counter = meter
            .u64_counter("gamekeeper.connections.refused")
            .with_unit("{connection}")
            .with_description("Connections that were refused, or closed to make room")
            .build();
        let refused = RejectReason::ALL.map(|why| {
            let bound = counter.bind(&[KeyValue::new("reason", why.name())]);
            bound.add(0);
            bound
        });
        Self { refused }
    }

    /// Counts a connection that was refused or closed.
    pub fn record_rejected(&self, why: RejectReason) {
        self.refused[why as usize].add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (at, why) in RejectReason::ALL.into_iter().enumerate() {
            assert_eq!(why as usize, at);
        }
    }
}
