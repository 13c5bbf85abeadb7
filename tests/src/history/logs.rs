//! The final logs: the request of each version.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gamekeeper_store::GameStore;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Call;

/// The request of each version of each game. `None` for a version that matches no request of the history.
pub type Logs = BTreeMap<String, Vec<Option<String>>>;

/// The number of bytes of a request id's hash that its entry contains.
const MARK: usize = 16;

/// Reads the logs of all games of a history directly from the store. Entries contain a prefix of the hash of their
/// request id, so the servers need not be trusted.
///
/// # Panics
/// If the store does not respond, or an entry matches two requests.
pub async fn read_logs(store: &dyn GameStore, calls: &[Call]) -> Logs {
    let requests = calls.iter().filter_map(|call| Some(call.change()?.0));
    let marks: HashMap<[u8; MARK], &str> = requests.map(|id| (mark_of(id), id)).collect();
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
            .map(|entry| request_in(&entry.bytes, &marks).map(str::to_owned));
        logs.insert(game.to_owned(), requests.collect());
    }
    logs
}

fn mark_of(request: &str) -> [u8; MARK] {
    let hash = Sha256::digest(request.as_bytes());
    std::array::from_fn(|at| hash[at])
}

fn request_in<'a>(entry: &[u8], marks: &HashMap<[u8; MARK], &'a str>) -> Option<&'a str> {
    let found = entry.windows(MARK).filter_map(|bytes| marks.get(bytes));
    let found: BTreeSet<&str> = found.copied().collect();
    assert!(found.len() <= 1, "an entry of two requests: {found:?}");
    found.into_iter().next()
}
