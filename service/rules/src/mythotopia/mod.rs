//! Mythotopia: decks that grow, on a map where wars end only when a player ends them.
//!
//! Rule ids are `MYT-...`, those of `rules.md`. Start with `data` (what is printed) and `stage` (the course
//! of the game); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

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

pub use action::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay, TokenSource};
pub use event::{Event, March, PlayedCard, Purpose};
pub use legal::Permit;
pub use options::{Draft, EndGameWars, ExtraProvince, HandStacking, Options, RoadScope, Switches};
pub use refusal::{CardUse, Place, Purchase, Refusal};
pub use stage::{
    Building, Decision, SeasMark, SetupChoice, Side, Strength, Token, TurnMark, WarEnd, Zone,
};
pub use state::State;
pub use view::{
    AwardView, BoxView, Force, PiecesView, PlayerView, PointCardView, ProvinceView, Question,
    SeaView, SupplyView, TokenStack, TurnView, View, WarView,
};

use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, RefusedBy, RefusedOptionBy, Ruleset, Sheet};
use crate::table::{
    Chance, DecisionWords, Fallback, Lister, Names, OptionRule, Pending, PendingList, Ranking,
    Seat, Viewer, Visit,
};

/// The ruleset.
pub enum Mythotopia {}

impl Ruleset for Mythotopia {
    const SHEET: Sheet = Sheet {
        id: "mythotopia",
        title: "Mythotopia",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "victory point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "MYT",
        texts: &[include_str!("rules.md")],
    };

    const OPTIONS: &'static [OptionRule] = options::OPTIONS;

    const LEAVES_OUT: bool = true;

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
        options.colors.count()
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

    fn is_legal(state: &State, seat: Seat, candidate: &Action) -> bool {
        legal::is_legal(state, seat, candidate)
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
