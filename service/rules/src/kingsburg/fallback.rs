//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::{Action, EnvoyUse};
use crate::table::Fallback;
use crate::table::Try::This;

/// The fallback actions. Decisions without a row are answered with the first legal action.
pub const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::of(
        "envoy_declaration",
        "uses the envoy for nothing",
        &[This(|| Action::DeclareEnvoy {
            purpose: Some(EnvoyUse::Nothing),
        })],
    ),
    Fallback::of("reroll", "keeps the roll", &[This(|| Action::KeepRoll)]),
    Fallback::of("influence", "passes", &[This(|| Action::PassInfluence)]),
    Fallback::of(
        "help_choice",
        "declines an exchange",
        &[This(|| Action::DeclineExchange)],
    ),
    Fallback::of("build", "builds nothing", &[This(|| Action::PassBuild)]),
    Fallback::of(
        "town_hall",
        "takes a +2 token",
        &[This(|| Action::TownHallTakeToken)],
    ),
    Fallback::of(
        "recruit",
        "recruits nobody",
        &[This(|| Action::PassRecruit)],
    ),
];
