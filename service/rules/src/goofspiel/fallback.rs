//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::Action;
use crate::table::Fallback;

/// The fallback bids the lowest card (GOO-9.2).
pub const FALLBACKS: &[Fallback<Action>] = &[Fallback::first("bid")];
