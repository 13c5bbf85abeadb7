//! The viewer of a drawing, and the size and colors of it.

use std::collections::BTreeSet;

use super::{ColorScheme, Theme};
use crate::table::{Component, DecisionWords, Names, Pending, Ranking, Seat, Viewer};

/// The size of a drawing. Texts are at least 11 units high in each, so none is smaller where a drawing is as wide as
/// its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 1200 wide, 800 high, with everything side by side.
    Wide,
    /// 800 wide, with the board first and the rest in two columns below it.
    Tablet,
    /// 390 wide, with the board first and the rest below it.
    Phone,
}

impl Size {
    /// All sizes, the widest first.
    pub const ALL: [Self; 3] = [Self::Wide, Self::Tablet, Self::Phone];

    /// Returns the width in units.
    #[must_use]
    pub const fn width(self) -> u16 {
        match self {
            Self::Wide => 1200,
            Self::Tablet => 800,
            Self::Phone => 390,
        }
    }

    /// Returns the size of this width. Returns `None` if no drawing is as wide.
    #[must_use]
    pub fn of_width(width: u32) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|size| u32::from(size.width()) == width)
    }
}

/// The inputs of a drawing besides the view. All of them are public, or known to the viewer.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The viewer of the drawing.
    pub viewer: Viewer,
    /// The names of the players.
    pub names: Names<'a>,
    /// The size.
    pub size: Size,
    /// The background.
    pub color_scheme: ColorScheme,
    /// Replacements of colors and measures.
    pub theme: &'a Theme,
    /// The pending decisions. Empty if the game is over.
    pub pending: &'a [Pending],
    /// The decisions of the ruleset in words.
    pub decisions: &'a [DecisionWords],
    /// The result of a game that is over, if it has one.
    pub ranking: Option<&'a Ranking>,
    /// The components that the viewer's legal actions touch.
    pub interactive: &'a BTreeSet<Component>,
    /// The sentence of the last event that the viewer may know. Empty to omit it.
    pub last: &'a str,
}

impl Look<'_> {
    /// Returns whether the drawing is for a phone.
    #[must_use]
    pub fn is_phone(&self) -> bool {
        self.size == Size::Phone
    }

    /// Returns whether everything is side by side.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.size == Size::Wide
    }

    /// Returns whether this seat is the viewer.
    #[must_use]
    pub fn is_me(&self, seat: Seat) -> bool {
        self.viewer == Viewer::Seat(seat)
    }

    /// Returns whether this seat owes a decision.
    #[must_use]
    pub fn acts(&self, seat: Seat) -> bool {
        self.pending.iter().any(|pending| pending.seat == seat)
    }

    /// Returns whether a legal action of the viewer touches this component.
    #[must_use]
    pub fn is_interactive(&self, component: Component) -> bool {
        self.interactive.contains(&component)
    }

    /// Returns a decision in words.
    pub(super) fn words(&self, id: &str) -> Option<&DecisionWords> {
        self.decisions.iter().find(|words| words.id == id)
    }
}
