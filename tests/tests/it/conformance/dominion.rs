//! Dominion.

mod players;

use gamekeeper_rules::dominion::Dominion;
use gamekeeper_tests::recording::{Quest, WrongOptions};

use self::players::trashers;
use super::{NAMES, Script};

impl Script for Dominion {
    const WRONG: &'static [WrongOptions] = &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (
            &["Ada", "Bob"],
            r#"{"cards": {"cards": ["CARD_CELLAR", "CARD_CELLAR"]}}"#,
        ),
        (&["Ada", "Bob"], r#"{"cards": {"cards": ["CARD_GOLD"]}}"#),
        (&["Ada", "Bob"], r#"{"firstPlayer": 3}"#),
    ];

    fn quests() -> Vec<Quest<Self>> {
        vec![Quest {
            title: "to a table where nothing can change any more",
            seats: 2,
            seed: 13,
            until: &["event stalemate"],
            likes: trashers,
        }]
    }
}
