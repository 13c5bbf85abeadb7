//! The null game: the least that a ruleset can be. A counter, padded wherever a real ruleset has
//! bytes. What the service costs with it is the ceiling of its design.

mod pad;
pub mod pb;
mod rules;
mod wire;

pub use rules::{Null, Options};
