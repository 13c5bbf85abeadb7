//! Drawings: small, complete, and true to their viewer. Actions and events name only components that are drawn.

use std::collections::{BTreeMap, BTreeSet};

use super::audit::Audit;
use super::random_game::{RandomGame, luck, players};
use super::secrecy::viewers;
use crate::ruleset::{interactive_components, legal_actions, picture};
use crate::table::picture::{ColorScheme, Look, Size, Theme};
use crate::table::{Chance, Component, Detail, Fault, GameEvent as _, Names, Seat, Viewer};

/// The maximum size of a drawing, in bytes.
const MOST_BYTES: usize = 72_000;

/// No step limit for a walk along a legal list.
const ALL: u32 = u32::MAX;

/// Plays a random game of this many seats. Draws the table after every action whose number is a multiple of `every`,
/// and checks every component that actions and events name.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn drawings_are_whole<R: Audit>(seats: usize, seed: u64, every: usize) -> Result<(), Fault> {
    let mut game = Game::<R>::start(seats, seed);
    let printed: BTreeSet<Component> = R::plates().iter().map(|plate| plate.component).collect();
    Fault::unless(printed.len() == R::plates().len(), "plates", || {
        String::from("a component is twice in the catalogue")
    })?;
    loop {
        for event in &game.walk.now.events {
            names_each_once(&R::event_components(event))?;
            moves_something::<R>(event)?;
        }
        let closely = game.walk.is_due(every);
        if closely {
            game.look_at_drawings()?;
        }
        let before = closely.then(|| game.names_drawn()).transpose()?;
        let Some(decision) = game.walk.next_decision()? else {
            return game.look_at_drawings();
        };
        game.walk.take_action(&decision)?;
        if let Some(before) = before {
            game.events_are_drawn(&before, &printed)?;
        }
    }
}

/// Draws the table of a random game after this many actions, for the seat that must act, once for each size.
///
/// # Errors
/// The refusal of a listed action.
pub fn drawings_after<R: Audit>(
    seats: usize,
    seed: u64,
    actions: usize,
) -> Result<[String; 3], Fault> {
    let mut game = Game::<R>::start(seats, seed);
    while game.walk.actions < actions
        && let Some(decision) = game.walk.next_decision()?
    {
        game.walk.take_action(&decision)?;
    }
    let now = &game.walk.now;
    let viewer = R::pending(&now.state)
        .first()
        .map_or(Viewer::Spectator, |pending| Viewer::Seat(pending.seat));
    let mut last = now.events.iter().rev();
    let last = last.find_map(|event| R::event_view(event, viewer));
    let last = last.map_or(String::new(), |event| {
        event.sentence(Names::new(&game.players))
    });
    Ok(Size::ALL.map(|size| game.drawn(&now.state, (viewer, size), &last)))
}

/// Draws a table, with the components marked that this viewer's legal actions touch.
pub fn drawn<R: Audit>(
    state: &R::State,
    seen: (Viewer, Size),
    names: Names<'_>,
    last: &str,
) -> String {
    drawn_in::<R>(state, seen, (names, Theme::PLAIN), last)
}

/// Draws a table like [`drawn`], in a theme.
fn drawn_in<R: Audit>(
    state: &R::State,
    (viewer, size): (Viewer, Size),
    (names, theme): (Names<'_>, &Theme),
    last: &str,
) -> String {
    let view = R::view(state, viewer);
    let reach = match viewer {
        Viewer::Seat(seat) => interactive_components::<R>(state, &view, seat, ALL),
        Viewer::Spectator | Viewer::Operator => BTreeSet::new(),
    };
    let ranking = R::ranking(state);
    let look = Look {
        viewer,
        names,
        size,
        color_scheme: ColorScheme::Either,
        theme,
        pending: &R::pending(state),
        decisions: R::DECISIONS,
        ranking: ranking.as_ref(),
        interactive: &reach,
        last,
    };
    picture::<R>(&view, &look)
}

/// A game whose tables are drawn.
pub(super) struct Game<R: Audit> {
    pub(super) walk: RandomGame<R>,
    pub(super) players: Vec<String>,
    pub(super) theme: Theme,
    /// The luck that changes what a viewer cannot know.
    scrambler: Chance,
}

impl<R: Audit> Game<R> {
    fn start(seats: usize, seed: u64) -> Self {
        Self::of(seats, seed, RandomGame::start(&R::table(seats, seed), seed))
    }

    pub(super) fn of(seats: usize, seed: u64, walk: RandomGame<R>) -> Self {
        Self {
            walk,
            players: players(seats),
            theme: Theme::new(),
            scrambler: luck(seed ^ (1 << 62)),
        }
    }

    pub(super) fn drawn(
        &self,
        state: &R::State,
        (viewer, size): (Viewer, Size),
        last: &str,
    ) -> String {
        let names = Names::new(&self.players);
        drawn_in::<R>(state, (viewer, size), (names, &self.theme), last)
    }

    /// Returns the names of the components in each viewer's drawing.
    fn names_drawn(&self) -> Result<Vec<(Viewer, BTreeSet<String>)>, Fault> {
        let names = |viewer| {
            let drawing = self.drawn(&self.walk.now.state, (viewer, Size::Wide), "");
            Ok((viewer, components_in(&drawing)?))
        };
        viewers(self.players.len()).map(names).collect()
    }

    fn look_at_drawings(&mut self) -> Result<(), Fault> {
        let state = self.walk.now.state.clone();
        let seats = self.players.len();
        for viewer in viewers(seats).chain([Viewer::Operator]) {
            for size in Size::ALL {
                let drawing = self.drawn(&state, (viewer, size), "");
                let drawn = components_in(&drawing)?;
                is_small_and_whole(&drawing)?;
                if let Viewer::Seat(seat) = viewer {
                    actions_are_drawn::<R>(&state, seat, &drawn)?;
                    let other = R::scramble(&state, viewer, &mut self.scrambler);
                    let other = self.drawn(&other, (viewer, size), "");
                    Fault::unless(other == drawing, "drawings_keep_secrets", || {
                        format!("the drawing of {seat} shows what they cannot know")
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Checks that each component an event touches or moves, and each place between which it moves, is in the drawing before
    /// or after it, or in the catalogue. What only passes through, such as a worker that returns at once, is in two
    /// movements instead.
    fn events_are_drawn(
        &self,
        before: &[(Viewer, BTreeSet<String>)],
        printed: &BTreeSet<Component>,
    ) -> Result<(), Fault> {
        let after = self.names_drawn()?;
        for ((viewer, before), (_, after)) in before.iter().zip(&after) {
            let seen = self.walk.now.events.iter();
            let seen = seen.filter_map(|event| R::event_view(event, *viewer));
            let seen: Vec<R::Event> = seen.collect();
            let is_there = |component: &Component| {
                let name = component.to_string();
                printed.contains(component) || before.contains(&name) || after.contains(&name)
            };
            let touched = seen.iter().flat_map(R::event_components);
            for component in touched.filter(|component| !is_there(component)) {
                Fault::unless(false, "events_name_what_is_there", || {
                    format!("an event touches {component}, which is neither drawn nor printed")
                })?;
            }
            let moved = seen.iter().flat_map(R::event_movements);
            let mut missing: BTreeMap<Component, usize> = BTreeMap::new();
            for movement in moved {
                let named: BTreeSet<Component> = movement.names().collect();
                for component in named.into_iter().filter(|component| !is_there(component)) {
                    *missing.entry(component).or_default() += 1;
                }
            }
            for (component, times) in missing {
                Fault::unless(times > 1, "events_move_what_is_there", || {
                    format!("an event moves {component}, which is neither drawn nor printed")
                })?;
            }
        }
        Ok(())
    }
}

fn names_each_once(components: &[Component]) -> Result<(), Fault> {
    let once: BTreeSet<&Component> = components.iter().collect();
    Fault::unless(once.len() == components.len(), "components", || {
        format!("one is named twice: {components:?}")
    })
}

/// Checks that every movement of an event has a place at one end at least.
fn moves_something<R: Audit>(event: &R::Event) -> Result<(), Fault> {
    for movement in R::event_movements(event) {
        let has_place = movement.from.is_some() || movement.to.is_some();
        Fault::unless(has_place, "movements", || {
            format!("{event:?} moves {movement:?} from nowhere to nowhere")
        })?;
    }
    Ok(())
}

/// Checks that every component of every legal action can be clicked.
fn actions_are_drawn<R: Audit>(
    state: &R::State,
    seat: Seat,
    drawn: &BTreeSet<String>,
) -> Result<(), Fault> {
    let view = R::view(state, Viewer::Seat(seat));
    for action in legal_actions::<R>(state, seat, Detail::Moves) {
        let touched = R::action_components(&view, seat, &action);
        names_each_once(&touched)?;
        Fault::unless(!touched.is_empty(), "actions_name_what_is_there", || {
            format!("{action:?} touches nothing")
        })?;
        for component in touched {
            Fault::unless(
                drawn.contains(&component.to_string()),
                "actions_name_what_is_there",
                || format!("{action:?} touches {component}, which is not drawn"),
            )?;
        }
    }
    Ok(())
}

/// Returns the components of a drawing, each once.
fn components_in(drawing: &str) -> Result<BTreeSet<String>, Fault> {
    let mut names = BTreeSet::new();
    for rest in drawing.split("data-component=\"").skip(1) {
        let name = rest.split('"').next().unwrap_or_default();
        Fault::unless(names.insert(name.to_owned()), "drawings_are_whole", || {
            format!("{name} is drawn twice")
        })?;
    }
    Ok(names)
}

/// Checks a drawing: within the size limit, every element closed, no text smaller than 11, whole numbers only.
fn is_small_and_whole(drawing: &str) -> Result<(), Fault> {
    let bytes = drawing.len();
    Fault::unless(bytes <= MOST_BYTES, "drawings_are_small", || {
        format!("a drawing of {bytes} bytes")
    })?;
    let mut open: Vec<&str> = Vec::new();
    for tag in drawing.split('<').skip(1) {
        let (tag, _text) = tag.split_once('>').unwrap_or((tag, ""));
        if let Some(name) = tag.strip_prefix('/') {
            let begun = open.pop();
            Fault::unless(begun == Some(name), "drawings_are_whole", || {
                format!("{begun:?} ends as {name}")
            })?;
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
    }
    Fault::unless(open.is_empty(), "drawings_are_whole", || {
        format!("{open:?} is not closed")
    })
}
