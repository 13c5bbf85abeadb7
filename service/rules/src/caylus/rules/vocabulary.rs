//! Words that a client may misspell. They are looked at before anything else (CAY-6.11, CAY-14.8).

use crate::caylus::action::{Given, Target};
use crate::caylus::data::{FavorLine, Resource, Space, Tile};
use crate::caylus::refusal::Refusal;

pub(in crate::caylus) fn target(given: Option<Target>) -> Result<Target, Refusal> {
    given.ok_or(Refusal::UnknownTarget)
}

/// # Rule CAY-6.11
/// A space outside 1 to 28 is `UNKNOWN_TARGET` in every action.
pub(in crate::caylus) fn space(given: Option<Space>) -> Result<Space, Refusal> {
    given.ok_or(Refusal::UnknownTarget)
}

pub(in crate::caylus) fn tile(given: Option<Tile>) -> Result<Tile, Refusal> {
    given.ok_or(Refusal::UnknownTile)
}

pub(in crate::caylus) fn line(given: Option<FavorLine>) -> Result<FavorLine, Refusal> {
    given.ok_or(Refusal::InvalidOption {
        what: "line",
        rule: "CAY-14.8",
    })
}

pub(in crate::caylus) fn resource(
    given: Option<Resource>,
    what: &'static str,
) -> Result<Resource, Refusal> {
    given.ok_or(Refusal::InvalidResource {
        what,
        rule: "CAY-6.11",
    })
}

/// A parameter that may be left out, by the check of one that may not.
pub(in crate::caylus) fn optional<T: Copy>(
    given: Given<T>,
    check: impl FnOnce(Option<T>) -> Result<T, Refusal>,
) -> Result<Option<T>, Refusal> {
    match given {
        Given::Absent => Ok(None),
        Given::Unknown => check(None).map(Some),
        Given::Known(value) => Ok(Some(value)),
    }
}
