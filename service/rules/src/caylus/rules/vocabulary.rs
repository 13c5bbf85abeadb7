//! Words that a client may misspell. They are looked at before anything else (CAY-6.11, CAY-14.8).

use crate::caylus::action::{Given, Target};
use crate::caylus::data::{FavorLine, Resource, Space, Tile};
use crate::caylus::refusal::{No, Refusal};
use crate::table::Refusal as _;

pub(crate) fn target(given: Option<Target>, rule: &'static str) -> Result<Target, No> {
    given.ok_or(Refusal::UnknownTarget.at(rule))
}

/// # Rule CAY-6.11
/// A space outside 1 to 28 is `UNKNOWN_TARGET` in every action.
pub(crate) fn space(given: Option<Space>, rule: &'static str) -> Result<Space, No> {
    given.ok_or(Refusal::UnknownTarget.at(rule))
}

pub(crate) fn tile(given: Option<Tile>, rule: &'static str) -> Result<Tile, No> {
    given.ok_or(Refusal::UnknownTile.at(rule))
}

pub(crate) fn line(given: Option<FavorLine>, rule: &'static str) -> Result<FavorLine, No> {
    given.ok_or(Refusal::InvalidOption { what: "line" }.at(rule))
}

pub(crate) fn resource(
    given: Option<Resource>,
    what: &'static str,
    rule: &'static str,
) -> Result<Resource, No> {
    given.ok_or(Refusal::InvalidResource { what }.at(rule))
}

/// A parameter that may be left out, by the check of one that may not.
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
