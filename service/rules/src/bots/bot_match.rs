//! A game among bots.

use super::{Budget, Heuristics, Policy};
use crate::ruleset::{Ruleset, apply_in_place, create};
use crate::table::{Chance, Seat, Seed};

/// A game among bots, from its beginning to its end.
pub struct BotMatch<'a, R: Ruleset> {
    /// The options of the table.
    pub options: &'a R::Options,
    /// The seed of the game's own luck, and of the choices of the bots.
    pub seed: Seed,
    /// The policy of each seat.
    pub policies: &'a [Policy],
    /// The maximum number of actions; the game is abandoned after them.
    pub max_actions: u64,
}

impl<R: Heuristics> BotMatch<'_, R> {
    /// Plays the game, with this many playouts for each decision of `search`, or with the ruleset's own number. Returns
    /// its last table and the number of actions. A bot that plays an illegal action, or none, leaves the game
    /// unfinished.
    pub fn play(&self, playouts: Option<u32>) -> (R::State, u64) {
        let created = create::<R>(self.options, Chance::from_seed(&self.seed));
        let (mut state, mut luck) = (created.state, created.chance);
        let mut actions = 0;
        while actions < self.max_actions {
            let Some(seat) = R::pending(&state).first().map(|pending| pending.seat) else {
                break;
            };
            let Some(action) = self.choose(&state, (seat, actions + 1), playouts) else {
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
        (seat, version): (Seat, u64),
        playouts: Option<u32>,
    ) -> Option<R::Action> {
        let policy = *self.policies.get(seat.index())?;
        let budget = Budget::untimed(playouts);
        policy.decide::<R>(state, (seat, version), &self.seed, budget)
    }
}
