//! Connections that end by age, but not all at once.
//!
//! Balancers of connections give new processes nothing as long as old connections live. So a
//! connection is told to go (GOAWAY) when it has reached an age; what was begun on it is finished.
//! Many connections begin together, when a process was replaced; each therefore takes one of some
//! lanes by chance, and every lane has its own age.

use std::time::Duration;

use futures_util::Stream;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;

/// How many ages there are.
const LANES: u32 = 16;

/// Ages lie up to this part of the age below and above it.
const JITTER: f64 = 0.2;

/// Some of the connections, and how long they live at most.
pub(crate) struct Lane<C> {
    pub(crate) age: Duration,
    pub(crate) connections: UnboundedReceiverStream<C>,
}

/// Puts connections into lanes of different ages around this one.
pub(crate) fn split<C: Send + 'static>(
    connections: impl Stream<Item = C> + Send + 'static,
    age: Duration,
) -> Vec<Lane<C>> {
    let (ways, lanes): (Vec<_>, Vec<_>) = ages(age)
        .map(|age| {
            let (way, connections) = mpsc::unbounded_channel();
            let connections = UnboundedReceiverStream::new(connections);
            (way, Lane { age, connections })
        })
        .unzip();
    tokio::spawn(async move {
        let mut connections = std::pin::pin!(connections);
        while let Some(connection) = connections.next().await {
            let at = rand::random_range(0..ways.len());
            if ways[at].send(connection).is_err() {
                // The server closes.
                return;
            }
        }
    });
    lanes
}

/// The ages of the lanes, evenly spread around an age.
fn ages(age: Duration) -> impl Iterator<Item = Duration> {
    let last = f64::from(LANES - 1);
    (0..LANES).map(move |lane| age.mul_f64(1.0 - JITTER + 2.0 * JITTER * f64::from(lane) / last))
}

/// An age by chance around this one.
pub(crate) fn jittered(age: Duration) -> Duration {
    age.mul_f64(rand::random_range(1.0 - JITTER..=1.0 + JITTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_differ_and_lie_around_the_age_that_was_set() {
        let minute = Duration::from_mins(1);
        let ages: Vec<_> = ages(minute).collect();
        assert_eq!(ages.first(), Some(&Duration::from_secs(48)));
        assert_eq!(ages.last(), Some(&Duration::from_secs(72)));
        assert!(ages.is_sorted_by(|one, next| one < next));
        let chance: Vec<_> = (0..100).map(|_| jittered(minute)).collect();
        assert!(chance.iter().all(|age| ages[0] <= *age && *age <= ages[15]));
        assert!(chance.iter().any(|age| *age < minute) && chance.iter().any(|age| *age > minute));
    }

    #[tokio::test]
    async fn every_connection_takes_one_lane() {
        let lanes = split(tokio_stream::iter(0..1_000), Duration::from_secs(1));
        let mut taken = Vec::new();
        for mut lane in lanes {
            let before = taken.len();
            while let Some(connection) = lane.connections.next().await {
                taken.push(connection);
            }
            assert!(taken.len() > before, "a lane of {:?} is empty", lane.age);
        }
        taken.sort_unstable();
        assert_eq!(taken, (0..1_000).collect::<Vec<_>>());
    }
}
