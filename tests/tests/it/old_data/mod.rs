//! Data that earlier builds stored is loaded and replayed to the same tables by this build, from every store.
//! Unreadable data is reported and affects no other game.
//!
//! `tests/data/<ruleset>/revision_<n>/` holds one game of every released revision: `log.bin`, all its
//! entries, each after its length in four bytes; `snapshot.bin`, the version of a snapshot from the middle of
//! the game in eight bytes, and the snapshot; and `id.txt`, the id of the game, if its creation bound it.
//! `GAMEKEEPER_UPDATE=1` plays a game for a revision that has none, and never writes over one that is there.

mod builds;
mod damage;
mod record;

use std::sync::Arc;

use gamekeeper_games::GameService;
use gamekeeper_games::authz::Caller;
use gamekeeper_proto::raw::{ApplyActionRequest, ExportVersion, GetGameResponse, View};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_store::{GameId, GameStore, Version};
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::room::{games, record, table};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_wire::Wire;
use gamekeeperd::stores::{StoreConfig, open};
use tempfile::TempDir;

use self::builds::two_builds_share_a_store;
use self::damage::damage_is_contained;
use self::record::{Record, call_of, played, records};

fn version(response: &GetGameResponse) -> Version {
    let table = response.table.as_ref().unwrap();
    table.game.as_ref().unwrap().version
}

fn view(response: &GetGameResponse) -> &View {
    let table = response.table.as_ref().unwrap();
    table.view.as_ref().unwrap()
}

/// Checks that a game is complete: the snapshot with the rest of the log gives the same table as the whole log, and
/// every fingerprint in the log matches.
async fn is_whole<W: Wire>(games: &Arc<GameService<W>>, id: GameId, record_of: &Record) {
    let id = id.to_string();
    let newest = record_of.newest();
    let now = table(games, &id, 0).await.unwrap();
    let info = now.table.as_ref().unwrap().game.as_ref().unwrap();
    assert_eq!(info.version, newest);
    assert!(info.pending.is_empty() && !info.standings.is_empty());
    let replayed = table(games, &id, newest).await.unwrap();
    assert_eq!(view(&now), view(&replayed));
    let versions = record(games, &id).await.unwrap();
    assert_eq!(versions.len() as Version, newest);
}

/// Checks that a game that an earlier build began can be finished: the same actions lead to the same fingerprints.
async fn goes_on<W: Wire>(store: &Arc<dyn GameStore>, whole: GameId, record_of: &Record) {
    let begun = record_of.until(record_of.snapshot.0);
    let id = begun.put::<W>(&**store, "red").await.to_string();
    let games = games::<W>(store);
    let past = record(&games, &whole.to_string()).await.unwrap();
    for version in past.iter().skip(begun.entries.len()) {
        let action = version.action.clone().expect("an action");
        let entry = version.entry.as_ref().unwrap();
        let call = ApplyActionRequest {
            expected_version: entry.version - 1,
            ..call_of(&id, entry.seat, action)
        };
        games
            .apply_action(&Caller::UNAUTHENTICATED, Box::new(call))
            .await
            .unwrap();
    }
    let anew = record(&games, &id).await.unwrap();
    let prints = |versions: &[ExportVersion]| -> Vec<String> {
        versions
            .iter()
            .map(|version| version.fingerprint.clone())
            .collect()
    };
    assert_eq!(prints(&anew), prints(&past));
    let (now, then) = (
        table(&games, &id, 0).await,
        table(&games, &whole.to_string(), 0).await,
    );
    assert_eq!(view(&now.unwrap()), view(&then.unwrap()));
}

/// Checks that the exports of games that earlier builds played verify with the current rules, and also that of a game as
/// it would be recorded now.
async fn records_verify<W: Audit + Wire>() {
    let directory = TempDir::new().unwrap();
    let config = EmbeddedConfig::new(directory.path().join("games"));
    let store = open(StoreConfig::Embedded(config)).await.unwrap();
    let mut ids = Vec::new();
    let mut records = records::<W>().await;
    let now = played::<W>(usize::MAX, 16).await;
    // A record whose first entry has not changed since has the same id: it is there already.
    if records.iter().all(|record| record.id != now.id) {
        records.push(now);
    }
    for record in records {
        ids.push(record.put_again::<W>(&*store, "red").await);
    }
    store.close().await.unwrap();
    drop(store);
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let server = Gamekeeperd::start(&["--store=embedded", &data]);
    let cli = Cli::at(server.address());
    for id in ids {
        let file = cli.file("game.jsonl");
        let exported = cli.run(&format!("export {id} --to {file}"));
        assert_eq!(exported.code, 0, "{}", exported.err);
        let verified = cli.run(&format!("verify {file}"));
        assert_eq!(verified.code, 0, "{}", verified.err);
    }
}

async fn stores() -> (Vec<Arc<dyn GameStore>>, TempDir, RedisServer) {
    let (directory, redis) = (
        TempDir::new().unwrap(),
        RedisServer::start(&RedisOptions::new()),
    );
    let address = redis.address();
    let mut stores = Vec::new();
    for config in [
        StoreConfig::Memory(DEFAULT_FEED_RETENTION),
        StoreConfig::Embedded(EmbeddedConfig::new(directory.path().join("games"))),
        StoreConfig::Redis(RedisConfig::new(RedisTopology::Single { address })),
    ] {
        stores.push(open(config).await.unwrap());
    }
    (stores, directory, redis)
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_tests::room::games;

            #[tokio::test(flavor = "multi_thread")]
            async fn games_of_every_released_revision_go_on_in_every_store() {
                let (stores, _directory, _redis) = super::stores().await;
                for record in super::records::<Rules>().await {
                    for store in &stores {
                        let id = record.put::<Rules>(&**store, "red").await;
                        super::is_whole(&games::<Rules>(store), id, &record).await;
                        super::goes_on::<Rules>(store, id, &record).await;
                    }
                }
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn records_of_every_released_revision_verify() {
                super::records_verify::<Rules>().await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn damage_is_reported_or_repaired_and_disturbs_no_other_game() {
                super::damage_is_contained::<Rules>().await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn an_old_and_a_new_build_share_a_store() {
                let (stores, _directory, _redis) = super::stores().await;
                super::two_builds_share_a_store::<Rules>(&stores[2]).await;
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(of_every_ruleset);
