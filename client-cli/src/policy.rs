//! How bots choose. They know the contract alone: legal actions and the catalogue, for any ruleset.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use gamekeeper_rules::bots;
use prost_reflect::{DynamicMessage, Kind, ReflectMessage, Value};
use rand::Rng;
use rand::seq::IteratorRandom;

use crate::contract::chosen;

/// How to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Any legal action, each equally likely
    Random,
    /// Any kind of legal action, each equally likely; then any action of that kind
    Kinds,
    /// The action with the highest immediate value: ten for each printed point it gains, plus its
    /// price; passing and giving things up count less than nothing. Ties are broken at random
    Greedy,
    /// The action that leads furthest when many games are played on from worlds that the seat thinks
    /// possible
    Search,
}

/// Playouts of `search` for a decision, where the command line does not say it.
pub(crate) const PLAYOUTS: u32 = 64;

/// How long `search` thinks about a decision.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Budget {
    /// So many playouts: the same seed gives the same choices.
    Playouts(u32),
    /// So long.
    Time(Duration),
}

impl Budget {
    /// How much of it is spent after some playouts; 1,000 is all. Asked with 0, it begins anew.
    pub(crate) fn spent(self) -> impl FnMut(u32) -> u32 {
        let mut begun = Instant::now();
        move |made| {
            if made == 0 {
                begun = Instant::now();
            }
            let (part, whole) = match self {
                Self::Playouts(all) => (u128::from(made), u128::from(all)),
                Self::Time(all) => (begun.elapsed().as_micros(), all.as_micros()),
            };
            u32::try_from(part.saturating_mul(1_000) / whole.max(1)).unwrap_or(u32::MAX)
        }
    }
}

impl Policy {
    /// The same policy of the rules in this program.
    pub(crate) fn mind(self) -> bots::Policy {
        match self {
            Self::Random => bots::Policy::Random,
            Self::Kinds => bots::Policy::Kinds,
            Self::Greedy => bots::Policy::Greedy,
            Self::Search => bots::Policy::Search,
        }
    }

    /// Chooses one of these actions; nothing, if there is none.
    pub(crate) fn choose(
        self,
        worths: &Worths,
        actions: &[DynamicMessage],
        rng: &mut impl Rng,
    ) -> Option<usize> {
        let places = 0..actions.len();
        match self {
            Self::Random => places.choose(rng),
            Self::Kinds => {
                let mut kinds: Vec<String> = actions.iter().map(kind).collect();
                let all = kinds.clone();
                kinds.dedup();
                let kind = kinds.into_iter().choose(rng)?;
                places.filter(|place| all[*place] == kind).choose(rng)
            }
            Self::Greedy | Self::Search => {
                let worth: Vec<i64> = actions.iter().map(|action| worths.of(action)).collect();
                let best = worth.iter().max()?;
                places.filter(|place| worth[*place] == *best).choose(rng)
            }
        }
    }
}

/// The kind of an action as the contract names it: `buy_card`.
fn kind(action: &DynamicMessage) -> String {
    chosen(action).map(|(kind, _)| kind).unwrap_or_default()
}

/// What one printed point is worth, in coins or cubes of the price.
const POINT: i64 = 10;

/// Words of actions that do nothing.
const IDLE: [&str; 6] = ["pass", "end", "stop", "skip", "decline", "nothing"];

/// Words of actions and fields that give something up.
const LOSS: [&str; 8] = [
    "trash",
    "discard",
    "lose",
    "sacrifice",
    "return",
    "pay",
    "payment",
    "remove",
];

/// What components are worth by what is printed on them, by enum and number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worths {
    by_id: BTreeMap<(String, i32), i64>,
}

impl Worths {
    /// From a catalogue: points and price of everything that has an enum value as its id.
    pub(crate) fn of_catalogue(catalogue: &DynamicMessage) -> Self {
        let mut by_id = BTreeMap::new();
        for (_, value) in catalogue.fields() {
            let items = value.as_list().unwrap_or_default().iter();
            for item in items.filter_map(Value::as_message) {
                if let Some(id) = id_of(item) {
                    by_id.insert(id, printed(item));
                }
            }
        }
        Self { by_id }
    }

    /// What an action is worth at first sight.
    pub(crate) fn of(&self, action: &DynamicMessage) -> i64 {
        let Some((kind, body)) = chosen(action) else {
            return 0;
        };
        if has_word(&kind, &IDLE) {
            return -1;
        }
        let sign = if has_word(&kind, &LOSS) { -1 } else { 1 };
        sign * self.inside(&body)
    }

    fn inside(&self, message: &DynamicMessage) -> i64 {
        let worth = |(field, value): (prost_reflect::FieldDescriptor, &Value)| {
            let sign = if has_word(field.name(), &LOSS) { -1 } else { 1 };
            sign * self.value(&field.kind(), value)
        };
        message.fields().map(worth).sum()
    }

    fn value(&self, kind: &Kind, value: &Value) -> i64 {
        match (kind, value) {
            (kind, Value::List(list)) => list.iter().map(|item| self.value(kind, item)).sum(),
            (Kind::Enum(of), Value::EnumNumber(number)) => {
                let id = (of.full_name().to_owned(), *number);
                self.by_id.get(&id).copied().unwrap_or(0)
            }
            (_, Value::Message(inner)) => self.inside(inner),
            _ => 0,
        }
    }
}

/// The first enum value of a component is its id.
fn id_of(item: &DynamicMessage) -> Option<(String, i32)> {
    let first = item.descriptor().fields().next()?;
    let kind = first.kind();
    let number = item.get_field(&first).as_enum_number()?;
    Some((kind.as_enum()?.full_name().to_owned(), number))
}

/// Points and price.
fn printed(item: &DynamicMessage) -> i64 {
    let worth = |(field, value): (prost_reflect::FieldDescriptor, &Value)| match field.name() {
        "vp" | "victory_points" | "vp_per_part" => POINT * amount(value),
        "cost" => amount(value),
        _ => 0,
    };
    item.fields().map(worth).sum()
}

/// A number, or the sum of a message of numbers.
fn amount(value: &Value) -> i64 {
    if let Some(goods) = value.as_message() {
        return goods.fields().map(|(_, value)| amount(value)).sum();
    }
    let unsigned = value.as_u32().map(i64::from);
    value.as_i32().map(i64::from).or(unsigned).unwrap_or(0)
}

fn has_word(name: &str, words: &[&str]) -> bool {
    name.split('_').any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_wire::Wire;
    use prost::Message;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::contract::{Contract, field_message, method, parse};

    fn worths() -> Worths {
        let service = Contract::load().unwrap().ruleset("dominion").unwrap();
        let answer = method(&service, "GetCatalogue").unwrap().output();
        let kind = field_message(&answer, "catalogue").unwrap();
        let bytes = Dominion::catalogue().encode_to_vec();
        Worths::of_catalogue(&DynamicMessage::decode(kind, &*bytes).unwrap())
    }

    fn actions(lines: &[&str]) -> Vec<DynamicMessage> {
        let service = Contract::load().unwrap().ruleset("dominion").unwrap();
        let input = method(&service, "ApplyAction").unwrap().input();
        let action = field_message(&input, "action").unwrap();
        lines
            .iter()
            .map(|line| parse(&action, line).unwrap())
            .collect()
    }

    #[test]
    fn greed_buys_points_before_prices_and_anything_before_nothing() {
        let lines = [
            r#"{"endTurn":{}}"#,
            r#"{"buyCard":{"card":"CARD_GOLD"}}"#,
            r#"{"buyCard":{"card":"CARD_PROVINCE"}}"#,
            r#"{"buyCard":{"card":"CARD_CURSE"}}"#,
            r#"{"chapelTrash":{"cards":["CARD_PROVINCE"]}}"#,
        ];
        let worth: Vec<i64> = actions(&lines)
            .iter()
            .map(|action| worths().of(action))
            .collect();
        assert_eq!(worth, [-1, 6, 68, -10, -68]);
    }

    #[test]
    fn every_policy_chooses_a_place_of_the_list() {
        let actions = actions(&[r#"{"endTurn":{}}"#, r#"{"buyCard":{"card":"CARD_GOLD"}}"#]);
        let mut rng = StdRng::seed_from_u64(1);
        for policy in [Policy::Random, Policy::Kinds, Policy::Greedy] {
            let chosen: Vec<usize> = (0..50)
                .map(|_| policy.choose(&worths(), &actions, &mut rng).unwrap())
                .collect();
            assert!(chosen.contains(&1), "{policy:?}");
            assert_eq!(chosen.contains(&0), policy != Policy::Greedy, "{policy:?}");
            assert_eq!(policy.choose(&worths(), &[], &mut rng), None);
        }
    }
}
