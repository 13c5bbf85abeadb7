//! The values of refusals.

use gamekeeper_rules::dominion::{OptionFlaw, Refusal};

use super::pb::{self, refusal_detail::invalid_option::Flaw};
use crate::rows::{oneof, refusals};

refusals! {
    Refusal in pb;
    CardNotInHand { card, count, held },
    CardNotAvailable { card },
    CardNotEligible { card, decision },
    NotAnAction { card },
    NotATreasure { card },
    NotAVictoryCard { card },
    EmptySelection { held },
    WrongNumberOfCards { count, min, max },
    CannotAfford { card, cost, coins },
    TooExpensive { card, cost, limit },
    NotInSupply { card },
    PileEmpty { card },
    InvalidOption { field, flaw };
    bare TreasuresClosed, NoBuysLeft,
}

mod flaws {
    pub(super) use super::pb::refusal_detail::invalid_option::{
        NoSuchSeat, NotAKingdomCard, Twice, UnknownCard, UnknownSet, WrongNumber,
    };
}

oneof! {
    OptionFlaw => Flaw in flaws;
    fields {
        UnknownSet {},
        UnknownCard { place },
        NotAKingdomCard { card },
        Twice { card },
        WrongNumber { count, wanted },
        NoSuchSeat { number, seats },
    }
}
