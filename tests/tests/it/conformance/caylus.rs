//! Caylus.

mod patrons;
mod players;

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_tests::recording::{Quest, WrongOptions};

use self::patrons::patrons;
use self::players::{castle_builders, jousters, residents, road_builders};
use super::{NAMES, Script};

impl Script for Caylus {
    const WRONG: &'static [WrongOptions] = &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"turnOrder": [1, 1]}"#),
        (
            &["Ada", "Bob"],
            r#"{"neutralOrder": ["TILE_NEUTRAL_FARM"]}"#,
        ),
    ];

    fn quests() -> Vec<Quest<Self>> {
        vec![
            Quest {
                title: "to a building that is transformed twice",
                seats: 2,
                seed: 183,
                until: &[],
                likes: jousters,
            },
            Quest {
                title: "to a full road",
                seats: 4,
                seed: 363,
                until: &[],
                likes: road_builders,
            },
            Quest {
                title: "to residences, and to two favors in one phase",
                seats: 4,
                seed: 39,
                until: &[],
                likes: castle_builders,
            },
            Quest {
                title: "to a prestige building",
                seats: 2,
                seed: 1093,
                until: &["action build_prestige", "event prestige_built"],
                likes: residents,
            },
            Quest {
                title: "to five favors in one phase",
                seats: 2,
                seed: 3,
                until: &["event favors_lost"],
                likes: patrons,
            },
        ]
    }
}
