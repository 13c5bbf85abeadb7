//! Who calls, and what he may do.

mod access;
mod keys;
mod rate;
mod seat_token;
mod tally;

pub use access::Access;
pub use keys::{AuthConfig, AuthError, Authority};
pub use rate::Rate;
pub use tally::Guest;
pub(crate) use tally::{Taken, Tally};

use gamekeeper_rules::table::{Seat, Viewer};

use crate::problem::Problem;
use crate::store::GameId;

/// Somebody who calls, as far as his token proves it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The server runs without tokens: whoever reaches it is trusted in all he says.
    Open,
    /// A team that creates games and speaks for all seats of its own games.
    Tenant(String),
    /// The bearer of a seat token.
    Seat {
        /// The game of the token.
        game: GameId,
        /// The seat of the token.
        seat: Seat,
        /// How many tokens the seat had before this one.
        generation: u32,
    },
    /// The bearer of a spectator token.
    Spectator {
        /// The game of the token.
        game: GameId,
    },
    /// The keeper of the service.
    Operator,
}

/// What a caller wants with one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Act for a seat.
    Act(Seat),
    /// See the table, or what a seat may do, as this viewer. At the end of a game everybody may see everything.
    Look(Viewer),
    /// See the public facts.
    Info,
    /// Read the whole record.
    Export,
    /// Delete the game, or give a seat a new token.
    Manage,
}

/// The game that a wish is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its id.
    pub id: GameId,
    /// Whose game it is.
    pub tenant: &'a str,
    /// Which tokens hold.
    pub access: &'a Access,
    /// Is it over?
    pub over: bool,
}

impl Caller {
    /// May this caller have his wish?
    ///
    /// # Errors
    /// A foreign game looks like a missing one; anything else that is not allowed is said so.
    pub fn may(&self, subject: Subject<'_>, wish: Wish) -> Result<(), Problem> {
        self.knows(subject)?;
        let allowed = match (self, wish) {
            (Self::Open, _) => Ok(()),
            (Self::Operator, Wish::Act(_)) => Err("an operator looks, but does not play"),
            (Self::Operator, Wish::Look(_) | Wish::Info | Wish::Export | Wish::Manage) => Ok(()),
            (_, Wish::Look(Viewer::Operator)) if !subject.over => {
                Err("only operators see everything before the game is over")
            }
            (Self::Tenant(_), Wish::Export) if !subject.over => return Err(Problem::GameNotOver),
            (Self::Tenant(_), _) => Ok(()),
            (Self::Seat { seat, .. }, Wish::Act(other) | Wish::Look(Viewer::Seat(other)))
                if *seat != other =>
            {
                Err("the token is for another seat")
            }
            (Self::Seat { .. }, Wish::Export) if !subject.over => return Err(Problem::GameNotOver),
            (Self::Seat { .. }, Wish::Act(_) | Wish::Look(_) | Wish::Info | Wish::Export) => Ok(()),
            (
                Self::Spectator { .. },
                Wish::Info | Wish::Look(Viewer::Spectator | Viewer::Operator),
            ) => Ok(()),
            (Self::Spectator { .. }, Wish::Act(_) | Wish::Look(Viewer::Seat(_)) | Wish::Export) => {
                Err("a spectator only looks on")
            }
            (Self::Seat { .. } | Self::Spectator { .. }, Wish::Manage) => {
                Err("only the owner of a game manages it")
            }
        };
        allowed.map_err(Problem::PermissionDenied)
    }

    /// May this caller know that the game exists?
    fn knows(&self, subject: Subject<'_>) -> Result<(), Problem> {
        let foreign = match self {
            Self::Open | Self::Operator => false,
            Self::Tenant(tenant) => tenant != subject.tenant,
            Self::Seat { game, .. } | Self::Spectator { game, .. } => *game != subject.id,
        };
        if foreign {
            return Err(Problem::no_such_game(subject.id));
        }
        match self {
            Self::Seat {
                seat, generation, ..
            } if subject.access.generation(*seat) != *generation => {
                Err(Problem::Unauthenticated("the seat has a newer token"))
            }
            Self::Open
            | Self::Operator
            | Self::Tenant(_)
            | Self::Seat { .. }
            | Self::Spectator { .. } => Ok(()),
        }
    }

    /// The tenant of games that this caller creates.
    ///
    /// # Errors
    /// For callers that may not create games.
    pub fn creates_for(&self) -> Result<&str, Problem> {
        match self {
            Self::Open => Ok(""),
            Self::Tenant(tenant) => Ok(tenant),
            Self::Operator | Self::Seat { .. } | Self::Spectator { .. } => {
                Err(Problem::PermissionDenied("only tenants create games"))
            }
        }
    }

    /// Is this caller a seat whose token may have been replaced meanwhile?
    #[must_use]
    pub fn is_seat(&self) -> bool {
        matches!(self, Self::Seat { .. })
    }
}
