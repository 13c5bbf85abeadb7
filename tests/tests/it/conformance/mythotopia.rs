//! Mythotopia.

mod players;

use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_tests::recording::{Quest, WrongOptions};

use self::players::{alchemists, removers, sailors};
use super::{NAMES, Script};

impl Script for Mythotopia {
    const WRONG: &'static [WrongOptions] = &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"castleTokenValue": 9}"#),
        (&["Ada", "Bob"], r#"{"vpFloor": 101}"#),
        (&["Ada", "Bob"], r#"{"moreChoice": true}"#),
        (&["Ada", "Bob"], r#"{"colors": ["COLOR_RED", "COLOR_RED"]}"#),
    ];

    fn quests() -> Vec<Quest<Self>> {
        vec![
            Quest {
                title: "to an Alchemist",
                seats: 2,
                seed: 56,
                until: &["action use_alchemist", "event token_exchanged"],
                likes: alchemists,
            },
            Quest {
                title: "to a token that is declined",
                seats: 2,
                seed: 708,
                until: &["event token_declined"],
                likes: sailors,
            },
            Quest {
                title: "to a deck that is too small",
                seats: 4,
                seed: 5,
                until: &["refusal DECK_TOO_SMALL"],
                likes: removers,
            },
        ]
    }
}
