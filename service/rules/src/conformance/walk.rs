//! A random game from table to table, for whoever looks at its tables and actions.

use super::audit::Audit;
use crate::ruleset::{Applied, apply, create, legal_actions};
use crate::starts::{Start, open};
use crate::table::{Chance, Detail, Fault, Pending, Seed};

/// What players are called.
pub(super) const PLAYERS: [&str; 5] = ["Ann", "Ben", "Cleo", "Dan", "Eve"];

/// A game played with the ruleset's own random policy: the same options and seed give the same game.
pub(super) struct Walk<R: Audit> {
    /// The table, and how it came about.
    pub(super) now: Applied<R>,
    /// The number of actions played so far.
    pub(super) actions: usize,
    player: Chance,
}

/// The decision that comes next, and what random play makes of it.
pub(super) struct Asked<R: Audit> {
    pub(super) owed: Pending,
    /// The legal actions, with all moves spelled out.
    pub(super) legal: Vec<R::Action>,
    /// The one that is taken.
    pub(super) action: R::Action,
}

impl<R: Audit> Walk<R> {
    /// At the set-up.
    pub(super) fn start(options: &R::Options, seed: u64) -> Self {
        Self {
            now: create::<R>(options, luck(seed)),
            actions: 0,
            player: luck(seed ^ (1 << 63)),
        }
    }

    /// From a start at which everybody has much more, so that what is dear is reached too.
    pub(super) fn rich(options: &R::Options, seed: u64) -> Self {
        let opened = open::<R>(options, Start::Rich, &Seed::from_number(seed));
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

    /// The decision to be made; `None` at the end of the game.
    ///
    /// # Errors
    /// There is no legal action.
    pub(super) fn asked(&mut self) -> Result<Option<Asked<R>>, Fault> {
        let state = &self.now.state;
        let Some(owed) = R::pending(state).first().copied() else {
            return Ok(None);
        };
        let legal = legal_actions::<R>(state, owed.seat, Detail::Moves);
        let choice = R::choose(state, owed.seat, &legal, &mut self.player);
        let action = legal.get(choice).cloned();
        let action = action.ok_or_else(|| no_way(&owed, "has no legal action"))?;
        Ok(Some(Asked {
            owed,
            legal,
            action,
        }))
    }

    /// Takes the action.
    ///
    /// # Errors
    /// The refusal of a listed action.
    pub(super) fn go_on(&mut self, asked: &Asked<R>) -> Result<(), Fault> {
        let Asked { owed, action, .. } = asked;
        self.now = apply::<R>(&self.now.state, &self.now.chance, owed.seat, action)
            .map_err(|refusal| no_way(owed, &format!("is refused {action:?}: {refusal}")))?;
        self.actions += 1;
        Ok(())
    }

    /// Is the table, by the number of actions before it, one of those that are looked at?
    pub(super) const fn is_due(&self, every: usize) -> bool {
        self.actions.is_multiple_of(every)
    }
}

/// A game that is recorded.
#[derive(Clone, Copy)]
pub(super) struct Deal {
    pub(super) seats: usize,
    pub(super) seed: u64,
    is_rich: bool,
}
impl Deal {
    /// Three games of each number of seats, so that options and chance differ; in the last everybody begins rich.
    pub(super) fn all<R: Audit>(seed: u64) -> impl Iterator<Item = Self> {
        let of = move |seats| {
            (0..3).map(move |number| Self {
                seats,
                seed: seed + number,
                is_rich: number == 2,
            })
        };
        R::SHEET.seats().flat_map(of)
    }

    pub(super) fn walk<R: Audit>(self) -> Walk<R> {
        let options = R::table(self.seats, self.seed);
        if self.is_rich {
            Walk::rich(&options, self.seed)
        } else {
            Walk::start(&options, self.seed)
        }
    }
}

/// The luck of a game with this number.
pub(super) fn luck(seed: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(seed))
}

/// The names of this many players.
pub(super) fn players(seats: usize) -> Vec<String> {
    PLAYERS.map(String::from)[..seats].to_vec()
}

fn no_way(owed: &Pending, text: &str) -> Fault {
    Fault {
        rule: "lists",
        text: format!("{} at {} {text}", owed.seat, owed.decision),
    }
}
