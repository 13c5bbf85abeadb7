//! The time that drawings take, and their sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gamekeeper_rules::ruleset::{Ruleset, interactive_components, picture};
use gamekeeper_rules::table::picture::{ColorScheme, Look, Size, Theme};
use gamekeeper_rules::table::{Component, Names, Seat, Viewer};
use serde::Serialize;

use crate::clock::{Spread, per_second};
use crate::play::{Recording, names};
use crate::report::{row, table, write};
use crate::worlds::{Plan, positions};

/// The limit of the service on the steps of the legal list that a drawing examines for touched components.
const REACH_STEPS: u32 = 1_024;

/// The figures of one ruleset.
#[derive(Debug, Serialize)]
struct Figures {
    /// The time of the wide picture alone, in microseconds.
    wide: Spread,
    /// The time of the picture for phones alone, in microseconds.
    phone: Spread,
    /// The time of the preparation, in microseconds: the view, and the components that legal actions touch.
    before: Spread,
    /// The size of the largest drawing, in bytes.
    most_bytes: usize,
}

/// Measures drawings for the seat to move on one core, with the tables of random games.
pub fn run(plan: Plan) {
    let mut rulesets = BTreeMap::new();
    gamekeeper_rules::of_each_ruleset!(R => { rulesets.insert(R::INFO.id, figures::<R>(plan)); });
    let heading = [
        "ruleset",
        "wide us",
        "phone us",
        "view and reach us",
        "most bytes",
    ];
    let mut rows = vec![row(heading)];
    for (ruleset, figures) in &rulesets {
        rows.push(vec![
            (*ruleset).to_owned(),
            figures.wide.to_string(),
            figures.phone.to_string(),
            figures.before.to_string(),
            figures.most_bytes.to_string(),
        ]);
    }
    table(&rows);
    write("drawings", &rulesets);
}

fn figures<R: Ruleset>(plan: Plan) -> Figures {
    let positions: Vec<(R::State, Seat)> = (1..=plan.games)
        .flat_map(|seed| positions(&Recording::<R>::new(seed, plan.max_moves)))
        .collect();
    let names = names(R::INFO.max_seats);
    let scenes: Vec<Scene<R>> = positions
        .iter()
        .map(|(state, seat)| Scene::of(state, *seat, &names))
        .collect();
    let drawn = |size| scenes.iter().map(move |scene| scene.draw(size).len());
    let most_bytes = drawn(Size::Wide).chain(drawn(Size::Phone)).max();
    Figures {
        wide: micros(plan, &scenes, |scene| scene.draw(Size::Wide)),
        phone: micros(plan, &scenes, |scene| scene.draw(Size::Phone)),
        before: micros(plan, &positions, |(state, seat)| {
            Scene::<R>::of(state, *seat, &names).reach.len()
        }),
        most_bytes: most_bytes.unwrap_or_default(),
    }
}

/// A table as a seat sees it.
struct Scene<'a, R: Ruleset> {
    state: &'a R::State,
    seat: Seat,
    view: R::View,
    reach: BTreeSet<Component>,
    names: &'a [String],
}

impl<'a, R: Ruleset> Scene<'a, R> {
    fn of(state: &'a R::State, seat: Seat, names: &'a [String]) -> Self {
        let view = R::view(state, Viewer::Seat(seat));
        let reach = interactive_components::<R>(state, &view, seat, REACH_STEPS);
        Self {
            state,
            seat,
            view,
            reach,
            names,
        }
    }

    fn draw(&self, size: Size) -> String {
        let pending = R::pending(self.state);
        let look = Look {
            viewer: Viewer::Seat(self.seat),
            names: Names::new(self.names),
            size,
            color_scheme: ColorScheme::Either,
            theme: Theme::PLAIN,
            pending: &pending,
            decisions: R::DECISIONS,
            ranking: None,
            interactive: &self.reach,
            last: "",
        };
        picture::<R>(&self.view, &look)
    }
}

/// Measures the time of `work` for one item, in microseconds.
fn micros<T, O>(plan: Plan, items: &[T], work: impl Fn(&T) -> O) -> Spread {
    let mut turn = items.iter().cycle();
    let spread = per_second(plan.rounds, Duration::from_millis(plan.millis), || {
        let item = turn.next().expect("a table");
        std::hint::black_box(work(item));
        1
    });
    let micros = |rate: f64| 1e6 / rate;
    Spread {
        median: micros(spread.median),
        min: micros(spread.max),
        max: micros(spread.min),
    }
}
