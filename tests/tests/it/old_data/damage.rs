//! Damaged data.

use bytes::Bytes;
use gamekeeper_games::errors::ServiceError;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_tests::room::{games, table};
use gamekeeper_wire::Wire;
use gamekeeperd::stores::{StoreConfig, open};

use super::record::{Record, played};
use super::{version, view};

/// Flips one byte.
pub(super) fn flipped(bytes: &Bytes, at: usize) -> Bytes {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 0x40;
    bytes.into()
}

/// Minimum number of bytes of each record that are flipped; with `GAMEKEEPER_LONG`, every byte is.
const FLIPS: usize = 60;

/// Returns the positions of the bytes to flip.
fn offsets(length: usize) -> impl Iterator<Item = usize> {
    let long = std::env::var_os("GAMEKEEPER_LONG").is_some();
    let step = if long { 1 } else { (length / FLIPS).max(1) };
    (0..length).step_by(step)
}

/// Checks that a damaged snapshot costs only time, because the log is complete, and that a damaged entry is reported
/// and no game continues from it. Other games continue in both cases.
pub(super) async fn damage_is_contained<W: Audit + Wire>() {
    let sound = played::<W>(9, 4).await;
    let store = open(StoreConfig::Memory(DEFAULT_FEED_RETENTION))
        .await
        .unwrap();
    let id = sound.put::<W>(&*store, "red").await.to_string();
    let games = games::<W>(&store);
    let expected = table(&games, &id, 0).await.unwrap();
    let (taken_at, snapshot) = &sound.snapshot;
    for at in offsets(snapshot.len()) {
        let damaged = Record {
            snapshot: (*taken_at, flipped(snapshot, at)),
            ..sound.clone()
        };
        let damaged = damaged.put::<W>(&*store, "red").await.to_string();
        let response = table(&games, &damaged, 0).await.unwrap();
        assert_eq!(view(&response), view(&expected), "byte {at}");
        assert_eq!(version(&response), version(&expected));
    }
    // One entry that the snapshot covers, and one after it.
    for index in [
        usize::try_from(*taken_at).unwrap() - 2,
        sound.entries.len() - 1,
    ] {
        for at in offsets(sound.entries[index].len()) {
            let mut damaged = sound.clone();
            damaged.entries[index] = flipped(&damaged.entries[index], at);
            let damaged = damaged.put::<W>(&*store, "red").await.to_string();
            let result = table(&games, &damaged, 0).await;
            assert!(
                matches!(result, Err(ServiceError::Damaged(_))),
                "entry {index}, byte {at}"
            );
        }
    }
    let still = table(&games, &id, 0).await.unwrap();
    assert_eq!(view(&still), view(&expected));
}
