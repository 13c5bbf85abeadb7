//! Players leave their seats, and seats get players again.

use serde::{Deserialize, Serialize};

use super::{Proposal, TableLife, TableRefusal};
use crate::ruleset::{self, Applied, Ruleset};
use crate::table::{
    Automatic, Names, PendingList, Ranking, Seat, Standing, Viewer, invariant_violated,
};

/// The reason for a game's end, if the table and not the rules ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// All but one have left, the last of them by resigning.
    Resignation,
    /// All but one have left, the last of them by running out of time.
    Abandoned,
    /// All seats agreed.
    Agreed {
        /// The last seat that agreed.
        by: Seat,
        /// Whether the seats are ranked by their points at that moment.
        scored: bool,
    },
    /// The owner of the game ended it.
    Aborted,
}

/// A bound on the automatic answers for seats that have left between two decisions of others: no game comes near it.
const MAX_FALLBACKS: usize = 10_000;

impl TableLife {
    /// Marks a seat as left; the game is over when only one remains.
    pub(super) fn leave(&mut self, seat: Seat, end: End) -> Result<(), TableRefusal> {
        if self.left.contains(&seat) {
            return Err(TableRefusal::HasLeft(seat));
        }
        self.left.push(seat);
        self.undo_history.clear();
        self.open_proposal = None;
        if self.left.len() + 1 >= usize::from(self.seats) {
            self.end = Some(end);
        }
        Ok(())
    }

    /// Ends the game, by its owner or because this seat agreed last.
    pub(super) fn end_game(
        &mut self,
        agreed_by: Option<Seat>,
        scored: bool,
    ) -> Result<(), TableRefusal> {
        self.end = Some(match agreed_by {
            Some(by) => {
                self.consent(by, Proposal::End { scored })?;
                End::Agreed { by, scored }
            }
            None => End::Aborted,
        });
        self.undo_history.clear();
        self.open_proposal = None;
        Ok(())
    }

    /// Gives a seat another player, with a full time bank. Who played it has left, or is a bot, of which tables know
    /// nothing.
    pub(super) fn rejoin(&mut self, seat: Seat) {
        self.left.retain(|left| *left != seat);
        self.undo_history.clear();
        self.open_proposal = None;
        if let Some(clock) = &mut self.clock {
            clock.fill(seat);
        }
    }
}

/// Answers for seats whose players have left until another seat must decide. Returns true if anything was answered.
pub(super) fn apply_fallbacks<R: Ruleset>(applied: &mut Applied<R>, left: &[Seat]) -> bool {
    if left.is_empty() {
        return false;
    }
    for answered in 0..MAX_FALLBACKS {
        let pending = R::pending(&applied.state);
        let gone = pending.iter().find(|pending| left.contains(&pending.seat));
        let Some(seat) = gone.map(|pending| pending.seat) else {
            return answered > 0;
        };
        apply_fallback::<R>(applied, seat);
    }
    invariant_violated("an end of fallbacks", left)
}

/// Plays the fallback answer for a seat, if it owes a decision.
pub(super) fn apply_fallback<R: Ruleset>(applied: &mut Applied<R>, seat: Seat) {
    let Some(action) = ruleset::fallback::<R>(&applied.state, seat) else {
        return;
    };
    let Applied { state, chance, .. } = applied;
    let journal = match ruleset::apply_in_place::<R>(state, chance, seat, &action) {
        Ok(journal) => journal,
        Err(refusal) => invariant_violated("a fallback is legal", refusal),
    };
    let before = applied.events.len();
    let forced = journal.automatic.into_iter();
    applied.automatic.push(Automatic::fallback(seat, action));
    applied
        .automatic
        .extend(forced.map(|forced| forced.shifted_by(before)));
    applied.events.extend(journal.events);
    applied.draws.extend(applied.chance.take_record());
    applied.chance.release_buffers();
}

/// Returns the pending decisions. Empty if the game is over, by its rules or by the table.
#[must_use]
pub fn pending<R: Ruleset>(state: &R::State, table_life: Option<&TableLife>) -> PendingList {
    pending_unless_ended::<R>(state, table_life.and_then(TableLife::end))
}

pub(super) fn pending_unless_ended<R: Ruleset>(state: &R::State, end: Option<End>) -> PendingList {
    match end {
        Some(_) => PendingList::new(),
        None => R::pending(state),
    }
}

/// Returns the part of the table that a viewer may know. If the table ended the game, the view contains no open
/// decision.
#[must_use]
pub fn view<R: Ruleset>(
    state: &R::State,
    table_life: Option<&TableLife>,
    viewer: Viewer,
) -> R::View {
    let mut view = R::view(state, viewer);
    if table_life.and_then(TableLife::end).is_some() {
        R::clear_pending(&mut view);
    }
    view
}

/// Returns a sentence about the end of the game and the winners. Empty until the game is over.
#[must_use]
pub fn outcome<R: Ruleset>(
    state: &R::State,
    table_life: Option<&TableLife>,
    names: Names<'_>,
) -> String {
    let ranking = ranking::<R>(state, table_life);
    let result = ranking.map(|ranking| ranking.outcome(names, R::INFO.unit));
    match (table_life.and_then(TableLife::end), result) {
        (Some(End::Aborted), _) => String::from("The game is ended without a result."),
        (Some(End::Agreed { .. }), None) => {
            String::from("The players agree to end the game without a result.")
        }
        (Some(End::Agreed { .. }), Some(result)) => {
            format!("The players agree to end the game. {result}")
        }
        (Some(End::Resignation | End::Abandoned) | None, result) => result.unwrap_or_default(),
    }
}

/// Returns the result of a game that is over. Seats that left come last, the last to leave before the others. There
/// are no scores if neither the rules nor an agreement by points ended the game. Returns `None` while the game is not
/// over, and also if it ended without a result.
#[must_use]
pub fn ranking<R: Ruleset>(state: &R::State, table_life: Option<&TableLife>) -> Option<Ranking> {
    let Some(table_life) =
        table_life.filter(|table_life| !table_life.left.is_empty() || table_life.end.is_some())
    else {
        return R::ranking(state);
    };
    if !pending::<R>(state, Some(table_life)).is_empty() {
        return None;
    }
    let scored = match table_life.end {
        Some(End::Aborted | End::Agreed { scored: false, .. }) => return None,
        Some(End::Agreed { scored: true, .. }) => R::scores(state),
        Some(End::Resignation | End::Abandoned) | None => R::ranking(state),
    };
    let scored = scored.map(|ranking| ranking.standings);
    let scored = scored.unwrap_or_else(|| {
        Seat::all(table_life.seats.into())
            .map(|seat| Standing {
                seat,
                rank: 1,
                score: 0,
                breakdown: Vec::new(),
                tie_breaks: Vec::new(),
                left: false,
            })
            .collect()
    });
    let (mut gone, mut standings): (Vec<_>, Vec<_>) = scored
        .into_iter()
        .partition(|standing| table_life.left.contains(&standing.seat));
    rerank(&mut standings);
    gone.sort_by_key(|standing| {
        let position = table_life
            .left
            .iter()
            .position(|seat| *seat == standing.seat);
        std::cmp::Reverse(position)
    });
    for standing in gone {
        let rank = rank_at(standings.len());
        standings.push(Standing {
            rank,
            left: true,
            ..standing
        });
    }
    Some(Ranking { standings })
}

/// Renumbers the ranks of the remaining seats without gaps; shared ranks stay shared.
fn rerank(standings: &mut [Standing]) {
    let before: Vec<u8> = standings.iter().map(|standing| standing.rank).collect();
    for index in 0..standings.len() {
        standings[index].rank = if index > 0 && before[index] == before[index - 1] {
            standings[index - 1].rank
        } else {
            rank_at(index)
        };
    }
}

/// Returns the rank at this index of the list.
fn rank_at(index: usize) -> u8 {
    u8::try_from(index + 1).unwrap_or(u8::MAX)
}
