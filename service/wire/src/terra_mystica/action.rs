//! What a player does. Spaces that do not exist stay unknown: the rules refuse them. A name that the
//! contract does not have is malformed, and so is what an action does not use; both are told with
//! the path of the field, so messages are read by hand.

use gamekeeper_rules::table::Id;
use gamekeeper_rules::terra_mystica::data::{PowerAction, Space, SpecialAction};
use gamekeeper_rules::terra_mystica::{
    Action, MAX_LIST, PowerUse, Span, SpecialUse, Transform, Transforms, Work,
};

use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::rows::{self, ToPb, message, oneof};

oneof! {
    Action => Kind in pb;
    fields {
        ChooseFaction { faction },
        PlaceDwelling { space },
        ChooseBonusCard { card },
        TransformAndBuild { work },
        BuildDwelling { space },
        AdvanceShipping {},
        AdvanceTerraforming {},
        UpgradeStructure { space, to },
        SendPriest { cult, slot },
        BuildEngineerBridge { span },
        Pass { card },
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
        Action::TakePowerAction { power_use, sacrifice } => {
            Kind::TakePowerAction(power_message(power_use, *sacrifice))
        },
        Action::TakeSpecialAction { special_use } => {
            Kind::TakeSpecialAction(special_message(special_use))
        },
    }
}

message! { Transform => pb::Transform { space, target, direction } }
message! { Work => pb::Work { transforms, build_at } }
message! { Span => pb::Span { a, b } }

fn power_message(power_use: &PowerUse, sacrifice: u32) -> pb::TakePowerAction {
    let (bridge, work) = match power_use {
        PowerUse::Bridge(span) => (span.to_pb(), None),
        PowerUse::Priest | PowerUse::Workers | PowerUse::Coins => (None, None),
        PowerUse::Spade(work) | PowerUse::TwoSpades(work) => (None, work.to_pb()),
    };
    pb::TakePowerAction {
        action: power_use.action().to_pb(),
        sacrifice,
        bridge,
        work,
    }
}

fn special_message(special_use: &SpecialUse) -> pb::TakeSpecialAction {
    let mut message = pb::TakeSpecialAction {
        action: special_use.action().to_pb(),
        ..pb::TakeSpecialAction::default()
    };
    match special_use {
        SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work) => {
            message.work = work.to_pb();
        }
        SpecialUse::BonusCultStep(cult)
        | SpecialUse::FavorCultStep(cult)
        | SpecialUse::CultSteps(cult) => message.cult = cult.to_pb(),
        SpecialUse::WitchesRide(space) | SpecialUse::FreeTradingHouse(space) => {
            message.space = Some(space.to_pb());
        }
        SpecialUse::DoubleTurn => {}
        SpecialUse::Sandstorm { space, build } => {
            message.space = Some(space.to_pb());
            message.build = *build;
        }
    }
    message
}

/// The name with this number; what names nothing is malformed.
fn named<T: Id>(number: i32, field: &str) -> Result<T, Malformed> {
    rows::named(number).ok_or_else(|| Malformed::new(field, format!("{number} names nothing")))
}

/// The same, where 0 leaves the choice to the game.
pub(crate) fn or_usual<T: Id + Default>(number: i32, field: &str) -> Result<T, Malformed> {
    match number {
        0 => Ok(T::default()),
        _ => named(number, field),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
pub(crate) fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message
        .kind
        .ok_or_else(|| Malformed::missing("action.kind"))?;
    Ok(match kind {
        Kind::ChooseFaction(it) => Action::ChooseFaction {
            faction: rows::named(it.faction),
        },
        Kind::PlaceDwelling(it) => Action::PlaceDwelling {
            space: Space::by_id(&it.space),
        },
        Kind::ChooseBonusCard(it) => Action::ChooseBonusCard {
            card: named(it.card, "action.choose_bonus_card.card")?,
        },
        Kind::TransformAndBuild(it) => Action::TransformAndBuild {
            work: work(it.work, "action.transform_and_build.work")?,
        },
        Kind::BuildDwelling(it) => Action::BuildDwelling {
            space: Space::by_id(&it.space),
        },
        Kind::AdvanceShipping(pb::AdvanceShipping {}) => Action::AdvanceShipping,
        Kind::AdvanceTerraforming(pb::AdvanceTerraforming {}) => Action::AdvanceTerraforming,
        Kind::UpgradeStructure(it) => Action::UpgradeStructure {
            space: Space::by_id(&it.space),
            to: named(it.to, "action.upgrade_structure.to")?,
        },
        Kind::SendPriest(it) => Action::SendPriest {
            cult: named(it.cult, "action.send_priest.cult")?,
            slot: named(it.slot, "action.send_priest.slot")?,
        },
        Kind::TakePowerAction(it) => Action::TakePowerAction {
            sacrifice: it.sacrifice,
            power_use: power_use(&it)?,
        },
        Kind::TakeSpecialAction(it) => Action::TakeSpecialAction {
            special_use: special_use(&it)?,
        },
        Kind::BuildEngineerBridge(it) => Action::BuildEngineerBridge {
            span: span(
                &it.span
                    .ok_or_else(|| Malformed::missing("action.build_engineer_bridge.span"))?,
            ),
        },
        Kind::Pass(it) => Action::Pass {
            card: it
                .card
                .map(|card| named(card, "action.pass.card"))
                .transpose()?,
        },
        Kind::Convert(it) => Action::Convert {
            kind: named(it.kind, "action.convert.kind")?,
            times: it.times,
            sacrifice: it.sacrifice,
        },
        Kind::SacrificePower(it) => Action::SacrificePower { tokens: it.tokens },
        Kind::FoundRiverTown(it) => Action::FoundRiverTown {
            river: Space::by_id(&it.river),
        },
        Kind::EndTurn(pb::EndTurn {}) => Action::EndTurn,
        Kind::DecidePower(it) => Action::DecidePower { accept: it.accept },
        Kind::ChooseFavorTile(it) => Action::ChooseFavorTile {
            tile: named(it.tile, "action.choose_favor_tile.tile")?,
        },
        Kind::ChooseTownTile(it) => Action::ChooseTownTile {
            tile: named(it.tile, "action.choose_town_tile.tile")?,
            key_cults: listed(
                &it.key_cults,
                "action.choose_town_tile.key_cults",
                |&cult, field| named(cult, field),
            )?
            .into_iter()
            .collect(),
        },
        Kind::ChooseCultStep(it) => Action::ChooseCultStep {
            cult: named(it.cult, "action.choose_cult_step.cult")?,
        },
        Kind::OrdainPriests(it) => Action::OrdainPriests { count: it.count },
        Kind::UseStrongholdSpades(it) => Action::UseStrongholdSpades {
            work: work(it.work, "action.use_stronghold_spades.work")?,
        },
        Kind::UseCultSpades(it) => Action::UseCultSpades {
            transforms: transforms(&it.transforms, "action.use_cult_spades.transforms")?,
        },
    })
}

/// A list of at most eight entries.
fn listed<T, U>(
    list: &[T],
    field: &str,
    read: impl Fn(&T, &str) -> Result<U, Malformed>,
) -> Result<Vec<U>, Malformed> {
    if list.len() > MAX_LIST {
        let problem = format!("has {} entries, more than {MAX_LIST}", list.len());
        return Err(Malformed::new(field, problem));
    }
    let entry = |(index, one)| read(one, &format!("{field}[{index}]"));
    list.iter().enumerate().map(entry).collect()
}

fn transforms(list: &[pb::Transform], field: &str) -> Result<Transforms, Malformed> {
    let transform = |one: &pb::Transform, field: &str| {
        Ok(Transform {
            space: Space::by_id(&one.space),
            target: named(one.target, &format!("{field}.target"))?,
            direction: or_usual(one.direction, &format!("{field}.direction"))?,
        })
    };
    Ok(listed(list, field, transform)?.into_iter().collect())
}

fn work(message: Option<pb::Work>, field: &str) -> Result<Work, Malformed> {
    let message = message.unwrap_or_default();
    Ok(Work {
        transforms: transforms(&message.transforms, &format!("{field}.transforms"))?,
        build_at: message.build_at.as_deref().map(Space::by_id),
    })
}

fn span(message: &pb::Span) -> Span {
    Span {
        a: Space::by_id(&message.a),
        b: Space::by_id(&message.b),
    }
}

/// What an action does not use must not be set.
fn unused(set: bool, field: &str) -> Result<(), Malformed> {
    if set {
        Err(Malformed::new(field, "is not used by this action"))
    } else {
        Ok(())
    }
}

fn power_use(message: &pb::TakePowerAction) -> Result<PowerUse, Malformed> {
    let field = "action.take_power_action";
    let action: PowerAction = named(message.action, &format!("{field}.action"))?;
    let digs = matches!(action, PowerAction::Act5 | PowerAction::Act6);
    unused(!digs && message.work.is_some(), &format!("{field}.work"))?;
    let spans = action == PowerAction::Act1;
    unused(
        !spans && message.bridge.is_some(),
        &format!("{field}.bridge"),
    )?;
    let work = || work(message.work.clone(), &format!("{field}.work"));
    Ok(match action {
        PowerAction::Act1 => PowerUse::Bridge(message.bridge.as_ref().map(span)),
        PowerAction::Act2 => PowerUse::Priest,
        PowerAction::Act3 => PowerUse::Workers,
        PowerAction::Act4 => PowerUse::Coins,
        PowerAction::Act5 => PowerUse::Spade(work()?),
        PowerAction::Act6 => PowerUse::TwoSpades(work()?),
    })
}

fn special_use(message: &pb::TakeSpecialAction) -> Result<SpecialUse, Malformed> {
    use SpecialAction::{ActA, ActC, ActG, ActN, ActS, ActW, Bon1, Bon2, Fav6};
    let field = "action.take_special_action";
    let action: SpecialAction = named(message.action, &format!("{field}.action"))?;
    let steps = matches!(action, Bon2 | Fav6 | ActA);
    let somewhere = matches!(action, ActW | ActS | ActN);
    let digs = matches!(action, Bon1 | ActG);
    unused(!steps && message.cult != 0, &format!("{field}.cult"))?;
    unused(
        !somewhere && message.space.is_some(),
        &format!("{field}.space"),
    )?;
    unused(!digs && message.work.is_some(), &format!("{field}.work"))?;
    unused(action != ActN && message.build, &format!("{field}.build"))?;
    let cult = || named(message.cult, &format!("{field}.cult"));
    let space = Space::by_id(message.space.as_deref().unwrap_or_default());
    let work = || work(message.work.clone(), &format!("{field}.work"));
    Ok(match action {
        Bon1 => SpecialUse::BonusSpade(work()?),
        Bon2 => SpecialUse::BonusCultStep(cult()?),
        Fav6 => SpecialUse::FavorCultStep(cult()?),
        ActA => SpecialUse::CultSteps(cult()?),
        ActW => SpecialUse::WitchesRide(space),
        ActS => SpecialUse::FreeTradingHouse(space),
        ActC => SpecialUse::DoubleTurn,
        ActG => SpecialUse::GiantSpades(work()?),
        ActN => SpecialUse::Sandstorm {
            space,
            build: message.build,
        },
    })
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
