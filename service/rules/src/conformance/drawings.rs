//! Drawings: small, whole, and true to their viewer; and actions and events that name what is drawn.

use std::collections::BTreeSet;

use super::audit::Audit;
use super::secrecy::viewers;
use crate::ruleset::{Applied, apply, create, legal_actions, picture, reach};
use crate::table::picture::{Ground, Look, Size};
use crate::table::{Chance, Component, Detail, Fault, Names, Seat, Seed, Viewer};

const PLAYERS: [&str; 5] = ["Ann", "Ben", "Cleo", "Dan", "Eve"];

/// The most bytes of a drawing.
const MOST_BYTES: usize = 60_000;

/// A walk along a legal list that is as long as it must be.
const ALL: u32 = u32::MAX;

/// Plays a random game of this many seats. Draws the table after every action whose number is a multiple of `every`, and checks
/// every component that actions and events name.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn drawings_are_whole<R: Audit>(seats: usize, seed: u64, every: usize) -> Result<(), Fault> {
    let mut game = Game::<R>::start(seats, seed);
    let printed: BTreeSet<Component> = R::plates().iter().map(|plate| plate.component).collect();
    Fault::unless(printed.len() == R::plates().len(), "plates", || {
        String::from("a component is twice in the catalogue")
    })?;
    let mut actions = 0_usize;
    loop {
        for event in &game.now.events {
            names_each_once(&R::event_components(event))?;
        }
        let closely = actions.is_multiple_of(every);
        if closely {
            game.look_at_drawings()?;
        }
        let before = closely.then(|| game.names_drawn()).transpose()?;
        if !game.step() {
            return game.look_at_drawings();
        }
        if let Some(before) = before {
            game.events_are_drawn(&before, &printed)?;
        }
        actions += 1;
    }
}

/// The drawings of a random game after this many actions, for the seat that must act.
#[must_use]
pub fn drawings_after<R: Audit>(seats: usize, seed: u64, actions: usize) -> [String; 2] {
    let mut game = Game::<R>::start(seats, seed);
    for _ in 0..actions {
        if !game.step() {
            break;
        }
    }
    let viewer = R::pending(&game.now.state)
        .first()
        .map_or(Viewer::Spectator, |owed| Viewer::Seat(owed.seat));
    let last = game.now.events.iter().rev();
    let mut last = last.filter_map(|event| R::event_view(event, viewer));
    let last = last.next().map_or(String::new(), |event| {
        use crate::table::Happening;
        event.sentence(Names::new(&game.players))
    });
    [Size::Wide, Size::Phone].map(|size| game.drawn(&game.now.state, (viewer, size), &last))
}

/// Marks of what all viewers see in a random game after every action whose number is a multiple of `every`, and at its
/// end: the drawings, wide and for a phone, the boards of a narrow and of a wide terminal, and the points so far.
#[cfg(test)]
pub(super) fn looks<R: Audit>(seats: usize, seed: u64, every: usize) -> String {
    let mut game = Game::<R>::start(seats, seed);
    let (mut text, mut actions) = (format!("{seats} players\n"), 0_usize);
    loop {
        let state = &game.now.state;
        if actions.is_multiple_of(every) || R::pending(state).is_empty() {
            let of_all = |seen: &dyn Fn(Viewer, &R::View) -> String| {
                let seen = viewers(seats).map(|viewer| seen(viewer, &R::view(state, viewer)));
                mark(&seen.collect::<String>())
            };
            let [wide, phone] = [Size::Wide, Size::Phone]
                .map(|size| of_all(&|viewer, _| game.drawn(state, (viewer, size), "")));
            let names = Names::new(&game.players);
            let [narrow, broad] =
                [60, 140].map(|columns| of_all(&|_, view| R::board(view, names, columns)));
            let points = mark(&format!("{:?}", R::scores(state)));
            text.push_str(&format!(
                "{actions}: drawings {wide} {phone}, boards {narrow} {broad}, points {points}\n"
            ));
        }
        if !game.step() {
            return text;
        }
        actions += 1;
    }
}

/// A short form of a long text: another text has another one.
#[cfg(test)]
pub(super) fn mark(text: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

struct Game<R: Audit> {
    now: Applied<R>,
    players: Vec<String>,
    player: Chance,
}

impl<R: Audit> Game<R> {
    fn start(seats: usize, seed: u64) -> Self {
        let options = R::table(seats, seed);
        let luck = Chance::from_seed(&Seed::from_number(seed));
        Self {
            now: create::<R>(&options, luck),
            players: PLAYERS.map(String::from)[..seats].to_vec(),
            player: Chance::from_seed(&Seed::from_number(seed ^ (1 << 63))),
        }
    }

    /// Plays one action; false at the end of the game.
    fn step(&mut self) -> bool {
        let Some(pending) = R::pending(&self.now.state).first().copied() else {
            return false;
        };
        let legal = legal_actions::<R>(&self.now.state, pending.seat, Detail::Moves);
        let choice = R::choose(&self.now.state, pending.seat, &legal, &mut self.player);
        let next = legal
            .get(choice)
            .map(|action| apply::<R>(&self.now.state, &self.now.chance, pending.seat, action));
        match next {
            Some(Ok(next)) => {
                self.now = next;
                true
            }
            Some(Err(_)) | None => false,
        }
    }

    fn drawn(&self, state: &R::State, (viewer, size): (Viewer, Size), last: &str) -> String {
        let view = R::view(state, viewer);
        let reach = match viewer {
            Viewer::Seat(seat) => reach::<R>(state, &view, seat, ALL),
            Viewer::Spectator | Viewer::Operator => BTreeSet::new(),
        };
        let ranking = R::ranking(state);
        let look = Look {
            viewer,
            names: Names::new(&self.players),
            size,
            ground: Ground::Either,
            pending: &R::pending(state),
            decisions: R::DECISIONS,
            ranking: ranking.as_ref(),
            reach: &reach,
            last,
        };
        picture::<R>(&view, &look)
    }

    /// What each viewer sees drawn.
    fn names_drawn(&self) -> Result<Vec<(Viewer, BTreeSet<String>)>, Fault> {
        let names = |viewer| {
            let drawing = self.drawn(&self.now.state, (viewer, Size::Wide), "");
            Ok((viewer, components_in(&drawing)?))
        };
        viewers(self.players.len()).map(names).collect()
    }

    fn look_at_drawings(&mut self) -> Result<(), Fault> {
        let state = self.now.state.clone();
        let seats = self.players.len();
        for viewer in viewers(seats).chain([Viewer::Operator]) {
            for size in [Size::Wide, Size::Phone] {
                let drawing = self.drawn(&state, (viewer, size), "");
                let drawn = components_in(&drawing)?;
                is_small_and_whole(&drawing)?;
                if let Viewer::Seat(seat) = viewer {
                    actions_are_drawn::<R>(&state, seat, &drawn)?;
                    let other = R::scramble(&state, viewer, &mut self.player);
                    let other = self.drawn(&other, (viewer, size), "");
                    Fault::unless(other == drawing, "drawings_keep_secrets", || {
                        format!("the drawing of {seat} shows what they cannot know")
                    })?;
                }
            }
        }
        Ok(())
    }

    /// What events touch is drawn before them or after them, or is in the catalogue.
    fn events_are_drawn(
        &self,
        before: &[(Viewer, BTreeSet<String>)],
        printed: &BTreeSet<Component>,
    ) -> Result<(), Fault> {
        let after = self.names_drawn()?;
        for ((viewer, before), (_, after)) in before.iter().zip(&after) {
            let seen = self.now.events.iter();
            let seen = seen.filter_map(|event| R::event_view(event, *viewer));
            let touched = seen.flat_map(|event| R::event_components(&event));
            for component in touched.filter(|component| !printed.contains(component)) {
                let name = component.to_string();
                Fault::unless(
                    before.contains(&name) || after.contains(&name),
                    "events_name_what_is_there",
                    || format!("an event touches {name}, which is neither drawn nor printed"),
                )?;
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

/// Every component of every legal action can be clicked.
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

/// The components of a drawing, each once.
fn components_in(drawing: &str) -> Result<BTreeSet<String>, Fault> {
    let mut found = BTreeSet::new();
    for rest in drawing.split("data-component=\"").skip(1) {
        let name = rest.split('"').next().unwrap_or_default();
        Fault::unless(found.insert(name.to_owned()), "drawings_are_whole", || {
            format!("{name} is drawn twice")
        })?;
    }
    Ok(found)
}

/// Within the limit, every element closed, nothing smaller than 11, whole numbers only.
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
