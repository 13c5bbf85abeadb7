//! **Authentication**: identifies callers by tokens, keys and signatures.

mod config;
mod jwk;
mod key_files;
mod key_set;
mod keys;
mod record_key;
mod seat_token;
mod signatures;

pub use config::{AuthConfig, AuthError, JwtRules, user_claim};
pub use jwk::{KeyProblem, SkippedKey};
pub(crate) use key_set::has_secret;
pub use keys::Authenticator;
pub use signatures::use_ring;
