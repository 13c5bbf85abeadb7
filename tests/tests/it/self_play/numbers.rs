//! Observations as numbers equal those of games in the process of a learner.

use std::sync::Arc;

use gamekeeper_learn::{
    DirtyCells, Element, Game, Observer, Settings, Space, game_of, rulesets, space_of,
};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_tests::server::Gamekeeperd;
use pb::self_play_move::Choice;
use pb::self_play_request::Step;
use sha2::{Digest, Sha256};

use super::line::Line;
use super::plan;

const GAMES: u64 = 2;
const MASTER: [u8; 32] = [3; 32];
const VERSIONS: u64 = 120;

fn seed(game: u64) -> Seed {
    let hash = Sha256::new().chain_update(MASTER);
    Seed::new(hash.chain_update(game.to_le_bytes()).finalize().into())
}

/// Returns the cells of the seat to move, as bytes.
fn cells<C: Element>(game: &dyn Game, bytes: impl Fn(C) -> Vec<u8>) -> Vec<u8> {
    let mut page = game.space().row_buffer();
    let mut cells = vec![C::default(); game.space().cells().len()];
    game.observe(Observer::Seat(game.seat().unwrap()), 0, &mut page);
    page.flush_into(&mut cells, &mut DirtyCells::default());
    cells.into_iter().flat_map(bytes).collect()
}

/// Returns the tokens that a mask allows.
fn allowed(mask: &[u8]) -> Vec<u16> {
    let bits = mask
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    (0..)
        .zip(bits)
        .filter(|(_, bit)| *bit == 1)
        .map(|(word, _)| word)
        .collect()
}

/// Compares an observation with the game, and plays the same action in both.
fn see(
    game: &mut dyn Game,
    observation: &pb::SelfPlayObservation,
    numbers: pb::SelfPlayNumbers,
    luck: &mut Chance,
) -> pb::SelfPlayMove {
    let tensor = observation.tensor.as_ref().unwrap();
    let index = luck.uniform(u32::try_from(tensor.ends.len()).unwrap());
    if tensor.ends.len() > 1 {
        assert_eq!(observation.seat as usize, game.seat().unwrap() + 1);
        assert_eq!(observation.version, game.version());
        let expected = match numbers {
            pb::SelfPlayNumbers::Bytes => cells(game, |cell: i8| vec![cell.cast_unsigned()]),
            pb::SelfPlayNumbers::Unspecified | pb::SelfPlayNumbers::Floats => {
                cells(game, |cell: f32| cell.to_le_bytes().to_vec())
            }
        };
        assert!(tensor.cells == expected, "{}", game.space().ruleset());
        assert_eq!(allowed(&tensor.mask), game.legal_words());
        let at = index as usize;
        let begin = if at == 0 { 0 } else { tensor.ends[at - 1] };
        let sentence = &tensor.words[begin as usize..tensor.ends[at] as usize];
        while let Some(word) = sentence.get(game.prefix().len()) {
            if game.push((*word).into()).unwrap() {
                break;
            }
        }
    }
    super::choose(
        observation.slot,
        observation.version,
        Some(Choice::Index(index)),
    )
}

async fn both_doors_give_the_same(space: &Arc<Space>, numbers: pb::SelfPlayNumbers) {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let seats = space.seats();
    let plan = pb::SelfPlayPlan {
        ruleset: space.ruleset().to_owned(),
        seats: u32::try_from(seats).unwrap(),
        total_games: GAMES,
        seed: MASTER.to_vec(),
        max_actions: 10_000,
        max_versions: VERSIONS,
        show: Some(pb::SelfPlayShow {
            numbers: numbers.into(),
            names: true,
            ..Default::default()
        }),
        ..plan(1)
    };
    let settings = Arc::new(Settings {
        seats,
        max_versions: VERSIONS,
        ..Settings::default()
    });
    let mut answer = line.ask(Step::Plan(plan)).await.unwrap();
    let names = answer.space.take().unwrap();
    assert_eq!(names.version, space.version());
    assert_eq!(
        (&*names.cells, &*names.words),
        (space.cells(), space.words())
    );
    let (mut game, mut luck) = (
        game_of(space, &settings).unwrap(),
        Chance::from_seed(&seed(0)),
    );
    let (mut number, mut ended) = (0, 0);
    while ended < GAMES {
        for observation in &answer.observations {
            if observation.game != number {
                number = observation.game;
                game.begin(&seed(number), number).unwrap();
            }
        }
        let observations = answer.observations.iter();
        let moves =
            observations.map(|observation| see(&mut *game, observation, numbers, &mut luck));
        let moves = moves.collect();
        answer = line.moves(moves).await.unwrap();
        assert_eq!(answer.space, None, "names are sent once");
        ended += answer.results.len() as u64;
    }
}

#[tokio::test]
async fn both_doors_give_the_same_numbers() {
    for ruleset in rulesets() {
        for seats in [2, 3] {
            let space = space_of(ruleset, seats).unwrap();
            both_doors_give_the_same(&space, pb::SelfPlayNumbers::Floats).await;
        }
    }
}

#[tokio::test]
async fn bytes_are_a_quarter_of_floats() {
    let space = space_of("dominion", 2).unwrap();
    both_doors_give_the_same(&space, pb::SelfPlayNumbers::Bytes).await;
}

#[tokio::test]
async fn names_are_sent_to_who_asks_and_the_version_to_everybody() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let plan = pb::SelfPlayPlan {
        show: Some(pb::SelfPlayShow {
            numbers: pb::SelfPlayNumbers::Bytes.into(),
            ..Default::default()
        }),
        ..plan(1)
    };
    let space = line.ask(Step::Plan(plan)).await.unwrap().space.unwrap();
    let expected = pb::SelfPlaySpace {
        version: space_of("dominion", 2).unwrap().version(),
        hidden_information: true,
        ..Default::default()
    };
    assert_eq!(space, expected);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    for (numbers, names, field) in [
        (3, false, "plan.show.numbers"),
        (0, true, "plan.show.names"),
    ] {
        let mut line = Line::open(server.channel(), None).await.unwrap();
        let plan = pb::SelfPlayPlan {
            show: Some(pb::SelfPlayShow {
                numbers,
                names,
                ..Default::default()
            }),
            ..plan(1)
        };
        let refused = line.ask(Step::Plan(plan)).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::InvalidArgument);
        assert!(refused.message().contains(field), "{refused}");
    }
}
