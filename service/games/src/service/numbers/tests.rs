//! The numbers of a stored table are those of training.

use std::sync::Arc;

use futures_util::StreamExt;
use gamekeeper_learn::{DirtyCells, Game as Training, Observer, Settings, game_of, space_of};
use gamekeeper_proto::gamekeeper::v1::{self as pb, SelfPlayTensor};
use gamekeeper_proto::raw;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_rules::terra_mystica::TerraMystica;
use pb::{TableOptions, TakeBackPolicy};
use prost::Message as _;

use super::*;
use crate::authz::Caller;
use crate::handlers::table_commands::TableRequest;
use crate::service::game_service::ResponseStream;
use crate::test_server::{TestServer, shared, store};

const CALLER: Caller = Caller::UNAUTHENTICATED;

fn show(numbers: pb::SelfPlayNumbers) -> Option<pb::Show> {
    Some(pb::Show {
        numbers: numbers.into(),
        ..Default::default()
    })
}

fn viewer(seat: u32) -> Option<pb::Viewer> {
    Some(pb::Viewer {
        kind: pb::ViewerKind::Seat.into(),
        seat,
    })
}

/// Returns what a seat knows at a version; 0 is the newest.
async fn known<W: Wire>(
    games: &GameService<W>,
    game_id: &str,
    seat: u32,
    at_version: Version,
) -> SelfPlayTensor {
    let call = pb::GetGameRequest {
        game_id: game_id.to_owned(),
        viewer: viewer(seat),
        at_version,
        show: show(pb::SelfPlayNumbers::Floats),
    };
    let response = games.get_game(&CALLER, call).await.unwrap();
    response.table.unwrap().numbers.unwrap()
}

async fn created<W: Wire>(
    games: &GameService<W>,
    seats: usize,
    seed: &Seed,
    table: Option<TableOptions>,
) -> pb::GameInfo {
    let players = (1..=seats).map(|seat| pb::Player {
        name: format!("Player {seat}"),
        ..Default::default()
    });
    let call = raw::CreateGameRequest {
        players: players.collect(),
        seed: seed.as_bytes().to_vec(),
        table,
        ..Default::default()
    };
    let created = games.create_game(&CALLER, call).await.unwrap();
    created.table.unwrap().game.unwrap()
}

/// Lists what a seat can do, with its numbers.
async fn listed<W: Wire>(
    games: &GameService<W>,
    game_id: &str,
    seat: u32,
) -> raw::ListLegalActionsResponse {
    let call = pb::ListLegalActionsRequest {
        game_id: game_id.to_owned(),
        seat,
        show: show(pb::SelfPlayNumbers::Floats),
        ..Default::default()
    };
    games.list_legal_actions(&CALLER, call).await.unwrap()
}

async fn play<W: Wire>(
    games: &GameService<W>,
    game_id: &str,
    seat: u32,
    action: raw::Action,
) -> pb::GameInfo {
    let call = raw::ApplyActionRequest {
        game_id: game_id.to_owned(),
        seat,
        action: Some(action),
        ..Default::default()
    };
    let response = games.apply_action(&CALLER, Box::new(call)).await.unwrap();
    response.table.unwrap().game.unwrap()
}

/// Returns what a seat knows in training, as bytes.
fn trained(game: &dyn Training, seat: usize) -> Vec<u8> {
    let mut buffer = game.space().row_buffer();
    let mut cells = vec![0_f32; game.space().cells().len()];
    game.observe(Observer::Seat(seat), 0, &mut buffer);
    buffer.flush_into(&mut cells, &mut DirtyCells::default());
    cells.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn allowed(mask: &[u8]) -> Vec<u16> {
    let bits = (mask.iter()).flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    let set = (0..).zip(bits).filter(|(_, bit)| *bit == 1);
    set.map(|(word, _)| word).collect()
}

/// The watches of all seats of a game.
struct Watches(Vec<ResponseStream<crate::Message>>);

impl Watches {
    async fn of<W: Wire>(games: &Arc<GameService<W>>, game_id: &str, seats: usize) -> Self {
        let mut watches = Vec::new();
        for seat in (1..).take(seats) {
            let call = pb::WatchGameRequest {
                game_id: game_id.to_owned(),
                viewer: viewer(seat),
                show: show(pb::SelfPlayNumbers::Floats),
                ..Default::default()
            };
            watches.push(games.watch_game(&CALLER, call).await.unwrap());
        }
        Self(watches)
    }

    /// Returns the numbers of each seat in the next messages, which are about this version.
    async fn next(&mut self, version: Version) -> Vec<SelfPlayTensor> {
        let mut all = Vec::new();
        for watch in &mut self.0 {
            let message = watch.next().await.unwrap().unwrap();
            let response = raw::WatchGameResponse::decode(&*message.bytes).unwrap();
            assert_eq!(response.version, version);
            let table = response.table.unwrap();
            assert_eq!(table.game.unwrap().version, version);
            all.push(table.numbers.unwrap());
        }
        all
    }
}

/// Checks the numbers of the seats that owe no decision.
fn others_only_look(game: &pb::GameInfo, watched: &[SelfPlayTensor], training: &dyn Training) {
    let owes = |seat: usize| {
        let mut pending = game.pending.iter();
        pending.any(|pending| pending.seat as usize == seat + 1)
    };
    for (seat, numbers) in watched.iter().enumerate().filter(|(seat, _)| !owes(*seat)) {
        let same = numbers.cells == trained(training, seat);
        assert!(same, "{} {seat}", game.ruleset);
        assert!(numbers.words.is_empty() && allowed(&numbers.mask).is_empty());
    }
}

/// Says the words of the action at this index of the list.
fn say(training: &mut dyn Training, numbers: &SelfPlayTensor, index: usize) {
    let begin = index.checked_sub(1);
    let begin = begin.map_or(0, |before| numbers.ends[before]);
    let words = &numbers.words[begin as usize..numbers.ends[index] as usize];
    while let Some(word) = words.get(training.prefix().len()) {
        if training.push((*word).into()).unwrap() {
            break;
        }
    }
}

/// Plays random actions at a stored table and, word by word, in training, and compares all answers at every decision.
async fn numbers_are_those_of_training<W: Wire>(seats: usize, decisions: usize) {
    let games = Arc::new(GameService::<W>::new(shared(store())));
    let seed = Seed::from_number(7);
    let mut game = created(&games, seats, &seed, None).await;
    let id = game.game_id.clone();
    let space = space_of(W::INFO.id, seats).unwrap();
    let settings = Settings {
        seats,
        ..Settings::default()
    };
    let mut training = game_of(&space, &Arc::new(settings)).unwrap();
    training.begin(&seed, 1).unwrap();
    let (mut luck, mut watches) = (
        Chance::from_seed(&seed),
        Watches::of(&games, &id, seats).await,
    );
    let mut seen = 0;
    while seen < decisions && !game.pending.is_empty() {
        let watched = watches.next(game.version).await;
        let seat = game.pending[0].seat;
        let list = listed(&games, &id, seat).await;
        let numbers = list.numbers.unwrap();
        let at = usize::try_from(seat).unwrap() - 1;
        assert_eq!(known(&games, &id, seat, 0).await, numbers);
        assert_eq!(watched[at], numbers, "{} {}", W::INFO.id, game.version);
        assert_eq!(numbers.space_version, space.version());
        let choices = numbers.ends.len().min(list.actions.len());
        let index = luck.uniform(u32::try_from(choices).unwrap()) as usize;
        if numbers.ends.len() > 1 {
            seen += 1;
            assert_eq!(
                (training.seat(), training.version()),
                (Some(at), game.version)
            );
            assert!(
                numbers.cells == trained(&*training, at),
                "{} {}",
                W::INFO.id,
                game.version
            );
            assert_eq!(allowed(&numbers.mask), training.legal_words());
            others_only_look(&game, &watched, &*training);
            say(&mut *training, &numbers, index);
        }
        let action = list.actions.into_iter().nth(index).unwrap().action.unwrap();
        game = play(&games, &id, seat, action).await;
    }
    assert!(seen > 10, "{}: {seen} decisions", W::INFO.id);
    // Another process, which has to read the log, says the same, also of an earlier version.
    for version in [game.version, game.version / 2] {
        let other = GameService::<W>::new(Arc::clone(&games.context));
        assert_eq!(
            known(&other, &id, 1, version).await,
            known(&games, &id, 1, version).await
        );
    }
}

#[tokio::test]
async fn numbers_of_stored_tables_are_those_of_training() {
    for seats in [2, 4] {
        numbers_are_those_of_training::<Caylus>(seats, 40).await;
        numbers_are_those_of_training::<Dominion>(seats, 60).await;
        numbers_are_those_of_training::<Goofspiel>(seats, 20).await;
        numbers_are_those_of_training::<Kingsburg>(seats, 40).await;
        numbers_are_those_of_training::<Mythotopia>(seats, 30).await;
        numbers_are_those_of_training::<TerraMystica>(seats, 30).await;
    }
}

/// An action that was taken back has not happened, and a fork has the past of its origin.
#[tokio::test]
async fn take_backs_leave_no_trace_and_forks_keep_the_past() {
    let process = TestServer::<Kingsburg>::new(&store());
    let games = &process.games;
    let table = TableOptions {
        take_back: TakeBackPolicy::Unseen.into(),
        ..Default::default()
    };
    let mut game = created(games, 2, &Seed::from_number(3), Some(table)).await;
    let id = game.game_id.clone();
    let mut taken_back = 0;
    for _ in 0..24 {
        let seat = game.pending[0].seat;
        let before = [known(games, &id, 1, 0).await, known(games, &id, 2, 0).await];
        let list = listed(games, &id, seat).await;
        let last = list.actions.into_iter().next_back().unwrap();
        let acted = play(games, &id, seat, last.action.unwrap()).await;
        let back = TableRequest::TakeBack {
            seat,
            to_version: game.version,
        };
        // Where the action drew luck or showed something, it cannot be taken back.
        if let Ok(back) = process.change_table(&game, back).await {
            taken_back += 1;
            for (seat, before) in (1..).zip(&before) {
                let after = known(games, &id, seat, 0).await;
                assert_eq!(after, *before, "{seat} at {}", game.version);
                let earlier = known(games, &id, seat, game.version).await;
                assert_eq!(earlier, *before, "{seat} at {}", game.version);
            }
            let list = listed(games, &id, seat).await;
            let first = list.actions.into_iter().next().unwrap();
            game = play(games, &id, back.pending[0].seat, first.action.unwrap()).await;
        } else {
            game = acted;
        }
    }
    assert!(taken_back > 5);
    for at_version in [game.version, game.version / 2] {
        let call = pb::ForkGameRequest {
            game_id: id.clone(),
            at_version,
            ..Default::default()
        };
        let of = uuid::Uuid::try_parse(&id).unwrap();
        let fork = games.fork_game(&CALLER, of, &call).await.unwrap();
        let fork = fork.game.unwrap().game_id;
        for seat in [1, 2] {
            let expected = known(games, &id, seat, at_version).await;
            assert_eq!(known(games, &fork, seat, 0).await, expected);
        }
    }
}

/// A sampled world of a seat begins with the same numbers as the table itself.
#[tokio::test]
async fn worlds_begin_with_the_numbers_of_the_table() {
    let games = Arc::new(GameService::<Dominion>::new(shared(store())));
    let mut game = created(&games, 2, &Seed::from_number(5), None).await;
    for step in 0..40 {
        let seat = game.pending[0].seat;
        let numbers = known(&games, &game.game_id, seat, 0).await;
        let plan = raw::SelfPlayPlan {
            games: 2,
            max_actions: 10_000,
            show: Some(pb::SelfPlayShow {
                numbers: pb::SelfPlayNumbers::Floats.into(),
                ..Default::default()
            }),
            worlds: Some(pb::SelfPlayWorlds {
                game_id: game.game_id.clone(),
                seat,
                worlds: 0,
            }),
            ..Default::default()
        };
        let share = games.context.self_play_permits.try_acquire(CALLER.account);
        let requests = Box::pin(futures_util::stream::pending());
        let mut worlds = (games.self_play(&CALLER, plan, requests, share.unwrap()))
            .await
            .unwrap();
        let response = worlds.next().await.unwrap().unwrap();
        assert_eq!(response.observations.len(), 2);
        for observation in response.observations {
            let tensor = SelfPlayTensor {
                space_version: numbers.space_version,
                ..observation.tensor.unwrap()
            };
            assert_eq!(tensor, numbers, "{step}");
        }
        let list = listed(&games, &game.game_id, seat).await;
        let at = step % list.actions.len();
        let action = list.actions.into_iter().nth(at).unwrap().action.unwrap();
        game = play(&games, &game.game_id, seat, action).await;
    }
}

#[tokio::test]
async fn numbers_are_for_seats_and_have_a_known_type() {
    let games = GameService::<Dominion>::new(shared(store()));
    let game = created(&games, 2, &Seed::from_number(1), None).await;
    let ask = async |numbers: i32, viewer: Option<pb::Viewer>| {
        let call = pb::GetGameRequest {
            game_id: game.game_id.clone(),
            viewer,
            at_version: 0,
            show: Some(pb::Show {
                numbers,
                ..Default::default()
            }),
        };
        games.get_game(&CALLER, call).await
    };
    let kind = |kind: pb::ViewerKind| pb::Viewer {
        kind: kind.into(),
        seat: 0,
    };
    for (numbers, viewer) in [
        (9, viewer(1)),
        (1, None),
        (1, Some(kind(pb::ViewerKind::Spectator))),
        (1, Some(kind(pb::ViewerKind::Operator))),
    ] {
        let refused = ask(numbers, viewer).await.unwrap_err().to_string();
        assert!(refused.contains("show.numbers"), "{refused}");
    }
    let bytes = ask(2, viewer(1)).await.unwrap().table.unwrap().numbers;
    let floats = known(&games, &game.game_id, 1, 0).await;
    assert_eq!(4 * bytes.unwrap().cells.len(), floats.cells.len());
}
