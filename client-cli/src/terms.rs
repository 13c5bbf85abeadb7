//! What people call the words of the contract. They are those of the rules in this program, as in the terms of the
//! catalogue: no call is needed, and records can be shown without a server.

use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::DecisionWords;

macro_rules! decisions_by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// The decisions of a ruleset; none if this program does not know it.
        fn decisions(ruleset: &str) -> &'static [DecisionWords] {
            $(
                if ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return <gamekeeper_rules::$module::$Ruleset as Ruleset>::DECISIONS;
                }
            )*
            &[]
        }
    };
}

gamekeeper_wire::for_each_ruleset!(decisions_by_ruleset);

/// The words for a decision; `None` if this program does not know it.
pub(crate) fn decision(ruleset: &str, id: &str) -> Option<&'static DecisionWords> {
    decisions(ruleset).iter().find(|words| words.id == id)
}
