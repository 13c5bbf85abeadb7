//! Replays a record: the options, the seed and the actions are the input, and everything else is compared with the
//! output of the rules.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::starts::{StartPoint, warm_start};
use gamekeeper_rules::table::{Chance, Kind, Seat, SeatSet, Viewer, fingerprint};
use gamekeeper_rules::table_life::{
    self, ActionError, EntryStamp, TableEvent, TableLife, TableOptions, fork_times_at,
};

use super::RecordFault;
use super::binding::{Binding, binding};
use super::differ::{difference, same, same_list, same_message, same_messages};
use super::luck::{DrawProof, RandomStreams, begun_ms, milliseconds, start_point};
use super::parts::{Record, Version, imported_versions};
use super::times::times;
use crate::{
    Malformed, Wire, add_table_life, begun_from_position, draw, end_reason, ended,
    pending_with_due_times, player_names, read_table_event, seat, seat_number, standings,
    table_event, table_options, wrap_action, wrap_event, wrap_options, wrap_view,
};

/// The counts and results of a verification.
#[derive(Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of versions replayed.
    pub versions: usize,
    /// The number of automatic actions compared.
    pub automatic: usize,
    /// The number of draws compared.
    pub draws: usize,
    /// The number of full tables compared; a record may have none.
    pub states: usize,
    /// The source of the draws.
    pub luck: DrawProof,
    /// Whether the initial facts are bound by a commitment.
    pub binding: Binding,
    /// Whether the game is over.
    pub is_over: bool,
}

/// A table during a replay.
pub struct Replay<W: Wire> {
    /// The state of the rules after the last version, with the events of that version.
    pub now: Applied<W>,
    /// The cause of the last version. `None` for version 1.
    played: Option<Played<W::Action>>,
    /// The state of the table beyond the rules, such as clocks and proposals.
    pub table_life: Option<Box<TableLife>>,
    streams: RandomStreams,
    /// The table on which the game began. `None` for the set-up.
    start: Option<StartPoint>,
    seats: usize,
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
    pub start: Option<StartPoint>,
    /// The luck of version 1.
    pub chance: Chance,
    streams: RandomStreams,
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
            start: start_point(record)?,
            chance: streams.before(1, first)?,
            streams,
        })
    }

    /// Makes the first table.
    #[must_use]
    pub fn first_table(&self) -> Applied<W> {
        let chance = self.chance.clone();
        match &self.start {
            None => create::<W>(&self.options, chance),
            Some(StartPoint { start, seed }) => {
                warm_start::<W>(&self.options, *start, seed).into_first_version(chance)
            }
        }
    }
}

/// A **check** of a record, version by version, so that callers can do other work in between.
pub struct RecordCheck<'a, W: Wire> {
    record: &'a Record,
    table: Replay<W>,
    checked: Checked,
}

impl<'a, W: Wire> RecordCheck<'a, W> {
    /// Checks what a record begins with, and its version 1, which is the first table of `beginning`.
    ///
    /// # Errors
    /// The first difference.
    pub fn begin(
        record: &'a Record,
        beginning: Beginning<W>,
        first: Applied<W>,
    ) -> Result<Self, RecordFault> {
        times(record)?;
        let luck = beginning.streams.kind(record.versions.len());
        let table = Replay::<W>::set_up(record, beginning, first)?;
        let initial = (&self::table(record)?, table.start.as_ref());
        let checked = Checked {
            versions: 0,
            automatic: 0,
            draws: 0,
            states: 0,
            luck,
            binding: binding::<W>(record, initial, table.seats)?,
            is_over: false,
        };
        let mut check = Self {
            record,
            table,
            checked,
        };
        if let Some(first) = record.versions.first() {
            compare::<W>(first, &check.table, &mut check.checked)?;
            same("version 1: the seat that acts", &0, &first.entry.seat)?;
        }
        Ok(check)
    }

    /// Checks the next version. Returns false if there is none.
    ///
    /// # Errors
    /// The first difference.
    pub fn step(&mut self) -> Result<bool, RecordFault> {
        let Some(version) = self.record.versions.get(self.checked.versions) else {
            return Ok(false);
        };
        self.table.play(version)?;
        compare::<W>(version, &self.table, &mut self.checked)?;
        Ok(true)
    }

    /// Returns the table after the version that was checked last.
    #[must_use]
    pub const fn table(&self) -> &Replay<W> {
        &self.table
    }

    /// Checks the end, once all versions were checked.
    ///
    /// # Errors
    /// The first difference.
    pub fn finish(mut self) -> Result<Checked, RecordFault> {
        end(self.record, &self.table)?;
        let states = if self.record.with_states {
            self.checked.versions
        } else {
            0
        };
        same("the number of tables", &states, &self.checked.states)?;
        self.checked.is_over = self.table.decisions().is_empty();
        complete(self.record, self.checked.is_over)?;
        Ok(self.checked)
    }
}

/// Replays a record up to one of its versions. Only the legality of the actions is checked.
///
/// # Errors
/// If the record was made with another revision of the rules.
pub fn table_at<W: Wire>(record: &Record, version: u64) -> Result<Replay<W>, RecordFault> {
    let beginning = Beginning::<W>::of(record)?;
    let first = beginning.first_table();
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
    fn set_up(
        record: &Record,
        beginning: Beginning<W>,
        now: Applied<W>,
    ) -> Result<Self, RecordFault> {
        let seats = W::seats(&beginning.options);
        let mut replay = Self {
            table_life: TableLife::new_if_needed(table(record)?, seats, &W::pending(&now.state)),
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
    fn play(&mut self, version: &Version) -> Result<(), RecordFault> {
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
    fn ended(&self) -> Option<raw::Event> {
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
fn table(record: &Record) -> Result<TableOptions, RecordFault> {
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

/// Compares everything that the record contains about a version.
fn compare<W: Wire>(
    version: &Version,
    replay: &Replay<W>,
    checked: &mut Checked,
) -> Result<(), RecordFault> {
    let (number, table) = (replay.version, &replay.now);
    let what = |what: &str| format!("version {number}: {what}");
    same(&what("its number"), &number, &version.entry.version)?;
    let draws: Vec<pb::Draw> = table.draws.iter().map(draw::<W>).collect();
    same_list(&what("draw"), &draws, &version.draws)?;
    let automatic = table
        .automatic
        .iter()
        .map(|automatic| raw::AutomaticAction {
            seat: seat_number(automatic.seat),
            action: Some(wrap_action::<W>(&automatic.action)),
        });
    let automatic: Vec<_> = automatic.collect();
    let (name, recorded) = ("AutomaticAction", &version.automatic);
    same_messages(&what("automatic action"), name, &automatic, recorded)?;
    let events = &version.entry.events;
    same_messages(&what("event"), "Event", &expected_events(replay), events)?;
    same_list(&what("decision"), &replay.decisions(), &version.pending)?;
    let fingerprint = const_hex::encode(fingerprint(&table.state).to_be_bytes());
    same(&what("the fingerprint"), &fingerprint, &version.fingerprint)?;
    if let Some(state) = &version.state {
        let view =
            table_life::view::<W>(&table.state, replay.table_life.as_deref(), Viewer::Operator);
        let view = wrap_view::<W>(&view);
        same_message(&what("the table"), "View", &view, state)?;
        checked.states += 1;
    }
    checked.versions += 1;
    checked.draws += draws.len();
    checked.automatic += automatic.len();
    Ok(())
}

/// Returns the events of the last version with all facts: the start, the event beyond the rules, then the events of the rules,
/// then the end of the game.
fn expected_events<W: Wire>(replay: &Replay<W>) -> Vec<raw::Event> {
    // Excluded here because the end of the game comes last.
    let table_events = match &replay.played {
        Some(Played::Table(event)) => Some(event),
        Some(Played::Action(..)) | None => None,
    };
    let table_events = table_events.filter(|event| !matches!(event, TableEvent::Ended { .. }));
    let table_events = table_events.into_iter().map(|event| raw::Event {
        kind: event.kind().to_owned(),
        seat: event.seat().map_or(0, seat_number),
        table: Some(table_event(event)),
        ..raw::Event::default()
    });
    let events = replay
        .now
        .events_with_forced()
        .filter_map(|(event, is_forced)| {
            let visible = W::event_view(event, Viewer::Operator)?;
            Some(wrap_event::<W>(&visible, is_forced, None))
        });
    let begun = replay.start.as_ref().filter(|_| replay.version == 1);
    let begun = begun.map(|point| begun_from_position(point, false));
    let begun = begun.into_iter();
    let events = begun.chain(table_events).chain(events);
    events.chain(replay.ended()).collect()
}

/// Compares the header with the table at the end of the record: all facts that follow from the log.
fn end<W: Wire>(record: &Record, table: &Replay<W>) -> Result<(), RecordFault> {
    let game = &record.game;
    let versions = u64::try_from(record.versions.len()).unwrap_or(u64::MAX);
    same("the number of versions", &versions, &game.version)?;
    let (undecided, table_life) = (table.decisions(), table.table_life.as_deref());
    let (status, reason) = if undecided.is_empty() {
        let reason = end_reason(table_life.and_then(TableLife::end));
        (pb::GameStatus::Finished, reason)
    } else {
        (pb::GameStatus::Active, pb::EndReason::Unspecified)
    };
    let mut expected = pb::GameInfo {
        version: versions,
        status: status.into(),
        pending: undecided,
        standings: table.standings(),
        end_reason: reason.into(),
        // Facts that are not in the log. The bound ones among them are compared with the commitment.
        game_id: game.game_id.clone(),
        ruleset: game.ruleset.clone(),
        rules_revision: game.rules_revision,
        players: game.players.clone(),
        create_time: game.create_time,
        update_time: game.update_time,
        seed_commitment: game.seed_commitment.clone(),
        record_commitment: game.record_commitment.clone(),
        labels: game.labels.clone(),
        forked_from: game.forked_from.clone(),
        start: game.start,
        imported_versions: imported_versions(&record.origins),
        ..pb::GameInfo::default()
    };
    if let Some(table_life) = table_life {
        add_table_life(&mut expected, table_life);
    }
    same_message("the header", "GameInfo", &expected, game)
}

/// Checks that the record contains the salt and the seed if, and only if, the game is over.
fn complete(record: &Record, is_over: bool) -> Result<(), RecordFault> {
    match (is_over, record.reveal.is_some()) {
        (true, false) => difference(
            "it is incomplete: the game is over, but salt and seed are missing, so nothing proves its luck",
        ),
        (false, true) => difference("the game is not over, but salt and seed are in its record"),
        (true, true) | (false, false) => Ok(()),
    }
}
