//! One bot at every door: the same seed, version and policy give the same actions at a table of the server, for the
//! command `bot`, and in games with the rules inside the program, such as tournaments.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::bots::Level;
use gamekeeper_tests::cli::{Cli, json, server};
use gamekeeper_tests::dominion::Client;
use gamekeeper_tests::server::Gamekeeperd;
use sha2::{Digest, Sha256};

/// The version up to which games are compared.
const UNTIL: u64 = 24;

/// The seat and the events of each version.
type Log = Vec<(u32, Vec<pb::Event>)>;

async fn log(games: &mut Client, id: &str) -> Log {
    let ask = pb::ListEventsRequest {
        game_id: id.trim().to_owned(),
        viewer: Some(pb::Viewer {
            kind: pb::ViewerKind::Operator.into(),
            seat: 0,
        }),
        page_size: 1_000,
        ..Default::default()
    };
    let mut entries = games.list_events(ask).await.unwrap().into_inner().entries;
    entries.truncate(usize::try_from(UNTIL).unwrap());
    entries
        .into_iter()
        .map(|entry| (entry.seat, entry.events))
        .collect()
}

/// Creates a game of two bots of the server, and waits until they have played it far enough.
fn table_of_bots(cli: &Cli, ruleset: &str, policy: &str, seed: &str) -> String {
    let id = cli.out(&format!(
        "create {ruleset} Ada Bob --quiet --bot 1={policy} --bot 2={policy} {seed}"
    ));
    let patience = Instant::now() + Duration::from_secs(120);
    while json(&cli.out(&format!("info {}", id.trim())))["version"]
        .as_str()
        .and_then(|version| version.parse::<u64>().ok())
        .is_none_or(|version| version < UNTIL)
    {
        assert!(Instant::now() < patience, "{ruleset} {policy}");
        sleep(Duration::from_millis(50));
    }
    id
}

/// Compares the games of a ruleset through all doors.
async fn is_same_at_every_door(cli: &Cli, games: &mut Client, ruleset: &str, policy: &str) {
    let tabled = table_of_bots(cli, ruleset, policy, "--seed 5");
    let botted = cli.out(&format!("create {ruleset} Ada Bob --quiet --seed 5"));
    let _played = cli.out(&format!(
        "bot {} --seat 1,2 --policy {policy} --choices 5 --until-version {UNTIL}",
        botted.trim()
    ));
    let [at_table, by_command] = [log(games, &tabled).await, log(games, &botted).await];
    assert_eq!(by_command, at_table, "{ruleset} {policy}");

    // The first game of a self-play with seed 5 has the seed that follows from it.
    let mut master = [0; 32];
    master[0] = 5;
    let seed = Sha256::new()
        .chain_update(master)
        .chain_update(1_u64.to_le_bytes());
    let file = cli.file("seed");
    std::fs::write(&file, const_hex::encode(seed.finalize())).unwrap();
    let tabled = table_of_bots(cli, ruleset, policy, &format!("--seed-file {file}"));
    let before = ids(games).await;
    let _played = cli.out(&format!(
        "selfplay {ruleset} --games 1 --policy {policy} --seed 5 --through calls --until-version {UNTIL}"
    ));
    let after = ids(games).await;
    let played: Vec<&String> = after.difference(&before).collect();
    assert_eq!(played.len(), 1, "{played:?}");
    let [at_table, by_rules] = [log(games, &tabled).await, log(games, played[0]).await];
    assert_eq!(by_rules, at_table, "{ruleset} {policy}");
}

async fn ids(games: &mut Client) -> BTreeSet<String> {
    let ask = pb::ListGamesRequest {
        page_size: 1_000,
        ..Default::default()
    };
    let listed = games.list_games(ask).await.unwrap().into_inner().games;
    listed.into_iter().map(|game| game.game_id).collect()
}

async fn rulesets(server: &Gamekeeperd) -> Vec<pb::Ruleset> {
    let ask = pb::ListRulesetsRequest::default();
    let listed = server.rulesets().list_rulesets(ask).await.unwrap();
    listed.into_inner().rulesets
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_the_same_at_every_door() {
    let (server, cli) = server();
    let mut games = server.games();
    for ruleset in rulesets(&server).await {
        for policy in ["greedy", "easy", "medium"] {
            is_same_at_every_door(&cli, &mut games, &ruleset.id, policy).await;
        }
        // Their bots would play on.
        for game_id in ids(&mut games).await {
            let delete = pb::DeleteGameRequest {
                game_id,
                ..Default::default()
            };
            games.delete_game(delete).await.unwrap();
        }
    }
}

/// Returns whether the server would create a game with such a bot.
async fn is_accepted(games: &mut Client, ruleset: &pb::Ruleset, policy: &str) -> bool {
    let player = |seat: u32| pb::Player {
        name: format!("Player {seat}"),
        bot: (seat == 1).then(|| pb::Bot {
            policy: policy.to_owned(),
            ..Default::default()
        }),
        ..Default::default()
    };
    let create = pb::CreateGameRequest {
        ruleset: ruleset.id.clone(),
        players: (1..=ruleset.min_seats).map(player).collect(),
        validate_only: true,
        ..Default::default()
    };
    games.create_game(create).await.is_ok()
}

#[tokio::test]
async fn the_policies_that_are_listed_are_those_that_are_accepted() {
    let (server, _) = server();
    let mut games = server.games();
    let rulesets = rulesets(&server).await;
    let named: BTreeSet<&str> = rulesets
        .iter()
        .flat_map(|ruleset| &ruleset.policies)
        .map(|policy| policy.id.as_str())
        .chain(["", "Easy", "expert", "level"])
        .collect();
    for ruleset in &rulesets {
        let levels = ruleset.policies.iter().filter(|policy| policy.level);
        let levels: Vec<&str> = levels.map(|policy| policy.id.as_str()).collect();
        assert_eq!(levels, Level::ALL.map(Level::id), "{}", ruleset.id);
        for policy in &named {
            let is_listed = ruleset.policies.iter().any(|listed| listed.id == *policy);
            let is_accepted = is_accepted(&mut games, ruleset, policy).await;
            assert_eq!(is_accepted, is_listed, "{} {policy}", ruleset.id);
        }
    }
}
