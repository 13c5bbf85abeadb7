//! Actions. Cards that do not exist are passed on as unknown: the rules refuse them (GOO-6.3).

use gamekeeper_rules::goofspiel::Action;

use super::pb::{self, action::Kind};
use crate::rows::oneof;

oneof! {
    both Action => Kind in pb;
    fields {
        Bid { card },
    }
}
