//! **Dry runs**: the table after an action, as far as the acting seat can know it beforehand.

use super::{AppliedAtTable, EntryStamp, Table, TableLife, apply_action, pending, ranking, view};
use crate::ruleset::{Applied, Ruleset};
use crate::table::{Chance, GameEvent, PendingList, Ranking, Seat, Seed, Viewer};

/// The number of worlds in which an action is tried before its outcome counts as certain. A card that one opponent in
/// eight could hold would be missed once in ten million times.
const WORLDS: u64 = 128;

/// The number of outcomes of luck that are tried in one world.
const LUCK: u64 = 32;

/// The reason why nobody can know beforehand what an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncertainty {
    /// Chance decides.
    Luck,
    /// Something decides that is hidden from the seat.
    Hidden,
    /// The service answers for a player who has left, and the answer depends on luck or on something hidden.
    Answers,
}

/// Everything that a seat sees of an action: the events, and the table after them.
pub(crate) struct Outcome<R: Ruleset> {
    events: Vec<(R::Event, bool)>,
    view: R::View,
    pending: PendingList,
    ranking: Option<Ranking>,
}

impl<R: Ruleset> PartialEq for Outcome<R> {
    fn eq(&self, other: &Self) -> bool {
        self.events == other.events
            && self.view == other.view
            && self.pending == other.pending
            && self.ranking == other.ranking
    }
}

impl<R: Ruleset> Outcome<R> {
    pub(crate) fn of(applied: &Applied<R>, table_life: Option<&TableLife>, seat: Seat) -> Self {
        let state = &applied.state;
        let viewer = Viewer::Seat(seat);
        let events = applied.events_with_forced();
        Self {
            events: events
                .filter_map(|(event, forced)| Some((R::event_view(event, viewer)?, forced)))
                .collect(),
            view: view::<R>(state, table_life, viewer),
            pending: pending::<R>(state, table_life),
            ranking: ranking::<R>(state, table_life),
        }
    }
}

/// An action that is tried in worlds of its seat.
struct Trial<'a, R: Ruleset> {
    table: Table<'a, R>,
    seat: Seat,
    action: &'a R::Action,
    stamp: EntryStamp,
}

impl<R: Ruleset> Trial<'_, R> {
    fn outcome(&self, (applied, table_life): &AppliedAtTable<R>) -> Outcome<R> {
        Outcome::of(applied, table_life.as_deref(), self.seat)
    }

    /// Tries the action in a world of this number, with luck of that number. Returns `None` if it is not allowed.
    fn run(&self, world: u64, luck: u64) -> Option<AppliedAtTable<R>> {
        let chance = |number| Chance::from_seed(&Seed::from_number(number));
        let state = R::sample_world(self.table.state, self.seat, &mut chance(world));
        let table = Table {
            state: &state,
            chance: &chance(!luck),
            ..self.table
        };
        apply_action::<R>(table, self.seat, self.action, self.stamp).ok()
    }

    /// Returns whether the seat sees this outcome in each of these worlds, with luck of its own each.
    fn is_certain(
        &self,
        outcome: &Outcome<R>,
        mut trials: impl Iterator<Item = (u64, u64)>,
    ) -> bool {
        trials.all(|(world, luck)| {
            let other = self.run(world, luck);
            other.is_some_and(|other| self.outcome(&other) == *outcome)
        })
    }

    fn certain(&self) -> Result<AppliedAtTable<R>, Uncertainty> {
        let Some(first) = self.run(0, 0) else {
            return Err(Uncertainty::Hidden);
        };
        let (applied, _) = &first;
        let viewer = Viewer::Seat(self.seat);
        let shows = applied.events.iter().any(|event| event.reveals_to(viewer));
        if !shows && applied.draws.is_empty() {
            return Ok(first);
        }
        let outcome = self.outcome(&first);
        if self.is_certain(&outcome, (1..WORLDS).map(|number| (number, number))) {
            return Ok(first);
        }
        let is_same = self.is_certain(&outcome, (1..LUCK).map(|luck| (0, luck)));
        Err(match is_same {
            true => Uncertainty::Hidden,
            false => Uncertainty::Luck,
        })
    }
}

/// Returns the table after an action, if all tables that look the same to the seat look the same to it after the action
/// too, whatever luck brings. The rest of the state belongs to a sampled world: show only what the seat may know of it.
///
/// # Errors
/// The reason why the outcome is uncertain. Like the outcome, it follows from what the seat knows.
pub fn preview<R: Ruleset>(
    table: Table<'_, R>,
    seat: Seat,
    action: &R::Action,
    stamp: EntryStamp,
) -> Result<AppliedAtTable<R>, Uncertainty> {
    let trial = |table| Trial {
        table,
        seat,
        action,
        stamp,
    };
    let certain = trial(table).certain();
    let all_stay = table
        .table_life
        .is_none_or(|life| TableLife::left(life).is_empty());
    if all_stay || certain.is_ok() {
        return certain;
    }
    let nobody_answers = Table {
        table_life: None,
        ..table
    };
    match trial(nobody_answers).certain() {
        Ok(_) => Err(Uncertainty::Answers),
        Err(_) => certain,
    }
}
