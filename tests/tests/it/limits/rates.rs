//! **Rate limits** on calls per second.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Table, ada_and_bob};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, OPERATOR, RED, bearing};
use tokio::time::sleep;
use tonic::Code;

use super::{exceeded, with_tokens};

#[tokio::test]
async fn a_token_has_its_burst_and_learns_when_to_retry() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-rate=1", "--max-burst=12"]);
    let info = |token| {
        let ask = v1::GetGameRequest {
            game_id: String::from("none"),
            ..Default::default()
        };
        let (mut games, ask) = (server.games(), bearing(token, ask));
        async move { games.get_game(ask).await.unwrap_err() }
    };
    let begun = Instant::now();
    let mut answered = 0_u64;
    let refused = loop {
        let status = info(RED).await;
        if status.code() == Code::ResourceExhausted {
            break status;
        }
        assert_eq!(status.code(), Code::NotFound);
        answered += 1;
    };
    // One per second is refilled while the burst is used up. On a slow machine, a call costs more than a small one.
    let made_good = begun.elapsed().as_secs() + 1;
    assert!((3..=12 + made_good).contains(&answered), "{answered}");
    let (limit, wait) = exceeded(&refused);
    assert_eq!(limit, "max_rate");
    assert!(
        !wait.is_zero() && wait <= Duration::from_secs(10),
        "{wait:?}"
    );
    for token in [BLUE, OPERATOR] {
        assert_eq!(
            info(token).await.code(),
            Code::NotFound,
            "others have their own"
        );
    }
    sleep(wait).await;
    assert_eq!(info(RED).await.code(), Code::NotFound, "as was said");
}

/// The standard headers tell what is left before calls are refused, and then too. The first call of a server may cost
/// much more than others.
#[tokio::test]
async fn a_budget_is_told_when_it_runs_low() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-rate=1", "--max-burst=400"]);
    let ask = || {
        let ask = v1::GetGameRequest {
            game_id: String::from("none"),
            ..Default::default()
        };
        let (mut games, ask) = (server.games(), bearing(RED, ask));
        async move { games.get_game(ask).await.unwrap_err() }
    };
    let mut told = Vec::new();
    loop {
        let status = ask().await;
        let header = |name: &str| {
            let value = status.metadata().get(name)?;
            Some(value.to_str().unwrap().to_owned())
        };
        let policy = header("ratelimit-policy");
        let low = header("ratelimit");
        assert_eq!(policy.is_some(), low.is_some());
        if let Some((low, policy)) = low.zip(policy) {
            assert_eq!(policy, "\"cost\";q=400;w=400");
            let (rest, reset) = low
                .strip_prefix("\"cost\";r=")
                .and_then(|low| low.split_once(";t="))
                .unwrap();
            let reset: u64 = reset.parse().unwrap();
            assert!(reset > 200, "{low}");
            told.push(rest.parse::<u64>().unwrap());
        }
        if status.code() == Code::ResourceExhausted {
            break;
        }
    }
    assert!(told.len() > 1, "before the refusal, too: {told:?}");
    assert!(told[0] < 200 && told.is_sorted_by(|one, next| one >= next));
    assert_eq!(told.last(), Some(&0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_from_one_token_does_not_starve_another() {
    let flags = ["--store=memory", "--max-rate=200", "--max-burst=400"];
    let (server, _keys) = with_tokens(&flags);
    let created = server
        .games()
        .create_game(bearing(BLUE, ada_and_bob()))
        .await;
    let mut table = Table::of(created.unwrap().into_inner());
    let flood: Vec<_> = (0..32)
        .map(|_| {
            let mut games = server.games();
            tokio::spawn(async move {
                let mut refused = 0_u64;
                loop {
                    let ask = bearing(RED, v1::ListGamesRequest::default());
                    if let Err(status) = games.list_games(ask).await {
                        assert_eq!(exceeded(&status).0, "max_rate");
                        refused += 1;
                        if refused >= 50 {
                            return refused;
                        }
                    }
                }
            })
        })
        .collect();
    // During the flood, every call of another token, and of the seats of its game, is answered.
    while !flood.iter().all(tokio::task::JoinHandle::is_finished) {
        let list = bearing(BLUE, v1::ListGamesRequest::default());
        let listed = server.games().list_games(list).await.unwrap();
        assert_eq!(listed.into_inner().games.len(), 1);
        table.play(&mut server.games(), 2).await.unwrap();
        // The other callers stay within their own rate limits.
        sleep(Duration::from_millis(200)).await;
    }
    let refused: u64 = join_all(flood).await.into_iter().map(Result::unwrap).sum();
    assert!(refused >= 32 * 50);
    assert!(table.game.version > 2, "others played on");
}

/// Calls for rule documents and calls with forged tokens use up the rate limit of the IP address, which is a tenth of a
/// tenant's. Tokens that were seen before are not affected.
#[tokio::test]
async fn an_address_pays_for_what_it_asks_without_a_valid_token() {
    for forges in [false, true] {
        let flags = ["--store=memory", "--max-rate=100", "--max-burst=500"];
        let (server, _keys) = with_tokens(&flags);
        let listed = async |key: &str| {
            let list = bearing(key, v1::ListGamesRequest::default());
            server.games().list_games(list).await
        };
        listed(RED).await.unwrap();
        let mut answered = 0;
        let refused = loop {
            let status = if forges {
                let forged = format!("a forged token {answered}");
                Some(listed(&forged).await.unwrap_err())
            } else {
                let rules = v1::ListRulesRequest {
                    ruleset: String::from("terra_mystica"),
                    page_size: 1_000,
                    ..Default::default()
                };
                server.rulesets().list_rules(rules).await.err()
            };
            match status {
                Some(status) if status.code() == Code::ResourceExhausted => break status,
                Some(status) => assert_eq!(status.code(), Code::Unauthenticated),
                None => assert!(!forges),
            }
            answered += 1;
            assert!(answered < 400, "it is not free");
        };
        assert_eq!(exceeded(&refused).0, "max_rate");
        listed(RED).await.unwrap();
    }
}

/// The number of versions of a game that takes long to replay.
const LONG: u32 = 300;

#[tokio::test(flavor = "multi_thread")]
async fn looks_at_old_versions_pay_for_what_they_cost() {
    let flags = ["--store=memory", "--max-rate=100", "--max-burst=8000"];
    let (server, _keys) = with_tokens(&flags);
    let create = bearing(RED, ada_and_bob());
    let created = server.games().create_game(create).await;
    let mut table = Table::of(created.unwrap().into_inner());
    table.pass(&mut server.games(), LONG).await.unwrap();
    let game_id = table.game.game_id;
    let look = |at_version| {
        let ask = v1::GetGameRequest {
            game_id: game_id.clone(),
            at_version,
            ..Default::default()
        };
        let (mut games, ask) = (server.games(), bearing(RED, ask));
        async move { games.get_game(ask).await }
    };
    let mut looks = 0;
    let refused = loop {
        match look(u64::from(LONG)).await {
            Ok(_) => looks += 1,
            Err(status) => break status,
        }
        assert!(looks < 8_000, "they cost more than calls that are counted");
    };
    assert_eq!(exceeded(&refused).0, "max_rate");
    assert!(looks < 4_000, "{looks}");
}

/// Without tokens there are no accounts, so nobody has a rate: neither callers nor calls that need no token.
#[tokio::test]
async fn a_server_that_trusts_everybody_has_no_rate_limits() {
    let flags = [
        "--store=memory",
        "--auth=open",
        "--max-rate=1",
        "--max-burst=1",
    ];
    let server = Gamekeeperd::start(&flags);
    let (mut games, mut rulesets) = (server.games(), server.rulesets());
    for _ in 0..50 {
        games.create_game(ada_and_bob()).await.unwrap();
        let list = v1::ListRulesetsRequest::default();
        rulesets.list_rulesets(list).await.unwrap();
    }
}
