//! The rules of Gamekeeper's board games: pure state machines.
//!
//! No async, no clock, no network, no protobuf, no floats, no hash maps: the rules are **deterministic**. The same
//! options, actions and luck give the same game everywhere and always.
//!
//! * [`ruleset`]: the interface that every ruleset has;
//! * [`starts`]: games that do not begin at the set-up;
//! * [`table`]: seats, viewers, luck, ranking, and the other types that all tables share;
//! * [`bots`]: policies that play, using tables that are possible for a seat;
//! * [`table_life`]: table events beyond the rules: players leave, clocks run out;
//! * one module per ruleset, with the same file names in each.

#![deny(clippy::float_arithmetic)]

pub mod bots;
pub mod caylus;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod dominion;
pub mod goofspiel;
pub mod kingsburg;
mod layout_hash;
pub mod mythotopia;
pub mod rulebook;
pub mod ruleset;
pub mod starts;
pub mod table;
pub mod table_life;
pub mod terra_mystica;

pub use layout_hash::layout_hash;

/// Hands every ruleset to a macro of the caller, one `module: Ruleset` each.
///
/// This list is the registration: server, command line, tests and measurements all go through it. `module` names
/// the folder of the ruleset in every crate, so the caller's macro reaches
///
/// * the rules: `gamekeeper_rules::$module::$Ruleset`;
/// * the contract: `gamekeeper_wire::$module::pb`, with all messages of the ruleset's package.
///
/// The macro can be called in item, statement and expression position.
///
/// ```
/// use gamekeeper_rules::ruleset::Ruleset;
///
/// macro_rules! ids {
///     ($($module:ident: $Ruleset:ident),* $(,)?) => {
///         [$(<gamekeeper_rules::$module::$Ruleset as Ruleset>::INFO.id),*]
///     };
/// }
/// assert!(gamekeeper_rules::for_each_ruleset!(ids).contains(&"dominion"));
/// ```
#[macro_export]
macro_rules! for_each_ruleset {
    ($callback:ident) => {
        $crate::for_each_ruleset! { [$callback] }
    };
    ([$($callback:tt)+] $($arguments:tt)*) => {
        $($callback)+! {
            $($arguments)*
            caylus: Caylus,
            dominion: Dominion,
            goofspiel: Goofspiel,
            kingsburg: Kingsburg,
            mythotopia: Mythotopia,
            terra_mystica: TerraMystica,
        }
    };
}

/// Evaluates an expression for the ruleset of an id, which the expression knows as a type; for an unknown id another
/// expression.
///
/// ```
/// use gamekeeper_rules::ruleset::Ruleset;
///
/// let title = |id: &str| gamekeeper_rules::with_ruleset!(id, R => Some(R::INFO.title), _ => None);
/// assert_eq!(title("dominion"), Some("Dominion"));
/// assert_eq!(title("chess"), None);
/// ```
#[macro_export]
macro_rules! with_ruleset {
    ($id:expr, $R:ident => $known:expr, _ => $unknown:expr $(,)?) => {
        $crate::for_each_ruleset!([$crate::with_ruleset] @($id, $R, $known, $unknown))
    };
    (@($id:expr, $R:ident, $known:expr, $unknown:expr) $($module:ident: $Ruleset:ident),* $(,)?) => {
        match $id {
            $(stringify!($module) => {
                type $R = $crate::$module::$Ruleset;
                $known
            })*
            _ => $unknown,
        }
    };
}

/// Evaluates an expression for every ruleset, which the expression knows as a type, and returns the values as an array.
///
/// ```
/// use gamekeeper_rules::ruleset::Ruleset;
///
/// assert!(gamekeeper_rules::of_each_ruleset!(R => R::INFO.id).contains(&"dominion"));
/// ```
#[macro_export]
macro_rules! of_each_ruleset {
    ($R:ident => $value:expr) => {
        $crate::for_each_ruleset!([$crate::of_each_ruleset] @($R, $value))
    };
    (@($R:ident, $value:expr) $($module:ident: $Ruleset:ident),* $(,)?) => {
        [$({
            type $R = $crate::$module::$Ruleset;
            $value
        }),*]
    };
}
