//! What differs in views.

use gamekeeper_rules::dominion::Gain;

use super::pb;
use crate::rows::message;

// A frame that holds one.
message! { Gain => pb::GainFrame { max_cost, treasure_only, destination } }
