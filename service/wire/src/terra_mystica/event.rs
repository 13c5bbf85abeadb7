//! What happened.

use gamekeeper_rules::terra_mystica::{Event, GoodsSource, Purpose, VpSource};

use super::pb;
use super::pb::event::Kind;
use super::pb::goods_source::Source as PbGoodsSource;
use super::pb::purpose::Purpose as PbPurpose;
use super::pb::vp_source::Source as PbVpSource;
use crate::rows::{message, oneof};

oneof! {
    Event => Kind in pb;
    fields {
        TableSet { start_player, scoring_tiles, bonus_cards, colors },
        FactionChosen { seat, faction },
        DwellingPlaced { seat, space },
        BonusCardTaken { seat, card, coins },
        BonusCardReturned { seat, card },
        CoinsLaid { cards },
        RoundBegan { round, turn_order },
        TurnBegan { seat },
        TurnEnded { seat },
        Received { seat, goods, source },
        Paid { seat, goods, purpose },
        VpScored { seat, vp, source },
        Leapt { seat, space },
        TerrainTransformed { seat, space, from, to, spades },
        StructureBuilt { seat, space },
        StructureUpgraded { seat, space, from, to },
        BridgeBuilt { seat, a, b },
        PowerOffered { seat, builder, space, value, gainable },
        PowerAccepted { seat, power },
        PowerRefused { seat },
        CultAdvanced { seat, cult, from, to },
        PriestPlaced { seat, cult, slot },
        ShippingAdvanced { seat, level },
        TerraformingAdvanced { seat, level },
        TownFounded { seat, spaces, river },
        TownExtended { seat, spaces },
        FavorTileTaken { seat, tile },
        TownTileTaken { seat, tile },
        PowerActionTaken { seat, action },
        SpecialActionTaken { seat, action },
        Converted { seat, kind, times },
        PowerSacrificed { seat, tokens },
        PriestsOrdained { seat, count },
        CultSpadesGranted { seat, spades },
        Passed { seat },
        RoundEnded { round },
        AreaMeasured { seat, size },
        SpadesUnused { seat, spades },
    }
}

message! {
    VpSource => pb::VpSource,
    |source| {
        let reason = |reason: pb::VpReason| PbVpSource::Reason(reason.into());
        let source = match *source {
            VpSource::ScoringTile(tile) => PbVpSource::ScoringTile(tile.to_pb()),
            VpSource::FavorTile(tile) => PbVpSource::FavorTile(tile.to_pb()),
            VpSource::BonusCard(card) => PbVpSource::BonusCard(card.to_pb()),
            VpSource::TownTile(tile) => PbVpSource::TownTile(tile.to_pb()),
            VpSource::Cult(cult) => PbVpSource::Cult(cult.to_pb()),
            VpSource::Towns => reason(pb::VpReason::Towns),
            VpSource::Shipping => reason(pb::VpReason::Shipping),
            VpSource::Terraforming => reason(pb::VpReason::Terraforming),
            VpSource::Leap => reason(pb::VpReason::Leap),
            VpSource::Spades => reason(pb::VpReason::Spades),
            VpSource::Stronghold => reason(pb::VpReason::Stronghold),
            VpSource::Bridges => reason(pb::VpReason::Bridges),
            VpSource::Power => reason(pb::VpReason::Power),
            VpSource::Alchemy => reason(pb::VpReason::Alchemy),
            VpSource::Area => reason(pb::VpReason::Area),
            VpSource::Resources => reason(pb::VpReason::Resources),
        };
        pb::VpSource {
            source: Some(source),
    }
    }
}

message! {
    GoodsSource => pb::GoodsSource,
    |source| {
        let reason = |reason: pb::GoodsReason| PbGoodsSource::Reason(reason.into());
        let source = match *source {
            GoodsSource::BonusCard(card) => PbGoodsSource::BonusCard(card.to_pb()),
            GoodsSource::PowerAction(action) => PbGoodsSource::PowerAction(action.to_pb()),
            GoodsSource::TownTile(tile) => PbGoodsSource::TownTile(tile.to_pb()),
            GoodsSource::Cult(cult) => PbGoodsSource::Cult(cult.to_pb()),
            GoodsSource::CultReward(tile) => PbGoodsSource::CultReward(tile.to_pb()),
            GoodsSource::Income => reason(pb::GoodsReason::Income),
            GoodsSource::Towns => reason(pb::GoodsReason::Towns),
            GoodsSource::Stronghold => reason(pb::GoodsReason::Stronghold),
            GoodsSource::Spades => reason(pb::GoodsReason::Spades),
            GoodsSource::Refusals => reason(pb::GoodsReason::Refusals),
        };
        pb::GoodsSource {
            source: Some(source),
    }
    }
}

message! {
    Purpose => pb::Purpose,
    |purpose| {
        let reason = |reason: pb::PurposeReason| PbPurpose::Reason(reason.into());
        let purpose = match *purpose {
            Purpose::Structure(structure) => PbPurpose::Structure(structure.to_pb()),
            Purpose::Spades => reason(pb::PurposeReason::Spades),
            Purpose::Leap => reason(pb::PurposeReason::Leap),
            Purpose::Shipping => reason(pb::PurposeReason::Shipping),
            Purpose::Terraforming => reason(pb::PurposeReason::Terraforming),
            Purpose::Bridge => reason(pb::PurposeReason::Bridge),
        };
        pb::Purpose {
            purpose: Some(purpose),
    }
    }
}
