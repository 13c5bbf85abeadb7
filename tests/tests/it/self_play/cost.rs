//! What an action costs in a batch.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::players;
use gamekeeper_tests::server::Gamekeeperd;

use super::pb::self_play_move::Choice;
use super::pb::self_play_request::Step;
use super::{Line, choose, pb, plan};

/// How many games are measured, side by side.
const MEASURED_GAMES: u32 = 64;

/// How many actions of each.
const MEASURED_ACTIONS: u64 = 60;

/// The server's own time is compared, so that other work of the machine does not count.
#[tokio::test]
async fn a_batch_costs_the_server_a_fraction_of_single_calls() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let actions = f64::from(MEASURED_GAMES) * MEASURED_ACTIONS as f64;
    let begun = cpu_ticks(&server);
    let played = by_stream(&server).await;
    let streamed = cpu_ticks(&server);
    let ids = create_same(&server).await;
    let created = cpu_ticks(&server);
    by_calls(&server, &ids, &played).await;
    let called = cpu_ticks(&server);
    let per_action = |ticks: u64| ticks as f64 * 10_000.0 / actions;
    let (stream, calls) = (per_action(streamed - begun), per_action(called - created));
    println!("server CPU per action: {stream:.1} us by stream, {calls:.1} us by single calls");
    assert!(calls > 3.0 * stream, "{calls} us, {stream} us");
}

/// Plays by index, the first legal action last: gives what was played, game by game.
async fn by_stream(server: &Gamekeeperd) -> Vec<Vec<(u32, pb::Action)>> {
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let plan = pb::SelfPlayPlan {
        total_games: MEASURED_GAMES.into(),
        most_versions: MEASURED_ACTIONS + 1,
        seed: vec![9; 32],
        show: Some(v1::SelfPlayShow {
            actions: true,
            ..Default::default()
        }),
        ..plan(MEASURED_GAMES)
    };
    let mut played = vec![Vec::new(); MEASURED_GAMES as usize];
    let mut answer = line.ask(Step::Plan(plan)).await.unwrap();
    while !answer.observations.is_empty() {
        let mut moves = Vec::new();
        for seen in &answer.observations {
            let index = seen.actions.len() / 2;
            played[seen.slot as usize].push((seen.seat, seen.actions[index].clone()));
            let index = Some(Choice::Index(u32::try_from(index).unwrap()));
            moves.push(choose(seen.slot, seen.version, index));
        }
        answer = line.moves(moves).await.unwrap();
    }
    played
}

/// The same games, kept by the service.
async fn create_same(server: &Gamekeeperd) -> Vec<String> {
    let mut ids = Vec::new();
    for game in 1..=u64::from(MEASURED_GAMES) {
        let create = pb::CreateGameRequest {
            players: players(&["Player 1", "Player 2"]),
            seed: seed_of(&[9; 32], game),
            ..Default::default()
        };
        let created = server.dominion().create_game(create).await.unwrap();
        ids.push(created.into_inner().game.unwrap().game_id);
    }
    ids
}

/// One call per action.
async fn by_calls(server: &Gamekeeperd, ids: &[String], played: &[Vec<(u32, pb::Action)>]) {
    let mut client = server.dominion();
    for (id, actions) in ids.iter().zip(played) {
        for (seat, action) in actions {
            let call = pb::ApplyActionRequest {
                game_id: id.clone(),
                seat: *seat,
                action: Some(action.clone()),
                view_mode: v1::ViewMode::None.into(),
                ..Default::default()
            };
            client.apply_action(call).await.unwrap();
        }
    }
}

fn seed_of(seed: &[u8], game: u64) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let hash = Sha256::new()
        .chain_update(seed)
        .chain_update(game.to_le_bytes());
    hash.finalize().to_vec()
}

/// The CPU time of a server so far, in hundredths of a second.
fn cpu_ticks(server: &Gamekeeperd) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
    let after_name = stat.rsplit_once(") ").unwrap().1;
    let fields: Vec<&str> = after_name.split(' ').collect();
    let ticks = |place: usize| fields[place].parse::<u64>().unwrap();
    ticks(11) + ticks(12)
}
