//! Replays a record: the options, the seed and the actions are the input, and everything else is compared with the
//! output of the rules.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::life::{self, Deed, Denied, Life, Moment, TableOptions, began_with};
use gamekeeper_rules::ruleset::{Applied, create};
use gamekeeper_rules::table::{Chance, Kind, Viewer, fingerprint};
use gamekeeper_wire::{
    Malformed, Wire, add_life, deed, draw, end_reason, ended, joined_action, joined_event,
    joined_options, joined_view, pending_until, player_names, seat, seat_number, standings,
    table_event, table_options,
};

use super::binding::{Binding, binding};
use super::differ::{difference, same, same_list, same_message, same_messages};
use super::luck::{Luck, Lucks, begun_ms, milliseconds};
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
    pub(super) luck: Luck,
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
    deed: Option<Deed>,
    /// The state of the table beyond the rules, such as clocks and proposals.
    pub(crate) life: Option<Box<Life>>,
    lucks: Lucks,
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
        &W::SHEET.revision,
        &record.game.rules_revision,
    )?;
    let lucks = Lucks::of(record)?;
    let Some((first, further)) = record.versions.split_first() else {
        return difference("there is not even a first version");
    };
    times(record)?;
    let luck = lucks.kind(record.versions.len());
    let mut table = Replay::<W>::begin(record, first, lucks)?;
    let mut checked = Checked {
        versions: 0,
        automatic: 0,
        draws: 0,
        states: 0,
        luck,
        binding: binding::<W>(record, &self::table(record)?, table.seats)?,
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
    /// Creates the table from the set-up.
    fn begin(record: &Record, first: &Version, lucks: Lucks) -> Result<Self, Failure> {
        let options = options::<W>(record)?;
        let now = create::<W>(&options, lucks.before(1, first)?);
        let seats = W::seats(&options);
        let taken_back = |version: &Version| {
            let mut events = version.entry.events.iter();
            events.any(|event| {
                let kind = event.table.as_ref().and_then(|table| table.kind.as_ref());
                matches!(kind, Some(pb::table_event::Kind::TakenBack(_)))
            })
        };
        let keeps = record.versions.iter().any(taken_back);
        let mut replay = Self {
            life: Life::begun(table(record)?, seats, &W::pending(&now.state)),
            states: keeps.then(|| vec![now.state.clone()]),
            now,
            deed: None,
            lucks,
            seats,
            version: 1,
            begun_ms: begun_ms(record),
        };
        replay.played()?;
        Ok(replay)
    }

    /// Completes a version that was played: advances the draws, and begins the forks that start after it.
    fn played(&mut self) -> Result<(), Failure> {
        self.lucks.after(self.version, &self.now.chance)?;
        if let Some(life) = &mut self.life {
            for at_ms in began_with(self.lucks.line(), self.version) {
                life.branch::<W>(&self.now.state, at_ms);
            }
        }
        Ok(())
    }

    /// Checks the next version and plays it.
    fn play(&mut self, version: &Version) -> Result<(), Failure> {
        let number = self.version + 1;
        let malformed =
            |error: Malformed| Failure::Difference(format!("version {number}: {error}"));
        let refused = |what: &str, refusal: &dyn std::fmt::Display| {
            Failure::Difference(format!("version {number}: {what} the action: {refusal}"))
        };
        let time = milliseconds(version.entry.play_time.as_ref());
        let moment = Moment {
            version: number,
            at_ms: time.saturating_sub(self.begun_ms),
        };
        let chance = self.lucks.before(number, version)?;
        self.deed = recorded_deed(&version.entry).map_err(malformed)?;
        (self.now, self.life) = if let Some(deed) = &self.deed {
            let actor = deed.actor().map_or(0, seat_number);
            let what = format!("version {number}: the seat that acts");
            same(&what, &actor, &version.entry.seat)?;
            if version.action.is_some() {
                return difference(&format!("version {number}: an action where none belongs"));
            }
            life::perform(self.table(&chance), deed, self.back(deed), moment)
                .map_err(|no| refused("the table refuses", &no))?
        } else {
            let by = seat(version.entry.seat, "seat").map_err(malformed)?;
            let Some(action) = &version.action else {
                return difference(&format!("version {number}: the action is missing"));
            };
            let action = own_action::<W>(number, action)?;
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

    /// Returns the state that a take-back restores.
    fn back(&self, deed: &Deed) -> Option<W::State> {
        let Deed::TakenBack { to_version, .. } = deed else {
            return None;
        };
        let place = usize::try_from(to_version.checked_sub(1)?).ok()?;
        self.states.as_ref()?.get(place).cloned()
    }

    /// Returns the pending decisions.
    pub(crate) fn decisions(&self) -> Vec<pb::PendingDecision> {
        let life = self.life.as_deref();
        let pending = life::pending::<W>(&self.now.state, life);
        pending_until(&pending, life, self.begun_ms)
    }

    /// Returns the event of the end, if the game is over.
    fn ended(&self) -> Option<raw::Event> {
        let ended = ended(self.life.as_deref().and_then(Life::end));
        let kind = Some(pb::table_event::Kind::Ended(ended));
        self.decisions().is_empty().then(|| raw::Event {
            kind: "ended".to_owned(),
            table: Some(pb::TableEvent { kind }),
            ..raw::Event::default()
        })
    }

    /// Returns the result, if the game is over.
    pub(crate) fn standings(&self) -> Vec<pb::Standing> {
        let ranking = life::ranking::<W>(&self.now.state, self.life.as_deref());
        ranking.map_or_else(Vec::new, |ranking| standings(&ranking))
    }
}

/// Decodes the event beyond the rules of a version, except the end of the game. Returns `None` if the version is an
/// action.
fn recorded_deed(entry: &raw::LogEntry) -> Result<Option<Deed>, Malformed> {
    for event in entry.events.iter().filter_map(|event| event.table.as_ref()) {
        if let Some(deed) = deed(event)? {
            return Ok(Some(deed));
        }
    }
    Ok(None)
}

/// Decodes the action of a version into the type of its ruleset.
pub(crate) fn own_action<W: Wire>(
    version: u64,
    action: &raw::Action,
) -> Result<W::Action, Failure> {
    let strange = |what: &str| Failure::Difference(format!("version {version}: {what}"));
    let own = action.ruleset.clone().and_then(W::own_action);
    let own = own.ok_or_else(|| strange("the action is one of another ruleset"))?;
    W::action(own.typed()?).map_err(|error| strange(&error.to_string()))
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
    let own = record.options.ruleset.clone().and_then(W::own_options);
    let own = own.ok_or_else(|| strange("they are those of another ruleset"))?;
    let draft = W::draft(own.typed()?).map_err(malformed)?;
    let options = W::options(&names, &draft).map_err(|refusal| strange(&refusal.to_string()))?;
    let spelled_out = joined_options::<W>(&options);
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
            action: Some(joined_action::<W>(&automatic.action)),
        });
    let automatic: Vec<_> = automatic.collect();
    let (name, recorded) = ("AutomaticAction", &version.automatic);
    same_messages(&what("automatic action"), name, &automatic, recorded)?;
    let events = &version.entry.events;
    same_messages(&what("event"), "Event", &happened(replay), events)?;
    same_list(&what("decision"), &replay.decisions(), &version.pending)?;
    let fingerprint = const_hex::encode(fingerprint(&table.state).to_be_bytes());
    same(&what("the fingerprint"), &fingerprint, &version.fingerprint)?;
    if let Some(state) = &version.state {
        let view = life::view::<W>(&table.state, replay.life.as_deref(), Viewer::Operator);
        let view = joined_view::<W>(&view);
        same_message(&what("the table"), "View", &view, state)?;
        checked.states += 1;
    }
    checked.versions += 1;
    checked.draws += draws.len();
    checked.automatic += automatic.len();
    Ok(())
}

/// Returns the events of the last version with all facts: the event beyond the rules, then the events of the rules,
/// then the end of the game.
fn happened<W: Wire>(replay: &Replay<W>) -> Vec<raw::Event> {
    // Excluded here because the end of the game comes last.
    let beside = replay.deed.iter();
    let beside = beside.filter(|deed| !matches!(deed, Deed::Ended { .. }));
    let beside = beside.map(|deed| raw::Event {
        kind: deed.kind().to_owned(),
        seat: deed.seat().map_or(0, seat_number),
        table: Some(table_event(deed)),
        ..raw::Event::default()
    });
    let events = replay.now.told().filter_map(|(event, is_forced)| {
        let seen = W::event_view(event, Viewer::Operator)?;
        Some(joined_event::<W>(&seen, is_forced, None))
    });
    beside.chain(events).chain(replay.ended()).collect()
}

/// Compares the header with the table at the end of the record: all facts that follow from the log.
fn end<W: Wire>(record: &Record, table: &Replay<W>) -> Result<(), Failure> {
    let game = &record.game;
    let versions = u64::try_from(record.versions.len()).unwrap_or(u64::MAX);
    same("the number of versions", &versions, &game.version)?;
    let (left, life) = (table.decisions(), table.life.as_deref());
    let (status, reason) = if left.is_empty() {
        let reason = end_reason(life.and_then(Life::end));
        (pb::GameStatus::Finished, reason)
    } else {
        (pb::GameStatus::Active, pb::EndReason::Unspecified)
    };
    let mut expected = pb::GameInfo {
        version: versions,
        status: status.into(),
        pending: left,
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
        ..pb::GameInfo::default()
    };
    if let Some(life) = life {
        add_life(&mut expected, life);
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
