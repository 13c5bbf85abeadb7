//! Terra Mystica.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::data::{Cult, Faction, Structure};
use gamekeeper_rules::terra_mystica::{Action, PowerUse, SpecialUse, TerraMystica, View};
use gamekeeper_tests::recording::{Quest, WrongOptions};

use super::{NAMES, Script};

impl Script for TerraMystica {
    const WRONG: &'static [WrongOptions] = &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"firstPlayer": 3}"#),
        (
            &["Ada", "Bob"],
            r#"{"setupMode": "SETUP_MODE_CUSTOM", "factions": {"factions": ["FACTION_WITCHES"]}}"#,
        ),
    ];

    fn quests() -> Vec<Quest<Self>> {
        vec![Quest {
            title: "to the last spaces of two tracks, and to a town",
            seats: 4,
            seed: 4,
            until: &[],
            likes: priests,
        }]
    }

    fn games() -> Vec<Quest<Self>> {
        vec![Quest {
            title: "Engineers and their bridges",
            seats: 2,
            seed: 33,
            until: &[],
            likes: engineers,
        }]
    }
}

/// Preferences of players who build a stronghold and as many bridges as possible, but little at the ends of bridges.
fn engineers(view: &View, seat: Seat, action: &Action) -> u32 {
    let is_bridge = |power_use: &PowerUse| matches!(power_use, PowerUse::Bridge { span: Some(_) });
    let is_engineers = |faction: &Option<Faction>| *faction == Some(Faction::Engineers);
    let usual = priests(view, seat, action).min(30);
    if let Action::UpgradeStructure { to_structure, .. } = action {
        return match to_structure {
            Structure::Stronghold => 36,
            Structure::TradingHouse => 20,
            Structure::Dwelling | Structure::Temple | Structure::Sanctuary => 6,
        };
    }
    if matches!(action, Action::ChooseFaction { faction } if is_engineers(faction)) {
        10
    } else if matches!(action, Action::BuildEngineerBridge { .. }) {
        40
    } else if matches!(action, Action::TakePowerAction { power_use, .. } if is_bridge(power_use)) {
        38
    } else if matches!(action, Action::TransformAndBuild { .. }) {
        3
    } else {
        usual
    }
}

/// The cult tracks to which the priests are sent.
const TRACKS: [Cult; 2] = [Cult::Fire, Cult::Water];

/// Preferences of players who send priests to two tracks, and build temples to get more priests.
fn priests(view: &View, seat: Seat, action: &Action) -> u32 {
    let board = view.players[seat.index()].board.as_ref();
    let on = |cult: Cult| board.map_or(0, |board| board.cults[cult.index()]);
    match action {
        Action::SendPriest { cult, .. } if TRACKS.contains(cult) && on(*cult) < 9 => 40,
        Action::SendPriest { .. } => 3,
        Action::TakeSpecialAction {
            special_use:
                SpecialUse::BonusCultStep(cult)
                | SpecialUse::FavorCultStep(cult)
                | SpecialUse::CultSteps(cult),
        }
        | Action::ChooseCultStep { cult } => {
            if TRACKS.contains(cult) {
                38
            } else {
                5
            }
        }
        Action::TakePowerAction {
            power_use: PowerUse::Priest,
            ..
        } => 30,
        Action::UpgradeStructure { to_structure, .. } => match to_structure {
            Structure::Temple => 25,
            Structure::Sanctuary => 22,
            Structure::TradingHouse => 20,
            Structure::Dwelling | Structure::Stronghold => 15,
        },
        Action::TransformAndBuild { work } if work.build_at.is_some() => 18,
        Action::TransformAndBuild { .. } | Action::DecidePower { accept: true } => 10,
        Action::PassTurn { .. } | Action::DecidePower { accept: false } => 2,
        Action::Convert { .. } | Action::SacrificePower { .. } => 1,
        Action::ChooseFaction { .. }
        | Action::PlaceDwelling { .. }
        | Action::ChooseBonusCard { .. }
        | Action::BuildDwelling { .. }
        | Action::AdvanceShipping
        | Action::AdvanceTerraforming
        | Action::TakePowerAction { .. }
        | Action::TakeSpecialAction { .. }
        | Action::BuildEngineerBridge { .. }
        | Action::UseStrongholdSpades { .. }
        | Action::FoundRiverTown { .. }
        | Action::ChooseFavorTile { .. }
        | Action::ChooseTownTile { .. }
        | Action::OrdainPriests { .. }
        | Action::UseCultSpades { .. }
        | Action::EndTurn => 8,
    }
}
