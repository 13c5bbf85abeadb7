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
        TableSet { first_player, scoring_tiles, bonus_cards, colors },
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
        TerrainTransformed { seat, space, from_terrain, to_terrain, spades },
        StructureBuilt { seat, space },
        StructureUpgraded { seat, space, from_structure, to_structure },
        BridgeBuilt { seat, a, b },
        PowerOffered { seat, builder, space, value, gainable },
        PowerAccepted { seat, power },
        PowerRefused { seat },
        CultAdvanced { seat, cult, from_level, to_level },
        PriestPlaced { seat, cult, slot },
        ShippingAdvanced { seat, level },
        TerraformingAdvanced { seat, level },
        TownFounded { seat, spaces, river },
        TownExtended { seat, town, spaces },
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

/// Pairs sources and destinations of goods or VP: a thing on the table, or a named reason.
macro_rules! sources {
    ($rules:ident { $field:ident: $oneof:ident, $reason:ident };
     things { $($thing:ident),+ } reasons { $($why:ident),+ $(,)? }) => {
        message! {
            $rules => pb::$rules,
            |source| {
                let $field = Some(match source {
                    $($rules::$thing(thing) => $oneof::$thing(thing.to_pb()),)+
                    $($rules::$why => $oneof::Reason(pb::$reason::$why.into()),)+
                });
                pb::$rules { $field }
            }
        }
    };
}

sources! {
    VpSource { source: PbVpSource, VpReason };
    things { ScoringTile, FavorTile, BonusCard, TownTile, Cult }
    reasons {
        Towns, Shipping, Terraforming, Leap, Spades, Stronghold, Bridges, Power, Alchemy, Area,
        Resources,
    }
}

sources! {
    GoodsSource { source: PbGoodsSource, GoodsReason };
    things { BonusCard, PowerAction, TownTile, Cult, CultReward }
    reasons { Income, Towns, Stronghold, Spades, Refusals }
}

sources! {
    Purpose { purpose: PbPurpose, PurposeReason };
    things { Structure }
    reasons { Spades, Leap, Shipping, Terraforming, Bridge }
}
