//! The error for tables that somebody describes and on which no game can begin.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// A part of a described table that does not fit: the rule that it breaks, and what would fit.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {found} is not allowed here by {rule}, but {allowed}")]
pub struct PositionError {
    /// The id of the rule that the table breaks, such as `KIN-INV-3`. Empty where the ruleset has no positions.
    pub rule: &'static str,
    /// The path of the field in the view, as the contract spells it: `players[1].goods.gold`.
    pub path: String,
    /// The value that was found.
    pub found: String,
    /// The values that are allowed: `0 to 12`.
    pub allowed: String,
}

impl PositionError {
    /// Creates the error for a field.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers pass numbers and names, which cost nothing to pass"
    )]
    pub fn new(
        rule: &'static str,
        path: impl Into<String>,
        found: impl ToString,
        allowed: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            path: path.into(),
            found: found.to_string(),
            allowed: allowed.into(),
        }
    }

    /// Returns the error for a number of a field outside the range: `0 to 12`.
    ///
    /// # Errors
    /// If the number is outside the range.
    pub fn within<T: PartialOrd + Display>(
        rule: &'static str,
        path: impl Into<String>,
        found: T,
        range: RangeInclusive<T>,
    ) -> Result<(), Self> {
        Self::unless(range.contains(&found), || {
            let allowed = format!("{} to {}", range.start(), range.end());
            Self::new(rule, path, found, allowed)
        })
    }

    /// Checks that the entries of a list are those of the indices from 0 to `count - 1`, in this order.
    ///
    /// # Errors
    /// The first entry that is another one, or the number of entries.
    pub fn in_order(
        rule: &'static str,
        path: &str,
        indices: impl ExactSizeIterator<Item = usize>,
        count: usize,
    ) -> Result<(), Self> {
        let found = indices.len();
        Self::unless(found == count, || {
            Self::new(rule, path, found, format!("{count} entries"))
        })?;
        let strange = indices.enumerate().find(|(place, index)| place != index);
        strange.map_or(Ok(()), |(place, index)| {
            let allowed = format!("number {} of all", place + 1);
            Err(Self::new(
                rule,
                format!("{path}[{place}]"),
                index + 1,
                allowed,
            ))
        })
    }

    /// Returns the error that `make` gives unless the condition holds.
    ///
    /// # Errors
    /// If the condition does not hold.
    pub fn unless(holds: bool, make: impl FnOnce() -> Self) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(make()) }
    }
}
