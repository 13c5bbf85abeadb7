//! The **fallback policy**: answers for a seat whose player has left.

/// The fallback answer to one kind of decision: the one that costs the seat least, such as to pass, decline or end. A
/// decision without a row is answered with the first legal action.
#[derive(Clone, Copy, Debug)]
pub struct Fallback<A: 'static> {
    /// The name of the decision, as pending decisions give it.
    pub decision: &'static str,
    /// The answer in words, such as `passes`.
    pub words: &'static str,
    /// The answers to try, in order. If none of them is legal, the first legal action answers.
    pub tries: &'static [Try<A>],
}

/// One answer to try.
#[derive(Clone, Copy, Debug)]
pub enum Try<A> {
    /// The legal action of this kind with the lowest value, the first of several.
    This(fn() -> A),
    /// Of the legal actions of this kind, the first with the lowest value.
    Least(&'static str, fn(&A) -> u16),
}

impl<A> Fallback<A> {
    /// Creates a row that tries these answers in order.
    #[must_use]
    pub const fn of(decision: &'static str, words: &'static str, tries: &'static [Try<A>]) -> Self {
        Self {
            decision,
            words,
            tries,
        }
    }
}
