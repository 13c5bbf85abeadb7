//! The allocations of the engines alone, per action.

use std::collections::BTreeMap;

use allocation_counter::measure;
use gamekeeper_bench::clock::float;
use gamekeeper_bench::play::Recording;
use gamekeeper_bench::report::{row, table, write};
use gamekeeper_rules::ruleset::Ruleset;

/// The allocations per action.
#[derive(serde::Serialize)]
struct Counts {
    in_place: f64,
    on_copies: f64,
}

/// Counts the allocations of every engine.
pub(crate) fn run() {
    let mut counts = BTreeMap::new();
    gamekeeper_rules::of_each_ruleset!(R => { counts.insert(R::INFO.id, count::<R>()); });
    let mut rows = vec![row(["allocations per action", "in place", "on copies"])];
    for (id, counts) in &counts {
        let figure = |figure: f64| format!("{figure:.2}");
        rows.push(row([
            id,
            &figure(counts.in_place),
            &figure(counts.on_copies),
        ]));
    }
    table(&rows);
    write("allocations", &counts);
}

fn count<R: Ruleset>() -> Counts {
    let games: Vec<_> = (1..=4).map(|seed| Recording::<R>::new(seed, 500)).collect();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let per_action = |play: &dyn Fn(&Recording<R>)| {
        let counted = measure(|| games.iter().for_each(play));
        let total = usize::try_from(counted.count_total).unwrap_or(usize::MAX);
        float(total) / float(moves)
    };
    Counts {
        in_place: per_action(&|game| drop(std::hint::black_box(game.in_place()))),
        on_copies: per_action(&Recording::on_copies),
    }
}
