//! What a player does. Spaces that do not exist stay unknown: the rules refuse them.

use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Cult, Faction, PowerAction, Space, SpecialAction,
};
use gamekeeper_rules::terra_mystica::{
    Action, Direction, MAX_LIST, PowerUse, Span, SpecialUse, Transform, Transforms, Work,
};

use super::ids::named;
use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::names::{Name, numbers};

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
pub(super) fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message
        .kind
        .ok_or_else(|| Malformed::missing("action.kind"))?;
    Ok(match kind {
        Kind::ChooseFaction(it) => Action::ChooseFaction {
            faction: Faction::named(it.faction),
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
                .map(|card| named::<BonusCard>(card, "action.pass.card"))
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
                |&cult, field| named::<Cult>(cult, field),
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
            direction: match one.direction {
                0 => Direction::default(),
                number => named(number, &format!("{field}.direction"))?,
            },
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

pub(super) fn message(action: &Action) -> pb::Action {
    pb::Action {
        kind: Some(kind(action)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
fn kind(action: &Action) -> Kind {
    match action {
        Action::ChooseFaction { faction } => Kind::ChooseFaction(pb::ChooseFaction {
            faction: faction.map_or(0, Name::number),
        }),
        Action::PlaceDwelling { space } => {
            Kind::PlaceDwelling(pb::PlaceDwelling { space: id(*space) })
        }
        Action::ChooseBonusCard { card } => Kind::ChooseBonusCard(pb::ChooseBonusCard {
            card: card.number(),
        }),
        Action::TransformAndBuild { work } => Kind::TransformAndBuild(pb::TransformAndBuild {
            work: Some(work_message(work)),
        }),
        Action::BuildDwelling { space } => {
            Kind::BuildDwelling(pb::BuildDwelling { space: id(*space) })
        }
        Action::AdvanceShipping => Kind::AdvanceShipping(pb::AdvanceShipping {}),
        Action::AdvanceTerraforming => Kind::AdvanceTerraforming(pb::AdvanceTerraforming {}),
        Action::UpgradeStructure { space, to } => Kind::UpgradeStructure(pb::UpgradeStructure {
            space: id(*space),
            to: to.number(),
        }),
        Action::SendPriest { cult, slot } => Kind::SendPriest(pb::SendPriest {
            cult: cult.number(),
            slot: slot.number(),
        }),
        Action::TakePowerAction {
            power_use,
            sacrifice,
        } => Kind::TakePowerAction(power_message(power_use, *sacrifice)),
        Action::TakeSpecialAction { special_use } => {
            Kind::TakeSpecialAction(special_message(special_use))
        }
        Action::BuildEngineerBridge { span } => {
            Kind::BuildEngineerBridge(pb::BuildEngineerBridge {
                span: Some(span_message(*span)),
            })
        }
        Action::Pass { card } => Kind::Pass(pb::Pass {
            card: card.map(Name::number),
        }),
        Action::Convert {
            kind,
            times,
            sacrifice,
        } => Kind::Convert(pb::Convert {
            kind: kind.number(),
            times: *times,
            sacrifice: *sacrifice,
        }),
        Action::SacrificePower { tokens } => {
            Kind::SacrificePower(pb::SacrificePower { tokens: *tokens })
        }
        Action::FoundRiverTown { river } => {
            Kind::FoundRiverTown(pb::FoundRiverTown { river: id(*river) })
        }
        Action::EndTurn => Kind::EndTurn(pb::EndTurn {}),
        Action::DecidePower { accept } => Kind::DecidePower(pb::DecidePower { accept: *accept }),
        Action::ChooseFavorTile { tile } => Kind::ChooseFavorTile(pb::ChooseFavorTile {
            tile: tile.number(),
        }),
        Action::ChooseTownTile { tile, key_cults } => Kind::ChooseTownTile(pb::ChooseTownTile {
            tile: tile.number(),
            key_cults: numbers(key_cults),
        }),
        Action::ChooseCultStep { cult } => Kind::ChooseCultStep(pb::ChooseCultStep {
            cult: cult.number(),
        }),
        Action::OrdainPriests { count } => Kind::OrdainPriests(pb::OrdainPriests { count: *count }),
        Action::UseStrongholdSpades { work } => {
            Kind::UseStrongholdSpades(pb::UseStrongholdSpades {
                work: Some(work_message(work)),
            })
        }
        Action::UseCultSpades { transforms } => Kind::UseCultSpades(pb::UseCultSpades {
            transforms: transform_messages(transforms),
        }),
    }
}

fn id(space: Space) -> String {
    space.id().to_owned()
}

fn span_message(span: Span) -> pb::Span {
    pb::Span {
        a: id(span.a),
        b: id(span.b),
    }
}

fn work_message(work: &Work) -> pb::Work {
    pb::Work {
        transforms: transform_messages(&work.transforms),
        build_at: work.build_at.map(id),
    }
}

fn transform_messages(transforms: &[Transform]) -> Vec<pb::Transform> {
    let transform = |one: &Transform| pb::Transform {
        space: id(one.space),
        target: one.target.number(),
        direction: one.direction.number(),
    };
    transforms.iter().map(transform).collect()
}

fn power_message(power_use: &PowerUse, sacrifice: u32) -> pb::TakePowerAction {
    let (bridge, work) = match power_use {
        PowerUse::Bridge(span) => (span.map(span_message), None),
        PowerUse::Priest | PowerUse::Workers | PowerUse::Coins => (None, None),
        PowerUse::Spade(work) | PowerUse::TwoSpades(work) => (None, Some(work_message(work))),
    };
    pb::TakePowerAction {
        action: power_use.action().number(),
        sacrifice,
        bridge,
        work,
    }
}

fn special_message(special_use: &SpecialUse) -> pb::TakeSpecialAction {
    let mut message = pb::TakeSpecialAction {
        action: special_use.action().number(),
        ..pb::TakeSpecialAction::default()
    };
    match special_use {
        SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work) => {
            message.work = Some(work_message(work));
        }
        SpecialUse::BonusCultStep(cult)
        | SpecialUse::FavorCultStep(cult)
        | SpecialUse::CultSteps(cult) => message.cult = cult.number(),
        SpecialUse::WitchesRide(space) | SpecialUse::FreeTradingHouse(space) => {
            message.space = Some(id(*space));
        }
        SpecialUse::DoubleTurn => {}
        SpecialUse::Sandstorm { space, build } => {
            message.space = Some(id(*space));
            message.build = *build;
        }
    }
    message
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
