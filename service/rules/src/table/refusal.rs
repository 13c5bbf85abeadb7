//! Refusals. A refusal is a value, not an error: it is a normal answer of the rules.

use std::fmt;

use strum::VariantNames;

use super::option::Field;

/// One way to break a rule. Each ruleset has an enum with one variant per code, which gets its sentence
/// from `thiserror` and its code from `strum`'s `IntoStaticStr` and `VariantNames`.
pub trait Refusal: fmt::Display + Sized {
    /// All codes, each once, in the order of the rule document.
    const CODES: &'static [&'static str];

    /// The stable wire name in `UPPER_SNAKE_CASE`, as the rule document spells it.
    fn code(&self) -> &'static str;

    /// The refusal, citing this paragraph of the rule document, such as `DOM-6.10`. Several
    /// paragraphs can refuse with one code, so the code that refuses cites its own.
    fn at(self, rule: &'static str) -> Refused<Self> {
        Refused { rule, why: self }
    }
}

impl<R> Refusal for R
where
    R: fmt::Display + VariantNames,
    for<'a> &'a R: Into<&'static str>,
{
    const CODES: &'static [&'static str] = R::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}

/// A refusal, and the paragraph that refuses. Displayed as the sentence of the refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused<R> {
    /// The id of the paragraph.
    pub rule: &'static str,
    /// What is wrong.
    pub why: R,
}

impl<R: Refusal> Refused<R> {
    /// The refusal of this part of a request for a new game: `.on("vp_floor")`, or
    /// `.on(("colors", 1))` for an item of a list.
    pub fn on(self, field: impl Into<Field>) -> RefusedOption<R> {
        RefusedOption {
            field: field.into(),
            refused: self,
        }
    }

    /// The code of the refusal.
    pub fn code(&self) -> &'static str {
        self.why.code()
    }
}

impl<R: fmt::Display> fmt::Display for Refused<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

/// A refusal of a request for a new game, and the part of the request that breaks the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedOption<R> {
    /// The part.
    pub field: Field,
    /// The refusal.
    pub refused: Refused<R>,
}

impl<R: Refusal> RefusedOption<R> {
    /// The code of the refusal.
    pub fn code(&self) -> &'static str {
        self.refused.code()
    }
}

impl<R: fmt::Display> fmt::Display for RefusedOption<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refused.fmt(f)
    }
}

/// A guarantee of the rules that did not hold. Only the conformance suite produces it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {text}")]
pub struct Fault {
    /// The id of the invariant, in the rule document or the suite.
    pub rule: &'static str,
    /// What was found.
    pub text: String,
}

impl Fault {
    /// `Ok` if `holds`, otherwise the fault.
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
