//! Bots that evaluate full tables: they choose in sampled worlds that their seat cannot tell from the real table.

use gamekeeper_proto::gamekeeper::v1::SelfPlayWorld;
use gamekeeper_proto::raw::Action;
use gamekeeper_rules::bots::Mind;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, Seat, Seed};
use gamekeeper_wire::{Wire, joined_action};

use crate::failure::Failure;
use crate::policy::{Budget, Policy};
use crate::worlds::read;

/// A bot's seat, policy, budget and seed.
#[derive(Clone, Copy)]
pub(crate) struct Thinker {
    pub(crate) seat: u32,
    pub(crate) policy: Policy,
    pub(crate) budget: Budget,
    /// The seed of the choice.
    pub(crate) seed: [u8; 32],
}

macro_rules! by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Returns the action that a bot chooses in these worlds, or `None` if its seat has no pending decision.
        pub(crate) fn choose(
            ruleset: &str,
            worlds: &[&SelfPlayWorld],
            thinker: &Thinker,
        ) -> Result<Option<Action>, Failure> {
            $(
                if ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return choose_by::<gamekeeper_rules::$module::$Ruleset>(worlds, thinker);
                }
            )*
            Err(Failure::Usage(format!("this program does not know the ruleset {ruleset:?}")))
        }

        /// Fails if this program knows the ruleset and it lacks the policy. Policies that look only at lists work for
        /// every ruleset.
        pub(crate) fn check(ruleset: &str, policy: Policy) -> Result<(), Failure> {
            $(
                if ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return policy.mind::<gamekeeper_rules::$module::$Ruleset>().map(drop);
                }
            )*
            Ok(())
        }
    };
}

gamekeeper_wire::for_each_ruleset!(by_ruleset);

fn choose_by<W: Wire + Mind>(
    worlds: &[&SelfPlayWorld],
    thinker: &Thinker,
) -> Result<Option<Action>, Failure> {
    let worlds = worlds.iter().map(|world| read::<W>(world));
    let worlds: Vec<W::State> = worlds.collect::<Result<_, _>>()?;
    let seat = u8::try_from(thinker.seat).ok().and_then(Seat::new);
    let (Some(seat), Some(first)) = (seat, worlds.first()) else {
        return Ok(None);
    };
    let places: Vec<u16> = (0..).take(worlds.len()).collect();
    let mut draw = |chance: &mut Chance| {
        let place = chance.pick("world", None, &places).map_or(0, usize::from);
        drop(chance.take_record());
        worlds.get(place).unwrap_or(first).clone()
    };
    let mut chance = Chance::from_seed(&Seed::new(thinker.seed));
    let policy = thinker.policy.mind::<W>()?;
    let action = policy.choose::<W>(
        seat,
        &mut draw,
        &mut thinker.budget.spent::<W>(),
        &mut chance,
    );
    Ok(action.map(|action| joined_action::<W>(&action)))
}
