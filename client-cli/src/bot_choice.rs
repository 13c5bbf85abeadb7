//! Bots that evaluate full tables: they choose at a sampled world that their seat cannot tell from the real table.

use gamekeeper_proto::raw::Action;
use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::table::{Seat, Seed};
use gamekeeper_wire::{Wire, wrap_action};

use crate::failure::Failure;
use crate::policy::{Budget, Policy};
use crate::worlds::{SampledWorld, decode_world};

/// A bot's seat, policy, budget and seed.
#[derive(Clone, Copy)]
pub(crate) struct BotTask {
    pub(crate) seat: u32,
    pub(crate) policy: Policy,
    pub(crate) budget: Budget,
    /// The seed of all choices of the bot in the game.
    pub(crate) seed: [u8; 32],
}

/// Returns the action that a bot chooses at this world. Returns `None` if its seat has no pending decision.
pub(crate) fn choose(sampled: &SampledWorld, task: &BotTask) -> Result<Option<Action>, Failure> {
    let ruleset = &*sampled.world.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset,
        R => choose_with_rules::<R>(sampled, task),
        _ => Err(Failure::unknown_ruleset(ruleset)))
}

/// Fails if this program knows the ruleset and it lacks the policy for this many seats. Policies that look only at lists
/// work for every ruleset.
pub(crate) fn check((ruleset, seats): (&str, usize), policy: Policy) -> Result<(), Failure> {
    gamekeeper_rules::with_ruleset!(ruleset, R => policy.check::<R>(seats), _ => Ok(()))
}

fn choose_with_rules<W: Wire + Heuristics>(
    sampled: &SampledWorld,
    task: &BotTask,
) -> Result<Option<Action>, Failure> {
    let world = decode_world::<W>(&sampled.world)?;
    let Some(seat) = u8::try_from(task.seat).ok().and_then(Seat::new) else {
        return Ok(None);
    };
    let policy = task.policy.to_rules_policy::<W>()?;
    let (turn, seed) = ((seat, sampled.version), Seed::new(task.seed));
    let action = task.budget.decide::<W>(policy, &world, turn, &seed);
    Ok(action.map(|action| wrap_action::<W>(&action)))
}
