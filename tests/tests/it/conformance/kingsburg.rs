//! Kingsburg.

mod players;

use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_tests::recording::{Quest, WrongOptions};

use self::players::builders;
use super::{NAMES, Script};

impl Script for Kingsburg {
    const WRONG: &'static [WrongOptions] = &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"colors": ["COLOR_RED", "COLOR_RED"]}"#),
        (
            &["Ada", "Bob"],
            r#"{"colors": ["COLOR_RED", "COLOR_BLUE", "COLOR_GREEN"]}"#,
        ),
    ];

    fn quests() -> Vec<Quest<Self>> {
        vec![Quest {
            title: "to the Merchants' Guild and the Cathedral",
            seats: 3,
            seed: 7,
            until: &["event cathedral_exchange", "event guild_income"],
            likes: builders,
        }]
    }
}
