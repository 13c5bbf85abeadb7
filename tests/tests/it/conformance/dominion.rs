//! Dominion.

use gamekeeper_rules::dominion::Dominion;
use gamekeeper_tests::recording::WrongOptions;

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
    const NOT_YET: &'static [&'static str] = &["event stalemate"];
}
