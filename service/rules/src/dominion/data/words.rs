//! Cards in sentences.

use std::fmt::{self, Display};

use super::Card;
use crate::table::JoinAnd;

impl Card {
    /// The name with its article: `an Estate`.
    pub fn a(self) -> impl Display {
        let vowel = self.name().starts_with(['A', 'E', 'I', 'O', 'U']);
        let article = if vowel { "an" } else { "a" };
        fmt::from_fn(move |f| write!(f, "{article} {self}"))
    }

    /// `Duchies`, `Thieves`, `Gardens`, `Witches`, `Coppers`.
    pub fn plural(self) -> String {
        let name = self.name();
        if let Some(stem) = name.strip_suffix('y') {
            format!("{stem}ies")
        } else if let Some(stem) = name.strip_suffix('f') {
            format!("{stem}ves")
        } else if name.ends_with('s') {
            name.to_owned()
        } else if name.ends_with("ch") {
            format!("{name}es")
        } else {
            format!("{name}s")
        }
    }
}

/// Cards in canonical order, equal ones counted: `3 Coppers and 2 Estates`.
pub fn grouped(cards: &[Card]) -> impl Display {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    fmt::from_fn(move |f| List(&cards).fmt(f))
}

/// Displays cards in their order; equal neighbors are counted: `2 Coppers and an Estate`. `None` is displayed as an
/// unknown card.
pub struct List<'a, C>(pub &'a [C]);

impl<C: Copy + PartialEq + Into<Option<Card>>> Display for List<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = |run: &'_ [C]| {
            let (count, card) = (run.len(), run[0].into());
            fmt::from_fn(move |f| match (count, card) {
                (1, Some(card)) => write!(f, "{}", card.a()),
                (1, None) => f.write_str("an unknown card"),
                (_, Some(card)) => write!(f, "{count} {}", card.plural()),
                (_, None) => write!(f, "{count} unknown cards"),
            })
        };
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        JoinAnd(self.0.chunk_by(PartialEq::eq).map(run)).fmt(f)
    }
}
