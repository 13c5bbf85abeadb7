//! Every limit at its edge: a value at the limit is accepted, one more is refused, and the refusal names the limit and
//! when to retry.

mod at_once;
mod bytes;
mod games;
mod half_open;
mod long_lists;
mod many;
mod rates;
mod shares;
mod sizes;

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{ada_and_bob, facts, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::KeyFiles;
use gamekeeper_tests::waiting::eventually;
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt;

/// Maximum time for every wait.
const SOON: Duration = Duration::from_secs(20);

/// Starts a server that requires tokens.
fn with_tokens(flags: &[&str]) -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    (keys.server(flags), keys)
}

async fn new_game(server: &Gamekeeperd) -> String {
    let created = server.games().create_game(ada_and_bob()).await.unwrap();
    facts(created.into_inner().table).game_id
}

/// Returns the limit that a refusal names, and when to retry.
fn exceeded(status: &Status) -> (String, Duration) {
    assert_eq!(
        reason(status),
        (Code::ResourceExhausted, String::from("LIMIT_EXCEEDED"))
    );
    let details = status.get_error_details();
    let limit = details.error_info().unwrap().metadata["limit"].clone();
    let quota = details.quota_failure().expect("a QuotaFailure");
    assert_eq!(quota.violations[0].subject, limit);
    let retry = details.retry_info().expect("a RetryInfo").retry_delay;
    (limit, retry.expect("a time"))
}

type Watch = Streaming<v1::WatchGameResponse>;

/// Opens a watch and reads its first message.
async fn watch(
    mut client: gamekeeper_tests::dominion::Client,
    game_id: &str,
) -> Result<Watch, Status> {
    let ask = v1::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let mut watch = client.watch_game(ask).await?.into_inner();
    let first = watch.message().await?.expect("a beginning");
    assert!(first.table.is_some());
    Ok(watch)
}
