//! Parses the words of a recorded game into actions.

use gamekeeper_rules::table::ClosedSet as _;
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Cult, FavorTile, PriestSlot, Space, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{
    Action, Direction, PowerUse, Span, SpecialUse, Transform, Transforms, Work,
};
use serde_json::Value;

type Read<T> = Result<T, String>;

fn text<'v>(op: &'v Value, key: &str) -> Read<&'v str> {
    op[key].as_str().ok_or(format!("{op}: no {key}"))
}

fn named<T>(op: &Value, key: &str, from_id: impl Fn(&str) -> Option<T>) -> Read<T> {
    let name = text(op, key)?;
    from_id(name).ok_or(format!("{op}: unknown {key} {name}"))
}

fn count(op: &Value, key: &str) -> Read<u32> {
    let number = op[key].as_u64().unwrap_or(0);
    u32::try_from(number).map_err(|error| error.to_string())
}

fn space(op: &Value, key: &str) -> Read<Space> {
    Ok(Space::by_id(text(op, key)?))
}

fn transforms(op: &Value) -> Read<Transforms> {
    let list = op["transforms"].as_array();
    list.into_iter()
        .flatten()
        .map(|one| {
            Ok(Transform {
                space: space(one, "space")?,
                target: named(one, "target", Terrain::by_id)?,
                direction: match one["direction"].as_str() {
                    Some("LONG") => Direction::Long,
                    _ => Direction::Short,
                },
            })
        })
        .collect()
}

fn work(op: &Value) -> Read<Work> {
    Ok(Work {
        transforms: transforms(op)?,
        build_at: op["build_at"].as_str().map(Space::by_id),
    })
}

fn span(op: &Value) -> Read<Span> {
    Ok(Span {
        a: space(op, "a")?,
        b: space(op, "b")?,
    })
}

fn power_use(op: &Value) -> Read<PowerUse> {
    Ok(match text(op, "action")? {
        "ACT1" => PowerUse::Bridge {
            span: op["bridge"]
                .is_object()
                .then(|| span(&op["bridge"]))
                .transpose()?,
        },
        "ACT2" => PowerUse::Priest,
        "ACT3" => PowerUse::Workers,
        "ACT4" => PowerUse::Coins,
        "ACT5" => PowerUse::Spade(work(op)?),
        "ACT6" => PowerUse::TwoSpades(work(op)?),
        other => return Err(format!("unknown power action {other}")),
    })
}

fn special_use(op: &Value) -> Read<SpecialUse> {
    let cult = || named(op, "cult", Cult::by_id);
    Ok(match text(op, "action")? {
        "BON1" => SpecialUse::BonusSpade(work(op)?),
        "BON2" => SpecialUse::BonusCultStep(cult()?),
        "FAV6" => SpecialUse::FavorCultStep(cult()?),
        "ACTA" => SpecialUse::CultSteps(cult()?),
        "ACTW" => SpecialUse::WitchesRide(space(op, "space")?),
        "ACTS" => SpecialUse::FreeTradingHouse(space(op, "space")?),
        "ACTC" => SpecialUse::DoubleTurn,
        "ACTG" => SpecialUse::GiantSpades(work(op)?),
        "ACTN" => SpecialUse::Sandstorm {
            space: space(op, "space")?,
            build: op["build"].as_bool().unwrap_or(false),
        },
        other => return Err(format!("unknown special action {other}")),
    })
}

fn conversion(name: &str) -> Option<Conversion> {
    Conversion::ALL.into_iter().find(|kind| kind.id() == name)
}

fn town_tile(op: &Value) -> Read<Action> {
    let key_cults = op["key_cults"].as_array();
    Ok(Action::ChooseTownTile {
        tile: named(op, "tile", TownTile::by_id)?,
        key_cults: key_cults
            .into_iter()
            .flatten()
            .filter_map(|cult| cult.as_str().and_then(Cult::by_id))
            .collect(),
    })
}

/// Parses the action of one op.
pub(crate) fn read(op: &Value) -> Read<Action> {
    Ok(match text(op, "op")? {
        "place_dwelling" => Action::PlaceDwelling {
            space: space(op, "space")?,
        },
        "choose_bonus_card" => Action::ChooseBonusCard {
            card: named(op, "card", BonusCard::by_id)?,
        },
        "transform_and_build" => Action::TransformAndBuild { work: work(op)? },
        "build_dwelling" => Action::BuildDwelling {
            space: space(op, "space")?,
        },
        "advance_shipping" => Action::AdvanceShipping,
        "advance_terraforming" => Action::AdvanceTerraforming,
        "upgrade_structure" => Action::UpgradeStructure {
            space: space(op, "space")?,
            to_structure: named(op, "to", Structure::by_id)?,
        },
        "send_priest" => Action::SendPriest {
            cult: named(op, "cult", Cult::by_id)?,
            slot: named(op, "slot", PriestSlot::by_id)?,
        },
        "take_power_action" => Action::TakePowerAction {
            power_use: power_use(op)?,
            sacrifice: count(op, "sacrifice")?,
        },
        "take_special_action" => Action::TakeSpecialAction {
            special_use: special_use(op)?,
        },
        "build_engineer_bridge" => Action::BuildEngineerBridge { span: span(op)? },
        "pass" => Action::PassTurn {
            card: op["card"].as_str().and_then(BonusCard::by_id),
        },
        _ => return read_follow_up(op),
    })
}

/// Parses free actions, answers and follow-ups.
fn read_follow_up(op: &Value) -> Read<Action> {
    Ok(match text(op, "op")? {
        "convert" => Action::Convert {
            kind: named(op, "kind", conversion)?,
            times: count(op, "times")?,
            sacrifice: count(op, "sacrifice")?,
        },
        "sacrifice_power" => Action::SacrificePower {
            tokens: count(op, "tokens")?,
        },
        "found_river_town" => Action::FoundRiverTown {
            river: space(op, "river")?,
        },
        "decide_power" => Action::DecidePower {
            accept: op["accept"].as_bool().unwrap_or(false),
        },
        "choose_favor_tile" => Action::ChooseFavorTile {
            tile: named(op, "tile", FavorTile::by_id)?,
        },
        "choose_town_tile" => town_tile(op)?,
        "choose_cult_step" => Action::ChooseCultStep {
            cult: named(op, "cult", Cult::by_id)?,
        },
        "ordain_priests" => Action::OrdainPriests {
            count: count(op, "count")?,
        },
        "use_stronghold_spades" => Action::UseStrongholdSpades { work: work(op)? },
        "use_cult_spades" => Action::UseCultSpades {
            transforms: transforms(op)?,
        },
        "end_turn" => Action::EndTurn,
        other => return Err(format!("unknown op {other}")),
    })
}
