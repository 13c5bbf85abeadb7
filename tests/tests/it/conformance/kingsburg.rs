//! Kingsburg.

use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_tests::recording::WrongOptions;

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
    const NOT_YET: &'static [&'static str] = &["event cathedral_exchange", "event guild_income"];
}
