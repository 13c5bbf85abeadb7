//! Cards in phrases, as events and actions say them.

use std::fmt::{self, Display, Formatter};

use super::data::Card;

/// One card with its article: `an Estate`.
pub(crate) struct A(pub(crate) Card);

impl Display for A {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let vowel = self.0.name().starts_with(['A', 'E', 'I', 'O', 'U']);
        let article = if vowel { "an" } else { "a" };
        write!(f, "{article} {}", self.0)
    }
}

/// Cards in order; equal neighbors are counted: `2 Copper, Estate`.
pub(crate) struct List<'a>(pub(crate) &'a [Card]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (place, run) in self.0.chunk_by(PartialEq::eq).enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            match run {
                [card] => write!(f, "{card}")?,
                [card, ..] => write!(f, "{} {card}", run.len())?,
                [] => {}
            }
        }
        Ok(())
    }
}
