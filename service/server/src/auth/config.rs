//! The sources of keys, and the errors of key files.

use std::path::PathBuf;
use std::time::Duration;

use super::jwk::SkippedKey;

/// The authentication of callers and the sources of keys. Keys are in files, never in arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthConfig {
    /// Calls carry no tokens, and every caller is trusted.
    Open,
    /// Every call needs a bearer token.
    Tokens {
        /// Lines `tenant:sha256-of-the-key-in-hex`.
        tenant_keys: Option<PathBuf>,
        /// Lines `sha256-of-the-key-in-hex`.
        operator_keys: Option<PathBuf>,
        /// A JSON Web Key Set whose keys sign tokens with a claim `tenant` and an expiry.
        tenant_jwks: Option<PathBuf>,
        /// The requirements for tokens signed with those keys.
        jwt: JwtRules,
        /// Lines of at least 32 characters: the secrets of tokens that the server issues. The first signs, all verify.
        token_keys: PathBuf,
    },
}

/// The requirements for a tenant's signed token besides its signature and expiry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JwtRules {
    /// Accepted audiences (`aud`). Empty: any audience.
    pub audiences: Vec<String>,
    /// Accepted issuers (`iss`). Empty: any issuer.
    pub issuers: Vec<String>,
    /// The clock skew tolerated for `exp` and `nbf`.
    pub leeway: Duration,
    /// The claim that names a user; such a token is valid only for the seats of this user.
    pub user_claim: String,
}

/// The claims that are reserved for other purposes.
const RESERVED_CLAIMS: [&str; 5] = ["tenant", "exp", "nbf", "aud", "iss"];

/// Checks the name of the claim that names a user.
///
/// # Errors
/// For an empty name, and for reserved claims.
pub fn user_claim(name: &str) -> Result<String, String> {
    if name.is_empty() || RESERVED_CLAIMS.contains(&name) {
        return Err(format!(
            "cannot be empty or one of {}",
            RESERVED_CLAIMS.join(", ")
        ));
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
        /// The reason.
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
    /// The file holds no private key for signing records.
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
    /// No key of the JSON Web Key Set verifies tokens.
    #[error("{file}: contains no usable key: {}", list(skipped))]
    NoUsableKey {
        /// The file.
        file: PathBuf,
        /// The keys of the set, each with the reason why it cannot be used.
        skipped: Vec<SkippedKey>,
    },
}

fn list(skipped: &[SkippedKey]) -> String {
    let all: Vec<String> = skipped.iter().map(ToString::to_string).collect();
    all.join("; ")
}
