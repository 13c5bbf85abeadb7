//! Replays a record: options, seed and actions are the input of the rules.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::starts::{StartPoint, warm_start};
use gamekeeper_rules::table::{Chance, Seat, SeatSet};
use gamekeeper_rules::table_life::{
    self, ActionError, EntryStamp, TableEvent, TableLife, TableOptions, fork_times_at,
};

use super::RecordFault;
use super::differ::{difference, same, same_message};
use super::luck::{RandomStreams, begun_ms, milliseconds, start_table};
use super::parts::{Record, Version};
use crate::{
    Malformed, StartTable, Wire, ended, pending_with_due_times, player_names, read_table_event,
    seat, seat_number, standings, table_options, wrap_options,
};

/// A table during a replay.
pub struct Replay<W: Wire> {
    /// The state of the rules after the last version, with the events of that version.
    pub now: Applied<W>,
    /// The cause of the last version. `None` for version 1.
    pub(super) played: Option<Played<W::Action>>,
    /// The state of the table beyond the rules, such as clocks and proposals.
    pub table_life: Option<Box<TableLife>>,
    streams: RandomStreams,
    /// The table on which the game began. `None` for the set-up.
    pub(super) start: Option<StartTable>,
    pub(super) seats: usize,
    version: u64,
    /// The time at which the log begins, in milliseconds.
    begun_ms: u64,
    /// The time of the version, in milliseconds after that.
    after_ms: u64,
    /// The states of the versions to which the record returns by take-backs, once they were played.
    restorable: BTreeMap<u64, Option<W::State>>,
}

/// A record up to its first table: everything that makes it.
pub struct Beginning<W: Wire> {
    /// The options of the game.
    pub options: W::Options,
    /// The table on which the game began. `None` for the set-up.
    pub start: Option<StartTable>,
    /// The luck of version 1.
    pub chance: Chance,
    pub(super) streams: RandomStreams,
}

impl<W: Wire> Beginning<W> {
    /// Reads what a record begins with.
    ///
    /// # Errors
    /// Fails if the record is of another revision of the rules, has no versions, or contradicts itself.
    pub fn of(record: &Record) -> Result<Self, RecordFault> {
        same(
            "the revision of the rules",
            &W::INFO.revision,
            &record.game.rules_revision,
        )?;
        let Some(first) = record.versions.first() else {
            return difference("there is not even a first version");
        };
        let streams = RandomStreams::of(record)?;
        Ok(Self {
            options: options::<W>(record)?,
            start: start_table::<W>(record)?,
            chance: streams.before(1, first)?,
            streams,
        })
    }

    /// Makes the first table.
    ///
    /// # Errors
    /// Fails if the game began on a described table on which none can begin.
    pub fn first_table(&self) -> Result<Applied<W>, RecordFault> {
        let chance = self.chance.clone();
        Ok(match &self.start {
            None => create::<W>(&self.options, chance),
            Some(StartTable::Made(StartPoint { start, seed })) => {
                warm_start::<W>(&self.options, *start, seed).into_first_version(chance)
            }
            Some(StartTable::Described(position)) => {
                position.first_version::<W>(&self.options, chance)?
            }
        })
    }
}

/// Replays a record up to one of its versions. Only the legality of the actions is checked.
///
/// # Errors
/// If the record was made with another revision of the rules.
pub fn table_at<W: Wire>(record: &Record, version: u64) -> Result<Replay<W>, RecordFault> {
    let beginning = Beginning::<W>::of(record)?;
    let first = beginning.first_table()?;
    let mut table = Replay::<W>::set_up(record, beginning, first)?;
    for (_, played) in (2..=version).zip(record.versions.iter().skip(1)) {
        table.play(played)?;
    }
    Ok(table)
}

/// The cause of a version after the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Played<A> {
    /// A seat took an action.
    Action(Seat, A),
    /// Something happened beside the rules.
    Table(TableEvent),
}

impl<W: Wire> Replay<W> {
    /// Creates the table at version 1.
    pub(super) fn set_up(
        record: &Record,
        beginning: Beginning<W>,
        now: Applied<W>,
    ) -> Result<Self, RecordFault> {
        let seats = W::seats(&beginning.options);
        let mut replay = Self {
            table_life: TableLife::new_if_needed(table_of(record)?, seats, &W::pending(&now.state)),
            restorable: targets_of_take_backs(record),
            now,
            played: None,
            streams: beginning.streams,
            start: beginning.start,
            seats,
            version: 1,
            begun_ms: begun_ms(record),
            after_ms: 0,
        };
        replay.complete_version()?;
        Ok(replay)
    }

    /// Completes a version that was played: advances the draws, keeps the state if a take-back will need it, and begins
    /// the forks that start after it.
    fn complete_version(&mut self) -> Result<(), RecordFault> {
        self.streams.after(self.version, &self.now.chance)?;
        if let Some(kept) = self.restorable.get_mut(&self.version) {
            *kept = Some(self.now.state.clone());
        }
        if let Some(table_life) = &mut self.table_life {
            for at_ms in fork_times_at(self.streams.branches(), self.version) {
                table_life.fork::<W>(&self.now.state, at_ms);
            }
        }
        Ok(())
    }

    /// Checks the next version and plays it.
    pub(super) fn play(&mut self, version: &Version) -> Result<(), RecordFault> {
        let number = self.version + 1;
        let malformed =
            |error: Malformed| RecordFault::Difference(format!("version {number}: {error}"));
        let refusal_failure = |what: &str, refusal: &dyn std::fmt::Display| {
            RecordFault::Difference(format!("version {number}: {what} the action: {refusal}"))
        };
        let time = milliseconds(version.entry.play_time.as_ref());
        let moment = EntryStamp {
            version: number,
            at_ms: time.saturating_sub(self.begun_ms),
        };
        let chance = self.streams.before(number, version)?;
        let event = recorded_table_event(&version.entry).map_err(malformed)?;
        let (played, after) = if let Some(event) = event {
            let actor = event.actor().map_or(0, seat_number);
            let what = format!("version {number}: the seat that acts");
            same(&what, &actor, &version.entry.seat)?;
            if version.action.is_some() {
                return difference(&format!("version {number}: an action where none belongs"));
            }
            let named = seats_of(&event).find(|seat| seat.index() >= self.seats);
            if let Some(seat) = named {
                return difference(&format!("version {number}: there is no {seat}"));
            }
            let restored = self.restored_state(&event);
            let after =
                table_life::apply_table_event(self.table(&chance), &event, restored, moment);
            let after = after.map_err(|no| refusal_failure("the table refuses", &no))?;
            (Played::Table(event), after)
        } else {
            let by = seat(version.entry.seat, "seat").map_err(malformed)?;
            if by.index() >= self.seats {
                return difference(&format!("version {number}: there is no {by}"));
            }
            let Some(action) = &version.action else {
                return difference(&format!("version {number}: the action is missing"));
            };
            let action = decode_action::<W>(number, action)?;
            let after = table_life::apply_action(self.table(&chance), by, &action, moment);
            let after = after.map_err(|denied| match denied {
                ActionError::Rules(refusal) => refusal_failure("the rules refuse", &refusal),
                ActionError::Table(no) => refusal_failure("the table refuses", &no),
            })?;
            (Played::Action(by, action), after)
        };
        self.played = Some(played);
        (self.now, self.table_life) = after;
        (self.version, self.after_ms) = (number, moment.at_ms);
        self.complete_version()
    }

    fn table<'a>(&'a self, chance: &'a Chance) -> table_life::Table<'a, W> {
        table_life::Table {
            state: &self.now.state,
            chance,
            seats: self.seats,
            table_life: self.table_life.as_deref(),
        }
    }

    /// Returns the state that a take-back restores.
    fn restored_state(&self, event: &TableEvent) -> Option<W::State> {
        let TableEvent::TakenBack { to_version, .. } = event else {
            return None;
        };
        self.restorable.get(to_version)?.clone()
    }

    /// Returns the cause of the last version. Returns `None` for version 1.
    #[must_use]
    pub const fn played(&self) -> Option<&Played<W::Action>> {
        self.played.as_ref()
    }

    /// Returns the version.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the time at which the log begins, in milliseconds since the Unix epoch.
    #[must_use]
    pub const fn begun_ms(&self) -> u64 {
        self.begun_ms
    }

    /// Returns the time of the version, in milliseconds after the log begins.
    #[must_use]
    pub const fn after_ms(&self) -> u64 {
        self.after_ms
    }

    /// Returns the pending decisions.
    #[must_use]
    pub fn decisions(&self) -> Vec<pb::PendingDecision> {
        let table_life = self.table_life.as_deref();
        let pending = table_life::pending::<W>(&self.now.state, table_life);
        pending_with_due_times(&pending, table_life, self.begun_ms)
    }

    /// Returns the event of the end, if the game is over.
    pub(super) fn ended(&self) -> Option<raw::Event> {
        let ended = ended(self.table_life.as_deref().and_then(TableLife::end));
        let kind = Some(pb::table_event::Kind::Ended(ended));
        self.decisions().is_empty().then(|| raw::Event {
            kind: "ended".to_owned(),
            table: Some(pb::TableEvent { kind }),
            ..raw::Event::default()
        })
    }

    /// Returns the result, if the game is over.
    #[must_use]
    pub fn standings(&self) -> Vec<pb::Standing> {
        let ranking = table_life::ranking::<W>(&self.now.state, self.table_life.as_deref());
        ranking.map_or_else(Vec::new, |ranking| standings(&ranking))
    }
}

/// Returns the versions to which a record returns by take-backs, without their states.
fn targets_of_take_backs<S>(record: &Record) -> BTreeMap<u64, Option<S>> {
    let events = record
        .versions
        .iter()
        .flat_map(|version| &version.entry.events);
    let kinds = events.filter_map(|event| event.table.as_ref()?.kind.as_ref());
    let mut targets = BTreeMap::new();
    for kind in kinds {
        if let pb::table_event::Kind::TakenBack(back) = kind {
            targets.insert(back.to_version, None);
        }
    }
    targets
}

/// Yields all seats that an event beyond the rules names. A record may name seats that its table does not have.
fn seats_of(event: &TableEvent) -> impl Iterator<Item = Seat> {
    let (set, agreed_by) = match event {
        TableEvent::TimeAdded { seats, .. } | TableEvent::OutagePassed { seats, .. } => {
            (*seats, None)
        }
        TableEvent::TakenBack { agreed_by, .. } => (SeatSet::default(), *agreed_by),
        TableEvent::Resigned { .. }
        | TableEvent::SeatFilled { .. }
        | TableEvent::TimedOut { .. }
        | TableEvent::Paused { .. }
        | TableEvent::Resumed { .. }
        | TableEvent::Proposed { .. }
        | TableEvent::Answered { .. }
        | TableEvent::Ended { .. } => (SeatSet::default(), None),
    };
    let named = [event.seat(), event.actor(), agreed_by];
    let listed: Vec<Seat> = set.iter().collect();
    named.into_iter().flatten().chain(listed)
}

/// Decodes the event beyond the rules of a version, except the end of the game. Returns `None` if the version is an
/// action.
fn recorded_table_event(entry: &raw::LogEntry) -> Result<Option<TableEvent>, Malformed> {
    for event in entry.events.iter().filter_map(|event| event.table.as_ref()) {
        if let Some(recorded) = read_table_event(event)? {
            return Ok(Some(recorded));
        }
    }
    Ok(None)
}

/// Decodes the action of a version into the type of its ruleset.
///
/// # Errors
/// Fails if the action is malformed, or of another ruleset.
pub fn decode_action<W: Wire>(
    version: u64,
    action: &raw::Action,
) -> Result<W::Action, RecordFault> {
    let strange = |what: &str| RecordFault::Difference(format!("version {version}: {what}"));
    let decoded = action.ruleset.clone().and_then(W::unwrap_action);
    let decoded = decoded.ok_or_else(|| strange("the action is one of another ruleset"))?;
    W::action(decoded.decode_as()?).map_err(|error| strange(&error.to_string()))
}

/// Decodes the table options.
pub(super) fn table_of(record: &Record) -> Result<TableOptions, RecordFault> {
    table_options(record.game.table.as_ref())
        .map_err(|error| RecordFault::Difference(format!("the table: {error}")))
}

fn options<W: Wire>(record: &Record) -> Result<W::Options, RecordFault> {
    let strange = |what: &str| RecordFault::Difference(format!("options: {what}"));
    let malformed = |error: Malformed| strange(&error.to_string());
    let names = player_names(&record.game.players).map_err(malformed)?;
    let encoded_options = record.options.ruleset.clone().and_then(W::unwrap_options);
    let encoded_options =
        encoded_options.ok_or_else(|| strange("they are those of another ruleset"))?;
    let draft = W::draft(encoded_options.decode_as()?).map_err(malformed)?;
    let options = W::options(&names, &draft).map_err(|refusal| strange(&refusal.to_string()))?;
    let spelled_out = wrap_options::<W>(&options);
    same_message("the options", "Options", &spelled_out, &record.options)?;
    Ok(options)
}
