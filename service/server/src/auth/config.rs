//! Where keys come from, and what is wrong with them.

use std::path::PathBuf;
use std::time::Duration;

/// Where keys come from. Keys are files, never arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthConfig {
    /// No tokens: everybody is trusted.
    Open,
    /// Every call carries a bearer token.
    Tokens {
        /// Lines `tenant:sha256-of-the-key-in-hex`.
        tenant_keys: Option<PathBuf>,
        /// Lines `sha256-of-the-key-in-hex`.
        operator_keys: Option<PathBuf>,
        /// A JSON Web Key Set whose keys sign tokens with a claim `tenant` and an expiry.
        tenant_jwks: Option<PathBuf>,
        /// The requirements for tokens signed with those keys.
        jwt: JwtRules,
        /// Lines of at least 32 characters: the secrets of seat tokens. The first signs, all verify.
        token_keys: PathBuf,
    },
}

/// The requirements for a tenant's signed token besides its signature and expiry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JwtRules {
    /// Accepted audiences (`aud`); none: any audience.
    pub audiences: Vec<String>,
    /// Accepted issuers (`iss`); none: any issuer.
    pub issuers: Vec<String>,
    /// The clock skew tolerated for `exp` and `nbf`.
    pub leeway: Duration,
    /// The claim that names a user, whose seats alone the token is then for.
    pub user_claim: String,
}

/// The claims that have a meaning of their own.
const TAKEN: [&str; 5] = ["tenant", "exp", "nbf", "aud", "iss"];

/// The name of the claim that names a user.
///
/// # Errors
/// For an empty name, and for claims that have a meaning of their own.
pub fn user_claim(name: &str) -> Result<String, String> {
    if name.is_empty() || TAKEN.contains(&name) {
        return Err(format!("cannot be empty or one of {}", TAKEN.join(", ")));
    }
    Ok(name.to_owned())
}

/// A key file that cannot be used. Never shows a key.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line of the file is malformed.
    #[error("{file}, line {line}: {wanted}")]
    Line {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The expected content.
        wanted: &'static str,
    },
    /// The file holds no key.
    #[error("{file}: contains no key")]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The file holds no key that signs records.
    #[error("{file}: holds no Ed25519 private key in PEM (PKCS #8)")]
    RecordKey {
        /// The file.
        file: PathBuf,
    },
    /// The file is no JSON Web Key Set.
    #[error("{file}: is not a usable JSON Web Key Set")]
    KeySet {
        /// The file.
        file: PathBuf,
    },
}
