//! Everything a player can send (GOO-6.2).

use serde::{Deserialize, Serialize};

use super::data::Card;
use crate::table::Named;

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Action {
    /// Bids a card for the prizes of this turn (GOO-6.2).
    Bid { card: Named<Card> },
}
