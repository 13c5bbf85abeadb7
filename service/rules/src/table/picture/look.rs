//! Who looks at a table, and how.

use std::collections::BTreeSet;

use crate::table::{Component, DecisionWords, Names, Pending, Ranking, Seat, Viewer};

/// How large a drawing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 1200 wide, 800 high, with everything side by side.
    Wide,
    /// 390 wide, with the board first and the rest below it.
    Phone,
}

/// What a drawing is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Light or dark, as the reader prefers (`prefers-color-scheme`).
    Either,
    /// Light, whatever the reader prefers.
    Light,
    /// Dark, whatever the reader prefers.
    Dark,
}

/// What a drawing needs besides the view. All of it is public, or known to the viewer.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Who sees the drawing.
    pub viewer: Viewer,
    /// The names of the players.
    pub names: Names<'a>,
    /// How large it is.
    pub size: Size,
    /// Light or dark.
    pub ground: Ground,
    /// The pending decisions; empty: the game is over.
    pub pending: &'a [Pending],
    /// The decisions of the ruleset in words.
    pub decisions: &'a [DecisionWords],
    /// The result of a game that is over, if it has one.
    pub ranking: Option<&'a Ranking>,
    /// The components that the viewer's legal actions touch.
    pub reach: &'a BTreeSet<Component>,
    /// The sentence of the last event that the viewer may know; empty: it is not said.
    pub last: &'a str,
}

impl Look<'_> {
    /// Is it a drawing for a phone?
    #[must_use]
    pub fn is_phone(&self) -> bool {
        self.size == Size::Phone
    }

    /// Does this seat look?
    #[must_use]
    pub fn is_me(&self, seat: Seat) -> bool {
        self.viewer == Viewer::Seat(seat)
    }

    /// Does this seat owe a decision?
    #[must_use]
    pub fn acts(&self, seat: Seat) -> bool {
        self.pending.iter().any(|owed| owed.seat == seat)
    }

    /// Does a legal action of the viewer touch this?
    #[must_use]
    pub fn reaches(&self, component: Component) -> bool {
        self.reach.contains(&component)
    }

    /// A decision in words.
    pub(super) fn words(&self, id: &str) -> Option<&DecisionWords> {
        self.decisions.iter().find(|words| words.id == id)
    }
}
