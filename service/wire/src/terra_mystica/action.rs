//! Actions. Spaces and factions that do not exist are passed on as unknown: the rules refuse them.
//! Other names that do not exist are malformed.

use gamekeeper_rules::terra_mystica::{Action, PowerUse, Span, SpecialUse, Transform, Work};

use super::pb::take_power_action::{self, PowerUse as AnyPowerUse};
use super::pb::take_special_action::{self, SpecialUse as AnySpecialUse};
use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::rows::{FromPb, message, oneof};

oneof! {
    both Action => Kind in pb;
    fields {
        ChooseFaction { faction },
        PlaceDwelling { space },
        ChooseBonusCard { card },
        TransformAndBuild { work },
        BuildDwelling { space },
        AdvanceShipping {},
        AdvanceTerraforming {},
        UpgradeStructure { space, to_structure },
        SendPriest { cult, slot },
        TakePowerAction { sacrifice, power_use },
        TakeSpecialAction { special_use },
        BuildEngineerBridge { span },
        PassTurn { card },
        Convert { kind, times, sacrifice },
        SacrificePower { tokens },
        FoundRiverTown { river },
        EndTurn {},
        DecidePower { accept },
        ChooseFavorTile { tile },
        ChooseTownTile { tile, key_cults },
        ChooseCultStep { cult },
        OrdainPriests { count },
        UseStrongholdSpades { work },
        UseCultSpades { transforms },
    }
}

oneof! {
    both PowerUse => AnyPowerUse in take_power_action;
    fields { Bridge { span }, Priest {}, Workers {}, Coins {} }
    inner { Spade, TwoSpades }
}

oneof! {
    both SpecialUse => AnySpecialUse in take_special_action;
    fields { DoubleTurn {}, Sandstorm { space, build } }
    inner {
        BonusSpade, BonusCultStep, FavorCultStep, CultSteps, WitchesRide, FreeTradingHouse, GiantSpades,
    }
}

message! { both Transform => pb::Transform { space, target, direction } }
message! { both Work => pb::Work { transforms, build_at } }
message! { both Span => pb::Span { a, b } }

/// Unset work is empty work.
impl FromPb<Option<pb::Work>> for Work {
    fn from_pb(sent: Option<pb::Work>) -> Result<Self, Malformed> {
        Self::from_pb(sent.unwrap_or_default())
    }
}

/// What has to be said.
macro_rules! required {
    ($($rules:ty => $pb:ty),* $(,)?) => {
        $(impl FromPb<Option<$pb>> for $rules {
            fn from_pb(sent: Option<$pb>) -> Result<Self, Malformed> {
                Self::from_pb(sent.ok_or_else(|| Malformed::missing(""))?)
            }
        })*
    };
}

required! {
    Span => pb::Span,
    PowerUse => AnyPowerUse,
    SpecialUse => AnySpecialUse,
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
