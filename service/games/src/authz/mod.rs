//! **Authentication and authorization**: the callers, and what each of them may do with a game.

mod account;
mod caller;
mod token_quota;
mod user_tokens;

use gamekeeper_proto::gamekeeper::v1::RecordSignature;
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_store::GameId;

pub use account::{Account, ParseAccountError};
pub use caller::Caller;
pub use user_tokens::UserTokens;

use crate::errors::ServiceError;
use crate::metadata::GameMetadata;

/// The role of a caller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The server runs without tokens and trusts every caller.
    AuthDisabled,
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
        /// The incarnation of the game that the token was issued for. It tells the game from a later one with the same
        /// id. Is `None` for tokens of earlier builds.
        incarnation: Option<u32>,
    },
    /// A caller with a spectator token.
    Spectator {
        /// The game of the token.
        game: GameId,
        /// The generation of the token. Only the token with the spectators' current generation is valid.
        generation: u32,
        /// The incarnation of the game that the token was issued for. Is `None` for tokens of earlier builds.
        incarnation: Option<u32>,
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
pub enum Permission {
    /// Act for a seat.
    Act(Seat),
    /// Claim that a seat is late.
    Claim,
    /// View the table, or the legal actions of a seat, as this viewer. After the end of a game everybody may see
    /// everything.
    View(Viewer),
    /// View the public facts of the game.
    ReadInfo,
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
pub struct AccessTarget<'a> {
    /// The id of the game.
    pub id: GameId,
    /// The owner of the game.
    pub tenant: &'a str,
    /// The incarnation, which tells the game from deleted games with the same id.
    pub incarnation: u32,
    /// The metadata record, which says which tokens are valid.
    pub metadata: &'a GameMetadata,
    /// Whether the game is over.
    pub is_over: bool,
}

/// The reason of a refusal to manage a game.
const NOT_THE_TENANT: &str = "only the tenant of a game can manage it";

/// Checks that the holder of a token of this seat may perform the operation.
fn authorize_seat(
    own_seat: Seat,
    permission: Permission,
    is_over: bool,
) -> Result<(), ServiceError> {
    let decision = match permission {
        Permission::Act(seat) | Permission::View(Viewer::Seat(seat)) if seat != own_seat => {
            Err("the token is for another seat")
        }
        Permission::Export | Permission::Fork if !is_over => return Err(ServiceError::GameNotOver),
        Permission::Act(_)
        | Permission::Claim
        | Permission::View(_)
        | Permission::ReadInfo
        | Permission::Export
        | Permission::Fork => Ok(()),
        Permission::Manage => Err(NOT_THE_TENANT),
    };
    decision.map_err(ServiceError::PermissionDenied)
}

/// Checks that this user of the game's tenant may perform the operation.
fn authorize_user(
    user: &str,
    permission: Permission,
    target: AccessTarget<'_>,
) -> Result<(), ServiceError> {
    let decision = match permission {
        Permission::Act(seat) | Permission::View(Viewer::Seat(seat))
            if target.metadata.tags().user(seat) != user =>
        {
            Err("the user has another seat")
        }
        Permission::Export if !target.is_over => return Err(ServiceError::GameNotOver),
        Permission::Act(_)
        | Permission::Claim
        | Permission::View(_)
        | Permission::ReadInfo
        | Permission::Export => Ok(()),
        Permission::Fork => Err("users cannot create games"),
        Permission::Manage => Err(NOT_THE_TENANT),
    };
    decision.map_err(ServiceError::PermissionDenied)
}

impl Caller {
    /// Checks that this caller may perform the operation.
    ///
    /// # Errors
    /// If the caller may not. A game of another tenant is reported as missing, so that its existence is not disclosed;
    /// any other refusal names its reason.
    pub fn authorize(
        &self,
        target: AccessTarget<'_>,
        permission: Permission,
    ) -> Result<(), ServiceError> {
        self.ensure_visible(target)?;
        let decision = match (&self.role, permission) {
            (Role::AuthDisabled, _) => Ok(()),
            (Role::Operator, Permission::Act(_) | Permission::Claim) => {
                Err("operators can look at games, but not play")
            }
            (
                Role::Operator,
                Permission::View(_)
                | Permission::ReadInfo
                | Permission::Export
                | Permission::Fork
                | Permission::Manage,
            ) => Ok(()),
            (_, Permission::View(Viewer::Operator)) if !target.is_over => {
                Err("only operators see everything before the game is over")
            }
            (Role::Tenant(_), Permission::Export) if !target.is_over => {
                return Err(ServiceError::GameNotOver);
            }
            (Role::Tenant(_), _) => Ok(()),
            (Role::Seat { seat, .. }, _) => {
                return authorize_seat(*seat, permission, target.is_over);
            }
            (Role::User { user, .. }, _) => return authorize_user(user, permission, target),
            (
                Role::Spectator { .. },
                Permission::ReadInfo | Permission::View(Viewer::Spectator | Viewer::Operator),
            ) => Ok(()),
            (
                Role::Spectator { .. },
                Permission::Act(_)
                | Permission::Claim
                | Permission::View(Viewer::Seat(_))
                | Permission::Export
                | Permission::Fork,
            ) => Err("spectators can only look at public facts"),
            (Role::Spectator { .. }, Permission::Manage) => Err(NOT_THE_TENANT),
        };
        decision.map_err(ServiceError::PermissionDenied)
    }

    /// Checks that this caller may know that the game exists, and that a token of the game is still valid.
    fn ensure_visible(&self, target: AccessTarget<'_>) -> Result<(), ServiceError> {
        let is_foreign = match &self.role {
            Role::AuthDisabled | Role::Operator => false,
            Role::Tenant(tenant) => tenant != target.tenant,
            Role::Seat { game, .. } | Role::Spectator { game, .. } => *game != target.id,
            Role::User { tenant, user, .. } => {
                tenant != target.tenant || !target.metadata.tags().has_user(user)
            }
        };
        if is_foreign {
            return Err(ServiceError::no_such_game(target.id));
        }
        let is_other_incarnation = |incarnation: &Option<u32>| {
            incarnation.is_some_and(|incarnation| incarnation != target.incarnation)
        };
        match &self.role {
            Role::Seat { incarnation, .. } | Role::Spectator { incarnation, .. }
                if is_other_incarnation(incarnation) =>
            {
                Err(ServiceError::InvalidToken(
                    "the token is for a game that was deleted",
                ))
            }
            Role::Seat {
                seat, generation, ..
            } if target.metadata.seat_generation(*seat) != *generation => {
                Err(ServiceError::TokenReplaced("the seat has a newer token"))
            }
            Role::Spectator { generation, .. }
                if target.metadata.spectator_generation() != *generation =>
            {
                Err(ServiceError::TokenReplaced("spectators have a newer token"))
            }
            Role::AuthDisabled
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
    pub fn tenant_for_create(&self) -> Result<&str, ServiceError> {
        self.tenant("only tenants can create games")
    }

    /// Returns the tenant that calls; empty on a server without authentication. `refusal` is the text of the error.
    ///
    /// # Errors
    /// If the caller is not a tenant.
    pub(crate) fn tenant(&self, refusal: &'static str) -> Result<&str, ServiceError> {
        match &self.role {
            Role::AuthDisabled => Ok(""),
            Role::Tenant(tenant) => Ok(tenant),
            Role::Operator | Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. } => {
                Err(ServiceError::PermissionDenied(refusal))
            }
        }
    }

    /// Returns whether this caller may see the users and labels of its tenant's games. They belong to the front end:
    /// players must not learn who plays elsewhere. A user sees only which seats are their own.
    #[must_use]
    pub fn can_see_tags(&self) -> bool {
        match &self.role {
            Role::AuthDisabled | Role::Tenant(_) | Role::Operator => true,
            Role::Seat { .. } | Role::Spectator { .. } | Role::User { .. } => false,
        }
    }

    /// Returns the seat that calls. Returns `None` for other roles.
    pub(crate) fn seat(&self) -> Option<Seat> {
        match &self.role {
            Role::Seat { seat, .. } => Some(*seat),
            Role::AuthDisabled
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
            Role::AuthDisabled
            | Role::Tenant(_)
            | Role::Operator
            | Role::Seat { .. }
            | Role::Spectator { .. } => None,
        }
    }

    /// Returns whether this caller can lose access to a game while the token is valid. If so, streams check the
    /// permission again as long as they last.
    #[must_use]
    pub fn needs_reauthorization(&self) -> bool {
        self.has_game_token() || self.user().is_some()
    }

    /// Returns whether this caller has a token of one game, which may have been replaced in the meantime.
    #[must_use]
    pub fn has_game_token(&self) -> bool {
        match &self.role {
            Role::Seat { .. } | Role::Spectator { .. } => true,
            Role::AuthDisabled | Role::Tenant(_) | Role::User { .. } | Role::Operator => false,
        }
    }
}

/// The contents of a seat token or spectator token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatGrant {
    /// The id of the game.
    pub game: GameId,
    /// The incarnation of the game, which distinguishes it from others with the same id.
    pub incarnation: u32,
    /// The seat. Is `None` for a spectator token.
    pub seat: Option<Seat>,
    /// The generation of the token.
    pub generation: u32,
    /// The expiry, in seconds since the Unix epoch. Is `None` if the token does not expire.
    pub expires_at: Option<u64>,
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
    pub expires_at: u64,
}

/// A signer for what the service issues: the tokens of seats, spectators and users, and records.
pub trait TokenIssuer: Send + Sync + 'static {
    /// Signs a seat token or spectator token. Returns an empty string if the service runs without tokens.
    ///
    /// # Errors
    /// If signing fails, which is an internal fault.
    fn seat_token(&self, grant: &SeatGrant) -> Result<String, ServiceError>;

    /// Signs the token of a user. Returns an empty string if the service runs without tokens.
    ///
    /// # Errors
    /// If signing fails, which is an internal fault.
    fn user_token(&self, grant: &UserGrant<'_>) -> Result<String, ServiceError>;

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

impl TokenIssuer for NoTokens {
    fn seat_token(&self, _grant: &SeatGrant) -> Result<String, ServiceError> {
        Ok(String::new())
    }

    fn user_token(&self, _grant: &UserGrant<'_>) -> Result<String, ServiceError> {
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests;
