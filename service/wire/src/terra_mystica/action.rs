//! Actions. Spaces and factions that do not exist are passed on as unknown: the rules refuse them.
//! Other names that do not exist are malformed, and so are fields that an action does not use.

use gamekeeper_rules::terra_mystica::data::{Cult, PowerAction, Space, SpecialAction};
use gamekeeper_rules::terra_mystica::{Action, PowerUse, Span, SpecialUse, Transform, Work};

use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::rows::{FromPb, Value, field, message, oneof};

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
    by_hand {
        to {
            Action::TakePowerAction { power_use, sacrifice } => TakePowerAction {
                action: power_use.action(), sacrifice: *sacrifice, bridge: bridge(power_use),
                work: power_work(power_use),
            },
            Action::TakeSpecialAction { special_use } => TakeSpecialAction {
                action: special_use.action(), cult: cult(special_use), space: space(special_use),
                work: special_work(special_use), build: builds(special_use),
            },
        }
        from {
            TakePowerAction(sent) => Action::TakePowerAction {
                sacrifice: sent.sacrifice,
                power_use: power_use(sent)?,
            },
            TakeSpecialAction(sent) => Action::TakeSpecialAction {
                special_use: special_use(sent)?,
            },
        }
    }
}

message! { both Transform => pb::Transform { space, target, direction } }
message! { both Work => pb::Work { transforms, build_at } }
message! { both Span => pb::Span { a, b } }

impl Value<pb::Work> for &Work {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }
}

/// Unset work is empty work.
impl FromPb<Option<pb::Work>> for Work {
    fn from_pb(sent: Option<pb::Work>) -> Result<Self, Malformed> {
        Self::from_pb(sent.unwrap_or_default())
    }
}

impl FromPb<Option<pb::Span>> for Span {
    fn from_pb(sent: Option<pb::Span>) -> Result<Self, Malformed> {
        Self::from_pb(sent.ok_or_else(|| Malformed::missing(""))?)
    }
}

fn bridge(power_use: &PowerUse) -> Option<Span> {
    if let PowerUse::Bridge(span) = power_use {
        *span
    } else {
        None
    }
}

fn power_work(power_use: &PowerUse) -> Option<&Work> {
    if let PowerUse::Spade(work) | PowerUse::TwoSpades(work) = power_use {
        Some(work)
    } else {
        None
    }
}

fn special_work(special_use: &SpecialUse) -> Option<&Work> {
    if let SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work) = special_use {
        Some(work)
    } else {
        None
    }
}

fn cult(special_use: &SpecialUse) -> Option<Cult> {
    if let SpecialUse::BonusCultStep(cult)
    | SpecialUse::FavorCultStep(cult)
    | SpecialUse::CultSteps(cult) = special_use
    {
        Some(*cult)
    } else {
        None
    }
}

fn space(special_use: &SpecialUse) -> Option<Space> {
    if let SpecialUse::WitchesRide(space)
    | SpecialUse::FreeTradingHouse(space)
    | SpecialUse::Sandstorm { space, .. } = special_use
    {
        Some(*space)
    } else {
        None
    }
}

fn builds(special_use: &SpecialUse) -> bool {
    matches!(special_use, SpecialUse::Sandstorm { build: true, .. })
}

/// A field that an action does not use must not be set.
fn unused(name: &str, is_set: bool) -> Result<(), Malformed> {
    if is_set {
        Err(Malformed::new(name, "is not used by this action"))
    } else {
        Ok(())
    }
}

fn power_use(sent: pb::TakePowerAction) -> Result<PowerUse, Malformed> {
    use PowerAction::{Act1, Act2, Act3, Act4, Act5, Act6};
    let action = field("action", sent.action)?;
    unused(
        "work",
        !matches!(action, Act5 | Act6) && sent.work.is_some(),
    )?;
    unused("bridge", action != Act1 && sent.bridge.is_some())?;
    let work = field("work", sent.work);
    Ok(match action {
        Act1 => PowerUse::Bridge(field("bridge", sent.bridge)?),
        Act2 => PowerUse::Priest,
        Act3 => PowerUse::Workers,
        Act4 => PowerUse::Coins,
        Act5 => PowerUse::Spade(work?),
        Act6 => PowerUse::TwoSpades(work?),
    })
}

fn special_use(sent: pb::TakeSpecialAction) -> Result<SpecialUse, Malformed> {
    use SpecialAction::{ActA, ActC, ActG, ActN, ActS, ActW, Bon1, Bon2, Fav6};
    let (action, build) = (field("action", sent.action)?, sent.build);
    let steps = matches!(action, Bon2 | Fav6 | ActA);
    let somewhere = matches!(action, ActW | ActS | ActN);
    unused("cult", !steps && sent.cult != 0)?;
    unused("space", !somewhere && sent.space.is_some())?;
    unused(
        "work",
        !matches!(action, Bon1 | ActG) && sent.work.is_some(),
    )?;
    unused("build", action != ActN && build)?;
    let (cult, work) = (field("cult", sent.cult), field("work", sent.work));
    let space = Space::by_id(sent.space.as_deref().unwrap_or_default());
    Ok(match action {
        Bon1 => SpecialUse::BonusSpade(work?),
        Bon2 => SpecialUse::BonusCultStep(cult?),
        Fav6 => SpecialUse::FavorCultStep(cult?),
        ActA => SpecialUse::CultSteps(cult?),
        ActW => SpecialUse::WitchesRide(space),
        ActS => SpecialUse::FreeTradingHouse(space),
        ActC => SpecialUse::DoubleTurn,
        ActG => SpecialUse::GiantSpades(work?),
        ActN => SpecialUse::Sandstorm { space, build },
    })
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
