//! Measures learned policies: the time in which the network chooses a word in 1, 8 and 64 positions at once, on one
//! thread.
//!
//! `cargo run --release --features onnx -p gamekeeper-policies --example inference -- FILE.onnx ...`

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command that reports"
)]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use gamekeeper_learn::{
    DirtyCells, Game, Observer, Settings, WordChoice, WordPolicy, game_of, space_of,
};
use gamekeeper_policies::LearnedPolicy;
use gamekeeper_rules::table::{Chance, Seed};

/// The numbers of positions that are measured.
const POSITIONS: [usize; 3] = [1, 8, 64];

/// The number of runs that are measured; a tenth as many come before.
const RUNS: usize = 300;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        if let Err(error) = measure(Path::new(&path)) {
            eprintln!("{path}: {error}");
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// Prints the median time of a run for each number of positions.
fn measure(path: &Path) -> Result<(), Box<dyn Error>> {
    let policy = LearnedPolicy::load(path)?;
    let games = games(&policy)?;
    let size = policy.space().cells().len();
    let cells: Vec<f32> = games.iter().flat_map(|game| observed(&**game)).collect();
    println!("{}: {size} numbers", path.display());
    for positions in POSITIONS {
        let mut luck = vec![Chance::from_seed(&Seed::from_number(1)); positions];
        let mut times = Vec::new();
        for run in 0..RUNS + RUNS / 10 {
            let words = games.iter().map(|game| game.legal_words());
            let choices = words.zip(&mut luck);
            let mut choices: Vec<WordChoice<'_>> = choices
                .map(|(words, luck)| WordChoice { words, luck })
                .collect();
            let begun = Instant::now();
            policy.choose_words(&cells[..positions * size], &mut choices)?;
            if run >= RUNS / 10 {
                times.push(begun.elapsed());
            }
        }
        times.sort_unstable();
        let median = times[times.len() / 2].as_secs_f64() * 1e6;
        let each = median / positions as f64;
        println!("{positions:4} at once: {median:.0} us, {each:.1} us each");
    }
    Ok(())
}

/// Returns games of what the policy plays, each some random words further than the one before.
fn games(policy: &LearnedPolicy) -> Result<Vec<Box<dyn Game>>, Box<dyn Error>> {
    let space = space_of(policy.space().ruleset(), policy.space().seats())?;
    let settings = Settings {
        seats: space.seats(),
        ..Settings::default()
    };
    let mut game = game_of(&space, &Arc::new(settings))?;
    let mut luck = Chance::from_seed(&Seed::from_number(1));
    let (mut games, mut begun) = (Vec::new(), 0);
    while games.len() < POSITIONS[2] {
        match game.legal_words() {
            [] => {
                begun += 1;
                game.begin(&Seed::from_number(begun), begun)?;
            }
            words => {
                let count = u32::try_from(words.len())?;
                let word = words[luck.uniform(count) as usize];
                games.push(game.copy());
                game.push(word.into())?;
            }
        }
    }
    Ok(games)
}

/// Returns what the seat to move knows.
fn observed(game: &dyn Game) -> Vec<f32> {
    let mut buffer = game.space().row_buffer();
    let mut cells = vec![0.0; game.space().cells().len()];
    if let Some(seat) = game.seat() {
        game.observe(Observer::Seat(seat), seat, &mut buffer);
        buffer.flush_into(&mut cells, &mut DirtyCells::default());
    }
    cells
}
