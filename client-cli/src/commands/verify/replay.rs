//! Replays a record: the options, the seed and the actions are the input, and everything else is compared with the
//! output of the rules.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::starts::{StartPoint, warm_start};
use gamekeeper_rules::table::{Chance, Kind, Viewer, fingerprint};
use gamekeeper_rules::table_life::{
    self, ActionError, EntryStamp, TableEvent, TableLife, TableOptions, fork_times_at,
};
use gamekeeper_wire::{
    Malformed, Wire, add_table_life, begun_from_position, draw, end_reason, ended,
    pending_with_due_times, player_names, read_table_event, seat, seat_number, standings,
    table_event, table_options, wrap_action, wrap_event, wrap_options, wrap_view,
};

use super::binding::{Binding, binding};
use super::differ::{difference, same, same_list, same_message, same_messages};
use super::luck::{DrawProof, RandomStreams, begun_ms, milliseconds, start_point};
use super::record::{Record, Version};
use super::times::times;
use crate::failure::Failure;
use crate::progress::Progress;

/// The counts and results of a verification.
pub(super) struct Checked {
    /// The number of versions replayed.
    pub(super) versions: usize,
    /// The number of automatic actions compared.
    pub(super) automatic: usize,
    /// The number of draws compared.
    pub(super) draws: usize,
    /// The number of full tables compared; a record may have none.
    pub(super) states: usize,
    /// The source of the draws.
    pub(super) luck: DrawProof,
    /// Whether the initial facts are bound by a commitment.
    pub(super) binding: Binding,
    /// Whether the game is over.
    pub(super) is_over: bool,
}

/// A table during a replay.
pub(crate) struct Replay<W: Wire> {
    /// The state of the rules after the last version, with the events of that version.
    pub(crate) now: Applied<W>,
    /// The event beyond the rules of the last version, such as a take-back or a resignation. `None` after an action.
    table_event: Option<TableEvent>,
    /// The state of the table beyond the rules, such as clocks and proposals.
    pub(crate) table_life: Option<Box<TableLife>>,
    streams: RandomStreams,
    /// The table on which the game began. `None` for the set-up.
    start: Option<StartPoint>,
    seats: usize,
    version: u64,
    /// The time at which the log begins, in milliseconds.
    begun_ms: u64,
    /// The states of all versions, kept only if the record has a take-back.
    states: Option<Vec<W::State>>,
}

/// Replays a record and compares every version with it.
///
/// # Errors
/// The first difference.
pub(super) fn replay<W: Wire>(
    record: &Record,
    progress: &mut Progress,
) -> Result<Checked, Failure> {
    same(
        "the revision of the rules",
        &W::INFO.revision,
        &record.game.rules_revision,
    )?;
    let streams = RandomStreams::of(record)?;
    let Some((first, further)) = record.versions.split_first() else {
        return difference("there is not even a first version");
    };
    times(record)?;
    let luck = streams.kind(record.versions.len());
    let mut table = Replay::<W>::set_up(record, first, streams)?;
    let mut checked = Checked {
        versions: 0,
        automatic: 0,
        draws: 0,
        states: 0,
        luck,
        binding: binding::<W>(
            record,
            (&self::table(record)?, table.start.as_ref()),
            table.seats,
        )?,
        is_over: false,
    };
    compare::<W>(first, &table, &mut checked)?;
    same("version 1: the seat that acts", &0, &first.entry.seat)?;
    for version in further {
        table.play(version)?;
        compare::<W>(version, &table, &mut checked)?;
        progress.advance(1);
    }
    end(record, &table)?;
    let states = if record.with_states {
        checked.versions
    } else {
        0
    };
    same("the number of tables", &states, &checked.states)?;
    checked.is_over = table.decisions().is_empty();
    complete(record, checked.is_over)?;
    Ok(checked)
}

/// Replays a record up to one of its versions. Only the legality of the actions is checked.
///
/// # Errors
/// If the record was made with another revision of the rules.
pub(crate) fn table_at<W: Wire>(record: &Record, version: u64) -> Result<Replay<W>, Failure> {
    same(
        "the revision of the rules",
        &W::INFO.revision,
        &record.game.rules_revision,
    )?;
    let Some(first) = record.versions.first() else {
        return difference("there is not even a first version");
    };
    let mut table = Replay::<W>::set_up(record, first, RandomStreams::of(record)?)?;
    for (_, played) in (2..=version).zip(record.versions.iter().skip(1)) {
        table.play(played)?;
    }
    Ok(table)
}

impl<W: Wire> Replay<W> {
    /// Creates the table from the set-up.
    fn set_up(record: &Record, first: &Version, streams: RandomStreams) -> Result<Self, Failure> {
        let options = options::<W>(record)?;
        let (start, chance) = (start_point(record)?, streams.before(1, first)?);
        let now = match &start {
            None => create::<W>(&options, chance),
            Some(StartPoint { start, seed }) => {
                warm_start::<W>(&options, *start, seed).into_first_version(chance)
            }
        };
        let seats = W::seats(&options);
        let taken_back = |version: &Version| {
            let mut events = version.entry.events.iter();
            events.any(|event| {
                let kind = event.table.as_ref().and_then(|table| table.kind.as_ref());
                matches!(kind, Some(pb::table_event::Kind::TakenBack(_)))
            })
        };
        let has_take_backs = record.versions.iter().any(taken_back);
        let mut replay = Self {
            table_life: TableLife::new_if_needed(table(record)?, seats, &W::pending(&now.state)),
            states: has_take_backs.then(|| vec![now.state.clone()]),
            now,
            table_event: None,
            streams,
            start,
            seats,
            version: 1,
            begun_ms: begun_ms(record),
        };
        replay.advance_streams()?;
        Ok(replay)
    }

    /// Completes a version that was played: advances the draws, and begins the forks that start after it.
    fn advance_streams(&mut self) -> Result<(), Failure> {
        self.streams.after(self.version, &self.now.chance)?;
        if let Some(table_life) = &mut self.table_life {
            for at_ms in fork_times_at(self.streams.branches(), self.version) {
                table_life.fork::<W>(&self.now.state, at_ms);
            }
        }
        Ok(())
    }

    /// Checks the next version and plays it.
    fn play(&mut self, version: &Version) -> Result<(), Failure> {
        let number = self.version + 1;
        let malformed =
            |error: Malformed| Failure::Difference(format!("version {number}: {error}"));
        let refusal_failure = |what: &str, refusal: &dyn std::fmt::Display| {
            Failure::Difference(format!("version {number}: {what} the action: {refusal}"))
        };
        let time = milliseconds(version.entry.play_time.as_ref());
        let moment = EntryStamp {
            version: number,
            at_ms: time.saturating_sub(self.begun_ms),
        };
        let chance = self.streams.before(number, version)?;
        self.table_event = recorded_table_event(&version.entry).map_err(malformed)?;
        (self.now, self.table_life) = if let Some(event) = &self.table_event {
            let actor = event.actor().map_or(0, seat_number);
            let what = format!("version {number}: the seat that acts");
            same(&what, &actor, &version.entry.seat)?;
            if version.action.is_some() {
                return difference(&format!("version {number}: an action where none belongs"));
            }
            table_life::apply_table_event(
                self.table(&chance),
                event,
                self.restored_state(event),
                moment,
            )
            .map_err(|no| refusal_failure("the table refuses", &no))?
        } else {
            let by = seat(version.entry.seat, "seat").map_err(malformed)?;
            let Some(action) = &version.action else {
                return difference(&format!("version {number}: the action is missing"));
            };
            let action = decode_action::<W>(number, action)?;
            table_life::apply_action(self.table(&chance), by, &action, moment).map_err(
                |denied| match denied {
                    ActionError::Rules(refusal) => refusal_failure("the rules refuse", &refusal),
                    ActionError::Table(no) => refusal_failure("the table refuses", &no),
                },
            )?
        };
        self.version = number;
        self.advance_streams()?;
        if let Some(states) = &mut self.states {
            states.push(self.now.state.clone());
        }
        Ok(())
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
        let index = usize::try_from(to_version.checked_sub(1)?).ok()?;
        self.states.as_ref()?.get(index).cloned()
    }

    /// Returns the pending decisions.
    pub(crate) fn decisions(&self) -> Vec<pb::PendingDecision> {
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
    pub(crate) fn standings(&self) -> Vec<pb::Standing> {
        let ranking = table_life::ranking::<W>(&self.now.state, self.table_life.as_deref());
        ranking.map_or_else(Vec::new, |ranking| standings(&ranking))
    }
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
pub(crate) fn decode_action<W: Wire>(
    version: u64,
    action: &raw::Action,
) -> Result<W::Action, Failure> {
    let strange = |what: &str| Failure::Difference(format!("version {version}: {what}"));
    let decoded = action.ruleset.clone().and_then(W::unwrap_action);
    let decoded = decoded.ok_or_else(|| strange("the action is one of another ruleset"))?;
    W::action(decoded.decode_as()?).map_err(|error| strange(&error.to_string()))
}

/// Decodes the table options.
fn table(record: &Record) -> Result<TableOptions, Failure> {
    table_options(record.game.table.as_ref())
        .map_err(|error| Failure::Difference(format!("the table: {error}")))
}

fn options<W: Wire>(record: &Record) -> Result<W::Options, Failure> {
    let strange = |what: &str| Failure::Difference(format!("options: {what}"));
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
) -> Result<(), Failure> {
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
    let table_events = replay.table_event.iter();
    let table_events = table_events.filter(|event| !matches!(event, TableEvent::Ended { .. }));
    let table_events = table_events.map(|event| raw::Event {
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
fn end<W: Wire>(record: &Record, table: &Replay<W>) -> Result<(), Failure> {
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
        ..pb::GameInfo::default()
    };
    if let Some(table_life) = table_life {
        add_table_life(&mut expected, table_life);
    }
    same_message("the header", "GameInfo", &expected, game)
}

/// Checks that the record contains the salt and the seed if, and only if, the game is over.
fn complete(record: &Record, is_over: bool) -> Result<(), Failure> {
    match (is_over, record.reveal.is_some()) {
        (true, false) => difference(
            "it is incomplete: the game is over, but salt and seed are missing, so nothing proves its luck",
        ),
        (false, true) => difference("the game is not over, but salt and seed are in its record"),
        (true, true) | (false, false) => Ok(()),
    }
}
