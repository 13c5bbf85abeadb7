//! The viewer of a game, and the token that is sent for it.

use gamekeeper_proto::gamekeeper::v1::{Viewer, ViewerKind};

use crate::args::ViewerArg;
use crate::tokens::GameTokens;

/// The viewer of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewerChoice {
    /// The viewer that the token implies.
    FromToken,
    Seat(u32),
    Spectator,
    Operator,
}

impl ViewerChoice {
    /// Returns the viewer as a message. Returns `None` if the token decides.
    pub(crate) fn viewer(self) -> Option<Viewer> {
        let (kind, seat) = match self {
            Self::FromToken => return None,
            Self::Seat(seat) => (ViewerKind::Seat, seat),
            Self::Spectator => (ViewerKind::Spectator, 0),
            Self::Operator => (ViewerKind::Operator, 0),
        };
        let kind = kind.into();
        Some(Viewer { kind, seat })
    }
}

impl From<ViewerArg> for ViewerChoice {
    fn from(arg: ViewerArg) -> Self {
        match arg {
            ViewerArg {
                seat: Some(seat), ..
            } => Self::Seat(seat),
            ViewerArg { operator: true, .. } => Self::Operator,
            ViewerArg {
                spectator: true, ..
            } => Self::Spectator,
            ViewerArg { .. } => Self::FromToken,
        }
    }
}

/// The tokens for one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenSelection {
    explicit: Option<String>,
    stored: GameTokens,
}

impl TokenSelection {
    /// Combines an explicitly given token with the stored ones.
    pub(crate) fn new(explicit: Option<String>, stored: Option<GameTokens>) -> Self {
        Self {
            explicit,
            stored: stored.unwrap_or_default(),
        }
    }

    /// Returns the token for a viewer: the explicitly given one, otherwise the stored one of the seat, otherwise any
    /// stored token that is allowed to see the table.
    pub(crate) fn token(&self, viewer: ViewerChoice) -> Option<&str> {
        let GameTokens {
            seats, spectator, ..
        } = &self.stored;
        let spectator = Some(spectator).filter(|token| !token.is_empty());
        let stored = match viewer {
            ViewerChoice::Seat(seat) => seats.get(&seat),
            ViewerChoice::Spectator | ViewerChoice::FromToken => {
                spectator.or_else(|| seats.values().next())
            }
            // Once the game is over, every player may see all facts, so any seat's token works.
            ViewerChoice::Operator => seats.values().next().or(spectator),
        };
        self.explicit.as_ref().or(stored).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn keys(explicit: Option<&str>) -> TokenSelection {
        let stored = GameTokens {
            seats: BTreeMap::from([(1, "one".to_owned()), (2, "two".to_owned())]),
            spectator: "look".to_owned(),
            ..GameTokens::default()
        };
        TokenSelection {
            explicit: explicit.map(str::to_owned),
            stored,
        }
    }

    #[test]
    fn a_seat_uses_its_own_token() {
        assert_eq!(keys(None).token(ViewerChoice::Seat(2)), Some("two"));
        assert_eq!(keys(None).token(ViewerChoice::Seat(3)), None);
        assert_eq!(keys(None).token(ViewerChoice::Spectator), Some("look"));
        assert_eq!(keys(None).token(ViewerChoice::Operator), Some("one"));
    }

    #[test]
    fn a_token_that_was_named_comes_first() {
        for viewer in [
            ViewerChoice::Seat(2),
            ViewerChoice::FromToken,
            ViewerChoice::Operator,
        ] {
            assert_eq!(keys(Some("mine")).token(viewer), Some("mine"));
        }
    }
}
