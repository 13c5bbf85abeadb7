//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::goofspiel::{PlayerView, View};

use super::pb;
use crate::rows::message;

message! {
    View => pb::View { options, turn, offered, to_come, order, players } without { pending }
}
message! { PlayerView => pb::PlayerView { seat, hand, has_bid, bid, won, points } }
