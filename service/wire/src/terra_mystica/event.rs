//! The rows of events that differ between rules and contract: sources and targets of goods and VP, each a thing on the
//! table or a named reason.

use gamekeeper_rules::terra_mystica::{GoodsSource, Purpose, VpSource};

use super::pb::{self, goods_source, purpose, vp_source};
use crate::mapping::message;

/// Pairs an enum with a message of one oneof: variants that contain a thing have a field each, and those without
/// values share one, whose enum names them.
macro_rules! things_and_names {
    (
        $rules:ident => $pb:path, $field:ident: $oneof:path;
        things { $($thing:ident),+ $(,)? }
        $named:ident => $names:path { $($name:ident),+ $(,)? }
    ) => {
        message! {
            $rules => $pb,
            |value| {
                use $names as Names;
                use $oneof as Oneof;
                let $field = Some(match value {
                    $($rules::$thing(thing) => Oneof::$thing(thing.to_pb()),)+
                    $($rules::$name => Oneof::$named(Names::$name.into()),)+
                });
                $pb { $field }
            }
        }
    };
}
pub(super) use things_and_names;

things_and_names! {
    VpSource => pb::VpSource, source: vp_source::Source;
    things { ScoringTile, FavorTile, BonusCard, TownTile, Cult }
    Reason => pb::VpReason {
        Towns, Shipping, Terraforming, Leap, Spades, Stronghold, Bridges, Power, Alchemy, Area,
        Resources,
    }
}

things_and_names! {
    GoodsSource => pb::GoodsSource, source: goods_source::Source;
    things { BonusCard, PowerAction, TownTile, Cult, CultReward }
    Reason => pb::GoodsReason { Income, Towns, Stronghold, Spades, Refusals }
}

things_and_names! {
    Purpose => pb::Purpose, purpose: purpose::Purpose;
    things { Structure }
    Reason => pb::PurposeReason { Spades, Leap, Shipping, Terraforming, Bridge }
}
