//! Saying no. A refusal is a value, not an error: it is a normal answer of the rules.

/// One way to break a rule. Implemented by one enum per ruleset, one variant per code.
pub trait Refusal: std::fmt::Display {
    /// The stable wire name in `UPPER_SNAKE_CASE`, as the rule document spells it.
    fn code(&self) -> &'static str;

    /// The id of the rule that says no, such as `DOM-6.10`.
    fn rule(&self) -> &'static str;

    /// All codes, each once, in the order of the rule document.
    fn codes() -> Vec<&'static str>
    where
        Self: Sized;
}

/// A promise of the rules that did not hold. Only the conformance suite meets it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {text}")]
pub struct Fault {
    /// The id of the invariant.
    pub rule: &'static str,
    /// What was found.
    pub text: String,
}

impl Fault {
    /// Nothing, if `holds`; else the fault.
    ///
    /// # Errors
    /// The fault, when the invariant does not hold.
    pub fn unless(
        holds: bool,
        rule: &'static str,
        text: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self { rule, text: text() })
        }
    }
}
