//! Tokens that end by expiry, by revocation, or with their game. Streams opened with them end too, and show nothing
//! that was played later.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, Table, ada_and_bob, facts, field_of, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{
    BLUE, KeyFiles, RED, bearing, seat_holder, spectator_holder, user_holder,
};
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, Streaming};

/// Maximum time for every wait.
const SOON: Duration = Duration::from_secs(20);

async fn create(server: &Gamekeeperd, request_id: &str) -> v1::CreateGameResponse {
    let create = v1::CreateGameRequest {
        request_id: request_id.to_owned(),
        ..ada_and_bob()
    };
    let created = server.games().create_game(bearing(RED, create)).await;
    created.unwrap().into_inner()
}

/// Opens a watch and reads the table.
async fn watch(mut client: Client, token: &str, game_id: &str) -> Streaming<v1::WatchGameResponse> {
    let ask = v1::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let watch = client.watch_game(bearing(token, ask)).await;
    let mut watch = watch.unwrap().into_inner();
    let first = watch.message().await.unwrap().unwrap();
    assert!(first.table.is_some());
    watch
}

/// Returns the end of a watch, which must show nothing more.
async fn end_of(mut watch: Streaming<v1::WatchGameResponse>) -> Status {
    loop {
        let message = timeout(SOON, watch.message())
            .await
            .expect("an end in time");
        match message {
            Ok(Some(v1::WatchGameResponse { table: None, .. })) => {}
            Ok(shown) => panic!("shows {shown:?}"),
            Err(status) => return status,
        }
    }
}

fn revoked() -> (Code, String) {
    (Code::Unauthenticated, String::from("TOKEN_REPLACED"))
}

fn bad() -> (Code, String) {
    (Code::Unauthenticated, String::from("BAD_TOKEN"))
}

fn expired() -> (Code, String) {
    (Code::Unauthenticated, String::from("TOKEN_EXPIRED"))
}

async fn look(server: &Gamekeeperd, token: &str, game_id: &str) -> Result<(), Status> {
    let ask = v1::GetGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let response = server.games().get_game(bearing(token, ask)).await;
    response.map(drop)
}

/// Revokes the tokens of a holder, and issues a new one.
async fn replace(server: &Gamekeeperd, holder: v1::TokenHolder) -> String {
    revoke(server, holder.clone()).await;
    issue(server, holder, None).await.unwrap()
}

async fn revoke(server: &Gamekeeperd, holder: v1::TokenHolder) {
    let revoke = v1::RevokeTokensRequest {
        holder: Some(holder),
    };
    let revoked = server.access().revoke_tokens(bearing(RED, revoke)).await;
    revoked.unwrap();
}

async fn issue(
    server: &Gamekeeperd,
    holder: v1::TokenHolder,
    expire_time: Option<prost_types::Timestamp>,
) -> Result<String, Status> {
    let issue = v1::IssueTokenRequest {
        holder: Some(holder),
        expire_time,
    };
    let issued = server.access().issue_token(bearing(RED, issue)).await?;
    let issued = issued.into_inner();
    if expire_time.is_some() {
        assert_eq!(issued.expire_time, expire_time);
    }
    Ok(issued.token)
}

#[tokio::test]
async fn a_revoked_token_sees_no_version_that_was_played_later() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let [one, other] = [(); 2].map(|()| keys.server_for_teams(&store.with(&[])));
    let created = create(&one, "").await;
    let spectator = created.tokens.clone().unwrap().spectator;
    let mut table = Table::of(created);
    let id = table.game.game_id.clone();
    let seat = table.token(1).to_owned();
    let of_games = watch_games(&one, &seat, named(&id)).await;
    let mut watches = Vec::new();
    for server in [&one, &other] {
        for token in [&seat, &spectator] {
            watches.push(watch(server.games(), token, &id).await);
        }
    }
    let mut still = watch(other.games(), table.token(2), &id).await;
    let fresh = [
        replace(&one, seat_holder(&id, 1)).await,
        replace(&one, spectator_holder(&id)).await,
    ];
    table.set_token(1, &fresh[0]);
    table.play(&mut one.games(), 3).await.unwrap();
    for watch in watches {
        assert_eq!(reason(&end_of(watch).await), revoked());
    }
    assert_eq!(reason(&end_of_all(of_games).await), revoked());
    let shown = still.message().await.unwrap().unwrap();
    assert_eq!((shown.version, shown.table.is_some()), (2, true));
    for old in [&seat, &spectator] {
        for server in [&one, &other] {
            assert_eq!(
                reason(&look(server, old, &id).await.unwrap_err()),
                revoked()
            );
        }
    }
    for fresh in &fresh {
        look(&other, fresh, &id).await.unwrap();
    }
}

#[tokio::test]
async fn a_revoked_token_ends_a_watch_with_nothing_to_show() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--bookmark-every=200ms"]);
    let created = create(&server, "").await;
    let table = Table::of(created);
    let id = table.game.game_id.clone();
    let watch = watch(server.games(), table.token(1), &id).await;
    revoke(&server, seat_holder(&id, 1)).await;
    assert_eq!(reason(&end_of(watch).await), revoked());
}

/// Creates a game whose first seat is Ada's.
async fn game_of_ada(server: &Gamekeeperd, token: &str) -> Table {
    let mut create = ada_and_bob();
    create.players[0].user = String::from("ada");
    let created = server.games().create_game(bearing(token, create)).await;
    Table::of(created.unwrap().into_inner())
}

/// Every process refuses the revoked tokens of a user, ends the streams opened with them, and accepts those issued
/// later.
#[tokio::test]
async fn the_tokens_of_a_user_end_together_in_every_process() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let [one, other] = [(); 2].map(|()| keys.server_for_teams(&store.with(&[])));
    let mut table = game_of_ada(&one, RED).await;
    let id = table.game.game_id.clone();
    let ada = || user_holder("ada");
    let first = issue(&one, ada(), None).await.unwrap();
    let second = issue(&other, ada(), None).await.unwrap();
    let jwt = KeyFiles::signed_user("red", "ada");
    let (mut watches, mut of_all) = (Vec::new(), Vec::new());
    for server in [&one, &other] {
        for token in [&first, &second] {
            look(server, token, &id).await.unwrap();
            watches.push(watch(server.games(), token, &id).await);
            of_all.push(watch_games(server, token, Default::default()).await);
        }
    }
    revoke(&one, ada()).await;
    // The streams end although nothing happens in the game.
    for watch in watches {
        assert_eq!(reason(&end_of(watch).await), revoked());
    }
    for watch in of_all {
        assert_eq!(reason(&end_of_all(watch).await), revoked());
    }
    for server in [&one, &other] {
        for token in [&first, &second] {
            let refused = look(server, token, &id).await.unwrap_err();
            assert_eq!(reason(&refused), revoked());
            let mut games = server.games();
            let listed = games.list_games(bearing(token, v1::ListGamesRequest::default()));
            assert_eq!(reason(&listed.await.unwrap_err()), revoked());
        }
        look(server, &jwt, &id).await.expect("the tenant signed it");
    }
    let third = issue(&other, ada(), None).await.unwrap();
    for server in [&one, &other] {
        look(server, &third, &id).await.unwrap();
    }
    table.play(&mut one.games(), 3).await.unwrap();
}

/// Builds a request for a stream of many games that names one.
fn named(game_id: &str) -> v1::WatchGamesRequest {
    let game = v1::WatchedGame {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    v1::WatchGamesRequest {
        games: vec![game],
        ..Default::default()
    }
}

/// Opens a stream of many games and reads the first of them.
async fn watch_games(
    server: &Gamekeeperd,
    token: &str,
    call: v1::WatchGamesRequest,
) -> Streaming<v1::WatchGamesResponse> {
    let watch = server.games().watch_games(bearing(token, call)).await;
    let mut watch = watch.unwrap().into_inner();
    let first = watch.message().await.unwrap().unwrap();
    assert!(first.update.is_some());
    watch
}

/// Returns the end of a watch of many games, which must show nothing more.
async fn end_of_all(mut watch: Streaming<v1::WatchGamesResponse>) -> Status {
    loop {
        let message = timeout(SOON, watch.message()).await;
        match message.expect("an end in time") {
            Ok(Some(v1::WatchGamesResponse { update: None, .. })) => {}
            Ok(shown) => panic!("shows {shown:?}"),
            Err(status) => return status,
        }
    }
}

/// A tenant can issue and revoke tokens of its own users only, and none without a user.
#[tokio::test]
async fn a_tenant_has_its_own_users() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    let table = game_of_ada(&server, RED).await;
    let id = table.game.game_id.clone();
    let own_token = issue(&server, user_holder("ada"), None).await.unwrap();
    look(&server, &own_token, &id).await.unwrap();
    let of_blue = |holder| {
        bearing(
            BLUE,
            v1::IssueTokenRequest {
                holder: Some(holder),
                expire_time: None,
            },
        )
    };
    let mut access = server.access();
    let foreign = access.issue_token(of_blue(user_holder("ada")));
    let foreign = foreign.await.unwrap().into_inner().token;
    let missing = look(&server, &foreign, &id).await.unwrap_err();
    assert_eq!(reason(&missing).1, "NO_SUCH_GAME");
    let revoke = v1::RevokeTokensRequest {
        holder: Some(user_holder("ada")),
    };
    let revoked = server.access().revoke_tokens(bearing(BLUE, revoke)).await;
    revoked.unwrap();
    look(&server, &own_token, &id)
        .await
        .expect("another tenant's user");
    for user in [String::new(), "x".repeat(65), String::from("two\nlines")] {
        let refused = issue(&server, user_holder(&user), None).await.unwrap_err();
        assert_eq!(reason(&refused).1, "MALFORMED");
        assert_eq!(field_of(&refused), "holder.user.user");
    }
}

#[tokio::test]
async fn tokens_of_users_have_an_end() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    let table = game_of_ada(&server, RED).await;
    let id = table.game.game_id.clone();
    let day = 24 * 60 * 60;
    let at = |seconds: u64| prost_types::Timestamp {
        seconds: i64::try_from(now() + seconds).unwrap(),
        nanos: 0,
    };
    let ada = || user_holder("ada");
    for wrong in [prost_types::Timestamp::default(), at(90 * day + 60)] {
        let refused = issue(&server, ada(), Some(wrong)).await.unwrap_err();
        assert_eq!(field_of(&refused), "expire_time");
    }
    issue(&server, ada(), Some(at(90 * day - 60)))
        .await
        .unwrap();
    let short = issue(&server, ada(), Some(at(4))).await.unwrap();
    let watch = watch(server.games(), &short, &id).await;
    assert_eq!(reason(&end_of(watch).await), expired());
    let refused = look(&server, &short, &id).await.unwrap_err();
    assert_eq!(reason(&refused), expired());
    let call = v1::IssueTokenRequest {
        holder: Some(ada()),
        expire_time: None,
    };
    let issued = server.access().issue_token(bearing(RED, call)).await;
    let end = issued.unwrap().into_inner().expire_time.unwrap().seconds;
    let days = (u64::try_from(end).unwrap() - now()) / day;
    assert!((89..=90).contains(&days), "{days}");
}

/// Tokens of an erased user are refused.
#[tokio::test]
async fn erasing_a_user_ends_their_tokens() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    let table = game_of_ada(&server, RED).await;
    let token = issue(&server, user_holder("ada"), None).await.unwrap();
    look(&server, &token, &table.game.game_id).await.unwrap();
    let erase = v1::EraseUserRequest {
        user: String::from("ada"),
        ..Default::default()
    };
    let erased = server.games().erase_user(bearing(RED, erase)).await;
    assert_eq!(erased.unwrap().into_inner().erased, 1);
    let refused = look(&server, &token, &table.game.game_id).await;
    assert_eq!(reason(&refused.unwrap_err()), revoked());
}

/// Returns the seconds since the Unix epoch.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap().as_secs()
}

#[tokio::test]
async fn a_watch_ends_with_the_time_of_its_token() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--jwt-leeway=0s"]);
    let lasting = KeyFiles::signed("green");
    let id = game_of_ada(&server, &lasting).await.game.game_id;
    let short = KeyFiles::signed_until("green", now() + 5);
    let watch = watch(server.games(), &short, &id).await;
    let of_ada = v1::WatchGamesRequest {
        user: String::from("ada"),
        ..Default::default()
    };
    let of_games = watch_games(&server, &short, named(&id)).await;
    let of_user = watch_games(&server, &short, of_ada).await;
    assert_eq!(reason(&end_of(watch).await), expired());
    for watch in [of_games, of_user] {
        assert_eq!(reason(&end_of_all(watch).await), expired());
    }
    assert_eq!(
        reason(&look(&server, &short, &id).await.unwrap_err()),
        expired()
    );
    look(&server, &lasting, &id).await.unwrap();
}

#[tokio::test]
async fn self_play_ends_with_the_time_of_its_token() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--jwt-leeway=0s"]);
    let short = KeyFiles::signed_until("green", now() + 5);
    let silent = tokio_stream::pending::<v1::SelfPlayRequest>();
    let stream = server.self_play().self_play(bearing(&short, silent)).await;
    let mut stream = stream.unwrap().into_inner();
    let ended = timeout(SOON, stream.message()).await.expect("in time");
    assert_eq!(reason(&ended.unwrap_err()), expired());
}

#[tokio::test]
async fn tokens_of_seats_may_have_an_end() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--seat-token-lifetime=6s"]);
    let created = create(&server, "one").await;
    let spectator = created.tokens.clone().unwrap().spectator;
    let again = create(&server, "one").await;
    assert_eq!(again.tokens, created.tokens, "the same answer again");
    let table = Table::of(created);
    let id = table.game.game_id.clone();
    for token in [table.token(1), &spectator] {
        look(&server, token, &id).await.unwrap();
    }
    let at = |seconds| prost_types::Timestamp { seconds, nanos: 0 };
    let seat = || seat_holder(&id, 2);
    let refused = issue(&server, seat(), Some(at(0))).await.unwrap_err();
    assert_eq!(reason(&refused).1, "MALFORMED");
    assert_eq!(field_of(&refused), "expire_time");
    let in_an_hour = at(i64::try_from(now()).unwrap() + 3_600);
    let longer = issue(&server, seat(), Some(in_an_hour)).await.unwrap();
    look(&server, table.token(2), &id)
        .await
        .expect("a new token revokes none");
    sleep(Duration::from_millis(6_100)).await;
    for token in [table.token(1), &spectator] {
        assert_eq!(
            reason(&look(&server, token, &id).await.unwrap_err()),
            expired()
        );
    }
    look(&server, &longer, &id).await.unwrap();
}

#[tokio::test]
async fn a_game_that_is_made_again_has_other_tokens() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    let first = create(&server, "again").await;
    let tokens = first.tokens.unwrap();
    let old = [tokens.seats[0].token.clone(), tokens.spectator];
    let id = facts(first.table).game_id;
    let delete = v1::DeleteGameRequest {
        game_id: id.clone(),
        ..Default::default()
    };
    let deleted = server.games().delete_game(bearing(RED, delete)).await;
    deleted.unwrap();
    let second = create(&server, "again").await;
    let second = Table::of(second);
    assert_eq!(second.game.game_id, id);
    for token in &old {
        assert_eq!(reason(&look(&server, token, &id).await.unwrap_err()), bad());
    }
    look(&server, second.token(1), &id).await.unwrap();
}
