//! Bots that play seats.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_policies::{LearnedPolicy, PREFIX, PolicyLibrary};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::bots::Policy;
use gamekeeper_telemetry::LeftBot;
use gamekeeper_wire::{Malformed, Wire};
use serde::{Deserialize, Serialize};

use crate::requests::times;

/// The minimum time that a request may give a bot to think about a decision.
const MIN: Duration = Duration::from_millis(1);

/// The maximum time that a request may give a bot to think about a decision, and what it gives if it does not say.
const MAX: Duration = Duration::from_secs(10);

/// The separator between the name of a learned policy and its hash. No name contains it.
const HASH_SEPARATOR: char = '@';

/// A bot that plays a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bot {
    /// The name of the policy; of a learned one, its hash behind [`HASH_SEPARATOR`].
    policy: String,
    think_ms: u32,
}

/// The way in which a bot of this process chooses.
#[derive(Clone, Debug)]
pub(crate) enum BotPolicy {
    /// By the rules.
    Rules(Policy),
    /// By a network.
    Learned(Arc<LearnedPolicy>),
}

impl Bot {
    /// Validates and decodes the bot of a request, for a table with this many seats. `field` is the path of the message
    /// for errors. A learned policy is bound to its file of today.
    ///
    /// # Errors
    /// If the ruleset has no such policy, a learned policy cannot be played here, is for another number of seats, or is
    /// not that of the request's hash, or the time is malformed or not from 1 ms to 10 s.
    pub(crate) fn from_request<W: Wire>(
        message: &pb::Bot,
        (seats, learned): (usize, &PolicyLibrary),
        field: &str,
    ) -> Result<Self, Malformed> {
        let pb::Bot {
            policy,
            max_think_time,
            policy_hash,
        } = message;
        let policy = if policy.starts_with(PREFIX) {
            let learned = learned_policy::<W>((policy, policy_hash), (seats, learned), field)?;
            format!("{policy}{HASH_SEPARATOR}{}", learned.hash())
        } else {
            if policy_named::<W>(policy).is_none() {
                return Err(unknown_policy::<W>(learned, field));
            }
            if !policy_hash.is_empty() {
                let text = "is for learned policies alone";
                return Err(Malformed::new(format!("{field}.policy_hash"), text));
            }
            policy.clone()
        };
        let field = format!("{field}.max_think_time");
        let time = match max_think_time {
            None => Some(MAX),
            Some(time) => times::read(time.seconds, time.nanos, &field)?,
        };
        let time = time.filter(|time| (MIN..=MAX).contains(time));
        let think_ms = time.and_then(|time| u32::try_from(time.as_millis()).ok());
        let text = "is not from a millisecond to 10 seconds";
        let think_ms = think_ms.ok_or_else(|| Malformed::new(field, text))?;
        Ok(Self { policy, think_ms })
    }

    /// Encodes the bot as a message, with all defaults filled in.
    #[must_use]
    pub fn message(&self) -> pb::Bot {
        pb::Bot {
            policy: self.policy_id().to_owned(),
            max_think_time: self.think_time().try_into().ok(),
            policy_hash: self.policy_hash().unwrap_or_default().to_owned(),
        }
    }

    /// Returns the name of the policy by which the bot chooses.
    #[must_use]
    pub fn policy_id(&self) -> &str {
        self.policy
            .split_once(HASH_SEPARATOR)
            .map_or(&*self.policy, |(id, _)| id)
    }

    /// Returns the hash of the policy. Returns `None` if it is not learned.
    fn policy_hash(&self) -> Option<&str> {
        let (_, hash) = self.policy.split_once(HASH_SEPARATOR)?;
        Some(hash)
    }

    /// Returns the policy by which the bot chooses.
    ///
    /// # Errors
    /// If this process cannot play it exactly. Nothing else may play in its place.
    pub(crate) fn policy<W: Wire>(&self, learned: &PolicyLibrary) -> Result<BotPolicy, LeftBot> {
        let Some(hash) = self.policy_hash() else {
            let policy = policy_named::<W>(&self.policy);
            return policy.map(BotPolicy::Rules).ok_or(LeftBot::Unknown);
        };
        match learned.get(self.policy_id()) {
            Some(Ok(policy)) if policy.hash() == hash => Ok(BotPolicy::Learned(Arc::clone(policy))),
            Some(Ok(_)) => Err(LeftBot::Changed),
            Some(Err(_)) | None => Err(LeftBot::Missing),
        }
    }

    /// Returns the maximum time that the bot thinks about a decision.
    #[must_use]
    pub const fn think_time(&self) -> Duration {
        Duration::from_millis(self.think_ms as u64)
    }
}

/// Looks up a policy of the ruleset by its name.
fn policy_named<W: Wire>(name: &str) -> Option<Policy> {
    let mut all = W::policies().into_iter();
    all.find(|policy| policy.id() == name)
}

/// Returns the error for a policy that a ruleset does not have here.
fn unknown_policy<W: Wire>(learned: &PolicyLibrary, field: &str) -> Malformed {
    let mut all: Vec<&str> = W::policies().into_iter().map(Policy::id).collect();
    all.extend(learned.of_ruleset(W::INFO.id).map(LearnedPolicy::id));
    let text = format!("is none of {}", all.join(", "));
    Malformed::new(format!("{field}.policy"), text)
}

/// Looks up a learned policy of a request, by its name and the hash that the request may require.
fn learned_policy<'a, W: Wire>(
    (id, required_hash): (&str, &str),
    (seats, learned): (usize, &'a PolicyLibrary),
    field: &str,
) -> Result<&'a LearnedPolicy, Malformed> {
    let malformed = |part: &str, text: String| Malformed::new(format!("{field}.{part}"), text);
    let policy = match learned.get(id) {
        Some(Ok(policy)) => &**policy,
        Some(Err(reason)) => {
            return Err(malformed(
                "policy",
                format!("cannot be played here: {reason}"),
            ));
        }
        None => return Err(unknown_policy::<W>(learned, field)),
    };
    let space = policy.space();
    if (space.ruleset(), space.seats()) != (W::INFO.id, seats) {
        let text = format!("plays {} with {} seats", space.ruleset(), space.seats());
        return Err(malformed("policy", text));
    }
    if !required_hash.is_empty() && required_hash != policy.hash() {
        let text = format!("is not that of the file, which is {}", policy.hash());
        return Err(malformed("policy_hash", text));
    }
    Ok(policy)
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::kingsburg::Kingsburg;

    use super::*;

    #[test]
    fn bots_have_policies_and_bounds() {
        let bot = |policy: &str, time: Option<(i64, i32)>| {
            let bot = pb::Bot {
                policy: policy.to_owned(),
                max_think_time: time
                    .map(|(seconds, nanos)| prost_types::Duration { seconds, nanos }),
                ..pb::Bot::default()
            };
            Bot::from_request::<Kingsburg>(&bot, (2, &PolicyLibrary::default()), "bot")
        };
        let usual = bot("search", None).unwrap();
        assert_eq!((usual.policy_id(), usual.think_ms), ("search", 10_000));
        assert_eq!(
            bot("greedy", Some((1, 500_000_000))).unwrap().think_ms,
            1_500
        );
        assert_eq!(
            Bot::from_request::<Kingsburg>(&usual.message(), (2, &PolicyLibrary::default()), "bot"),
            Ok(usual)
        );
        for time in [
            (0, 0),
            (10, 1),
            (0, 999_999),
            (1, -1),
            (1, 1_000_000_000),
            (-1, 0),
            (i64::MAX, 0),
            (0, -5_000_000),
        ] {
            let refused = bot("random", Some(time)).unwrap_err();
            assert_eq!(refused.field, "bot.max_think_time", "{time:?}");
        }
        for policy in ["", "Random", "best", "big-money", "policy:", "policy:best"] {
            assert_eq!(bot(policy, None).unwrap_err().field, "bot.policy");
        }
    }

    #[test]
    fn strategies_are_policies_of_their_ruleset() {
        let learned = PolicyLibrary::default();
        for policy in Dominion::policies() {
            let message = pb::Bot {
                policy: policy.id().to_owned(),
                ..pb::Bot::default()
            };
            let bot = Bot::from_request::<Dominion>(&message, (2, &learned), "bot").unwrap();
            let found = bot.policy::<Dominion>(&learned);
            assert!(matches!(found, Ok(BotPolicy::Rules(found)) if found == policy));
            let is_general = Policy::ALL.contains(&policy);
            let other = Bot::from_request::<Kingsburg>(&message, (2, &learned), "bot");
            assert_eq!(other.is_ok(), is_general);
            // A server that no longer knows the strategy of a bot plays nothing else in its place.
            let elsewhere = bot.policy::<Kingsburg>(&learned).err();
            let expected = (!is_general).then_some(LeftBot::Unknown);
            assert_eq!(elsewhere, expected);
        }
    }

    #[test]
    fn only_learned_policies_have_hashes() {
        let bot = pb::Bot {
            policy: String::from("random"),
            policy_hash: "0".repeat(64),
            ..pb::Bot::default()
        };
        let none = PolicyLibrary::default();
        let refused = Bot::from_request::<Kingsburg>(&bot, (2, &none), "bot").unwrap_err();
        assert_eq!(refused.field, "bot.policy_hash");
    }

    #[test]
    fn a_bot_without_its_file_plays_nothing_else() {
        let bot = Bot {
            policy: format!("policy:kingsburg@{}", "0".repeat(64)),
            think_ms: 10_000,
        };
        let none = PolicyLibrary::default();
        assert_eq!(bot.policy::<Kingsburg>(&none).err(), Some(LeftBot::Missing));
        let message = bot.message();
        assert_eq!(message.policy, "policy:kingsburg");
        assert_eq!(message.policy_hash, "0".repeat(64));
    }
}
