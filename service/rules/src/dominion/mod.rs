//! Dominion, the base set of the first edition: decks grow from a common supply of cards.
//!
//! Rule ids are `DOM-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of a turn); then `rules` has a file for each theme and for each card, `legal` judges by them, and `flow`
//! runs them.

// Public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
pub mod action;
#[cfg(feature = "conformance")]
#[doc(hidden)]
pub mod audit;
#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod components;
pub mod data;
#[doc(hidden)]
pub mod event;
#[doc(hidden)]
pub mod fallback;
#[doc(hidden)]
pub mod flow;
#[doc(hidden)]
pub mod foresight;
#[doc(hidden)]
pub mod heuristics;
#[doc(hidden)]
pub mod holdings;
#[doc(hidden)]
pub mod legal;
#[doc(hidden)]
pub mod menu;
#[doc(hidden)]
pub mod movements;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
pub mod refusal;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod score;
#[doc(hidden)]
pub mod setup;
#[doc(hidden)]
pub mod stage;
#[doc(hidden)]
pub mod starts;
#[doc(hidden)]
pub mod state;
#[doc(hidden)]
pub mod strategies;
#[doc(hidden)]
pub mod tactics;
#[doc(hidden)]
pub mod tally;
#[doc(hidden)]
pub mod view;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod worlds;

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

    by_modules!(with starts, positions, labels, tally, shortcut);

    fn is_marked(action: &Action) -> bool {
        !matches!(
            action,
            Action::EndTurn {
                discard_top: Some(_)
            }
        )
    }
}
