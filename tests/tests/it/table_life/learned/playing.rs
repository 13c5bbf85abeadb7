//! Learned policies play, as everywhere; and nothing else plays in their place.

use std::fs::{read, read_to_string, write};
use std::path::Path;
use std::time::Duration;

use gamekeeper_learn::space_of;
use gamekeeper_policies::samples::Sample;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::cli::{Cli, json};
use gamekeeper_tests::dominion::{Client, assert_reason, facts};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use tempfile::{TempDir, tempdir};
use tokio::time::sleep;
use tonic::Code;
use tonic_types::StatusExt;

use super::super::bots::{over, until, with_bots};
use super::super::{act, info};
use super::check;

const SAMPLE: Sample = Sample {
    number: 7,
    temperature: 8.0,
};

/// Returns a folder with a policy for each of these rulesets, which is called like it.
fn folder(rulesets: &[&str]) -> TempDir {
    let folder = tempdir().unwrap();
    for ruleset in rulesets {
        let space = space_of(ruleset, 2).unwrap();
        SAMPLE.write(folder.path(), ruleset, &space).unwrap();
    }
    folder
}

fn flag(folder: &TempDir) -> String {
    format!("--policies={}", folder.path().display())
}

async fn log(games: &mut Client, id: &str) -> Vec<v1::LogEntry> {
    let ask = v1::ListEventsRequest {
        game_id: id.trim().to_owned(),
        viewer: Some(v1::Viewer {
            kind: v1::ViewerKind::Operator.into(),
            seat: 0,
        }),
        page_size: 1_000,
        ..Default::default()
    };
    let mut entries = games.list_events(ask).await.unwrap().into_inner().entries;
    for entry in &mut entries {
        entry.play_time = None;
    }
    entries
}

/// A seed gives one game at every door: at a table of the server, by the command `bot` with the numbers of the table, and
/// with the rules in the program.
#[tokio::test(flavor = "multi_thread")]
async fn whole_games_are_the_same_at_every_door() {
    let rulesets = ["dominion", "kingsburg"];
    let folder = folder(&rulesets);
    let server = Store::memory().server(&[&flag(&folder)]);
    let cli = Cli::at(server.address());
    let mut games = server.games();
    for ruleset in rulesets {
        let policy = format!("policy:{ruleset}");
        let bots = format!("--bot 1={policy} --bot 2={policy}");
        let tabled = cli.out(&format!("create {ruleset} Ada Bob --quiet {bots} --seed 5"));
        let game = v1::GameInfo {
            game_id: tabled.trim().to_owned(),
            ..Default::default()
        };
        let end = until(&mut games, &game, over).await;
        assert_eq!(end.end_reason(), v1::EndReason::Rules);

        let file = format!("policy:{}", folder.path().join(ruleset).display());
        let botted = cli.out(&format!("create {ruleset} Ada Bob --quiet --seed 5"));
        let play = format!(
            "bot {} --seat 1,2 --policy {file} --choices 5",
            botted.trim()
        );
        let _played = cli.out(&play);
        let [at_table, by_command] = [
            log(&mut games, &tabled).await,
            log(&mut games, &botted).await,
        ];
        assert_eq!(by_command, at_table, "{ruleset}");

        let tally = |through: &str| {
            let selfplay = format!("selfplay {ruleset} --policy {file},random --games 2 {through}");
            let mut tally = json(&cli.out(&format!("{selfplay} -o json")));
            assert!(tally["seconds"].take().is_number());
            tally
        };
        let rules = tally("");
        assert_eq!(rules["unfinished"], 0);
        assert_eq!(tally("--through stream"), rules, "{ruleset}");
        assert_eq!(tally("--through calls"), rules, "{ruleset}");
        let played = cli.out(&format!(
            "tournament {ruleset} --seats {file},greedy --games 2 -o table"
        ));
        assert!(played.contains(&policy), "{played}");
    }
}

#[tokio::test]
async fn policies_are_listed_with_their_seats_and_hashes() {
    let folder = folder(&["kingsburg"]);
    let server = Store::memory().server(&[&flag(&folder)]);
    let ask = v1::ListRulesetsRequest::default();
    let listed = server
        .rulesets()
        .list_rulesets(ask)
        .await
        .unwrap()
        .into_inner();
    let mut learned = listed.rulesets.iter().flat_map(|ruleset| {
        let policies = ruleset.policies.iter();
        let learned = policies.filter(|policy| !policy.hash.is_empty());
        learned.map(move |policy| (&*ruleset.id, policy))
    });
    let (ruleset, policy) = learned.next().unwrap();
    assert_eq!(
        (ruleset, &*policy.id, policy.seats),
        ("kingsburg", "policy:kingsburg", 2)
    );
    assert_eq!(learned.next(), None);

    // The hash can be required, and a game keeps it.
    let mut create = with_bots("kingsburg", &["Ada", "Bob"], &[(2, "policy:kingsburg")]);
    create.players[1]
        .bot
        .as_mut()
        .unwrap()
        .policy_hash
        .clone_from(&policy.hash);
    let created = server
        .games()
        .create_game(create.clone())
        .await
        .unwrap()
        .into_inner();
    let bot = facts(created.table).players[1].bot.clone().unwrap();
    assert_eq!(
        (bot.policy, &bot.policy_hash),
        (policy.id.clone(), &policy.hash)
    );
    create.players[1].bot.as_mut().unwrap().policy_hash = "0".repeat(64);
    let refused = server.games().create_game(create).await.unwrap_err();
    assert_field(&refused, "players[1].bot.policy_hash");
}

fn assert_field(refused: &tonic::Status, expected: &str) {
    assert_reason(refused, Code::InvalidArgument, "MALFORMED");
    let details = refused.get_error_details();
    assert_eq!(details.error_info().unwrap().metadata["field"], expected);
}

#[tokio::test]
async fn policies_that_do_not_fit_are_refused() {
    let folder = folder(&["kingsburg", "dominion"]);
    let manifest = folder.path().join("dominion.json");
    let text = read_to_string(&manifest)
        .unwrap()
        .replace(r#""layout":""#, r#""layout":"0"#);
    write(&manifest, text).unwrap();
    let (starts, said) = check(&folder.path().display().to_string());
    assert!(
        starts && said.contains("policy:dominion cannot be played: "),
        "{said}"
    );

    let server = Store::memory().server(&[&flag(&folder)]);
    let mut games = server.games();
    for (ruleset, names, policy, why) in [
        ("dominion", &["Ada", "Bob"][..], "policy:dominion", "layout"),
        (
            "kingsburg",
            &["Ada", "Bob", "Cyd"],
            "policy:kingsburg",
            "2 seats",
        ),
        (
            "caylus",
            &["Ada", "Bob"],
            "policy:kingsburg",
            "plays kingsburg",
        ),
        (
            "kingsburg",
            &["Ada", "Bob"],
            "policy:other",
            "policy:kingsburg",
        ),
    ] {
        let refused = games
            .create_game(with_bots(ruleset, names, &[(2, policy)]))
            .await
            .unwrap_err();
        assert_field(&refused, "players[1].bot.policy");
        assert!(refused.message().contains(why), "{refused}");
    }
}

/// Returns how many looks at decisions of bots a server has left to others, for this reason.
async fn left(server: &Gamekeeperd, reason: &str) -> u64 {
    let (_, text) = ask(server.admin(), "GET", "/metrics", "").await;
    let labels = format!(r#"reason="{reason}""#);
    let of_reason =
        |line: &&str| line.starts_with("gamekeeper_bots_left") && line.contains(&labels);
    let lines = text.lines().filter(of_reason);
    let counts = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    counts.sum()
}

/// Waits until a server has left a decision to others.
async fn until_left(server: &Gamekeeperd, reason: &str) {
    for _ in 0..200 {
        if left(server, reason).await > 0 {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("no decision was left because of {reason}");
}

/// Plays for the first seat until the second one must decide.
async fn until_second(games: &mut Client, game: &v1::GameInfo) -> v1::GameInfo {
    let mut now = info(games, "", game).await;
    while now.pending[0].seat == 1 {
        now = act(games, &now, 1).await;
    }
    now
}

#[tokio::test]
async fn a_server_that_lacks_the_file_leaves_the_move_to_others() {
    let store = Store::redis();
    let folder = folder(&["kingsburg"]);
    let admin = "--admin-listen=127.0.0.1:0";
    let create = with_bots("kingsburg", &["Ada", "Bob"], &[(2, "policy:kingsburg")]);
    let has_it = store.server(&[&flag(&folder)]);
    let created = has_it
        .games()
        .create_game(create)
        .await
        .unwrap()
        .into_inner();
    let game = facts(created.table);
    drop(has_it);

    let lacks_it = store.server(&[admin]);
    let mut games = lacks_it.games();
    let waiting = until_second(&mut games, &game).await;
    until_left(&lacks_it, "missing").await;
    assert_eq!(info(&mut games, "", &game).await.version, waiting.version);

    // Another file of the same name plays as little.
    let path = folder.path().join("kingsburg.onnx");
    let network = read(&path).unwrap();
    let space = space_of("kingsburg", 2).unwrap();
    Sample {
        number: 8,
        ..SAMPLE
    }
    .write(folder.path(), "kingsburg", &space)
    .unwrap();
    let has_another = store.server(&[admin, &flag(&folder)]);
    until_left(&has_another, "changed").await;
    assert_eq!(info(&mut games, "", &game).await.version, waiting.version);
    restore(&path, &network);

    let has_it = store.server(&[&flag(&folder)]);
    let moved = until(&mut games, &game, |now| now.version > waiting.version).await;
    assert_eq!(moved.players[1].bot, waiting.players[1].bot);
    drop(has_it);

    // The owner need not wait for the file.
    let waiting = until_second(&mut games, &game).await;
    let fill = v1::FillSeatRequest {
        game_id: game.game_id.clone(),
        seat: 2,
        bot: Some(v1::Bot {
            policy: String::from("random"),
            ..Default::default()
        }),
        ..Default::default()
    };
    games.fill_seat(fill).await.unwrap();
    // Filling the seat is a version too.
    until(&mut games, &game, |now| now.version > waiting.version + 1).await;
}

/// Writes the network again that a game is bound to.
fn restore(path: &Path, network: &[u8]) {
    write(path, network).unwrap();
}
