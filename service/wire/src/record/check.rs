//! The **check** of a record: everything that it says is compared with what its options, seed and actions give by the
//! rules.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Kind, Viewer, fingerprint};
use gamekeeper_rules::table_life::{self, TableEvent, TableLife};

use super::RecordFault;
use super::binding::{Binding, binding};
use super::differ::{difference, same, same_list, same_message, same_messages};
use super::luck::DrawProof;
use super::parts::{Record, Version, imported_versions};
use super::replay::{Beginning, Played, Replay, table_of};
use super::times::times;
use crate::{
    StartTable, Wire, add_table_life, begun_from_position, draw, end_reason, seat_number,
    table_event, wrap_action, wrap_event, wrap_view,
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
        let initial = (&table_of(record)?, table.start.as_ref());
        let is_dealt =
            matches!(table.start, Some(StartTable::Described(_))) && !table.now.draws.is_empty();
        let what = "whether luck dealt parts of the first table";
        same(what, &is_dealt, &record.game.start_dealt)?;
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

/// Compares everything that the record contains about a version.
fn compare<W: Wire>(
    version: &Version,
    replay: &Replay<W>,
    checked: &mut Checked,
) -> Result<(), RecordFault> {
    let (number, table) = (replay.version(), &replay.now);
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
    let begun = replay.start.as_ref().filter(|_| replay.version() == 1);
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
        start_dealt: game.start_dealt,
        imported_versions: imported_versions(&record.origins),
        entries_left: game.entries_left,
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
