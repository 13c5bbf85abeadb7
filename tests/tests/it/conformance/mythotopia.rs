//! Mythotopia.

use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_tests::recording::WrongOptions;

use super::{NAMES, Script};

impl Script for Mythotopia {
    const WRONG: &'static [WrongOptions] = &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"castleTokenValue": 9}"#),
        (&["Ada", "Bob"], r#"{"vpFloor": 101}"#),
        (&["Ada", "Bob"], r#"{"colors": ["COLOR_RED", "COLOR_RED"]}"#),
    ];
    const NOT_YET: &'static [&'static str] = &[
        "action use_alchemist",
        "event token_declined",
        "event token_exchanged",
    ];
}
