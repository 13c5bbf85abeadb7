//! Table events beyond the rules: players leave and return, clocks run out, actions are taken back, games branch.
//!
//! A [`Life`] is a plain value next to the ruleset's state. It follows from the entries of a game's log alone (**event
//! sourcing**): the same entries with the same times give the same life everywhere. Rulesets do not know of it. A game
//! in which no table event is possible or has happened has none.

mod branch;
mod clock;
mod deed;
mod leaving;
mod line;
mod options;
mod proposal;
mod refusal;
mod timing;

pub use branch::{Branching, began_with, made_by};
pub use clock::{Clock, SeatClock};
pub use deed::Deed;
pub use leaving::{End, outcome, pending, ranking, view};
pub use options::{Claim, ClockOptions, OnTimeout, TableOptions, TakeBack};
pub use proposal::{Asked, Proposal};
pub use refusal::No;

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::ruleset::{self, Applied, RefusedBy, Ruleset};
use crate::table::{Chance, MAX_SEATS, PendingList, PerSeat, Seat, SeatSet};
use line::Line;

/// The state of a table besides the state of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    seats: u8,
    options: TableOptions,
    /// The seats whose players have left, in the order of leaving.
    left: ArrayVec<Seat, MAX_SEATS>,
    end: Option<End>,
    clock: Option<Clock>,
    line: Line,
    asked: Option<Asked>,
    /// The number of entries that do not advance the game.
    extras: u16,
    /// The number of these entries that each seat made.
    extras_of: PerSeat<u16>,
    /// For each seat, the number of timeouts since its last action that no seat at the table claimed.
    unattended: PerSeat<u8>,
}

/// The number of unattended timeouts after which the service stops claiming timeouts of a seat. Without this limit a
/// forgotten game would go on without end, even against a bot.
pub const MAX_UNATTENDED: u8 = 64;

/// The maximum number of returns, pauses, take-backs, proposals and additions of time in one game together: a log must
/// not grow without limit while the game does not progress.
pub const MAX_EXTRAS: u16 = 1_000;

/// The part of [`MAX_EXTRAS`] that is reserved for the owner; seats cannot use it up.
pub const EXTRAS_OF_OWNER: u16 = 200;

/// The place of an entry in its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
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
    pub life: Option<&'a Life>,
}

impl<R: Ruleset> Clone for Table<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Ruleset> Copy for Table<'_, R> {}

/// The reason why an action was not played.
pub enum Denied<R: Ruleset> {
    /// The rules refuse it.
    Rules(RefusedBy<R>),
    /// The table refuses it.
    Table(No),
}

impl<R: Ruleset> fmt::Display for Denied<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(refusal) => refusal.fmt(f),
            Self::Table(no) => no.fmt(f),
        }
    }
}

/// The table after an entry.
pub type After<R> = (Applied<R>, Option<Box<Life>>);

impl Life {
    /// Creates the life of a new game, if these options need one.
    #[must_use]
    pub fn begun(options: TableOptions, seats: usize, pending: &PendingList) -> Option<Box<Self>> {
        (options != TableOptions::default()).then(|| Box::new(Self::new(options, seats, pending)))
    }

    fn new(options: TableOptions, seats: usize, pending: &PendingList) -> Self {
        Self {
            seats: u8::try_from(seats).unwrap_or(u8::MAX),
            options,
            left: ArrayVec::new(),
            end: None,
            clock: options.clock.map(|clock| Clock::new(clock, seats, pending)),
            line: Line::default(),
            asked: None,
            extras: 0,
            extras_of: PerSeat::new(seats, |_| 0),
            unattended: PerSeat::new(seats, |_| 0),
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
    pub const fn asked(&self) -> Option<&Asked> {
        self.asked.as_ref()
    }

    /// Returns the seats that are late at a time in milliseconds since the game was created. Empty unless the service
    /// itself claims timeouts.
    #[must_use]
    pub fn late(&self, pending: &PendingList, at_ms: u64) -> SeatSet {
        let late = self.noticed(pending).filter(|(_, due)| *due <= at_ms);
        late.map(|(seat, _)| seat).collect()
    }

    /// Returns the next time at which the service itself must claim a timeout, in milliseconds since the game was
    /// created.
    #[must_use]
    pub fn next_due_ms(&self, pending: &PendingList) -> Option<u64> {
        self.noticed(pending).map(|(_, due)| due).min()
    }

    /// Yields the seats whose timeouts the service itself claims, with their deadlines.
    fn noticed(&self, pending: &PendingList) -> impl Iterator<Item = (Seat, u64)> {
        let clock = self.clock.as_ref().filter(|_| self.is_automatic());
        let owed = pending.iter().map(|owed| owed.seat);
        let attended = owed.filter(|seat| self.unattended[*seat] < MAX_UNATTENDED);
        attended.filter_map(move |seat| Some((seat, clock?.due_ms(seat)?)))
    }

    /// Returns whether the service itself claims timeouts.
    #[must_use]
    pub fn is_automatic(&self) -> bool {
        let clock = self.options.clock;
        clock.is_some_and(|clock| clock.claim == Claim::Automatic)
    }

    /// Yields the versions to which a seat may go back without asking, the oldest first.
    pub fn may_go_back(&self, seat: Seat) -> impl DoubleEndedIterator<Item = u64> {
        self.line.versions(seat)
    }

    /// Returns the seats that have not yet agreed to the open proposal.
    #[must_use]
    pub fn still_to_agree(&self) -> SeatSet {
        let Some(asked) = &self.asked else {
            return SeatSet::EMPTY;
        };
        let agrees = |seat: &Seat| asked.agreed.contains(*seat) || self.left.contains(seat);
        let others = Seat::all(self.seats.into()).filter(|seat| *seat != asked.seat);
        others.filter(|seat| !agrees(seat)).collect()
    }

    /// Checks the **quota** of the acting seat for entries that do not advance the game. Only new entries are checked,
    /// replays are not: logs that were written before the quota existed must stay readable.
    ///
    /// # Errors
    /// Fails if a seat has used up its quota.
    pub fn check_share(&self, deed: &Deed) -> Result<(), No> {
        let Some(seat) = deed.actor().filter(|_| deed.is_extra()) else {
            return Ok(());
        };
        let max = (MAX_EXTRAS - EXTRAS_OF_OWNER) / u16::from(self.seats.max(1));
        let is_used = self.extras_of.has(seat) && self.extras_of[seat] >= max;
        if is_used {
            return Err(No::ShareUsed { seat, max });
        }
        Ok(())
    }

    /// Updates the life after decisions were answered, by `actor` or automatically.
    fn passed<R: Ruleset>(
        &mut self,
        before: &PendingList,
        applied: &Applied<R>,
        actor: Option<Seat>,
        at_ms: u64,
    ) {
        if let Some(clock) = &mut self.clock {
            let after = leaving::owed::<R>(&applied.state, self.end);
            let automatic = applied.automatic.iter().map(|automatic| automatic.seat);
            let answered = automatic.chain(actor).collect();
            clock.passed(before, &after, answered, actor, at_ms);
        }
    }
}

/// Plays an action, and answers for seats whose players have left.
///
/// # Errors
/// Fails if the rules or the table refuse it.
pub fn act<R: Ruleset>(
    table: Table<'_, R>,
    seat: Seat,
    action: &R::Action,
    moment: Moment,
) -> Result<After<R>, Denied<R>> {
    let apply =
        || ruleset::apply::<R>(table.state, table.chance, seat, action).map_err(Denied::Rules);
    let Some(life) = table.life else {
        return Ok((apply()?, None));
    };
    if life.end.is_some() {
        return Err(Denied::Table(No::GameOver));
    }
    let mut applied = apply()?;
    let mut life = Box::new(life.clone());
    life.go_on();
    life.unattended[seat] = 0;
    life.line.played::<R>(
        &life.options,
        life.clock.as_ref(),
        (seat, &applied),
        moment.version,
    );
    if leaving::settle::<R>(&mut applied, &life.left) {
        life.line.clear();
    }
    let before = R::pending(table.state);
    life.passed(&before, &applied, Some(seat), moment.at_ms);
    Ok((applied, Some(life)))
}

/// Counts an entry that does not advance the game against the limit, and the unattended timeouts in a row of each
/// seat.
fn count(life: &mut Life, deed: &Deed) -> Result<(), No> {
    if deed.is_extra() {
        if life.extras >= MAX_EXTRAS {
            return Err(No::TooManyEntries);
        }
        life.extras += 1;
        if let Some(seat) = deed.actor() {
            life.extras_of[seat] += 1;
        }
    }
    match deed.unattended() {
        Some(seat) => life.unattended[seat] = life.unattended[seat].saturating_add(1),
        // An outage is not an act of a seat, so the counts remain. Any other entry shows that the table is attended.
        None if matches!(deed, Deed::OutagePassed { .. }) => {}
        None => life.unattended.iter_mut().for_each(|times| *times = 0),
    }
    Ok(())
}

/// Carries out a table event, and answers for seats whose players have left. `back` is the state that a take-back
/// restores.
///
/// # Errors
/// Fails if the table refuses it.
pub fn perform<R: Ruleset>(
    table: Table<'_, R>,
    deed: &Deed,
    back: Option<R::State>,
    moment: Moment,
) -> Result<After<R>, No> {
    let before = pending::<R>(table.state, table.life);
    if before.is_empty() {
        return Err(No::GameOver);
    }
    let mut life = table.life.cloned().map_or_else(
        || Box::new(Life::new(TableOptions::default(), table.seats, &before)),
        Box::new,
    );
    let mut applied = Applied {
        state: table.state.clone(),
        chance: table.chance.clone(),
        events: Vec::new(),
        automatic: Vec::new(),
        draws: Vec::new(),
    };
    if deed.seats().any(|seat| seat.index() >= table.seats) {
        return Err(No::NoSeat);
    }
    count(&mut life, deed)?;
    let mut restored = None;
    match deed {
        Deed::Resigned { seat } => life.leave(*seat, End::Resignation)?,
        Deed::SeatFilled { seat } => life.come_back(*seat)?,
        Deed::TimedOut { seat, .. } => life.time_out::<R>(*seat, &before, &mut applied, moment)?,
        Deed::TimeAdded { seats, ms } => life.add_time(*seats, *ms)?,
        Deed::OutagePassed { seats, ms } => {
            life.outage((*seats, *ms), &before, moment.at_ms)?;
        }
        Deed::Paused { agreed_by } => life.pause(*agreed_by, moment.at_ms)?,
        Deed::Resumed { seat } => life.resume(*seat, moment.at_ms)?,
        Deed::Proposed { seat, proposal } => life.propose(*seat, *proposal, moment)?,
        Deed::Answered { seat, agrees } => life.answer(*seat, *agrees)?,
        Deed::TakenBack {
            seat,
            to_version,
            agreed_by,
        } => {
            restored = life.go_back(*seat, *to_version, *agreed_by)?;
            applied.state = back.ok_or(No::NothingToTakeBack)?;
        }
        Deed::Ended { agreed_by, scored } => life.finish(*agreed_by, *scored)?,
    }
    if life.end.is_none() && leaving::settle::<R>(&mut applied, &life.left) {
        life.line.clear();
    }
    life.passed(&before, &applied, None, moment.at_ms);
    if let (Some(clock), Some((seat, was))) = (&mut life.clock, restored) {
        clock.set(seat, was);
    }
    Ok((applied, Some(life)))
}
