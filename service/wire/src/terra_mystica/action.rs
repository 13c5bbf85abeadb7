//! The rows of actions that differ between rules and contract. Spaces and factions that do not exist are passed on as
//! unknown: the rules refuse them. Other names that do not exist are malformed.

use gamekeeper_rules::terra_mystica::{PowerUse, Span, SpecialUse, Work};

use super::pb::{self, take_power_action, take_special_action};
use crate::Malformed;
use crate::mapping::{FromPb, required};

/// Work that is not set is empty work.
impl FromPb<Option<pb::Work>> for Work {
    fn from_pb(sent: Option<pb::Work>) -> Result<Self, Malformed> {
        Self::from_pb(sent.unwrap_or_default())
    }
}

required! {
    Span from pb::Span,
    PowerUse from take_power_action::PowerUse,
    SpecialUse from take_special_action::SpecialUse,
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
