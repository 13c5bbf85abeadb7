//! The figures of the engines alone, on one core.

mod dominion;
mod lists;
#[path = "../../../../service/rules/tests/terra_mystica_replay/actions.rs"]
mod terra_actions;
#[path = "../../../../service/rules/tests/terra_mystica_replay/game.rs"]
#[allow(
    dead_code,
    reason = "only what is played is used here, not what it is compared with"
)]
mod terra_game;
mod terra_mystica;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gamekeeper_rules::ruleset::{Ruleset, apply, create, picture};
use gamekeeper_rules::table::picture::{ColorScheme, Look, Size, Theme};
use gamekeeper_rules::table::{Names, Seat, Viewer, decode, encode};
use gamekeeper_wire::Wire;
use prost::Message;
use serde::Serialize;

use crate::clock::{Spread, float, per_second};
use crate::play::Recording;
use crate::report::{row, table, write};
use crate::sizes::Sizes;

/// How much is measured.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plan {
    /// How often each figure is measured
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How long each time, in milliseconds
    #[arg(long, default_value_t = 300)]
    millis: u64,
    /// Games of each ruleset
    #[arg(long, default_value_t = 16)]
    games: u64,
    /// Actions of each game at most
    #[arg(long, default_value_t = 2_000)]
    max_moves: usize,
}

impl Plan {
    fn measure(&self, work: impl FnMut() -> usize) -> Spread {
        per_second(self.rounds, Duration::from_millis(self.millis), work)
    }
}

/// The figures of one ruleset.
#[derive(Debug, Serialize)]
struct Figures {
    actions_per_game: f64,
    in_place_per_second: Spread,
    on_copies_per_second: Spread,
    games_per_second: Spread,
    lists: lists::Lists,
    view_us: Spread,
    drawing_us: Spread,
    encode_us: Spread,
    decode_us: Spread,
    sizes: Sizes,
}

/// Draws the table as a seat sees it, wide and without rings: rings need the legal list, which is measured separately.
fn drawn<W: Wire>(state: &W::State, seat: Seat) -> String {
    let viewer = Viewer::Seat(seat);
    let look = Look {
        viewer,
        names: Names::NONE,
        size: Size::Wide,
        color_scheme: ColorScheme::Either,
        theme: Theme::PLAIN,
        pending: &W::pending(state),
        decisions: W::DECISIONS,
        ranking: None,
        interactive: &BTreeSet::new(),
        last: "",
    };
    picture::<W>(&W::view(state, viewer), &look)
}

/// The figures of all engines.
#[derive(Debug, Serialize)]
struct Engines {
    rulesets: BTreeMap<&'static str, Figures>,
    dominion_bm0_games_per_second: Spread,
    terra_mystica_real_games_per_second: Spread,
}

/// Measures the engines.
pub fn run(plan: Plan) {
    let mut rulesets = BTreeMap::new();
    gamekeeper_rules::of_each_ruleset!(R => { rulesets.insert(R::INFO.id, figures::<R>(plan)); });
    print(&rulesets);
    let engines = Engines {
        rulesets,
        dominion_bm0_games_per_second: plan.measure(dominion::game()),
        terra_mystica_real_games_per_second: plan.measure(terra_mystica::games()),
    };
    println!(
        "\nDominion BM0 v BM0: {} games/s\nTerra Mystica, real games replayed: {} games/s",
        engines.dominion_bm0_games_per_second, engines.terra_mystica_real_games_per_second,
    );
    write("engine", &engines);
}

/// A table, and the seat to move.
type Position<R> = (<R as Ruleset>::State, Seat);

/// Records random games of a ruleset.
fn recordings<R: Ruleset>(plan: Plan) -> Vec<Recording<R>> {
    (1..=plan.games)
        .map(|seed| Recording::new(seed, plan.max_moves))
        .collect()
}

fn figures<W: Wire>(plan: Plan) -> Figures {
    let games = recordings::<W>(plan);
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut turn = games.iter().cycle();
    let mut next = || turn.next().expect("a game");
    let in_place = plan.measure(|| {
        let game = next();
        std::hint::black_box(game.in_place());
        game.moves.len()
    });
    let on_copies = plan.measure(|| {
        let game = next();
        game.on_copies();
        game.moves.len()
    });
    let positions = positions(&games);
    let micros = |work: &mut dyn FnMut(&Position<W>)| {
        let mut turn = positions.iter().cycle();
        let rate = plan.measure(|| {
            work(turn.next().expect("a position"));
            1
        });
        Spread {
            median: 1e6 / rate.median,
            min: 1e6 / rate.max,
            max: 1e6 / rate.min,
        }
    };
    let bytes: Vec<Vec<u8>> = positions.iter().map(|(state, _)| encode(state)).collect();
    let mut next_bytes = bytes.iter().cycle();
    let per_game = float(moves) / float(games.len().max(1));
    Figures {
        actions_per_game: per_game,
        in_place_per_second: in_place,
        on_copies_per_second: on_copies,
        games_per_second: Spread {
            median: in_place.median / per_game,
            min: in_place.min / per_game,
            max: in_place.max / per_game,
        },
        lists: lists::measure::<W>(&positions),
        view_us: micros(&mut |(state, seat)| {
            let view = W::view(state, Viewer::Seat(*seat));
            std::hint::black_box(W::view_message(&view).encode_to_vec());
        }),
        drawing_us: micros(&mut |(state, seat)| {
            std::hint::black_box(drawn::<W>(state, *seat));
        }),
        encode_us: micros(&mut |(state, _)| drop(std::hint::black_box(encode(state)))),
        decode_us: micros(&mut |_| {
            let state: W::State = decode(next_bytes.next().expect("bytes")).expect("a state");
            std::hint::black_box(state);
        }),
        sizes: Sizes::of(&games),
    }
}

/// Returns tables from the middle of games.
fn positions<R: Ruleset>(games: &[Recording<R>]) -> Vec<Position<R>> {
    let mut positions = Vec::new();
    for recording in games {
        let mut game = create::<R>(&recording.options, recording.luck());
        let last = recording.moves.len();
        for (number, (seat, action)) in recording.moves.iter().enumerate() {
            if (last / 3..last * 2 / 3).contains(&number) && number % 16 == 0 {
                positions.push((game.state.clone(), *seat));
            }
            game = apply::<R>(&game.state, &game.chance, *seat, action).expect("a legal action");
        }
    }
    positions
}

fn print(rulesets: &BTreeMap<&'static str, Figures>) {
    let mut rows = vec![row([
        "ruleset",
        "in place/s",
        "on copies/s",
        "games/s",
        "list us",
        "listed",
        "view us",
        "drawing us",
        "encode us",
        "decode us",
        "snapshot B",
        "entry B",
        "view B",
    ])];
    for (id, figures) in rulesets {
        let sizes = figures.sizes;
        rows.push(vec![
            (*id).to_owned(),
            figures.in_place_per_second.to_string(),
            figures.on_copies_per_second.to_string(),
            figures.games_per_second.to_string(),
            format!(
                "{:.2} (p99 {:.1})",
                figures.lists.median_us, figures.lists.p99_us
            ),
            format!(
                "{} (most {})",
                figures.lists.median_length, figures.lists.longest
            ),
            figures.view_us.to_string(),
            figures.drawing_us.to_string(),
            figures.encode_us.to_string(),
            figures.decode_us.to_string(),
            sizes.snapshot.to_string(),
            sizes.entry.to_string(),
            sizes.view.to_string(),
        ]);
    }
    table(&rows);
    for (id, figures) in rulesets {
        if let Some(rate) = figures.lists.payments_per_second {
            println!("{id}: all payments listed at {rate} entries/s");
        }
    }
}
