//! A random game from table to table (a **random walk**), for tests that look at its tables and actions.

use super::audit::Audit;
use crate::ruleset::{Applied, apply, create, legal_actions};
use crate::starts::{Start, warm_start};
use crate::table::{Chance, Detail, Fault, Pending, Seed};

/// The names of the players.
pub(super) const PLAYERS: [&str; 5] = ["Ann", "Ben", "Cleo", "Dan", "Eve"];

/// A game played with the ruleset's own random policy: the same options and seed give the same game.
pub(super) struct RandomGame<R: Audit> {
    /// The table, with the events and draws that led to it.
    pub(super) now: Applied<R>,
    /// The number of actions played so far.
    pub(super) actions: usize,
    player: Chance,
}

/// The next decision, and the answer that random play chooses.
pub(super) struct NextDecision<R: Audit> {
    pub(super) pending: Pending,
    /// The legal actions, with all moves spelled out.
    pub(super) legal: Vec<R::Action>,
    /// The chosen action.
    pub(super) action: R::Action,
}

impl<R: Audit> RandomGame<R> {
    /// Begins at the set-up.
    pub(super) fn start(options: &R::Options, seed: u64) -> Self {
        Self {
            now: create::<R>(options, luck(seed)),
            actions: 0,
            player: luck(seed ^ (1 << 63)),
        }
    }

    /// Begins at a start with much more for everybody, so that expensive actions are reached too.
    pub(super) fn rich(options: &R::Options, seed: u64) -> Self {
        let opened = warm_start::<R>(options, Start::Rich, &Seed::from_number(seed));
        Self {
            now: Applied {
                state: opened.state,
                chance: opened.chance,
                events: opened.events,
                automatic: Vec::new(),
                draws: Vec::new(),
            },
            actions: 0,
            player: luck(seed ^ (1 << 63)),
        }
    }

    /// Returns the decision to be made, or `None` at the end of the game.
    ///
    /// # Errors
    /// Fails if there is no legal action.
    pub(super) fn next_decision(&mut self) -> Result<Option<NextDecision<R>>, Fault> {
        let state = &self.now.state;
        let Some(pending) = R::pending(state).first().copied() else {
            return Ok(None);
        };
        let legal = legal_actions::<R>(state, pending.seat, Detail::Moves);
        let choice = R::choose(state, pending.seat, &legal, &mut self.player);
        let action = legal.get(choice).cloned();
        let action = action.ok_or_else(|| fault_at(&pending, "has no legal action"))?;
        Ok(Some(NextDecision {
            pending,
            legal,
            action,
        }))
    }

    /// Plays the chosen action.
    ///
    /// # Errors
    /// The refusal of a listed action.
    pub(super) fn take_action(&mut self, decision: &NextDecision<R>) -> Result<(), Fault> {
        let NextDecision {
            pending, action, ..
        } = decision;
        self.now = apply::<R>(&self.now.state, &self.now.chance, pending.seat, action)
            .map_err(|refusal| fault_at(pending, &format!("is refused {action:?}: {refusal}")))?;
        self.actions += 1;
        Ok(())
    }

    /// Returns whether the current table, by the number of actions before it, is one of those to look at.
    pub(super) const fn is_due(&self, every: usize) -> bool {
        self.actions.is_multiple_of(every)
    }
}

/// Plays a random game to its end, and shows each of its tables to `look`, with what led to it. The first one is that of
/// the set-up, the last one is over.
pub fn random_game<R: Audit>(
    options: &R::Options,
    seed: u64,
    mut look: impl FnMut(&Applied<R>),
) -> Result<(), Fault> {
    let mut game = RandomGame::<R>::start(options, seed);
    look(&game.now);
    while let Some(decision) = game.next_decision()? {
        game.take_action(&decision)?;
        look(&game.now);
    }
    Ok(())
}

/// A game that is recorded: its number of seats, its seed and its start.
#[derive(Clone, Copy)]
pub(super) struct GoldenCase {
    pub(super) seats: usize,
    pub(super) seed: u64,
    is_rich: bool,
}
impl GoldenCase {
    /// Lists three games for each number of seats, so that options and chance differ; in the third everybody begins
    /// rich.
    pub(super) fn all<R: Audit>(seed: u64) -> impl Iterator<Item = Self> {
        let of = move |seats| {
            (0..3).map(move |number| Self {
                seats,
                seed: seed + number,
                is_rich: number == 2,
            })
        };
        R::INFO.seats().flat_map(of)
    }

    pub(super) fn start_game<R: Audit>(self) -> RandomGame<R> {
        let options = R::table(self.seats, self.seed);
        if self.is_rich {
            RandomGame::rich(&options, self.seed)
        } else {
            RandomGame::start(&options, self.seed)
        }
    }
}

/// Returns the luck of a game with this number.
pub(super) fn luck(seed: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(seed))
}

/// Returns the names of this many players.
pub(super) fn players(seats: usize) -> Vec<String> {
    PLAYERS.map(String::from)[..seats].to_vec()
}

fn fault_at(pending: &Pending, text: &str) -> Fault {
    Fault {
        rule: "lists",
        text: format!("{} at {} {text}", pending.seat, pending.decision),
    }
}
