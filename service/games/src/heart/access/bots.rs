//! Bots that play seats.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::bots::Policy;
use gamekeeper_wire::{Malformed, Wire};
use prost_types::Duration;
use serde::{Deserialize, Serialize};

/// The time that a bot thinks about a decision unless the request says otherwise, in milliseconds.
const USUAL_MS: u32 = 1_000;

/// The maximum time that a request may give a bot to think about a decision, in milliseconds.
const MAX_MS: u32 = 10_000;

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
    /// If the ruleset has no such policy, or the time is not from 1 ms to 10 s.
    pub fn read<W: Wire>(message: &pb::Bot, field: &str) -> Result<Self, Malformed> {
        let pb::Bot {
            policy,
            max_think_time,
        } = message;
        if named::<W>(policy).is_none() {
            let all: Vec<&str> = W::policies().into_iter().map(Policy::id).collect();
            let text = format!("is none of {}", all.join(", "));
            return Err(Malformed::new(format!("{field}.policy"), text));
        }
        let ms = |Duration { seconds, nanos }: &Duration| {
            let ms = seconds.checked_mul(1_000)?;
            u32::try_from(ms.checked_add(i64::from(nanos / 1_000_000))?).ok()
        };
        let think_ms = match max_think_time {
            None => Some(USUAL_MS),
            Some(time) => ms(time).filter(|ms| (1..=MAX_MS).contains(ms)),
        };
        let think_ms = think_ms.ok_or_else(|| {
            let text = "is not from a millisecond to 10 seconds";
            Malformed::new(format!("{field}.max_think_time"), text)
        })?;
        let policy = policy.clone();
        Ok(Self { policy, think_ms })
    }

    /// Encodes the bot as a message, with all defaults filled in.
    #[must_use]
    pub fn message(&self) -> pb::Bot {
        let (seconds, ms) = (self.think_ms / 1_000, self.think_ms % 1_000);
        pb::Bot {
            policy: self.policy.clone(),
            max_think_time: Some(Duration {
                seconds: seconds.into(),
                nanos: i32::try_from(ms * 1_000_000).unwrap_or(0),
            }),
        }
    }

    /// Returns the policy by which the bot chooses. A policy that this build does not know plays at random.
    #[must_use]
    pub fn policy<W: Wire>(&self) -> Policy {
        named::<W>(&self.policy).unwrap_or(Policy::Random)
    }

    /// Returns the maximum time that the bot thinks about a decision.
    #[must_use]
    pub const fn think_time(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.think_ms as u64)
    }
}

/// Looks up a policy of the ruleset by its name.
fn named<W: Wire>(name: &str) -> Option<Policy> {
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
                max_think_time: time.map(|(seconds, nanos)| Duration { seconds, nanos }),
            };
            Bot::read::<Kingsburg>(&bot, "bot")
        };
        let usual = bot("search", None).unwrap();
        assert_eq!(
            (usual.policy::<Kingsburg>(), usual.think_ms),
            (Policy::Search, 1_000)
        );
        assert_eq!(
            bot("greedy", Some((1, 500_000_000))).unwrap().think_ms,
            1_500
        );
        assert_eq!(Bot::read::<Kingsburg>(&usual.message(), "bot"), Ok(usual));
        for time in [
            (0, 0),
            (10, 1_000_000),
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
            let bot = Bot::read::<Dominion>(&message, "bot").unwrap();
            assert_eq!(bot.policy::<Dominion>(), policy);
            let is_general = Policy::ALL.contains(&policy);
            assert_eq!(Bot::read::<Kingsburg>(&message, "bot").is_ok(), is_general);
            // A server that no longer knows the strategy of a bot lets the bot play on.
            let known = if is_general { policy } else { Policy::Random };
            assert_eq!(bot.policy::<Kingsburg>(), known);
        }
    }
}
