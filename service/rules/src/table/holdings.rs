//! The countable resources of a seat, and the change of them by an action: its costs and gains.

use std::fmt;
use std::iter::zip;

use super::words::{Count, JoinAnd};

/// A kind of resource that a seat can have a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The stable id in lower snake case, as the contract spells it: `worker`.
    pub id: &'static str,
    /// The singular name.
    one: &'static str,
    /// The plural name. Is `None` if it is the singular with an `s`.
    many: Option<&'static str>,
    /// The number by which the count falls if one is paid. Is 1 if costs and gains have the same unit.
    weight: i32,
    /// Whether sentences mention that the holding is paid.
    is_price: bool,
    /// Whether sentences mention that the holding is gained.
    is_gain: bool,
}

impl Resource {
    /// Creates a resource whose plural is regular.
    #[doc(hidden)]
    pub const fn new(id: &'static str, one: &'static str) -> Self {
        Self {
            id,
            one,
            many: None,
            weight: 1,
            is_price: true,
            is_gain: true,
        }
    }

    /// Creates a resource with a plural of its own.
    pub(crate) const fn many(id: &'static str, one: &'static str, many: &'static str) -> Self {
        Self {
            many: Some(many),
            ..Self::new(id, one)
        }
    }

    /// Creates a resource with one name for any number, such as gold.
    #[doc(hidden)]
    pub const fn mass(id: &'static str, name: &'static str) -> Self {
        Self::many(id, name, name)
    }

    /// Sets the number by which the count falls for each one that is paid. What is paid and what is gained then have
    /// different units, so that both stand side by side in a price. See
    /// [`Ruleset::flow`](crate::ruleset::Ruleset::flow).
    #[doc(hidden)]
    pub const fn with_weight(self, weight: i32) -> Self {
        Self { weight, ..self }
    }

    /// Leaves the resource out of the costs in sentences, because all actions take it, such as the action that is left
    /// in a turn.
    pub(crate) const fn without_cost_text(self) -> Self {
        Self {
            is_price: false,
            ..self
        }
    }

    /// Returns whether the holding stays until it is spent. Others, which no sentence mentions, come home by themselves.
    #[cfg(feature = "conformance")]
    pub(crate) const fn stays(&self) -> bool {
        self.is_gain
    }

    /// Leaves the resource out of all sentences, such as workers that come home after use.
    pub(crate) const fn without_text(self) -> Self {
        Self {
            is_gain: false,
            ..self.without_cost_text()
        }
    }
}

/// A number of a resource, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// The resource.
    pub resource: &'static Resource,
    /// The number of it.
    pub count: i32,
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resource, count } = self;
        match resource.many {
            Some(many) if *count != 1 => write!(f, "{count} {many}"),
            _ => Count(*count, resource.one).fmt(f),
        }
    }
}

/// The numbers of every resource of its ruleset that a seat has, and the numbers that it is sure to get because of
/// past events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holdings {
    has: [i32; Self::KINDS],
    due: [i32; Self::KINDS],
}

impl Holdings {
    /// A number that no ruleset's resources exceed.
    const KINDS: usize = 48;

    /// Holdings without anything.
    #[doc(hidden)]
    pub const EMPTY: Self = Self {
        has: [0; Self::KINDS],
        due: [0; Self::KINDS],
    };

    /// Adds to the number that the seat has; `at` is the index in the resources of the ruleset.
    #[doc(hidden)]
    pub fn add(&mut self, at: usize, count: impl Into<i32>) {
        self.has[at] += count.into();
    }

    /// Adds to the number that the seat is sure to get, or to lose if it is negative.
    #[doc(hidden)]
    pub fn add_expected(&mut self, at: usize, count: impl Into<i32>) {
        self.due[at] += count.into();
    }

    /// Returns the sum of the number that the seat has and the number that it is sure to get.
    #[cfg(feature = "conformance")]
    pub fn total(&self, at: usize) -> i32 {
        self.has[at] + self.due[at]
    }

    /// Returns the change from these holdings to later ones: of each resource the difference. `flow` has the figures of
    /// the resources that are paid in another unit than they are gained in.
    #[doc(hidden)]
    pub fn change(&self, later: &Self, flow: &Flow, resources: &'static [Resource]) -> Price {
        let mut price = Price::default();
        let changes = zip(zip(&self.has, &self.due), zip(&later.has, &later.due));
        for (at, (resource, ((has, due), (later_has, later_due)))) in
            zip(resources, changes).enumerate()
        {
            if resource.weight == 1 {
                // A gain that was already due is no gain of this action.
                price.add_change(resource, later_has - has + later_due - due);
            } else {
                price.add_change(resource, -flow.paid[at]);
                price.add_change(resource, flow.gained[at]);
            }
        }
        price
    }
}

/// The numbers that events take from a seat and give it, of the resources whose costs and gains have different units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    paid: [i32; Holdings::KINDS],
    gained: [i32; Holdings::KINDS],
}

impl Flow {
    /// A flow of nothing.
    #[doc(hidden)]
    pub const NONE: Self = Self {
        paid: [0; Holdings::KINDS],
        gained: [0; Holdings::KINDS],
    };

    /// Adds a number that is paid; `at` is the index in the resources of the ruleset.
    #[doc(hidden)]
    pub fn pay(&mut self, at: usize, count: impl Into<i32>) {
        self.paid[at] += count.into();
    }

    /// Adds a number that is gained.
    #[doc(hidden)]
    pub fn gain(&mut self, at: usize, count: impl Into<i32>) {
        self.gained[at] += count.into();
    }
}

/// The costs of an action, and its certain gains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// The costs, in the order of the ruleset's resources.
    pub cost: Vec<Amount>,
    /// The gains, in the same order.
    pub gains: Vec<Amount>,
}

impl Price {
    fn add_change(&mut self, resource: &'static Resource, change: i32) {
        let (amounts, count) = match change {
            0 => return,
            ..0 => (&mut self.cost, -change),
            1.. => (&mut self.gains, change),
        };
        amounts.push(Amount { resource, count });
    }

    /// Returns a resource that is both paid and gained although costs and gains have the same unit.
    #[cfg(feature = "conformance")]
    #[doc(hidden)]
    pub fn stands_twice(&self) -> Option<&'static Resource> {
        let gained = |resource| self.gains.iter().any(|gain| gain.resource == resource);
        let paid = self.cost.iter().map(|amount| amount.resource);
        paid.filter(|resource| resource.weight == 1)
            .find(|resource| gained(*resource))
    }

    /// Returns the number by which the count of a resource rises.
    #[cfg(feature = "conformance")]
    #[doc(hidden)]
    pub fn net_change(&self, resource: &Resource) -> i32 {
        let of = |amounts: &[Amount]| -> i32 {
            let matching = amounts.iter().filter(|amount| amount.resource == resource);
            matching.map(|amount| amount.count).sum()
        };
        of(&self.gains) - of(&self.cost) * resource.weight
    }

    /// Appends to a sentence the costs and gains that it does not mention itself:
    /// `transform D2 (costs 6 workers; brings 2 VP)`.
    #[must_use]
    pub fn annotate(&self, sentence: String) -> String {
        let cost = self.cost.iter().filter(|amount| amount.resource.is_price);
        let gains = self.gains.iter().filter(|amount| amount.resource.is_gain);
        let remarks = [
            unmentioned(&sentence, "costs", cost),
            unmentioned(&sentence, "brings", gains),
        ];
        let remarks: Vec<String> = remarks.into_iter().flatten().collect();
        if remarks.is_empty() {
            return sentence;
        }
        format!("{sentence} ({})", remarks.join("; "))
    }
}

/// Lists the amounts that a sentence does not mention.
fn unmentioned<'a>(
    sentence: &str,
    verb: &str,
    amounts: impl Iterator<Item = &'a Amount>,
) -> Option<String> {
    let unmentioned: Vec<_> = amounts
        .filter(|amount| !amount.is_mentioned(sentence))
        .collect();
    (!unmentioned.is_empty()).then(|| format!("{verb} {}", JoinAnd(&unmentioned)))
}

impl Amount {
    /// Returns whether a sentence mentions this amount: `2 workers`, `a worker`.
    fn is_mentioned(&self, sentence: &str) -> bool {
        let one = self.resource.one;
        let articles = [
            format!("a {one}"),
            format!("an {one}"),
            format!("the {one}"),
        ];
        let single = articles.iter().filter(|_| self.count == 1);
        has_words(sentence, &self.to_string())
            || single.into_iter().any(|one| has_words(sentence, one))
    }
}

/// Returns whether a sentence contains these words, as whole words.
fn has_words(sentence: &str, words: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    sentence.match_indices(words).any(|(at, _)| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + words.len()..].chars().next();
        !is_part(before) && !is_part(after)
    })
}
