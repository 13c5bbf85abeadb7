//! Measures learned policies: the time of one run of the network, which chooses one word, on one thread.
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

use gamekeeper_learn::{DirtyCells, Observer, Settings, game_of, space_of};
use gamekeeper_policies::LearnedPolicy;
use gamekeeper_rules::table::{Chance, Seed};

/// The number of runs that are measured; a tenth as many come before.
const RUNS: u32 = 1_000;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        match measure(Path::new(&path)) {
            Ok((cells, micros)) => println!("{path}: {micros} us for {cells} numbers"),
            Err(error) => {
                eprintln!("{path}: {error}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// Returns the number of cells that the policy sees, and the median time of a run in microseconds, at the beginning of
/// a game.
fn measure(path: &Path) -> Result<(usize, u128), Box<dyn Error>> {
    let policy = LearnedPolicy::load(path)?;
    let space = space_of(policy.space().ruleset(), policy.space().seats())?;
    let settings = Settings {
        seats: space.seats(),
        ..Settings::default()
    };
    let mut game = game_of(&space, &Arc::new(settings))?;
    game.begin(&Seed::from_number(1), 1)?;
    let seat = game.seat().ok_or("nobody has anything to decide")?;
    let mut buffer = space.row_buffer();
    game.observe(Observer::Seat(seat), seat, &mut buffer);
    let mut cells = vec![0.0; space.cells().len()];
    buffer.flush_into(&mut cells, &mut DirtyCells::default());
    let mut luck = Chance::from_seed(&Seed::from_number(1));
    let mut times = Vec::new();
    for run in 0..RUNS + RUNS / 10 {
        let begun = Instant::now();
        policy.choose_word(&cells, game.legal_words(), &mut luck)?;
        if run >= RUNS / 10 {
            times.push(begun.elapsed().as_micros());
        }
    }
    times.sort_unstable();
    Ok((cells.len(), times[times.len() / 2]))
}
