//! The final logs: the request of each version.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gamekeeper_store::GameStore;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Call;

/// The request of each version of each game. `None` for a version that matches no request of the history.
pub type Logs = BTreeMap<String, Vec<Option<String>>>;

/// The number of bytes of a request id's hash that its entry contains.
const HASH_PREFIX_BYTES: usize = 16;

/// Reads the logs of all games of a history directly from the store. Entries contain a prefix of the hash of their
/// request id, so the servers need not be trusted.
///
/// # Panics
/// If the store does not respond, or an entry matches two requests.
pub async fn read_logs(store: &dyn GameStore, calls: &[Call]) -> Logs {
    let requests = calls.iter().filter_map(|call| Some(call.change()?.0));
    let requests_by_hash: HashMap<[u8; HASH_PREFIX_BYTES], &str> =
        requests.map(|id| (hash_prefix(id), id)).collect();
    let games: BTreeSet<&str> = calls.iter().map(|call| call.game.as_str()).collect();
    let mut logs = Logs::new();
    for game in games {
        // A game whose creation was never answered has no id here.
        let Ok(id) = Uuid::try_parse(game) else {
            continue;
        };
        let log = store.log(id, 0, usize::MAX).await.expect("the store");
        let entries = log.unwrap_or_default();
        let requests = entries
            .iter()
            .map(|entry| request_in(&entry.bytes, &requests_by_hash).map(str::to_owned));
        logs.insert(game.to_owned(), requests.collect());
    }
    logs
}

fn hash_prefix(request: &str) -> [u8; HASH_PREFIX_BYTES] {
    let hash = Sha256::digest(request.as_bytes());
    std::array::from_fn(|at| hash[at])
}

fn request_in<'a>(
    entry: &[u8],
    requests_by_hash: &HashMap<[u8; HASH_PREFIX_BYTES], &'a str>,
) -> Option<&'a str> {
    let matching = entry
        .windows(HASH_PREFIX_BYTES)
        .filter_map(|bytes| requests_by_hash.get(bytes));
    let matching: BTreeSet<&str> = matching.copied().collect();
    assert!(
        matching.len() <= 1,
        "an entry of two requests: {matching:?}"
    );
    matching.into_iter().next()
}
