//! Games of a ruleset that is given by name (**dynamic dispatch**).

use std::sync::Arc;

use gamekeeper_rules::bots::Policy;
use gamekeeper_rules::for_each_ruleset;
use gamekeeper_rules::ruleset::Ruleset;

use crate::game::Game;
use crate::ruleset_game::RulesetGame;
use crate::settings::{Fault, Settings};
use crate::space::Space;

/// Returns the ids of all rulesets.
#[must_use]
pub fn rulesets() -> Vec<&'static str> {
    macro_rules! ids {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            vec![$(<gamekeeper_rules::$module::$Ruleset as Ruleset>::INFO.id),*]
        };
    }
    for_each_ruleset!(ids)
}

/// Returns the space of a ruleset, for a number of seats.
///
/// # Errors
/// Fails if the ruleset is unknown, or is played by other numbers of players.
pub fn space_of(ruleset: &str, seats: usize) -> Result<Arc<Space>, Fault> {
    macro_rules! find {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match ruleset {
                $(stringify!($module) => Space::new::<gamekeeper_rules::$module::$Ruleset>(seats).map(Arc::new),)*
                _ => Err(unknown(ruleset)),
            }
        };
    }
    for_each_ruleset!(find)
}

/// Creates a game that has not begun.
///
/// # Errors
/// Fails if the rules refuse the options.
pub fn game_of(space: &Arc<Space>, settings: &Arc<Settings>) -> Result<Box<dyn Game>, Fault> {
    let (space, settings) = (Arc::clone(space), Arc::clone(settings));
    macro_rules! find {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match space.ruleset() {
                $(stringify!($module) => {
                    let game = RulesetGame::<gamekeeper_rules::$module::$Ruleset>::new(space, settings)?;
                    Ok(Box::new(game))
                })*
                other => Err(unknown(other)),
            }
        };
    }
    for_each_ruleset!(find)
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
    macro_rules! find {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match space.ruleset() {
                $(stringify!($module) => {
                    let game = RulesetGame::<gamekeeper_rules::$module::$Ruleset>::new(space, settings)?;
                    Ok(Box::new(game.with_snapshot(bytes)?))
                })*
                other => Err(unknown(other)),
            }
        };
    }
    for_each_ruleset!(find)
}

/// Returns the bots' policy of this name for a ruleset.
///
/// # Errors
/// Fails if the ruleset is unknown, or has no such policy.
pub fn policy_of(ruleset: &str, name: &str) -> Result<Policy, Fault> {
    macro_rules! find {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match ruleset {
                $(stringify!($module) => {
                    Ok(Policy::named::<gamekeeper_rules::$module::$Ruleset>(name)?)
                })*
                _ => Err(unknown(ruleset)),
            }
        };
    }
    for_each_ruleset!(find)
}

/// Returns the names of all policies that bots have in a ruleset.
///
/// # Errors
/// Fails if the ruleset is unknown.
pub fn policies_of(ruleset: &str) -> Result<Vec<&'static str>, Fault> {
    macro_rules! find {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match ruleset {
                $(stringify!($module) => {
                    let all = Policy::of::<gamekeeper_rules::$module::$Ruleset>();
                    Ok(all.map(Policy::id).collect())
                })*
                _ => Err(unknown(ruleset)),
            }
        };
    }
    for_each_ruleset!(find)
}

fn unknown(ruleset: &str) -> Fault {
    Fault::Unknown(ruleset.to_owned(), rulesets().join(", "))
}
