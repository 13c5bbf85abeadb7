//! Replaying a record: options, seed and actions go in, everything else must come out.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life::{self, Deed, Denied, Life, Moment, TableOptions, began_with};
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::table::{Chance, Viewer, fingerprint};
use gamekeeper_wire::{
    Malformed, PbAction, PbEvent, PbOptions, Wire, add_life, deed, draw, pending_until,
    player_names, seat, seat_number, standings, table_options,
};

use super::differ::{difference, same, same_list, same_message, same_messages};
use super::luck::{Luck, Lucks, begun_ms, milliseconds};
use super::record::{ExportVersion, Kinds, Record};
use crate::contract::dynamic;
use crate::failure::Failure;
use crate::progress::Progress;

/// What was checked.
pub(super) struct Checked {
    /// Versions replayed.
    pub(super) versions: usize,
    /// Automatic actions compared.
    pub(super) automatic: usize,
    /// Draws compared.
    pub(super) draws: usize,
    /// Whole tables compared; records need not hold them.
    pub(super) states: usize,
    /// Where the luck came from.
    pub(super) luck: Luck,
}

/// A table during a replay.
pub(crate) struct Replay<W: Wire> {
    /// The table of the rules after the last version, with what the version brought.
    pub(crate) now: Applied<W>,
    /// The facts of the table beyond the rules.
    pub(crate) life: Option<Box<Life>>,
    lucks: Lucks,
    seats: usize,
    version: u64,
    /// When the log begins.
    begun_ms: u64,
    /// The states of all versions, if something was taken back.
    states: Option<Vec<W::State>>,
}

/// Replays a record.
///
/// # Errors
/// The first difference.
pub(super) fn replay<W: Wire>(
    record: &Record,
    progress: &mut Progress,
) -> Result<Checked, Failure> {
    same(
        "the revision of the rules",
        &W::SHEET.revision,
        &record.game.rules_revision,
    )?;
    let lucks = Lucks::of(record)?;
    let mut checked = Checked {
        versions: 0,
        automatic: 0,
        draws: 0,
        states: 0,
        luck: lucks.kind(record.versions.len()),
    };
    let Some((first, further)) = record.versions.split_first() else {
        return difference("there is not even a first version");
    };
    let mut table = Replay::<W>::begin(record, first, lucks)?;
    compare::<W>(&record.kinds, first, &table, &mut checked)?;
    same("version 1: the seat that acts", &0, &first.seat)?;
    for version in further {
        table.play(version)?;
        compare::<W>(&record.kinds, version, &table, &mut checked)?;
        progress.advance(1);
    }
    end(record, &table)?;
    Ok(checked)
}

/// The table of a record at one of its versions. Only the legality of the actions is checked.
///
/// # Errors
/// When the record is not one of these rules.
pub(crate) fn table_at<W: Wire>(record: &Record, version: u64) -> Result<Replay<W>, Failure> {
    same(
        "the revision of the rules",
        &W::SHEET.revision,
        &record.game.rules_revision,
    )?;
    let Some(first) = record.versions.first() else {
        return difference("there is not even a first version");
    };
    let mut table = Replay::<W>::begin(record, first, Lucks::of(record)?)?;
    for (_, played) in (2..=version).zip(record.versions.iter().skip(1)) {
        table.play(played)?;
    }
    Ok(table)
}

impl<W: Wire> Replay<W> {
    /// The set-up.
    fn begin(record: &Record, first: &ExportVersion, lucks: Lucks) -> Result<Self, Failure> {
        let options = options::<W>(record)?;
        let now = create::<W>(&options, lucks.before(1, first)?);
        let seats = W::seats(&options);
        let taken_back = |version: &ExportVersion| {
            let entry = version.table.as_ref().and_then(|table| table.kind.as_ref());
            matches!(entry, Some(pb::table_entry::Kind::TakenBack(_)))
        };
        let keeps = record.versions.iter().any(taken_back);
        let mut replay = Self {
            life: Life::begun(table(record)?, seats, &W::pending(&now.state)),
            states: keeps.then(|| vec![now.state.clone()]),
            now,
            lucks,
            seats,
            version: 1,
            begun_ms: begun_ms(record),
        };
        replay.played()?;
        Ok(replay)
    }

    /// Follows up on a version that was played: advances the luck, and begins the branches that start there.
    fn played(&mut self) -> Result<(), Failure> {
        self.lucks.after(self.version, &self.now.chance)?;
        if let Some(life) = &mut self.life {
            for at_ms in began_with(self.lucks.line(), self.version) {
                life.branch::<W>(&self.now.state, at_ms);
            }
        }
        Ok(())
    }

    /// Judges and replays the next version.
    fn play(&mut self, version: &ExportVersion) -> Result<(), Failure> {
        let number = self.version + 1;
        let malformed =
            |error: Malformed| Failure::Difference(format!("version {number}: {error}"));
        let refused = |what: &str, refusal: &dyn std::fmt::Display| {
            Failure::Difference(format!("version {number}: {what} the action: {refusal}"))
        };
        let time = milliseconds(version.play_time.as_ref());
        let moment = Moment {
            version: number,
            at_ms: time.saturating_sub(self.begun_ms),
        };
        let chance = self.lucks.before(number, version)?;
        (self.now, self.life) = if let Some(entry) = &version.table {
            let deed = deed(entry).map_err(malformed)?;
            let actor = deed.actor().map_or(0, seat_number);
            let what = format!("version {number}: the seat that acts");
            same(&what, &actor, &version.seat)?;
            life::perform(self.table(&chance), &deed, self.back(&deed), moment)
                .map_err(|no| refused("the table refuses", &no))?
        } else {
            let by = seat(version.seat, "seat").map_err(malformed)?;
            let Some(action) = &version.action else {
                return difference(&format!("version {number}: the action is missing"));
            };
            let action = W::action(action.typed()?).map_err(malformed)?;
            life::act(self.table(&chance), by, &action, moment).map_err(|denied| match denied {
                Denied::Rules(refusal) => refused("the rules refuse", &refusal),
                Denied::Table(no) => refused("the table refuses", &no),
            })?
        };
        self.version = number;
        self.played()?;
        if let Some(states) = &mut self.states {
            states.push(self.now.state.clone());
        }
        Ok(())
    }

    fn table<'a>(&'a self, chance: &'a Chance) -> life::Table<'a, W> {
        life::Table {
            state: &self.now.state,
            chance,
            seats: self.seats,
            life: self.life.as_deref(),
        }
    }

    /// The state that a take-back restores.
    fn back(&self, deed: &Deed) -> Option<W::State> {
        let Deed::TakenBack { to_version, .. } = deed else {
            return None;
        };
        let place = usize::try_from(to_version.checked_sub(1)?).ok()?;
        self.states.as_ref()?.get(place).cloned()
    }

    /// The pending decisions.
    pub(crate) fn decisions(&self) -> Vec<pb::PendingDecision> {
        let life = self.life.as_deref();
        let pending = life::pending::<W>(&self.now.state, life);
        pending_until(&pending, life, self.begun_ms)
    }

    /// The result, if the game is over.
    pub(crate) fn standings(&self) -> Vec<pb::Standing> {
        let ranking = life::ranking::<W>(&self.now.state, self.life.as_deref());
        ranking.map_or_else(Vec::new, |ranking| standings(&ranking))
    }
}

/// The table options.
fn table(record: &Record) -> Result<TableOptions, Failure> {
    table_options(record.game.table.as_ref())
        .map_err(|error| Failure::Difference(format!("the table: {error}")))
}

fn options<W: Wire>(record: &Record) -> Result<W::Options, Failure> {
    let malformed = |error: Malformed| Failure::Difference(format!("options: {error}"));
    let names = player_names(&record.game.players).map_err(malformed)?;
    let given: PbOptions<W> = record.options.typed()?;
    let draft = W::draft(given).map_err(malformed)?;
    let options = W::options(&names, &draft)
        .map_err(|refusal| Failure::Difference(format!("options: {refusal}")))?;
    same_message(
        "the options",
        &record.kinds.options,
        &W::options_message(&options),
        &record.options,
    )?;
    Ok(options)
}

/// Compares everything that the record says about a version.
fn compare<W: Wire>(
    kinds: &Kinds,
    version: &ExportVersion,
    replay: &Replay<W>,
    checked: &mut Checked,
) -> Result<(), Failure> {
    let (number, table) = (replay.version, &replay.now);
    let what = |what: &str| format!("version {number}: {what}");
    same(&what("its number"), &number, &version.version)?;
    let draws: Vec<pb::Draw> = table.draws.iter().map(draw::<W>).collect();
    same_list(&what("draw"), &draws, &version.draws)?;
    same_automatic::<W>(&what("automatic action"), kinds, table, version)?;
    same_events::<W>(&what("event"), kinds, table, version)?;
    same_list(&what("decision"), &replay.decisions(), &version.pending)?;
    let fingerprint = const_hex::encode(fingerprint(&table.state).to_be_bytes());
    same(&what("the fingerprint"), &fingerprint, &version.fingerprint)?;
    if let Some(state) = &version.state {
        let view = W::view_message(&W::view(&table.state, Viewer::Operator));
        same_message(&what("the table"), &kinds.view, &view, state)?;
        checked.states += 1;
    }
    checked.versions += 1;
    checked.draws += draws.len();
    checked.automatic += table.automatic.len();
    Ok(())
}

fn same_automatic<W: Wire>(
    what: &str,
    kinds: &Kinds,
    table: &Applied<W>,
    version: &ExportVersion,
) -> Result<(), Failure> {
    let recorded = &version.automatic;
    let seats: Vec<u32> = table
        .automatic
        .iter()
        .map(|automatic| seat_number(automatic.seat))
        .collect();
    let recorded_seats: Vec<u32> = recorded.iter().map(|action| action.seat).collect();
    same_list(&format!("{what}: seat"), &seats, &recorded_seats)?;
    let actions: Vec<PbAction<W>> = table
        .automatic
        .iter()
        .map(|automatic| W::action_message(&automatic.action))
        .collect();
    let recorded: Vec<_> = recorded
        .iter()
        .filter_map(|action| action.action.clone())
        .collect();
    same_messages(what, &kinds.action, &actions, &recorded)
}

/// The events with all facts but without sentences, which are not part of the record. A version that
/// an earlier build played may have the events of that build, and no others.
fn same_events<W: Wire>(
    what: &str,
    kinds: &Kinds,
    table: &Applied<W>,
    version: &ExportVersion,
) -> Result<(), Failure> {
    let without_text = |event: &Opaque| {
        let mut event = dynamic(&kinds.event, event)?;
        event.clear_field_by_name("text");
        Ok(Opaque::of(&event))
    };
    let recorded = version.events.iter().map(without_text);
    let recorded: Vec<Opaque> = recorded.collect::<Result<_, Failure>>()?;
    let told = |as_told: fn(&W::Event) -> Option<W::Event>| -> Vec<PbEvent<W>> {
        let told = table.events.iter().filter_map(as_told);
        let shown = told.filter_map(|event| W::event_view(&event, Viewer::Operator));
        shown.map(|event| W::event_message(&event, None)).collect()
    };
    let same = |told: Vec<PbEvent<W>>| same_messages(what, &kinds.event, &told, &recorded);
    same(told(|event| Some(event.clone())))
        .or_else(|difference| same(told(W::recorded_before)).map_err(|_| difference))
}

/// Compares the facts at the end of the record.
fn end<W: Wire>(record: &Record, table: &Replay<W>) -> Result<(), Failure> {
    let pb::GameInfo {
        version,
        status,
        pending: decisions,
        standings: result,
        ..
    } = &record.game;
    let versions = u64::try_from(record.versions.len()).unwrap_or(u64::MAX);
    same("the number of versions", &versions, version)?;
    let left = table.decisions();
    let (expected, reason) = if left.is_empty() {
        (pb::GameStatus::Finished, pb::EndReason::Rules)
    } else {
        (pb::GameStatus::Active, pb::EndReason::Unspecified)
    };
    same("the status", &i32::from(expected), status)?;
    same_list("the end: decision", &left, decisions)?;
    same_list("the result: place", &table.standings(), result)?;
    beside(record, table.life.as_deref(), reason)
}

/// Compares the facts beyond the rules.
fn beside(record: &Record, life: Option<&Life>, reason: pb::EndReason) -> Result<(), Failure> {
    let mut expected = pb::GameInfo {
        players: record.game.players.clone(),
        end_reason: reason.into(),
        ..pb::GameInfo::default()
    };
    if let Some(life) = life {
        add_life(&mut expected, life);
    }
    let game = &record.game;
    // Builds before the first release did not say why a game was over.
    if game.end_reason() != pb::EndReason::Unspecified || reason == pb::EndReason::Unspecified {
        let what = "the reason of the end";
        same(what, &expected.end_reason(), &game.end_reason())?;
    }
    same_list("a seat that left", &expected.resigned, &game.resigned)?;
    same_list("a clock", &expected.clocks, &game.clocks)?;
    same("whether the clocks stand", &expected.paused, &game.paused)?;
    let (request, recorded) = (&expected.pending_take_back, &game.pending_take_back);
    same("the request to take back", request, recorded)
}
