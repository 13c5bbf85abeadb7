//! Self-plays whose games begin on described tables.

use std::task::Poll;

use futures_util::future::poll_fn;
use gamekeeper_learn::{DirtyCells, Observer, Settings as Training, game_of, space_of};
use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Viewer, decode};
use gamekeeper_rules::terra_mystica::TerraMystica;
use gamekeeper_wire::{Position, wrap_view};

use super::*;
use crate::authz::Caller;
use crate::test_server::{shared, store};

const CALLER: Caller = Caller::UNAUTHENTICATED;

/// The master seed of all plans.
const MASTER: [u8; 32] = [7; 32];

/// Returns the options of the plain game, with the names that a self-play gives.
fn plain<W: Wire>() -> W::Options {
    let names: Vec<String> = (1..=W::INFO.min_seats)
        .map(|seat| format!("Player {seat}"))
        .collect();
    W::options(&names, &W::Draft::default()).unwrap()
}

/// Returns a table after this many random actions or later, at which somebody has a choice.
fn table<W: Wire>(actions: u32) -> W::State {
    let luck = Chance::from_seed(&Seed::from_number(actions.into()));
    let mut game = create::<W>(&plain::<W>(), luck.clone());
    let (mut player, mut played) = (luck, 0);
    loop {
        let seat = W::pending(&game.state).first().unwrap().seat;
        let legal = legal_actions::<W>(&game.state, seat, Detail::Moves);
        if played >= actions && legal.len() > 1 {
            return game.state;
        }
        let choice = player.uniform(u32::try_from(legal.len()).unwrap()) as usize;
        apply_in_place::<W>(&mut game.state, &mut game.chance, seat, &legal[choice]).unwrap();
        played += 1;
    }
}

fn described<W: Wire>(state: &W::State) -> raw::View {
    wrap_view::<W>(&W::view(state, Viewer::Operator))
}

fn plan<W: Wire>(positions: Vec<raw::View>) -> SelfPlayPlan {
    SelfPlayPlan {
        seats: W::INFO.min_seats.into(),
        games: 5,
        seed: MASTER.to_vec(),
        show: Some(gamekeeper_proto::gamekeeper::v1::SelfPlayShow {
            events: true,
            world: true,
            numbers: 1,
            ..Default::default()
        }),
        positions,
        ..SelfPlayPlan::default()
    }
}

/// Returns the first answer of a self-play.
async fn begun<W: Wire>(plan: SelfPlayPlan) -> Result<SelfPlayResponse, ServiceError> {
    let games = Arc::new(GameService::<W>::new(shared(store())));
    let share = games
        .context
        .self_play_permits
        .try_acquire(CALLER.account)?;
    let requests = Box::pin(stream::pending());
    let mut play = games.self_play(&CALLER, plan, requests, share).await?;
    play.next().await.unwrap()
}

fn state_of<W: Wire>(observation: &SelfPlayObservation) -> W::State {
    decode(&observation.world.as_ref().unwrap().state).unwrap()
}

/// Derives the seed of a game of a plan.
fn seed_of(number: u64) -> Seed {
    game::seed_of_game(&Seed::new(MASTER), number)
}

/// Game number n begins on table (n - 1) mod 2, where nothing has happened yet, with the same numbers as in the process of
/// a learner.
async fn games_begin_on_their_tables_in_turn<W: Wire>() {
    let tables = [3, 15].map(table::<W>);
    let views = tables.each_ref().map(described::<W>);
    let answer = begun::<W>(plan::<W>(views.to_vec())).await.unwrap();
    let seats = usize::from(W::INFO.min_seats);
    let space = space_of(W::INFO.id, seats).unwrap();
    let settings = Training {
        seats,
        positions: tables
            .iter()
            .map(|state| W::encoded_view(&W::view(state, Viewer::Operator)).encode_to_vec())
            .collect(),
        ..Training::default()
    };
    let mut training = game_of(&space, &Arc::new(settings)).unwrap();
    assert_eq!(answer.observations.len(), 5);
    for observation in &answer.observations {
        let place = usize::try_from(observation.game - 1).unwrap() % 2;
        assert_eq!(state_of::<W>(observation), tables[place]);
        assert_eq!((observation.version, observation.events.len()), (1, 0));
        training
            .begin(&seed_of(observation.game), observation.game)
            .unwrap();
        let seat = training.seat().unwrap();
        assert_eq!(observation.seat as usize, seat + 1);
        let (mut buffer, mut cells) = (space.row_buffer(), vec![0_f32; space.cells().len()]);
        training.observe(Observer::Seat(seat), seat, &mut buffer);
        buffer.flush_into(&mut cells, &mut DirtyCells::default());
        let happened = |cell: &String| cell.starts_with("happened");
        let names = space.cells().iter().zip(&cells);
        assert!(
            names
                .filter(|(name, _)| happened(name))
                .all(|(_, cell)| *cell == 0.0)
        );
        let written: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        let seen = observation.tensor.as_ref().unwrap();
        // What the learner has said already, as a word without a choice, the stream leaves to it.
        let known = written.len() - space.words().len() * 4;
        assert_eq!(seen.cells[..known], written[..known]);
    }
    assert!(
        space
            .cells()
            .iter()
            .any(|cell| cell.starts_with("happened"))
    );
}

macro_rules! of_rulesets {
    ($($name:ident: $Ruleset:ident),+ $(,)?) => {$(
        #[tokio::test]
        async fn $name() {
            games_begin_on_their_tables_in_turn::<$Ruleset>().await;
        }
    )+};
}

of_rulesets! {
    caylus_begins_on_tables: Caylus,
    dominion_begins_on_tables: Dominion,
    goofspiel_begins_on_tables: Goofspiel,
    kingsburg_begins_on_tables: Kingsburg,
    mythotopia_begins_on_tables: Mythotopia,
    terra_mystica_begins_on_tables: TerraMystica,
}

/// Each game deals what is left out by its own luck, as a stored game with its seed would.
#[tokio::test]
async fn each_game_deals_what_is_left_out() {
    let mut view = Dominion::view(&table::<Dominion>(30), Viewer::Operator);
    for player in &mut view.players {
        player.draw_pile = None;
    }
    let answer = begun::<Dominion>(plan::<Dominion>(vec![wrap_view::<Dominion>(&view)])).await;
    let observations = answer.unwrap().observations;
    let position = Position {
        view: Dominion::encoded_view(&view),
        salt: [0; 16],
        is_dealt: true,
    };
    for observation in &observations {
        let luck = Chance::from_seed(&seed_of(observation.game));
        let stored = position.first_version::<Dominion>(&plain::<Dominion>(), luck);
        assert_eq!(state_of::<Dominion>(observation), stored.unwrap().state);
    }
    let first = state_of::<Dominion>(&observations[0]);
    let others = observations.iter().map(state_of::<Dominion>);
    assert!(others.into_iter().any(|other| other != first));
}

/// A table that does not fit ends the stream, with its place in the plan.
#[tokio::test]
async fn tables_that_do_not_fit_are_refused() {
    let good = described::<Dominion>(&table::<Dominion>(5));
    let mut over = Dominion::view(&table::<Dominion>(5), Viewer::Operator);
    over.trash
        .add(gamekeeper_rules::dominion::data::Card::Witch);
    let broken = wrap_view::<Dominion>(&over);
    let foreign = described::<Kingsburg>(&table::<Kingsburg>(5));
    let large = raw::view::Ruleset::Dominion(EncodedMessage::from(vec![0; 70_000]));
    let large = raw::View {
        ruleset: Some(large),
    };
    let of = |positions: Vec<raw::View>| plan::<Dominion>(positions);
    let refused = [
        (of(vec![good.clone(), foreign]), "plan.positions[1]"),
        (
            of(vec![good.clone(), raw::View::default()]),
            "plan.positions[1]",
        ),
        (of(vec![large]), "plan.positions[0]"),
        (of(vec![good.clone(); 1_025]), "plan.positions"),
        (
            of(vec![good.clone(), broken]),
            "plan.positions[1].dominion.",
        ),
        (
            SelfPlayPlan {
                seats: 3,
                ..of(vec![good.clone()])
            },
            "plan.positions[0].dominion.",
        ),
    ];
    for (plan, path) in refused {
        assert_refused(plan, path).await;
    }
}

/// Tables are one of the starts of a plan: they come with no other one, and it not without them.
#[tokio::test]
async fn tables_are_a_start_of_their_own() {
    let good = described::<Dominion>(&table::<Dominion>(5));
    let starting = |start, positions| SelfPlayPlan {
        start,
        ..plan::<Dominion>(positions)
    };
    assert_refused(starting(3, vec![good.clone()]), "plan.start").await;
    assert_refused(starting(1, vec![good.clone()]), "plan.start").await;
    assert_refused(starting(4, Vec::new()), "plan.positions").await;
    assert!(begun::<Dominion>(starting(4, vec![good])).await.is_ok());
}

/// Asserts that a plan is refused because of the field at a path, or in the table whose path ends with a dot.
async fn assert_refused(plan: SelfPlayPlan, path: &str) {
    let error = begun::<Dominion>(plan).await.unwrap_err();
    let found = if let ServiceError::Malformed(malformed) = error {
        malformed.field
    } else if let ServiceError::PositionRefused(refusal) = error {
        refusal.path
    } else {
        panic!("{error}");
    };
    let fits = found == path || (path.ends_with('.') && found.starts_with(path));
    assert!(fits, "{found} instead of {path}");
}

/// As many tables as a plan may have are judged in turns with other calls, so that their caller pays for them.
#[tokio::test]
async fn tables_are_judged_in_turns() {
    let views = vec![described::<Dominion>(&table::<Dominion>(30)); gamekeeper_wire::MAX_POSITIONS];
    let options = plain::<Dominion>();
    let mut judging = Box::pin(DescribedTables::<Dominion>::judge(&views, &options));
    let mut turns = 0;
    let judged = poll_fn(|context| {
        turns += 1;
        match judging.as_mut().poll(context) {
            Poll::Ready(judged) => Poll::Ready(judged.is_ok()),
            Poll::Pending => Poll::Pending,
        }
    });
    assert!(judged.await);
    assert!(turns > 5, "{turns} turns");
}
