//! What differs in actions. Ids that do not exist are passed on as unknown: the rules refuse them (MYT-6.11).

use gamekeeper_rules::mythotopia::{Invasion, Origin};

use super::pb::{self, invade};
use crate::rows::{message, required};

// A variant of the action that holds one.
message! { both Invasion => pb::Invade { target, origin, route, armies, food, transport } }

required! { Origin from invade::Origin }
