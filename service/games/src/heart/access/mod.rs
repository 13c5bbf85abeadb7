//! Callers, and what they may do.

mod account;
mod bots;
mod caller;
mod cuts;
mod first_names;
mod limits;
mod record;
mod shares;
mod tags;
mod token_counts;
mod user_tokens;

pub use account::{Account, NoAccount};
pub use bots::Bot;
pub use caller::Caller;
pub(crate) use cuts::Open;
pub use cuts::{Cuts, TooManyBars};
pub use first_names::FirstNames;
pub(crate) use first_names::nameless;
use gamekeeper_proto::gamekeeper::v1::RecordSignature;
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_store::GameId;
pub use limits::{Limits, OwnLimits};
pub use record::Access;
pub(crate) use shares::OwnMax;
pub use shares::{Share, Shares};
pub use tags::{Tags, check_labels, check_user};
pub use user_tokens::UserTokens;

use crate::heart::problem::Problem;

/// As whom somebody calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The server runs without tokens and trusts every caller.
    Open,
    /// A team that creates games and acts for all seats of its own games.
    Tenant(String),
    /// A caller with a seat token.
    Seat {
        /// The game of the token.
        game: GameId,
        /// The seat of the token.
        seat: Seat,
        /// How many tokens the seat had before this one.
        generation: u32,
        /// The mark of the game that the token was issued for, since its id may be reused. Tokens
        /// of earlier builds have none.
        birth: Option<u32>,
    },
    /// A caller with a spectator token.
    Spectator {
        /// The game of the token.
        game: GameId,
        /// How many tokens spectators had before this one.
        generation: u32,
        /// The mark of the game that the token was issued for.
        birth: Option<u32>,
    },
    /// A user of a tenant, for every seat that the user has.
    User {
        /// The tenant.
        tenant: String,
        /// The front end's id of the user.
        user: String,
        /// That of a token which the service issued. `None`: the tenant signed the token itself.
        generation: Option<u32>,
    },
    /// The operator of the service.
    Operator,
}

/// What a caller wants to do with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Act for a seat.
    Act(Seat),
    /// Claim that a seat is late.
    Claim,
    /// See the table, or what a seat may do, as this viewer. At the end of a game everybody may see everything.
    Look(Viewer),
    /// See the public facts.
    Info,
    /// Read the whole record.
    Export,
    /// Fork it.
    Fork,
    /// Delete the game, replace its tokens, change its users and labels, let a player return, or pause or resume
    /// it.
    Manage,
}

/// The game that a wish is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its id.
    pub id: GameId,
    /// The owner of the game.
    pub tenant: &'a str,
    /// Distinguishes it from deleted games with the same id.
    pub birth: u32,
    /// Which tokens are valid.
    pub access: &'a Access,
    /// Is it over?
    pub over: bool,
}

impl Caller {
    /// May this caller do this?
    ///
    /// # Errors
    /// A foreign game looks like a missing one; any other refusal names its reason.
    pub fn may(&self, subject: Subject<'_>, wish: Wish) -> Result<(), Problem> {
        self.knows(subject)?;
        let allowed = match (&self.role, wish) {
            (Role::Open, _) => Ok(()),
            (Role::Operator, Wish::Act(_) | Wish::Claim) => {
                Err("operators can look at games, but not play")
            }
            (
                Role::Operator,
                Wish::Look(_) | Wish::Info | Wish::Export | Wish::Fork | Wish::Manage,
            ) => Ok(()),
            (_, Wish::Look(Viewer::Operator)) if !subject.over => {
                Err("only operators see everything before the game is over")
            }
            (Role::Tenant(_), Wish::Export) if !subject.over => return Err(Problem::GameNotOver),
            (Role::Tenant(_), _) => Ok(()),
            (Role::Seat { seat, .. }, Wish::Act(other) | Wish::Look(Viewer::Seat(other)))
                if *seat != other =>
            {
                Err("the token is for another seat")
            }
            (Role::Seat { .. }, Wish::Export | Wish::Fork) if !subject.over => {
                return Err(Problem::GameNotOver);
            }
            (
                Role::Seat { .. },
                Wish::Act(_) | Wish::Claim | Wish::Look(_) | Wish::Info | Wish::Export | Wish::Fork,
            ) => Ok(()),
            (
                Role::Spectator { .. },
                Wish::Info | Wish::Look(Viewer::Spectator | Viewer::Operator),
            ) => Ok(()),
            (
                Role::Spectator { .. },
                Wish::Act(_)
                | Wish::Claim
                | Wish::Look(Viewer::Seat(_))
                | Wish::Export
                | Wish::Fork,
            ) => Err("spectators can only look at public facts"),
            (Role::User { user, .. }, Wish::Act(seat) | Wish::Look(Viewer::Seat(seat)))
                if subject.access.tags().user(seat) != user =>
            {
                Err("the user has another seat")
            }
            (Role::User { .. }, Wish::Export) if !subject.over => {
                return Err(Problem::GameNotOver);
            }
            (
                Role::User { .. },
                Wish::Act(_) | Wish::Claim | Wish::Look(_) | Wish::Info | Wish::Export,
            ) => Ok(()),
            (Role::User { .. }, Wish::Fork) => Err("users cannot create games"),
            (Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. }, Wish::Manage) => {
                Err("only the tenant of a game can manage it")
            }
        };
        allowed.map_err(Problem::PermissionDenied)
    }

    /// May this caller know that the game exists?
    fn knows(&self, subject: Subject<'_>) -> Result<(), Problem> {
        let foreign = match &self.role {
            Role::Open | Role::Operator => false,
            Role::Tenant(tenant) => tenant != subject.tenant,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game != subject.id,
            Role::User { tenant, user, .. } => {
                tenant != subject.tenant || !subject.access.tags().has_user(user)
            }
        };
        if foreign {
            return Err(Problem::no_such_game(subject.id));
        }
        let other_birth = |birth: &Option<u32>| birth.is_some_and(|birth| birth != subject.birth);
        match &self.role {
            Role::Seat { birth, .. } | Role::Spectator { birth, .. } if other_birth(birth) => Err(
                Problem::BadToken("the token is for a game that was deleted"),
            ),
            Role::Seat {
                seat, generation, ..
            } if subject.access.generation(*seat) != *generation => {
                Err(Problem::TokenReplaced("the seat has a newer token"))
            }
            Role::Spectator { generation, .. }
                if subject.access.generation_of_spectators() != *generation =>
            {
                Err(Problem::TokenReplaced("spectators have a newer token"))
            }
            Role::Open
            | Role::Operator
            | Role::Tenant(_)
            | Role::User { .. }
            | Role::Seat { .. }
            | Role::Spectator { .. } => Ok(()),
        }
    }

    /// The tenant of games that this caller creates.
    ///
    /// # Errors
    /// For callers that may not create games.
    pub fn creates_for(&self) -> Result<&str, Problem> {
        match &self.role {
            Role::Open => Ok(""),
            Role::Tenant(tenant) => Ok(tenant),
            Role::Operator | Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. } => {
                Err(Problem::PermissionDenied("only tenants can create games"))
            }
        }
    }

    /// May this caller see the users and labels of its tenant's games? They belong to the front end:
    /// players must not learn who plays elsewhere. A user sees which seats are their own.
    #[must_use]
    pub fn knows_tags(&self) -> bool {
        match &self.role {
            Role::Open | Role::Tenant(_) | Role::Operator => true,
            Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. } => false,
        }
    }

    /// The user who calls.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        match &self.role {
            Role::User { user, .. } => Some(user),
            Role::Open
            | Role::Tenant(_)
            | Role::Operator
            | Role::Seat { .. }
            | Role::Spectator { .. } => None,
        }
    }

    /// May this caller lose a game while the token is valid? Then it is checked again as long as a stream lasts.
    #[must_use]
    pub fn may_lose_games(&self) -> bool {
        self.is_of_one_game() || self.user().is_some()
    }

    /// Does this caller have a token of one game, which may have been replaced in the meantime?
    #[must_use]
    pub fn is_of_one_game(&self) -> bool {
        match &self.role {
            Role::Seat { .. } | Role::Spectator { .. } => true,
            Role::Open | Role::Tenant(_) | Role::User { .. } | Role::Operator => false,
        }
    }
}

/// The contents of a seat token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The game.
    pub game: GameId,
    /// The mark of the game, which distinguishes it from others with the same id.
    pub birth: u32,
    /// The seat; `None`: spectators.
    pub seat: Option<Seat>,
    /// How many tokens the seat had before.
    pub generation: u32,
    /// The expiry, in seconds since the Unix epoch; `None`: no expiry.
    pub until: Option<u64>,
    /// Whose budgets the calls with the token use.
    pub account: Account,
}

/// The contents of a user's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserGrant<'a> {
    /// The tenant.
    pub tenant: &'a str,
    /// The front end's id of the user.
    pub user: &'a str,
    /// That of all valid tokens of the user.
    pub generation: u32,
    /// The expiry, in seconds since the Unix epoch.
    pub until: u64,
}

/// What the service signs: the tokens of seats, of spectators and of users, and records.
pub trait SeatTokens: Send + Sync + 'static {
    /// The token for a grant; empty if the service runs without tokens.
    ///
    /// # Errors
    /// When signing fails, which is a fault.
    fn seat_token(&self, grant: &Grant) -> Result<String, Problem>;

    /// The token of a user.
    ///
    /// # Errors
    /// When signing fails, which is a fault.
    fn user_token(&self, grant: &UserGrant<'_>) -> Result<String, Problem>;

    /// Does it sign records?
    fn signs_records(&self) -> bool {
        false
    }

    /// The signature of the digest of a record. `None`: records are not signed.
    fn record_signature(&self, _digest: &[u8; 32]) -> Option<RecordSignature> {
        None
    }
}

/// No tokens: every caller is trusted.
#[derive(Clone, Copy, Debug)]
pub struct NoTokens;

impl SeatTokens for NoTokens {
    fn seat_token(&self, _grant: &Grant) -> Result<String, Problem> {
        Ok(String::new())
    }

    fn user_token(&self, _grant: &UserGrant<'_>) -> Result<String, Problem> {
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests;
