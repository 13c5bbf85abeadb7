//! Dominion, the base set of the first edition: decks grow from a common supply of cards.
//!
//! Rule ids are `DOM-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of a turn); then `rules` has a file for each theme and for each card, `legal` judges by them, and `flow`
//! runs them.

pub mod data;

// The files are public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
#[path = ""]
pub mod files {
    use super::{Dominion, data};

    pub mod action;
    #[cfg(feature = "conformance")]
    pub mod audit;
    pub mod board;
    pub mod components;
    pub mod event;
    pub mod fallback;
    pub mod flow;
    pub mod foresight;
    pub mod heuristics;
    pub mod holdings;
    pub mod legal;
    pub mod menu;
    pub mod movements;
    pub mod options;
    pub mod picture;
    pub mod position;
    pub mod refusal;
    pub mod rules;
    pub mod score;
    pub mod setup;
    pub mod stage;
    pub mod starts;
    pub mod state;
    pub mod strategies;
    pub mod tactics;
    pub mod tally;
    pub mod view;
    pub mod words;
    pub mod worlds;
}

#[doc(hidden)]
pub use files::*;

pub use action::Action;
pub use event::{Event, Source, Zone};
pub use legal::Permit;
pub use options::{Draft, Kingdom, KingdomDraft, Options};
pub use refusal::{OptionFlaw, Refusal};
pub use stage::{
    Counters, Decision, Destination, EffectFrame, Gain, Immune, Phase, Playing, Queue, Revealed,
    Trashed,
};
pub use state::{Cards, State};
pub use view::{Bookkeeping, Choice, FinalDeck, KnownCards, PlayerView, Question, View};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, RulesetInfo, by_modules};

/// The ruleset.
pub enum Dominion {}

impl Ruleset for Dominion {
    const INFO: RulesetInfo = RulesetInfo {
        unit: "victory point",
        ..RulesetInfo::new("dominion", "Dominion", data::MIN_PLAYERS, data::MAX_PLAYERS)
    };

    const RULES: Documents = Documents::new("DOM", &[include_str!("rules.md")]);

    by_modules!(with execute, fallbacks, questions, starts, positions, settle, labels, tally, shortcut);

    fn is_marked(action: &Action) -> bool {
        !matches!(
            action,
            Action::EndTurn {
                discard_top: Some(_)
            }
        )
    }
}
