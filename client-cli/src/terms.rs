//! Words for the ids of the contract. They come from the rules in this program and equal the terms of the catalogue, so
//! no call is needed and records can be shown without a server.

use gamekeeper_rules::ruleset::{Ruleset, RulesetInfo};
use gamekeeper_rules::table::{DecisionWords, Term};

/// The words of a ruleset.
struct Words {
    info: RulesetInfo,
    decisions: &'static [DecisionWords],
    actions: &'static [Term],
    sources: fn() -> Vec<Term>,
}

impl Words {
    const fn of<R: Ruleset>() -> Self {
        Self {
            info: R::INFO,
            decisions: R::DECISIONS,
            actions: R::ACTIONS,
            sources: R::sources,
        }
    }
}

/// Returns the words of a ruleset. Returns `None` if this program does not know it.
fn words(ruleset: &str) -> Option<Words> {
    gamekeeper_rules::with_ruleset!(ruleset, R => Some(Words::of::<R>()), _ => None)
}

/// Returns the title of a ruleset, or `None` if this program does not know it.
pub(crate) fn ruleset(id: &str) -> Option<&'static str> {
    words(id).map(|words| words.info.title)
}

/// Returns the fewest seats of a ruleset, or 0 if this program does not know it.
pub(crate) fn fewest_seats(id: &str) -> u8 {
    words(id).map_or(0, |words| words.info.min_seats)
}

/// Returns the words for a decision, or `None` if this program does not know it.
pub(crate) fn decision(ruleset: &str, id: &str) -> Option<&'static DecisionWords> {
    let decisions = words(ruleset)?.decisions;
    decisions.iter().find(|words| words.id == id)
}

/// Returns the title of a kind of action, or `None` if this program does not know it.
pub(crate) fn action(ruleset: &str, id: &str) -> Option<&'static str> {
    title(words(ruleset)?.actions, id)
}

/// Returns the title of a source of points, or `None` if this program does not know it.
pub(crate) fn source(ruleset: &str, id: &str) -> Option<&'static str> {
    title(&(words(ruleset)?.sources)(), id)
}

fn title(terms: &[Term], id: &str) -> Option<&'static str> {
    let term = terms.iter().find(|term| term.id == id);
    term.map(|term| term.title)
}
