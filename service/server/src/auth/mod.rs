//! Who calls: tokens, keys, signatures and rates.

mod config;
mod keys;
mod rate;
mod seat_token;
mod signatures;

pub use config::{AuthConfig, AuthError, JwtRules};
pub use keys::Authority;
pub use rate::Rate;
pub use signatures::use_ring;
