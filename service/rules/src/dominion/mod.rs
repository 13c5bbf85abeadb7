//! Dominion, the base set of the first edition: decks grow from a common supply of cards.
//!
//! Rule ids are `DOM-...`, those of `rules.md`. Start with `data` (what is printed) and `stage` (the course
//! of a turn); then `rules` has a file for each theme and for each card, `legal` judges by them, and `flow`
//! runs them.

mod action;
#[cfg(any(test, feature = "conformance"))]
mod audit;
mod board;
pub mod data;
mod event;
mod fallback;
mod flow;
mod legal;
mod options;
mod refusal;
mod rules;
mod score;
mod setup;
mod stage;
mod starts;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod words;
mod worlds;
mod worth;

pub use action::Action;
pub use event::{Event, Source, Zone};
pub use legal::Permit;
pub use options::{Draft, Kingdom, KingdomDraft, Options};
pub use refusal::{OptionFlaw, Refusal};
pub use stage::{
    Counters, Decision, Destination, Frame, Gain, Immune, Phase, Playing, Queue, Revealed, Trashed,
};
pub use state::{Cards, State};
pub use view::{Choice, FinalDeck, PlayerView, Question, View};

use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, RefusedBy, RefusedOptionBy, Ruleset, Sheet};
use crate::table::{
    Chance, DecisionWords, Fallback, Lister, Names, OptionRule, Pending, PendingList, Ranking,
    Seat, Viewer, Visit,
};

/// The ruleset.
pub enum Dominion {}

impl Ruleset for Dominion {
    const SHEET: Sheet = Sheet {
        id: "dominion",
        title: "Dominion",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "victory point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "DOM",
        texts: &[include_str!("rules.md")],
    };

    const OPTIONS: &'static [OptionRule] = options::OPTIONS;

    const DECISIONS: &'static [DecisionWords] = Decision::WORDS;

    const FALLBACKS: &'static [Fallback<Action>] = fallback::FALLBACKS;

    type Draft = Draft;
    type Options = Options;
    type State = State;
    type Action = Action;
    type Event = Event;
    type View = View;
    type Refusal = Refusal;
    type Permit = Permit;

    fn options(players: &[String], draft: &Draft) -> Result<Options, RefusedOptionBy<Self>> {
        options::check(players, draft)
    }

    fn seats(options: &Options) -> usize {
        usize::from(options.seats)
    }

    fn setup(options: &Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        setup::setup(options, chance, journal)
    }

    fn pending(state: &State) -> PendingList {
        Pending::all(state.asked(), Decision::id)
    }

    fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
        legal::candidates(state, seat, list)
    }

    fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedBy<Self>> {
        legal::check(state, seat, action)
    }

    fn perform(play: &mut PlayOf<'_, Self>, permit: Permit) {
        flow::perform(play, permit);
    }

    fn ranking(state: &State) -> Option<Ranking> {
        score::ranking(state)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    fn sample(state: &State, seat: Seat, chance: &mut Chance) -> State {
        worlds::sample(state, seat, chance)
    }

    fn enrich(state: &mut State) -> bool {
        starts::enrich(state)
    }

    fn action_text(view: &View, action: &Action, names: Names<'_>) -> String {
        words::action(view, action, names)
    }

    fn board(view: &View, names: Names<'_>, columns: usize) -> String {
        board::board(view, names, columns)
    }

    fn draw_label(draw: &str, value: u16) -> String {
        data::draw_label(draw, value)
    }
}
