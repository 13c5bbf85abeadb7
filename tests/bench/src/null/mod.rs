//! The **null game** is the minimal ruleset: a counter, padded to the sizes of a real ruleset's data. The performance
//! of the service with it is the upper bound of its design.

mod pad;
pub mod pb;
mod rules;
mod wire;

pub use pb::Options;
pub use rules::Null;
