//! The components that actions and events touch, what events move, and the words of actions, by examples from random games.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use xxhash_rust::xxh3::Xxh3Default;

use super::audit::Audit;
use super::random_game::{GoldenCase, NextDecision, players};
use crate::table::{Component, Fault, Kind, Movement, Names, Viewer};

/// The maximum number of examples of each kind.
const EXAMPLES: usize = 8;

/// The components that actions or events of one kind touch.
#[derive(Default)]
struct Touched {
    /// Examples that touch components of other kinds, or another number of them, than the examples before.
    examples: Vec<(String, Vec<String>)>,
    times: usize,
    /// A hash of all examples.
    all: Xxh3Default,
}

impl Touched {
    fn add(&mut self, text: &str, example: impl FnOnce() -> String, names: Vec<String>) {
        self.times += 1;
        self.all.update(text.as_bytes());
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

fn names(components: &[Component]) -> Vec<String> {
    components.iter().map(Component::to_string).collect()
}

/// `3*card:copper(draw_pile:1>hand:1)`.
fn written(movement: &Movement) -> String {
    let name = |component: Option<Component>| {
        component.map_or_else(String::new, |component| component.to_string())
    };
    let Movement {
        component,
        from,
        to,
        count,
    } = *movement;
    format!("{count}*{}({}>{})", name(component), name(from), name(to))
}

fn kinds(names: &[String]) -> impl Iterator<Item = &str> {
    names
        .iter()
        .map(|name| name.split(':').next().unwrap_or_default())
}

/// The touched components by kind of action and event.
#[derive(Default)]
struct Seen {
    actions: BTreeMap<&'static str, Touched>,
    events: BTreeMap<&'static str, Touched>,
    /// The movements of events.
    movements: BTreeMap<&'static str, Touched>,
}

impl Seen {
    fn look_at_actions<R: Audit>(&mut self, state: &R::State, decision: &NextDecision<R>) {
        let (players, seat) = (players(R::INFO.max_seats.into()), decision.pending.seat);
        let view = R::view(state, Viewer::Seat(seat));
        for action in &decision.legal {
            let text = R::action_text(&view, action, Names::new(&players));
            let components = R::action_components(&view, seat, action);
            let kind = self.actions.entry(R::kind(action)).or_default();
            kind.add(&text, || format!("{text}: {action:?}"), names(&components));
        }
    }

    fn look_at_events<R: Audit>(&mut self, events: &[R::Event]) {
        for event in events {
            for seen in [Viewer::Operator, Viewer::Spectator] {
                if let Some(event) = R::event_view(event, seen) {
                    let components = R::event_components(&event);
                    let kind = self.events.entry(event.kind()).or_default();
                    kind.add("", || format!("{event:?}"), names(&components));
                    let movements = R::event_movements(&event);
                    if !movements.is_empty() {
                        let kind = self.movements.entry(event.kind()).or_default();
                        let movements = movements.iter().map(written).collect();
                        kind.add("", || format!("{event:?}"), movements);
                    }
                }
            }
        }
    }

    fn written(&self) -> String {
        let mut text = String::new();
        let all = [
            ("action", &self.actions),
            ("event", &self.events),
            ("movements of", &self.movements),
        ];
        for (title, seen) in all {
            for (kind, touched) in seen {
                let _a_string_takes_all = touched.write(&mut text, &format!("{title} {kind}"));
            }
        }
        text
    }
}

/// Plays the recorded games, and writes down the components that their legal actions and their events touch.
///
/// # Errors
/// The refusal of a listed action.
pub fn touches<R: Audit>(seed: u64) -> Result<String, Fault> {
    let mut seen = Seen::default();
    for deal in GoldenCase::all::<R>(seed) {
        let mut walk = deal.start_game::<R>();
        loop {
            seen.look_at_events::<R>(&walk.now.events);
            let Some(decision) = walk.next_decision()? else {
                break;
            };
            seen.look_at_actions::<R>(&walk.now.state, &decision);
            walk.take_action(&decision)?;
        }
    }
    Ok(seen.written())
}
