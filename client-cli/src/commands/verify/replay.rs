//! Playing a record again: options, seed and actions go in, everything else must come out.

use gamekeeper_proto::gamekeeper::v1::{self as pb, SeedReveal};
use gamekeeper_rules::ruleset::{Applied, apply, create};
use gamekeeper_rules::table::{Chance, Draw, Seed, Viewer, fingerprint};
use gamekeeper_wire::{
    Malformed, PbAction, PbEvent, PbOptions, Wire, draw, pending, player_names, seat, seat_number,
    standings,
};

use super::differ::{difference, same, same_list, same_message, same_messages};
use super::record::{ExportVersion, Kinds, Record};
use crate::failure::Failure;
use crate::opaque::Opaque;
use crate::progress::Progress;

/// What was checked.
pub(super) struct Checked {
    /// Versions played again.
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

/// Where the luck of a replay comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Luck {
    /// From the seed: every draw is proved.
    Recomputed,
    /// From the record: the seed is still secret.
    Repeated,
}

/// Plays a record again.
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
    let options = options::<W>(record)?;
    let (luck, chance) = luck(record)?;
    let mut checked = Checked {
        versions: 0,
        automatic: 0,
        draws: 0,
        states: 0,
        luck,
    };
    let Some((first, moves)) = record.versions.split_first() else {
        return difference("there is not even a first version");
    };
    let mut table = create::<W>(&options, chance);
    compare::<W>(&record.kinds, first, 1, &table, &mut checked)?;
    same("version 1: the seat that acts", &0, &first.seat)?;
    for (number, version) in (2..).zip(moves) {
        table = play::<W>(&table, number, version)?;
        compare::<W>(&record.kinds, version, number, &table, &mut checked)?;
        progress.advance(1);
    }
    end(record, table)?;
    Ok(checked)
}

/// The table of a record at a version that it has. Nothing of the record is checked but that its
/// actions are legal.
///
/// # Errors
/// When the record is not one of these rules.
pub(crate) fn table_at<W: Wire>(record: &Record, version: u64) -> Result<Applied<W>, Failure> {
    same(
        "the revision of the rules",
        &W::SHEET.revision,
        &record.game.rules_revision,
    )?;
    let mut table = create::<W>(&options::<W>(record)?, luck(record)?.1);
    for (number, played) in (2..=version).zip(record.versions.iter().skip(1)) {
        table = play::<W>(&table, number, played)?;
    }
    Ok(table)
}

fn luck(record: &Record) -> Result<(Luck, Chance), Failure> {
    Ok(match &record.reveal {
        Some(reveal) => (
            Luck::Recomputed,
            revealed(reveal, &record.game.seed_commitment)?,
        ),
        None => (Luck::Repeated, Chance::scripted(recorded_draws(record)?)),
    })
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

/// Luck from the seed, if it is the one that was committed to.
fn revealed(reveal: &SeedReveal, commitment: &[u8]) -> Result<Chance, Failure> {
    let bytes = |name: &str, bytes: &[u8]| {
        <[u8; 32]>::try_from(bytes).map_err(|_| {
            Failure::Difference(format!("the {name} has {} bytes, not 32", bytes.len()))
        })
    };
    let (salt, seed) = (
        bytes("salt", &reveal.salt)?,
        Seed::new(bytes("seed", &reveal.seed)?),
    );
    if seed.commitment(&salt)[..] != *commitment {
        return difference("salt and seed do not fit the commitment");
    }
    Ok(Chance::from_seed(&seed))
}

fn recorded_draws(record: &Record) -> Result<Vec<Draw>, Failure> {
    let mut draws = Vec::new();
    for version in &record.versions {
        for draw in &version.draws {
            draws.push(recorded_draw(draw)?);
        }
    }
    Ok(draws)
}

fn recorded_draw(draw: &pb::Draw) -> Result<Draw, Failure> {
    let impossible = || Failure::Difference(format!("no table has a draw {draw:?}"));
    let seat = match draw.seat {
        0 => None,
        number => Some(seat(number, "seat").map_err(|_| impossible())?),
    };
    let values = draw
        .values
        .iter()
        .map(|value| u16::try_from(*value))
        .collect::<Result<_, _>>();
    Ok(Draw {
        values: values.map_err(|_| impossible())?,
        seat,
        name: draw.name.clone().into(),
    })
}

/// The action of a version, judged and played again.
fn play<W: Wire>(
    table: &Applied<W>,
    number: u64,
    version: &ExportVersion,
) -> Result<Applied<W>, Failure> {
    let malformed = |error: Malformed| Failure::Difference(format!("version {number}: {error}"));
    let by = seat(version.seat, "seat").map_err(malformed)?;
    let Some(action) = &version.action else {
        return difference(&format!("version {number}: the action is missing"));
    };
    let action = W::action(action.typed()?).map_err(malformed)?;
    apply::<W>(&table.state, &table.chance, by, &action).map_err(|refusal| {
        Failure::Difference(format!(
            "version {number}: the rules refuse the action: {refusal}"
        ))
    })
}

/// Everything that the record says of a version.
fn compare<W: Wire>(
    kinds: &Kinds,
    version: &ExportVersion,
    number: u64,
    table: &Applied<W>,
    checked: &mut Checked,
) -> Result<(), Failure> {
    let what = |what: &str| format!("version {number}: {what}");
    same(&what("its number"), &number, &version.version)?;
    let draws: Vec<pb::Draw> = table.draws.iter().map(draw::<W>).collect();
    same_list(&what("draw"), &draws, &version.draws)?;
    same_automatic::<W>(&what("automatic action"), kinds, table, version)?;
    same_events::<W>(&what("event"), kinds, table, version)?;
    let decisions = pending(&W::pending(&table.state));
    same_list(&what("decision"), &decisions, &version.pending)?;
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

/// The events with all facts, and without sentences: those are not part of the record. A version that
/// an earlier build played may be told as that build did, but not otherwise.
fn same_events<W: Wire>(
    what: &str,
    kinds: &Kinds,
    table: &Applied<W>,
    version: &ExportVersion,
) -> Result<(), Failure> {
    let without_text = |event: &Opaque| {
        let mut event = event.described(&kinds.event)?;
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
        .or_else(|difference| same(told(W::told_before)).map_err(|_| difference))
}

/// The facts at the end of the record.
fn end<W: Wire>(record: &Record, table: Applied<W>) -> Result<(), Failure> {
    let pb::GameInfo {
        version,
        status,
        pending: decisions,
        standings: result,
        ..
    } = &record.game;
    let versions = u64::try_from(record.versions.len()).unwrap_or(u64::MAX);
    same("the number of versions", &versions, version)?;
    let left = W::pending(&table.state);
    let expected = if left.is_empty() {
        pb::GameStatus::Finished
    } else {
        pb::GameStatus::Active
    };
    same("the status", &i32::from(expected), status)?;
    same_list("the end: decision", &pending(&left), decisions)?;
    let ranking = W::ranking(&table.state).map_or_else(Vec::new, |ranking| standings(&ranking));
    same_list("the result: place", &ranking, result)?;
    table
        .chance
        .finish()
        .map_err(|fault| Failure::Difference(format!("draws: {fault}")))
}
