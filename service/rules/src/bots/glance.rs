//! The moves that every level sees at once: an action that wins, and for `easy` points that it would give away.

use super::heuristics::state_after;
use super::search::WorldSampler;
use super::{Effort, Heuristics, Level, seed};
use crate::ruleset::Ruleset;
use crate::table::{Chance, ExecContext, Journal, Seat};

/// Returns the effort of a level in a ruleset.
pub(super) const fn effort<R: Heuristics>(level: Level) -> Effort {
    let [easy, medium, strong] = R::LEVELS;
    match level {
        Level::Easy => easy,
        Level::Medium => medium,
        Level::Strong => strong,
    }
}

/// Returns an action that wins at once in all of several worlds, if there is one. Otherwise leaves the actions that
/// the level thinks about: `easy` gives no points away for nothing, unless it must.
pub(super) fn glance<R: Heuristics>(
    level: Level,
    (world, worlds): (&R::State, WorldSampler<'_, R::State>),
    seat: Seat,
    actions: &mut Vec<R::Action>,
    chance: &mut Chance,
) -> Option<R::Action> {
    let luck = Chance::from_seed(&seed(chance));
    let before = Worth::of::<R>(world, seat);
    let mut is_waste = Vec::new();
    let wastes = |action: &R::Action| {
        let after = immediate_state::<R>(world, seat, action, &luck);
        after.is_some_and(|after| Worth::of::<R>(&after, seat).is_waste_after(before))
    };
    for (index, action) in actions.iter().enumerate() {
        let after = state_after::<R>(world, seat, action, &luck);
        let is_won = after.as_ref().is_some_and(|after| wins::<R>(after, seat));
        if is_won && is_sure::<R>(worlds, seat, action, chance) {
            return Some(actions.swap_remove(index));
        }
        is_waste.push(level == Level::Easy && wastes(action));
    }
    if is_waste.contains(&false) {
        let mut is_waste = is_waste.into_iter();
        actions.retain(|_| !is_waste.next().unwrap_or(false));
    }
    None
}

/// Returns the table after the answer to a decision alone, on a copy: what luck and others do next is not the seat's
/// choice. Returns `None` if the action is refused.
pub fn immediate_state<R: Ruleset>(
    world: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Chance,
) -> Option<R::State> {
    let permit = R::check(world, seat, action).ok()?;
    let (mut state, mut chance) = (world.clone(), luck.clone());
    let mut ctx = ExecContext {
        state: &mut state,
        chance: &mut chance,
        journal: &mut Journal::new(),
    };
    R::execute_immediate(&mut ctx, permit);
    Some(state)
}

/// The standing of a seat: the merit of its score in the rules' count, and the value of its table, which counts ten for
/// each point.
#[derive(Clone, Copy)]
struct Worth {
    merit: i32,
    value: i32,
}

impl Worth {
    fn of<R: Heuristics>(state: &R::State, seat: Seat) -> Self {
        let scores = R::scores(state).map_or_else(Vec::new, |ranking| ranking.standings);
        let own = scores.iter().find(|standing| standing.seat == seat);
        Self {
            merit: own.map_or(0, |standing| R::INFO.merit(standing.score)),
            value: R::expected_value(state, seat),
        }
    }

    /// Returns whether merit was lost since then, and nothing came in their place.
    const fn is_waste_after(self, before: Self) -> bool {
        let lost = before.merit.saturating_sub(self.merit);
        lost > 0 && before.value.saturating_sub(self.value) >= 10 * lost
    }
}

/// Returns whether the game is over, and won by this seat alone.
fn wins<R: Ruleset>(state: &R::State, seat: Seat) -> bool {
    R::ranking(state).is_some_and(|ranking| ranking.winners().eq([seat]))
}

/// The number of further worlds in which an action must win as well.
const SURE: usize = 8;

/// Returns whether an action wins at once in further worlds of the seat.
fn is_sure<R: Heuristics>(
    worlds: WorldSampler<'_, R::State>,
    seat: Seat,
    action: &R::Action,
    chance: &mut Chance,
) -> bool {
    (0..SURE).all(|_| {
        let world = worlds(chance);
        let luck = Chance::from_seed(&seed(chance));
        state_after::<R>(&world, seat, action, &luck).is_some_and(|after| wins::<R>(&after, seat))
    })
}
