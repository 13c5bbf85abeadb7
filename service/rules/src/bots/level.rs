//! The **levels** of bots for people, and how far each of them looks.

/// A level: how well a bot plays, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Beats random play, by short sight.
    Easy,
    /// Wins about 70 percent of the games against `easy`.
    Medium,
    /// Wins about 70 percent of the games against `medium`.
    Strong,
}

impl Level {
    /// The levels, weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Strong];

    /// Returns its name.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Strong => "strong",
        }
    }
}

/// How far `search` looks before it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The maximum number of playouts. With 1 the bot plays its favorite.
    pub playouts: u32,
    /// The maximum number of actions that are compared.
    pub width: usize,
    /// The maximum number of decisions in a playout before the table is evaluated.
    pub horizon: u32,
}

impl Effort {
    pub(crate) const fn of(playouts: u32, width: usize, horizon: u32) -> Self {
        Self {
            playouts,
            width,
            horizon,
        }
    }
}
