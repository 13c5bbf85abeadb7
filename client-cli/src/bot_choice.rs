//! Bots that evaluate full tables: they choose in sampled worlds that their seat cannot tell from the real table.

use gamekeeper_proto::gamekeeper::v1::SelfPlayWorld;
use gamekeeper_proto::raw::Action;
use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::table::{Chance, Seat, Seed};
use gamekeeper_wire::{Wire, wrap_action};

use crate::failure::Failure;
use crate::policy::{Budget, Policy};
use crate::worlds::decode_world;

/// A bot's seat, policy, budget and seed.
#[derive(Clone, Copy)]
pub(crate) struct BotTask {
    pub(crate) seat: u32,
    pub(crate) policy: Policy,
    pub(crate) budget: Budget,
    /// The seed of the choice.
    pub(crate) seed: [u8; 32],
}

/// Returns the action that a bot chooses in these worlds. Returns `None` if its seat has no pending decision.
pub(crate) fn choose(
    ruleset: &str,
    worlds: &[&SelfPlayWorld],
    task: &BotTask,
) -> Result<Option<Action>, Failure> {
    gamekeeper_rules::with_ruleset!(ruleset,
        R => choose_with_rules::<R>(worlds, task),
        _ => Err(Failure::unknown_ruleset(ruleset)))
}

/// Fails if this program knows the ruleset and it lacks the policy. Policies that look only at lists work for
/// every ruleset.
pub(crate) fn check(ruleset: &str, policy: Policy) -> Result<(), Failure> {
    gamekeeper_rules::with_ruleset!(ruleset, R => policy.to_rules_policy::<R>().map(drop), _ => Ok(()))
}

fn choose_with_rules<W: Wire + Heuristics>(
    worlds: &[&SelfPlayWorld],
    task: &BotTask,
) -> Result<Option<Action>, Failure> {
    let worlds = worlds.iter().map(|world| decode_world::<W>(world));
    let worlds: Vec<W::State> = worlds.collect::<Result<_, _>>()?;
    let seat = u8::try_from(task.seat).ok().and_then(Seat::new);
    let (Some(seat), Some(first)) = (seat, worlds.first()) else {
        return Ok(None);
    };
    let indices: Vec<u16> = (0..).take(worlds.len()).collect();
    let mut sample_world = |chance: &mut Chance| {
        let index = chance.pick("world", None, &indices).map_or(0, usize::from);
        drop(chance.take_record());
        worlds.get(index).unwrap_or(first).clone()
    };
    let mut chance = Chance::from_seed(&Seed::new(task.seed));
    let policy = task.policy.to_rules_policy::<W>()?;
    let action = policy.choose::<W>(
        seat,
        &mut sample_world,
        &mut task.budget.share_spent::<W>(),
        &mut chance,
    );
    Ok(action.map(|action| wrap_action::<W>(&action)))
}
