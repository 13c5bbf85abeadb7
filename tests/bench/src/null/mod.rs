//! The null game: the minimal ruleset. A counter, padded wherever a real ruleset has bytes. The
//! performance of the service with it is the ceiling of its design.

mod pad;
pub mod pb;
mod rules;
mod wire;

pub use pb::Options;
pub use rules::Null;
