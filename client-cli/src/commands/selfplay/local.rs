//! Games with the rules in this program.

use std::sync::mpsc;
use std::thread;

use gamekeeper_rules::bots::Heuristics;
use gamekeeper_wire::{Wire, standings};

use super::Plan;
use super::local_replica::{Beginnings, LocalReplica};
use super::tally::Tally;
use crate::failure::Failure;
use crate::progress::Progress;

/// Plays all games of a plan.
pub(super) fn play(plan: &Plan) -> Result<Tally, Failure> {
    let ruleset = &*plan.args.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset, R => play_all::<R>(plan), _ => Err(Failure::unknown_ruleset(ruleset)))
}

fn play_all<W: Wire + Heuristics>(plan: &Plan) -> Result<Tally, Failure> {
    let beginnings = Beginnings::<W>::of(plan)?;
    let jobs = u64::try_from(plan.args.jobs).unwrap_or(1);
    let mut progress = Progress::new("games", plan.args.games);
    thread::scope(|scope| {
        let (done, finished) = mpsc::channel();
        for job in 1..=jobs {
            let (beginnings, done) = (&beginnings, done.clone());
            scope.spawn(move || {
                let mut number = job;
                while number <= plan.args.games && done.send(game(plan, beginnings, number)).is_ok()
                {
                    number += jobs;
                }
            });
        }
        drop(done);
        let mut tally = Tally::default();
        for one in finished {
            tally.merge(&one?);
            progress.advance(1);
        }
        Ok(tally)
    })
}

/// Plays one game to its end or to the maximum version.
fn game<W: Wire + Heuristics>(
    plan: &Plan,
    beginnings: &Beginnings<'_, W>,
    number: u64,
) -> Result<Tally, Failure> {
    let mut game = LocalReplica::new(beginnings, number)?;
    let mut version = 1;
    while let Some(seat) = game.next() {
        if version == plan.args.until_version {
            break;
        }
        game.decide(seat)?;
        version += 1;
    }
    let result = game.ranking();
    let mut result = result.map_or_else(Vec::new, |ranking| standings(&ranking));
    for standing in &mut result {
        standing.seat = plan.tally_seat(number, standing.seat);
    }
    let mut tally = Tally::default();
    tally.add(&result, version);
    Ok(tally)
}
