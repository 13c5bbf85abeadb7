//! The error for tables that somebody describes and on which no game can begin.

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

    /// Returns the error that `make` gives unless the condition holds.
    ///
    /// # Errors
    /// If the condition does not hold.
    pub fn unless(holds: bool, make: impl FnOnce() -> Self) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(make()) }
    }
}
