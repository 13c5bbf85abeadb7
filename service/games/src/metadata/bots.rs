//! Bots that play seats.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::bots::Policy;
use gamekeeper_wire::{Malformed, Wire};
use serde::{Deserialize, Serialize};

use crate::requests::times;

/// The minimum time that a request may give a bot to think about a decision.
const MIN: Duration = Duration::from_millis(1);

/// The maximum time that a request may give a bot to think about a decision, and what it gives if it does not say.
const MAX: Duration = Duration::from_secs(10);

/// A bot that plays a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bot {
    policy: String,
    think_ms: u32,
}

impl Bot {
    /// Validates and decodes the bot of a request. `field` is the path of the message for errors.
    ///
    /// # Errors
    /// If the ruleset has no such policy, or the time is malformed or not from 1 ms to 10 s.
    pub fn from_request<W: Wire>(message: &pb::Bot, field: &str) -> Result<Self, Malformed> {
        let pb::Bot {
            policy,
            max_think_time,
        } = message;
        if policy_named::<W>(policy).is_none() {
            let all: Vec<&str> = W::policies().into_iter().map(Policy::id).collect();
            let text = format!("is none of {}", all.join(", "));
            return Err(Malformed::new(format!("{field}.policy"), text));
        }
        let field = format!("{field}.max_think_time");
        let time = match max_think_time {
            None => Some(MAX),
            Some(time) => times::read(time.seconds, time.nanos, &field)?,
        };
        let time = time.filter(|time| (MIN..=MAX).contains(time));
        let think_ms = time.and_then(|time| u32::try_from(time.as_millis()).ok());
        let text = "is not from a millisecond to 10 seconds";
        let think_ms = think_ms.ok_or_else(|| Malformed::new(field, text))?;
        let policy = policy.clone();
        Ok(Self { policy, think_ms })
    }

    /// Encodes the bot as a message, with all defaults filled in.
    #[must_use]
    pub fn message(&self) -> pb::Bot {
        pb::Bot {
            policy: self.policy.clone(),
            max_think_time: self.think_time().try_into().ok(),
        }
    }

    /// Returns the policy by which the bot chooses. A policy that this build does not know plays at random.
    #[must_use]
    pub fn policy<W: Wire>(&self) -> Policy {
        policy_named::<W>(&self.policy).unwrap_or(Policy::Random)
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
            };
            Bot::from_request::<Kingsburg>(&bot, "bot")
        };
        let usual = bot("search", None).unwrap();
        assert_eq!(
            (usual.policy::<Kingsburg>(), usual.think_ms),
            (Policy::Search, 10_000)
        );
        assert_eq!(
            bot("greedy", Some((1, 500_000_000))).unwrap().think_ms,
            1_500
        );
        assert_eq!(
            Bot::from_request::<Kingsburg>(&usual.message(), "bot"),
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
        for policy in ["", "Random", "best", "big-money"] {
            assert_eq!(bot(policy, None).unwrap_err().field, "bot.policy");
        }
    }

    #[test]
    fn strategies_are_policies_of_their_ruleset() {
        for policy in Dominion::policies() {
            let message = pb::Bot {
                policy: policy.id().to_owned(),
                max_think_time: None,
            };
            let bot = Bot::from_request::<Dominion>(&message, "bot").unwrap();
            assert_eq!(bot.policy::<Dominion>(), policy);
            let is_general = Policy::ALL.contains(&policy);
            assert_eq!(
                Bot::from_request::<Kingsburg>(&message, "bot").is_ok(),
                is_general
            );
            // A server that no longer knows the strategy of a bot lets the bot play on.
            let expected = if is_general { policy } else { Policy::Random };
            assert_eq!(bot.policy::<Kingsburg>(), expected);
        }
    }
}
