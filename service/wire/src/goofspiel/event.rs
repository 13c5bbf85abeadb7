//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::goofspiel::Event;

use super::pb::{self, event::Kind};
use crate::rows::oneof;

oneof! {
    Event => Kind in pb;
    fields {
        PrizeTurnedUp { turn, prize },
        BidMade { seat, card },
        BidsRevealed { bids },
        PrizesTaken { seat, prizes, points },
        PrizesCarriedOver { prizes },
        PrizesDiscarded { prizes },
    }
}
