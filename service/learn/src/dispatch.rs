//! Games of a ruleset that is given by name (**dynamic dispatch**).

use std::sync::Arc;

use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::{of_each_ruleset, with_ruleset};

use crate::game::Game;
use crate::ruleset_game::RulesetGame;
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// Returns the ids of all rulesets.
#[must_use]
pub fn rulesets() -> Vec<&'static str> {
    of_each_ruleset!(R => R::INFO.id).to_vec()
}

/// Returns the space of a ruleset, for a number of seats.
///
/// # Errors
/// Fails if the ruleset is unknown, or is played by other numbers of players.
pub fn space_of(ruleset: &str, seats: usize) -> Result<Arc<Space>, Fault> {
    with_ruleset!(ruleset,
        R => Space::new::<R>(seats).map(Arc::new),
        _ => Err(unknown(ruleset)))
}

/// Creates a game that has not begun.
///
/// # Errors
/// Fails if the rules refuse the options, or no game can begin on a described table.
pub fn game_of(space: &Arc<Space>, settings: &Arc<Settings>) -> Result<Box<dyn Game>, Fault> {
    let (space, settings) = (Arc::clone(space), Arc::clone(settings));
    with_ruleset!(space.ruleset(),
        R => Ok(Box::new(RulesetGame::<R>::new(space, settings)?)),
        _ => Err(unknown(space.ruleset())))
}

/// Restores a game from a [snapshot](Game::snapshot), with the options of the snapshot.
///
/// # Errors
/// Fails if the bytes are no snapshot of the ruleset and this build.
pub fn game_from_snapshot(
    space: &Arc<Space>,
    settings: &Arc<Settings>,
    bytes: &[u8],
) -> Result<Box<dyn Game>, Fault> {
    let (space, settings) = (Arc::clone(space), Arc::clone(settings));
    with_ruleset!(space.ruleset(),
        R => Ok(Box::new(RulesetGame::<R>::restore(space, settings, bytes)?)),
        _ => Err(unknown(space.ruleset())))
}

/// Returns the bots' policy of this name for a ruleset.
///
/// # Errors
/// Fails if the ruleset is unknown, or has no such policy.
pub fn policy_of(ruleset: &str, name: &str) -> Result<Policy, Fault> {
    with_ruleset!(ruleset,
        R => Ok(Policy::named::<R>(name)?),
        _ => Err(unknown(ruleset)))
}

/// Returns the names of all policies that bots have in a ruleset.
///
/// # Errors
/// Fails if the ruleset is unknown.
pub fn policies_of(ruleset: &str) -> Result<Vec<&'static str>, Fault> {
    with_ruleset!(ruleset,
        R => Ok(Policy::of::<R>().map(Policy::id).collect()),
        _ => Err(unknown(ruleset)))
}

fn unknown(ruleset: &str) -> Fault {
    Fault::Unknown(ruleset.to_owned(), rulesets().join(", "))
}
