//! The components that actions and events touch, and the words of actions, by examples from random games.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3Default;

use super::audit::Audit;
use super::walk::{Asked, Walk, players};
use crate::table::{Component, Fault, Kind, Names, Viewer};

/// Examples of each kind.
const EXAMPLES: usize = 8;

/// What actions or events of one kind touch.
#[derive(Default)]
struct Touched {
    /// Those that touch components of other kinds, or another number of them, than the ones before.
    examples: Vec<(String, Vec<String>)>,
    times: usize,
    /// A mark of all of them.
    all: Xxh3Default,
}

impl Touched {
    fn add(&mut self, said: &str, example: impl FnOnce() -> String, components: &[Component]) {
        let names: Vec<String> = components.iter().map(Component::to_string).collect();
        self.times += 1;
        self.all.update(said.as_bytes());
        self.all.update(names.join(" ").as_bytes());
        let is_new = |(_, other): &(String, Vec<String>)| !kinds(other).eq(kinds(&names));
        if self.examples.len() < EXAMPLES && self.examples.iter().all(is_new) {
            self.examples.push((example(), names));
        }
    }

    fn write(&self, text: &mut String, title: &str) -> fmt::Result {
        writeln!(
            text,
            "{title}: {} times, mark {:016x}",
            self.times,
            self.all.digest()
        )?;
        self.examples.iter().try_for_each(|(example, names)| {
            writeln!(text, "    {example}\n        {}", names.join(" "))
        })
    }
}

fn kinds(names: &[String]) -> impl Iterator<Item = &str> {
    names
        .iter()
        .map(|name| name.split(':').next().unwrap_or_default())
}

/// By kind.
#[derive(Default)]
struct Seen {
    actions: BTreeMap<&'static str, Touched>,
    events: BTreeMap<&'static str, Touched>,
}

impl Seen {
    fn look_at_actions<R: Audit>(&mut self, state: &R::State, asked: &Asked<R>) {
        let (players, seat) = (players(R::SHEET.max_seats.into()), asked.owed.seat);
        let view = R::view(state, Viewer::Seat(seat));
        for action in &asked.legal {
            let said = R::action_text(&view, action, Names::new(&players));
            let components = R::action_components(&view, seat, action);
            let kind = self.actions.entry(R::kind(action)).or_default();
            kind.add(&said, || format!("{said}: {action:?}"), &components);
        }
    }

    fn look_at_events<R: Audit>(&mut self, events: &[R::Event]) {
        for event in events {
            for seen in [Viewer::Operator, Viewer::Spectator] {
                if let Some(event) = R::event_view(event, seen) {
                    let components = R::event_components(&event);
                    let kind = self.events.entry(event.kind()).or_default();
                    kind.add("", || format!("{event:?}"), &components);
                }
            }
        }
    }

    fn written(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        for (title, seen) in [("action", &self.actions), ("event", &self.events)] {
            for (kind, touched) in seen {
                touched.write(&mut text, &format!("{title} {kind}"))?;
            }
        }
        Ok(text)
    }
}

/// Plays random games of every number of seats with these seeds, and writes down what its legal actions and its events touch.
///
/// # Errors
/// The refusal of a listed action, as text.
pub(crate) fn touches<R: Audit>(seeds: Range<u64>) -> Result<String, String> {
    let mut seen = Seen::default();
    for seats in R::SHEET.min_seats..=R::SHEET.max_seats {
        for seed in seeds.clone() {
            play::<R>(seats.into(), seed, &mut seen).map_err(|fault| fault.to_string())?;
        }
    }
    seen.written().map_err(|error| error.to_string())
}

fn play<R: Audit>(seats: usize, seed: u64, seen: &mut Seen) -> Result<(), Fault> {
    let mut walk = Walk::<R>::start(&R::table(seats, seed), seed);
    loop {
        seen.look_at_events::<R>(&walk.now.events);
        let Some(asked) = walk.asked()? else {
            return Ok(());
        };
        seen.look_at_actions::<R>(&walk.now.state, &asked);
        walk.go_on(&asked)?;
    }
}
