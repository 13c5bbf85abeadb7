//! Names that a client may misspell. They are checked before anything else (CAY-6.11, CAY-14.8).

use crate::caylus::action::{Given, Target};
use crate::caylus::data::{FavorLine, Space, Tile};
use crate::caylus::refusal::{No, Refusal};
use crate::table::Refusal as _;

pub(crate) fn target(given: Option<Target>, rule: &'static str) -> Result<Target, No> {
    known(given, "target", rule)
}

/// # Rule CAY-6.11
/// A space outside 1 to 28 is `UNKNOWN_ID` in every action.
pub(crate) fn space(given: Option<Space>, rule: &'static str) -> Result<Space, No> {
    known(given, "space", rule)
}

pub(crate) fn tile(given: Option<Tile>, rule: &'static str) -> Result<Tile, No> {
    known(given, "tile", rule)
}

pub(crate) fn line(given: Option<FavorLine>, rule: &'static str) -> Result<FavorLine, No> {
    known(given, "line", rule)
}

/// A missing name or number is unknown too (CAY-14.8).
pub(crate) fn known<T>(given: Option<T>, field: &'static str, rule: &'static str) -> Result<T, No> {
    given.ok_or(Refusal::UnknownId { field }.at(rule))
}

/// Checks a parameter that may be left out, with the check for a required one.
pub(crate) fn optional<T: Copy>(
    given: Given<T>,
    check: impl FnOnce(Option<T>) -> Result<T, No>,
) -> Result<Option<T>, No> {
    match given {
        Given::Absent => Ok(None),
        Given::Unknown => check(None).map(Some),
        Given::Known(value) => Ok(Some(value)),
    }
}
