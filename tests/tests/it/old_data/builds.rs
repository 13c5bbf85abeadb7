//! Builds with different revisions of the rules that share a store (**rolling update**).

use std::sync::Arc;

use gamekeeper_games::GameService;
use gamekeeper_games::authz::Caller;
use gamekeeper_games::errors::ServiceError;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_proto::raw::Action;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_store::{GameId, GameStore};
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_tests::disguise::{Disguised, Newer};
use gamekeeper_tests::dominion::{assert_reason, facts};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::room::{games, record, table};
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use gamekeeper_wire::Wire;
use gamekeeperd::stores::{StoreConfig, open};
use tonic::Code;

use super::damage::flipped;
use super::record::{Record, call_of, played};
use super::version;

/// Runs two builds on one store, the newer one with the next revision of the rules. Each plays its own games; for the
/// other's games, it reports the reason and changes nothing.
pub(super) async fn two_builds_share_a_store<W: Audit + Wire>(store: &Arc<dyn GameStore>) {
    let sound = played::<W>(9, 4).await;
    let newer = played::<Disguised<W, Newer>>(9, 4).await;
    let old_id = sound.put::<W>(&**store, "red").await;
    let new_id = newer.put::<W>(&**store, "red").await;
    let old_build = games::<W>(store);
    let new_build = games::<Disguised<W, Newer>>(store);
    for _ in 0..2 {
        let response = table(&old_build, &old_id.to_string(), 0).await.unwrap();
        assert_eq!(version(&response), sound.newest());
        let response = table(&new_build, &new_id.to_string(), 0).await.unwrap();
        assert_eq!(version(&response), newer.newest());
        let too_new = table(&old_build, &new_id.to_string(), 0).await;
        assert!(matches!(too_new, Err(ServiceError::WrittenByNewerBuild)));
        let too_old = table(&new_build, &old_id.to_string(), 0).await;
        assert!(matches!(too_old, Err(ServiceError::RulesTooOld)));
        // No action can be played either.
        let action = last_action(&new_build, new_id).await;
        let wrong = call_of(&new_id.to_string(), 1, action);
        let refused = old_build
            .apply_action(&Caller::UNAUTHENTICATED, Box::new(wrong))
            .await;
        assert!(matches!(refused, Err(ServiceError::WrittenByNewerBuild)));
    }
    for (id, record) in [(old_id, &sound), (new_id, &newer)] {
        let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
        assert!(log.iter().map(|entry| &entry.bytes).eq(&record.entries));
    }
}

async fn last_action<W: Wire>(games: &Arc<GameService<W>>, id: GameId) -> Action {
    let past = record(games, &id.to_string()).await.unwrap();
    past.into_iter()
        .filter_map(|version| version.action)
        .next_back()
        .unwrap()
}

/// Stores a valid game, one of a newer build and a damaged one in a Redis, and returns their ids.
async fn mixed(redis: &RedisServer) -> [String; 3] {
    use gamekeeper_rules::dominion::Dominion;

    let topology = RedisTopology::Single {
        address: redis.address(),
    };
    let store = open(StoreConfig::Redis(RedisConfig::new(topology)));
    let store = store.await.unwrap();
    let sound = played::<Dominion>(9, 4).await;
    let newer = played::<Disguised<Dominion, Newer>>(9, 4).await;
    let mut damaged = sound.clone();
    damaged.entries[8] = flipped(&damaged.entries[8], 20);
    let put = async |record: &Record| record.put::<Dominion>(&*store, "red").await.to_string();
    [put(&sound).await, put(&newer).await, put(&damaged).await]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_what_it_cannot_read_and_goes_on() {
    let redis = RedisServer::start(&RedisOptions::new());
    let ids = mixed(&redis).await;
    let keys = KeyFiles::new();
    let address = format!("--redis={}", redis.address());
    let server = keys.server(&["--store=redis", &address]);
    let info = |token, game_id: &str| {
        let ask = v1::GetGameRequest {
            game_id: game_id.to_owned(),
            ..Default::default()
        };
        let (mut games, ask) = (server.games(), bearing(token, ask));
        async move { games.get_game(ask).await }
    };
    let sound = info(RED, &ids[0]).await.unwrap().into_inner().table;
    assert_eq!(facts(sound).version, 10);
    let expected = [
        (&ids[1], Code::FailedPrecondition, "SNAPSHOT_TOO_NEW"),
        (&ids[2], Code::DataLoss, "DAMAGED_RECORD"),
    ];
    for (id, code, name) in expected {
        let status = info(RED, id).await.unwrap_err();
        assert_reason(&status, code, name);
        // Other tenants do not learn even that.
        let status = info(BLUE, id).await.unwrap_err();
        assert_reason(&status, Code::NotFound, "NO_SUCH_GAME");
    }
    let list = bearing(RED, v1::ListGamesRequest::default());
    let listed = server.games().list_games(list).await.unwrap().into_inner();
    let listed = listed.games.into_iter();
    let mut listed_games: Vec<_> = listed.map(|game| (game.game_id, game.version)).collect();
    listed_games.sort_unstable();
    let mut expected: Vec<_> = ids.into_iter().zip([10, 0, 0]).collect();
    expected.sort_unstable();
    assert_eq!(listed_games, expected);
}
