//! What people call the words of the contract: the terms of the rulesets' catalogues. This program has them too, so
//! that no call is needed, and records can be shown without a server.

use gamekeeper_proto::gamekeeper::v1::{Term, TermKind};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_wire::joined_catalogue;

macro_rules! terms_by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// The terms of a ruleset; none if this program does not know it.
        fn terms(ruleset: &str) -> Vec<Term> {
            $(
                if ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return joined_catalogue::<gamekeeper_rules::$module::$Ruleset>().terms;
                }
            )*
            Vec::new()
        }
    };
}

gamekeeper_wire::for_each_ruleset!(terms_by_ruleset);

/// The term of a decision; `None` if this program does not know it.
pub(crate) fn decision(ruleset: &str, id: &str) -> Option<Term> {
    let fits = |term: &Term| term.kind() == TermKind::Decision && term.id == id;
    terms(ruleset).into_iter().find(fits)
}
