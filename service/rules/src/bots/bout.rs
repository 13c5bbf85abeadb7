//! A game among bots.

use super::{Mind, Policy, Spent, below, seed};
use crate::ruleset::{Ruleset, create, play};
use crate::table::{Chance, Seat, Seed};

/// A game among bots, from its beginning to its end.
pub struct Bout<'a, R: Ruleset> {
    /// The options of the table.
    pub options: &'a R::Options,
    /// The seed of the game's own luck; the luck of the bots is derived from it.
    pub seed: Seed,
    /// The policy of each seat.
    pub policies: &'a [Policy],
    /// The maximum number of actions; the game is abandoned after them.
    pub max_actions: u64,
}

impl<R: Mind> Bout<'_, R> {
    /// Plays the game. Returns its last table and the number of actions. A bot that plays an illegal action, or none,
    /// leaves the game unfinished.
    pub fn play(&self, spent: Spent<'_>) -> (R::State, u64) {
        let begun = create::<R>(self.options, Chance::from_seed(&self.seed));
        let (mut state, mut luck) = (begun.state, begun.chance);
        let mut whim = Chance::from_seed(&self.seed);
        whim = Chance::from_seed(&seed(&mut whim));
        let mut actions = 0;
        while actions < self.max_actions {
            let pending = R::pending(&state);
            if pending.is_empty() {
                break;
            }
            let seat = pending[below(pending.len(), &mut whim)].seat;
            let Some(action) = self.choose(&state, seat, spent, &mut whim) else {
                break;
            };
            if play::<R>(&mut state, &mut luck, seat, &action).is_err() {
                break;
            }
            drop(luck.take_record());
            actions += 1;
        }
        (state, actions)
    }

    fn choose(
        &self,
        state: &R::State,
        seat: Seat,
        spent: Spent<'_>,
        whim: &mut Chance,
    ) -> Option<R::Action> {
        let policy = *self.policies.get(seat.index())?;
        let mut worlds = |chance: &mut Chance| R::sample(state, seat, chance);
        policy.choose::<R>(seat, &mut worlds, spent, whim)
    }
}
