//! Closed sets of names.

use gamekeeper_rules::goofspiel::data::Card;
use gamekeeper_rules::goofspiel::{Decision, Ties};

use super::pb;
use crate::rows::{decisions, names};

names! {
    Card => pb::Card,
    Ties => pb::Ties,
}

decisions! { Decision in pb: Bid }
