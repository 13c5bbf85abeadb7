//! The values of refusals.

use gamekeeper_rules::goofspiel::Refusal;

use super::pb;
use crate::rows::refusals;

refusals! {
    Refusal in pb;
    CardNotInHand { card },
    InvalidOption { field };
    bare
}
