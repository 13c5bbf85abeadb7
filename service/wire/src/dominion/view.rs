//! The rows of views that differ between rules and contract.

use gamekeeper_rules::dominion::Gain;

use super::pb;
use crate::mapping::message;

// A frame that contains a single value.
message! { Gain => pb::GainFrame { max_cost, treasure_only, destination } }
