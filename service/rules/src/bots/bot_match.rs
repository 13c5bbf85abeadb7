//! A game among bots.

use super::{BudgetUsed, Heuristics, Policy, seed, uniform_index};
use crate::ruleset::{Ruleset, apply_in_place, create};
use crate::table::{Chance, Seat, Seed};

/// A game among bots, from its beginning to its end.
pub struct BotMatch<'a, R: Ruleset> {
    /// The options of the table.
    pub options: &'a R::Options,
    /// The seed of the game's own luck; the luck of the bots is derived from it.
    pub seed: Seed,
    /// The policy of each seat.
    pub policies: &'a [Policy],
    /// The maximum number of actions; the game is abandoned after them.
    pub max_actions: u64,
}

impl<R: Heuristics> BotMatch<'_, R> {
    /// Plays the game. Returns its last table and the number of actions. A bot that plays an illegal action, or none,
    /// leaves the game unfinished.
    pub fn play(&self, budget_used: BudgetUsed<'_>) -> (R::State, u64) {
        let created = create::<R>(self.options, Chance::from_seed(&self.seed));
        let (mut state, mut luck) = (created.state, created.chance);
        let mut rng = Chance::from_seed(&self.seed);
        rng = Chance::from_seed(&seed(&mut rng));
        let mut actions = 0;
        while actions < self.max_actions {
            let pending = R::pending(&state);
            if pending.is_empty() {
                break;
            }
            let seat = pending[uniform_index(pending.len(), &mut rng)].seat;
            let Some(action) = self.choose(&state, seat, budget_used, &mut rng) else {
                break;
            };
            if apply_in_place::<R>(&mut state, &mut luck, seat, &action).is_err() {
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
        budget_used: BudgetUsed<'_>,
        rng: &mut Chance,
    ) -> Option<R::Action> {
        let policy = *self.policies.get(seat.index())?;
        let mut worlds = |chance: &mut Chance| R::sample_world(state, seat, chance);
        policy.choose::<R>(seat, &mut worlds, budget_used, rng)
    }
}
