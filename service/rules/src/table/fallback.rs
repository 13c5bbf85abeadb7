//! Fallbacks: answers for a seat whose player has left.

/// The answer to one kind of decision. A ruleset has one row for each of its decisions: what costs
/// the seat least, so pass, decline or end where the rules allow it.
#[derive(Clone, Copy, Debug)]
pub struct Fallback<A: 'static> {
    /// The name of the decision, as pending decisions give it.
    pub decision: &'static str,
    /// The answer in words, such as `passes`; empty where it is always the first legal action.
    pub words: &'static str,
    /// The answers to try, in order. If none of them is legal, the first legal action answers.
    pub tries: &'static [Try<A>],
}

/// One answer to try.
#[derive(Clone, Copy, Debug)]
pub enum Try<A> {
    /// This action.
    This(fn() -> A),
    /// Of the legal actions of this kind, the first with the lowest value.
    Least(&'static str, fn(&A) -> u16),
}

impl<A> Fallback<A> {
    /// The first legal action answers this decision.
    #[must_use]
    pub const fn first(decision: &'static str) -> Self {
        Self {
            decision,
            words: "",
            tries: &[],
        }
    }

    /// These answers are tried for this decision.
    #[must_use]
    pub const fn of(decision: &'static str, words: &'static str, tries: &'static [Try<A>]) -> Self {
        Self {
            decision,
            words,
            tries,
        }
    }
}
