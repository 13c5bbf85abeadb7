//! Actions. Cards that do not exist are passed on as unknown: the rules refuse them (DOM-14.5).

use gamekeeper_rules::dominion::Action;

use super::pb::{self, action::Kind};
use crate::rows::oneof;

oneof! {
    both Action => Kind in pb;
    fields {
        PlayAction { card },
        EndActionPhase {},
        PlayTreasures { cards },
        PlayAllTreasures {},
        BuyCard { card },
        EndTurn { discard_top },
        RevealReaction { card },
        DeclineReaction {},
        CellarDiscard { cards },
        ChancellorDecide { discard_deck },
        ChapelTrash { cards },
        GainCard { card },
        RemodelTrash { card },
        MineTrash { card },
        LibraryDecide { set_aside },
        MilitiaDiscard { cards },
        BureaucratTopdeck { card },
        SpyDecide { discard },
        ThiefTrash { card },
        ThiefGain { cards },
        ThroneRoomChoose { card },
    }
}
