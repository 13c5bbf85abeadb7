//! Table events beyond the rules: players leave and return, clocks run out, actions are taken back, games are forked.
//!
//! A [`TableLife`] is a plain value next to the ruleset's state. It follows from the entries of a game's log alone
//! (**event sourcing**): the same entries with the same times give the same table life everywhere. Rulesets do not know
//! of it. A game in which no table event is possible or has happened has none.

mod clock;
mod fork;
mod leaving;
mod options;
mod preview;
mod proposal;
mod refusal;
mod table_event;
mod timing;
mod undo_history;

pub use clock::{Clock, SeatClock};
pub use fork::{ForkPoint, fork_times_at, rng_owner};
pub use leaving::{End, outcome, pending, ranking, view};
pub use options::{Claim, ClockOptions, OnTimeout, TableOptions, TakeBack};
#[cfg(feature = "conformance")]
pub(crate) use preview::Outcome;
pub use preview::{Uncertainty, preview};
pub use proposal::{OpenProposal, Proposal};
pub use refusal::TableRefusal;
pub use table_event::TableEvent;

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::ruleset::{self, Applied, RefusedBy, Ruleset};
use crate::table::{Chance, MAX_SEATS, PendingList, PerSeat, Seat, SeatSet};
use undo_history::UndoHistory;

/// The state of a table besides the state of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLife {
    seats: u8,
    options: TableOptions,
    /// The seats whose players have left, in the order of leaving.
    left: ArrayVec<Seat, MAX_SEATS>,
    end: Option<End>,
    clock: Option<Clock>,
    undo_history: UndoHistory,
    open_proposal: Option<OpenProposal>,
    /// The number of entries that do not advance the game.
    non_progress_entries: u16,
    /// The number of these entries that each seat made.
    non_progress_by_seat: PerSeat<u16>,
    /// For each seat, the number of timeouts since its last action that no seat at the table claimed.
    missed_timeouts: PerSeat<u8>,
}

/// The number of unattended timeouts after which the service stops claiming timeouts of a seat. Without this limit a
/// forgotten game would go on without end, even against a bot.
pub const MAX_MISSED_TIMEOUTS: u8 = 64;

/// The maximum number of returns, pauses, take-backs, proposals and additions of time in one game together: a log must
/// not grow without limit while the game does not progress.
pub const MAX_NON_PROGRESS_ENTRIES: u16 = 1_000;

/// The part of [`MAX_NON_PROGRESS_ENTRIES`] that is reserved for the owner; seats cannot use it up.
pub const OWNER_RESERVED_ENTRIES: u16 = 200;

/// The place of an entry in its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryStamp {
    /// The version that the entry creates.
    pub version: u64,
    /// Milliseconds since the game was created.
    pub at_ms: u64,
}

/// A table before an entry.
#[derive(Debug)]
pub struct Table<'a, R: Ruleset> {
    /// The state of the rules.
    pub state: &'a R::State,
    /// The luck.
    pub chance: &'a Chance,
    /// The number of seats.
    pub seats: usize,
    /// The facts beyond the rules; `None` for a plain game.
    pub table_life: Option<&'a TableLife>,
}

impl<R: Ruleset> Clone for Table<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Ruleset> Copy for Table<'_, R> {}

/// The reason why an action was not played.
pub enum ActionError<R: Ruleset> {
    /// The rules refuse it.
    Rules(RefusedBy<R>),
    /// The table refuses it.
    Table(TableRefusal),
}

impl<R: Ruleset> fmt::Display for ActionError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(refusal) => refusal.fmt(f),
            Self::Table(refusal) => refusal.fmt(f),
        }
    }
}

/// The table after an entry.
pub type AppliedAtTable<R> = (Applied<R>, Option<Box<TableLife>>);

impl TableLife {
    /// Creates the table life of a new game, if these options need one.
    #[must_use]
    pub fn new_if_needed(
        options: TableOptions,
        seats: usize,
        pending: &PendingList,
    ) -> Option<Box<Self>> {
        (options != TableOptions::default()).then(|| Box::new(Self::new(options, seats, pending)))
    }

    fn new(options: TableOptions, seats: usize, pending: &PendingList) -> Self {
        Self {
            seats: u8::try_from(seats).unwrap_or(u8::MAX),
            options,
            left: ArrayVec::new(),
            end: None,
            clock: options.clock.map(|clock| Clock::new(clock, seats, pending)),
            undo_history: UndoHistory::default(),
            open_proposal: None,
            non_progress_entries: 0,
            non_progress_by_seat: PerSeat::new(seats, |_| 0),
            missed_timeouts: PerSeat::new(seats, |_| 0),
        }
    }

    /// Returns the options that the creator chose.
    #[must_use]
    pub const fn options(&self) -> &TableOptions {
        &self.options
    }

    /// Returns the seats whose players have left, in the order of leaving.
    #[must_use]
    pub fn left(&self) -> &[Seat] {
        &self.left
    }

    /// Returns the reason for the end of the game, if the table and not the rules ended it.
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns the clock, if the table has one.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns the open proposal, with the seats that have agreed.
    #[must_use]
    pub const fn open_proposal(&self) -> Option<&OpenProposal> {
        self.open_proposal.as_ref()
    }

    /// Returns the seats that are late at a time in milliseconds since the game was created. Empty unless the service
    /// itself claims timeouts.
    #[must_use]
    pub fn overdue_seats(&self, pending: &PendingList, at_ms: u64) -> SeatSet {
        let overdue = self
            .auto_timed_seats(pending)
            .filter(|(_, due)| *due <= at_ms);
        overdue.map(|(seat, _)| seat).collect()
    }

    /// Returns the next time at which the service itself must claim a timeout, in milliseconds since the game was
    /// created.
    #[must_use]
    pub fn next_due_ms(&self, pending: &PendingList) -> Option<u64> {
        self.auto_timed_seats(pending).map(|(_, due)| due).min()
    }

    /// Yields the seats whose timeouts the service itself claims, with their deadlines.
    fn auto_timed_seats(&self, pending: &PendingList) -> impl Iterator<Item = (Seat, u64)> {
        let clock = self.clock.as_ref().filter(|_| self.is_automatic());
        let seats = pending.iter().map(|pending| pending.seat);
        let attended = seats.filter(|seat| self.missed_timeouts[*seat] < MAX_MISSED_TIMEOUTS);
        attended.filter_map(move |seat| Some((seat, clock?.due_ms(seat)?)))
    }

    /// Returns whether the service itself claims timeouts.
    #[must_use]
    pub fn is_automatic(&self) -> bool {
        let clock = self.options.clock;
        clock.is_some_and(|clock| clock.claim == Claim::Automatic)
    }

    /// Yields the versions to which a seat may go back without asking, the oldest first.
    pub fn undoable_versions(&self, seat: Seat) -> impl DoubleEndedIterator<Item = u64> {
        self.undo_history.versions(seat)
    }

    /// Returns the seats that have not yet agreed to the open proposal.
    #[must_use]
    pub fn seats_to_agree(&self) -> SeatSet {
        let Some(open_proposal) = &self.open_proposal else {
            return SeatSet::EMPTY;
        };
        let agrees = |seat: &Seat| open_proposal.agreed.contains(*seat) || self.left.contains(seat);
        let others = Seat::all(self.seats.into()).filter(|seat| *seat != open_proposal.seat);
        others.filter(|seat| !agrees(seat)).collect()
    }

    /// Checks the **quota** of the acting seat for entries that do not advance the game. Only new entries are checked,
    /// replays are not: logs that were written before the quota existed must stay readable.
    ///
    /// # Errors
    /// Fails if a seat has used up its quota.
    pub fn check_quota(&self, event: &TableEvent) -> Result<(), TableRefusal> {
        let Some(seat) = event.actor().filter(|_| event.is_non_progress()) else {
            return Ok(());
        };
        let max =
            (MAX_NON_PROGRESS_ENTRIES - OWNER_RESERVED_ENTRIES) / u16::from(self.seats.max(1));
        let is_used = self.non_progress_by_seat.has(seat) && self.non_progress_by_seat[seat] >= max;
        if is_used {
            return Err(TableRefusal::QuotaUsed { seat, max });
        }
        Ok(())
    }

    /// Updates the table life after decisions were answered, by `actor` or automatically.
    fn on_answered<R: Ruleset>(
        &mut self,
        before: &PendingList,
        applied: &Applied<R>,
        actor: Option<Seat>,
        at_ms: u64,
    ) {
        if let Some(clock) = &mut self.clock {
            let after = leaving::pending_unless_ended::<R>(&applied.state, self.end);
            let automatic = applied.automatic.iter().map(|automatic| automatic.seat);
            let answered = automatic.chain(actor).collect();
            clock.on_answered(before, &after, answered, actor, at_ms);
        }
    }
}

/// Plays an action, and answers for seats whose players have left.
///
/// # Errors
/// Fails if the rules or the table refuse it.
pub fn apply_action<R: Ruleset>(
    table: Table<'_, R>,
    seat: Seat,
    action: &R::Action,
    stamp: EntryStamp,
) -> Result<AppliedAtTable<R>, ActionError<R>> {
    let apply =
        || ruleset::apply::<R>(table.state, table.chance, seat, action).map_err(ActionError::Rules);
    let Some(table_life) = table.table_life else {
        return Ok((apply()?, None));
    };
    if table_life.end.is_some() {
        return Err(ActionError::Table(TableRefusal::GameOver));
    }
    let mut applied = apply()?;
    let mut table_life = Box::new(table_life.clone());
    table_life.void_proposals();
    table_life.missed_timeouts[seat] = 0;
    table_life.undo_history.record::<R>(
        &table_life.options,
        table_life.clock.as_ref(),
        (seat, &applied),
        stamp.version,
    );
    if leaving::apply_fallbacks::<R>(&mut applied, &table_life.left) {
        table_life.undo_history.clear();
    }
    let before = R::pending(table.state);
    table_life.on_answered(&before, &applied, Some(seat), stamp.at_ms);
    Ok((applied, Some(table_life)))
}

/// Counts an entry that does not advance the game against the limit, and the unattended timeouts in a row of each
/// seat.
fn count_entry(table_life: &mut TableLife, event: &TableEvent) -> Result<(), TableRefusal> {
    if event.is_non_progress() {
        if table_life.non_progress_entries >= MAX_NON_PROGRESS_ENTRIES {
            return Err(TableRefusal::EntryLimitReached);
        }
        table_life.non_progress_entries += 1;
        if let Some(seat) = event.actor() {
            table_life.non_progress_by_seat[seat] += 1;
        }
    }
    match event.unclaimed_timeout() {
        Some(seat) => {
            table_life.missed_timeouts[seat] = table_life.missed_timeouts[seat].saturating_add(1);
        }
        // An outage is not an act of a seat, so the counts remain. Any other entry shows that the table is attended.
        None if matches!(event, TableEvent::OutagePassed { .. }) => {}
        None => table_life
            .missed_timeouts
            .iter_mut()
            .for_each(|times| *times = 0),
    }
    Ok(())
}

/// Carries out a table event, and answers for seats whose players have left. `restored_state` is the state that a
/// take-back restores.
///
/// # Errors
/// Fails if the table refuses it.
pub fn apply_table_event<R: Ruleset>(
    table: Table<'_, R>,
    event: &TableEvent,
    restored_state: Option<R::State>,
    stamp: EntryStamp,
) -> Result<AppliedAtTable<R>, TableRefusal> {
    let before = pending::<R>(table.state, table.table_life);
    if before.is_empty() {
        return Err(TableRefusal::GameOver);
    }
    let mut table_life = table.table_life.cloned().map_or_else(
        || {
            Box::new(TableLife::new(
                TableOptions::default(),
                table.seats,
                &before,
            ))
        },
        Box::new,
    );
    let mut applied = Applied {
        state: table.state.clone(),
        chance: table.chance.clone(),
        events: Vec::new(),
        automatic: Vec::new(),
        draws: Vec::new(),
    };
    if event.seats().any(|seat| seat.index() >= table.seats) {
        return Err(TableRefusal::NoSeat);
    }
    count_entry(&mut table_life, event)?;
    let mut restored = None;
    match event {
        TableEvent::Resigned { seat } => table_life.leave(*seat, End::Resignation)?,
        TableEvent::SeatFilled { seat } => table_life.rejoin(*seat),
        TableEvent::TimedOut { seat, .. } => {
            table_life.time_out::<R>(*seat, &before, &mut applied, stamp)?;
        }
        TableEvent::TimeAdded { seats, ms } => table_life.add_time(*seats, *ms)?,
        TableEvent::OutagePassed { seats, ms } => {
            table_life.outage((*seats, *ms), &before, stamp.at_ms)?;
        }
        TableEvent::Paused { agreed_by } => table_life.pause(*agreed_by, stamp.at_ms)?,
        TableEvent::Resumed { seat } => table_life.resume(*seat, stamp.at_ms)?,
        TableEvent::Proposed { seat, proposal } => table_life.propose(*seat, *proposal, stamp)?,
        TableEvent::Answered { seat, agrees } => table_life.answer_proposal(*seat, *agrees)?,
        TableEvent::TakenBack {
            seat,
            to_version,
            agreed_by,
        } => {
            restored = table_life.take_back(*seat, *to_version, *agreed_by)?;
            applied.state = restored_state.ok_or(TableRefusal::NothingToTakeBack)?;
        }
        TableEvent::Ended { agreed_by, scored } => table_life.end_game(*agreed_by, *scored)?,
    }
    if table_life.end.is_none() && leaving::apply_fallbacks::<R>(&mut applied, &table_life.left) {
        table_life.undo_history.clear();
    }
    table_life.on_answered(&before, &applied, None, stamp.at_ms);
    if let (Some(clock), Some((seat, clock_before))) = (&mut table_life.clock, restored) {
        clock.set(seat, clock_before);
    }
    Ok((applied, Some(table_life)))
}
