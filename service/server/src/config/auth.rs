//! The access policy and its keys.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use super::ConfigError;
use crate::auth::{AuthConfig, JwtRules, user_claim};

/// Settings of authentication.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Authentication")]
pub struct AuthArgs {
    /// Authentication of callers. Unset: open on a loopback address, otherwise the server does not start.
    #[arg(long, env = "GAMEKEEPER_AUTH", value_enum)]
    pub auth: Option<AuthMode>,

    /// File with one line per key of a tenant: tenant:sha256-of-the-key-in-hex.
    #[arg(long, env = "GAMEKEEPER_TENANT_KEYS_FILE", value_name = "FILE")]
    pub tenant_keys_file: Option<PathBuf>,

    /// File with one line per key of an operator: sha256-of-the-key-in-hex.
    #[arg(long, env = "GAMEKEEPER_OPERATOR_KEYS_FILE", value_name = "FILE")]
    pub operator_keys_file: Option<PathBuf>,

    /// JSON Web Key Set whose keys sign tenants' tokens (claims `tenant` and `exp`).
    #[arg(long, env = "GAMEKEEPER_TENANT_JWKS_FILE", value_name = "FILE")]
    pub tenant_jwks_file: Option<PathBuf>,

    /// Accepted audiences of tenants' tokens (claim `aud`). Unset: any audience, or none.
    #[arg(
        long,
        env = "GAMEKEEPER_JWT_AUDIENCES",
        value_delimiter = ',',
        value_name = "NAME",
        requires = "tenant_jwks_file"
    )]
    pub jwt_audiences: Vec<String>,

    /// Accepted issuers of tenants' tokens (claim `iss`). Unset: any issuer.
    #[arg(
        long,
        env = "GAMEKEEPER_JWT_ISSUERS",
        value_delimiter = ',',
        value_name = "NAME",
        requires = "tenant_jwks_file"
    )]
    pub jwt_issuers: Vec<String>,

    /// Tolerated clock skew for `exp` and `nbf` of a tenant's token.
    #[arg(long, env = "GAMEKEEPER_JWT_LEEWAY", default_value = "60s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub jwt_leeway: Duration,

    /// Claim of tenants' tokens that names a user: such a token is for the seats of this user alone.
    #[arg(long, env = "GAMEKEEPER_JWT_USER_CLAIM", default_value = "user", value_parser = user_claim, value_name = "NAME")]
    pub jwt_user_claim: String,

    /// Lifetime of the tokens that the server issues, such as 30d. Unset: tokens of seats and spectators never expire,
    /// tokens of users expire after 90 days, their maximum.
    #[arg(long, env = "GAMEKEEPER_SEAT_TOKEN_LIFETIME", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub seat_token_lifetime: Option<Duration>,

    /// File with the secrets of seat tokens, one a line: the first signs, all verify.
    #[arg(long, env = "GAMEKEEPER_TOKEN_KEYS_FILE", value_name = "FILE")]
    pub token_keys_file: Option<PathBuf>,

    /// File with an Ed25519 private key in PEM (PKCS #8) that signs the records of finished games. Unset: they are not
    /// signed.
    #[arg(long, env = "GAMEKEEPER_RECORD_SIGNING_KEY_FILE", value_name = "FILE")]
    pub record_signing_key_file: Option<PathBuf>,

    /// Let creators choose the seed of a game. Always allowed with --auth open.
    #[arg(long, env = "GAMEKEEPER_ALLOW_SEEDS")]
    pub allow_seeds: bool,
}

/// The access policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuthMode {
    /// Trust every caller. The default on a loopback address only.
    Open,
    /// Every call carries a bearer token.
    Tokens,
}

impl AuthArgs {
    /// Returns the access policy of a server that listens at this address.
    pub(super) fn config(&self, listen: SocketAddr) -> Result<AuthConfig, ConfigError> {
        match self.auth {
            None if listen.ip().is_loopback() => Ok(AuthConfig::Open),
            None => Err(ConfigError::AuthModeRequired(listen)),
            Some(AuthMode::Open) => Ok(AuthConfig::Open),
            Some(AuthMode::Tokens) => Ok(AuthConfig::Tokens {
                tenant_keys: self.tenant_keys_file.clone(),
                operator_keys: self.operator_keys_file.clone(),
                tenant_jwks: self.tenant_jwks_file.clone(),
                jwt: JwtRules {
                    audiences: self.jwt_audiences.clone(),
                    issuers: self.jwt_issuers.clone(),
                    leeway: self.jwt_leeway,
                    user_claim: self.jwt_user_claim.clone(),
                },
                token_keys: self
                    .token_keys_file
                    .clone()
                    .ok_or(ConfigError::NoTokenKeys)?,
            }),
        }
    }
}
