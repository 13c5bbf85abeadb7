//! What happened. Everything is public (CAY-13.1).

use gamekeeper_rules::caylus::Event;

use super::pb::{self, event::Kind};
use crate::rows::oneof;

oneof! {
    Event => Kind in pb;
    fields {
        GameCreated { simplified_favors, neutral_order, turn_order },
        TurnStarted { turn },
        TurnOrderChanged { turn_order },
        Income { seat, deniers },
        WorkerPlaced { seat, target, price, owner },
        Passed { seat, bonus },
        GateMoved { seat, target, owner },
        GateRecalled { seat },
        TradingPostPaid { seat, deniers },
        ProvostMoved { seat, from_space, to_space, paid },
        Jousted { seat, paid },
        InnChanged { returned, right },
        BuildingActivated { seat, space, tile },
        Produced { seat, cubes },
        Traded { seat, paid, gained },
        EffectDeclined { seat, space },
        TileBuilt { seat, tile, space, paid, vp },
        TransformPaid { seat, space, paid, waits_for },
        TransformDone { seat, space, replaced, vp },
        PrestigeBuilt { seat, tile, space, paid, vp },
        OwnerBonus { seat, space, resource },
        WorkerReturned { seat, space },
        CastleBatch { seat, section, paid, vp },
        CastlePenalty { seat, vp },
        MostBatches { seat, batches },
        CastleLeft { seats },
        FavorsGained { seat, count },
        FavorsSimplified { seat, count, vp },
        FavorTaken { seat, line, marker, column, paid, gained },
        FavorsLost { seat, count },
        BailiffMoved { from_space, to_space },
        SectionScoring { section },
        SectionPenalty { seat, section, vp },
        SectionScored { section },
        FinalScored { seat, gold, cubes, deniers },
        CastleFinished { seat, batches },
    }
}
