//! The rows of actions that differ between rules and contract. Ids that do not exist are passed on as unknown: the
//! rules refuse them (MYT-6.11).

use gamekeeper_rules::mythotopia::{Invasion, Origin};

use super::pb::{self, invade};
use crate::mapping::{message, required};

// A variant of the action that contains a single value.
message! { both Invasion => pb::Invade { target, origin, route, armies, food, transport } }

required! { Origin from invade::Origin }
