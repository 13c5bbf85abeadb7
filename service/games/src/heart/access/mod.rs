//! **Authentication and authorization**: the callers, and what each of them may do with a game.

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

/// The role of a caller.
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
        /// The generation of the token. Only the token with the seat's current generation is valid.
        generation: u32,
        /// The mark of the game that the token was issued for. It tells the game from a later one with the same id. Is
        /// `None` for tokens of earlier builds.
        birth: Option<u32>,
    },
    /// A caller with a spectator token.
    Spectator {
        /// The game of the token.
        game: GameId,
        /// The generation of the token. Only the token with the spectators' current generation is valid.
        generation: u32,
        /// The mark of the game that the token was issued for. Is `None` for tokens of earlier builds.
        birth: Option<u32>,
    },
    /// A user of a tenant, who may act for every seat that the user has.
    User {
        /// The tenant.
        tenant: String,
        /// The front end's id of the user.
        user: String,
        /// The generation of a token that the service issued. Is `None` if the tenant signed the token itself, which
        /// the service cannot revoke.
        generation: Option<u32>,
    },
    /// The operator of the service.
    Operator,
}

/// An operation that a caller wants to perform on a game, as far as permissions tell operations apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Act for a seat.
    Act(Seat),
    /// Claim that a seat is late.
    Claim,
    /// View the table, or the legal actions of a seat, as this viewer. After the end of a game everybody may see
    /// everything.
    Look(Viewer),
    /// View the public facts of the game.
    Info,
    /// Export the full record.
    Export,
    /// Fork the game.
    Fork,
    /// Delete the game, replace its tokens, change its users and labels, let a player return, or pause or resume
    /// it.
    Manage,
}

/// The game that permissions are checked for.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The id of the game.
    pub id: GameId,
    /// The owner of the game.
    pub tenant: &'a str,
    /// The mark that tells the game from deleted games with the same id.
    pub birth: u32,
    /// The access record, which says which tokens are valid.
    pub access: &'a Access,
    /// Whether the game is over.
    pub over: bool,
}

impl Caller {
    /// Checks that this caller may perform the operation.
    ///
    /// # Errors
    /// If the caller may not. A game of another tenant is reported as missing, so that its existence is not disclosed;
    /// any other refusal names its reason.
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

    /// Checks that this caller may know that the game exists, and that a token of the game is still valid.
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

    /// Returns the tenant that owns the games that this caller creates; empty on a server without authentication.
    ///
    /// # Errors
    /// If the caller may not create games.
    pub fn creates_for(&self) -> Result<&str, Problem> {
        self.tenant("only tenants can create games")
    }

    /// Returns the tenant that calls; empty on a server without authentication. `refusal` is the text of the error.
    ///
    /// # Errors
    /// If the caller is not a tenant.
    pub(crate) fn tenant(&self, refusal: &'static str) -> Result<&str, Problem> {
        match &self.role {
            Role::Open => Ok(""),
            Role::Tenant(tenant) => Ok(tenant),
            Role::Operator | Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. } => {
                Err(Problem::PermissionDenied(refusal))
            }
        }
    }

    /// Returns whether this caller may see the users and labels of its tenant's games. They belong to the front end:
    /// players must not learn who plays elsewhere. A user sees only which seats are their own.
    #[must_use]
    pub fn knows_tags(&self) -> bool {
        match &self.role {
            Role::Open | Role::Tenant(_) | Role::Operator => true,
            Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. } => false,
        }
    }

    /// Returns the seat that calls. Returns `None` for other roles.
    pub(crate) fn seat(&self) -> Option<Seat> {
        match &self.role {
            Role::Seat { seat, .. } => Some(*seat),
            Role::Open
            | Role::Tenant(_)
            | Role::Operator
            | Role::User { .. }
            | Role::Spectator { .. } => None,
        }
    }

    /// Returns the id of the user who calls. Returns `None` for other roles.
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

    /// Returns whether this caller can lose access to a game while the token is valid. If so, streams check the
    /// permission again as long as they last.
    #[must_use]
    pub fn may_lose_games(&self) -> bool {
        self.is_of_one_game() || self.user().is_some()
    }

    /// Returns whether this caller has a token of one game, which may have been replaced in the meantime.
    #[must_use]
    pub fn is_of_one_game(&self) -> bool {
        match &self.role {
            Role::Seat { .. } | Role::Spectator { .. } => true,
            Role::Open | Role::Tenant(_) | Role::User { .. } | Role::Operator => false,
        }
    }
}

/// The contents of a seat token or spectator token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The id of the game.
    pub game: GameId,
    /// The mark of the game, which distinguishes it from others with the same id.
    pub birth: u32,
    /// The seat. Is `None` for a spectator token.
    pub seat: Option<Seat>,
    /// The generation of the token.
    pub generation: u32,
    /// The expiry, in seconds since the Unix epoch. Is `None` if the token does not expire.
    pub until: Option<u64>,
    /// The account whose budget the calls with the token use.
    pub account: Account,
}

/// The contents of a user's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserGrant<'a> {
    /// The tenant.
    pub tenant: &'a str,
    /// The front end's id of the user.
    pub user: &'a str,
    /// The generation of the user's tokens, which revocation changes.
    pub generation: u32,
    /// The expiry, in seconds since the Unix epoch.
    pub until: u64,
}

/// A signer for what the service issues: the tokens of seats, spectators and users, and records.
pub trait SeatTokens: Send + Sync + 'static {
    /// Signs a seat token or spectator token. Returns an empty string if the service runs without tokens.
    ///
    /// # Errors
    /// If signing fails, which is an internal fault.
    fn seat_token(&self, grant: &Grant) -> Result<String, Problem>;

    /// Signs the token of a user. Returns an empty string if the service runs without tokens.
    ///
    /// # Errors
    /// If signing fails, which is an internal fault.
    fn user_token(&self, grant: &UserGrant<'_>) -> Result<String, Problem>;

    /// Returns whether records are signed.
    fn signs_records(&self) -> bool {
        false
    }

    /// Signs the digest of a record. Returns `None` if records are not signed.
    fn record_signature(&self, _digest: &[u8; 32]) -> Option<RecordSignature> {
        None
    }
}

/// The signer of a service without tokens, in which every caller is trusted.
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
