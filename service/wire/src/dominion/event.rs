//! What happened, already cut to what its viewer may know.

use gamekeeper_rules::dominion::data::Pile;
use gamekeeper_rules::dominion::{Counters, Event};

use super::pb::{self, event::Kind};
use crate::rows::{message, oneof};

message! { Pile => pb::Pile { card, count } }
message! { Counters => pb::Counters { actions, buys, coins } }

oneof! {
    Event => Kind in pb;
    fields {
        GameCreated { options, kingdom, supply, first_player },
        TurnStarted { seat, turn_number },
        PhaseChanged { seat, turn_number, phase },
        CardsDrawn { seat, count, cards },
        Shuffled { seat },
        ActionPlayed { seat, card, play, counters },
        Bonuses { seat, card, counters },
        TreasuresPlayed { seat, cards, counters },
        CardGained { seat, card, source, destination, price },
        HandDiscarded { seat, count, discard_top, cards },
        CleanedUp { seat, count, discard_top, cards },
        CardsDiscarded { seat, cards },
        CardsTrashed { seat, zone, cards },
        CardsRevealed { seat, zone, cards },
        RevealedTaken { seat, cards },
        CardTopdecked { seat, zone, card },
        ChancellorDecided { seat, discarded, discard_top, count },
        ReactionShown { seat, card },
        ReactionDeclined { seat },
        CardSetAside { seat, card },
        Stalemate {},
        NothingChosen { seat, card },
        SpyDecided { seat, owner, card, discarded },
    }
}
