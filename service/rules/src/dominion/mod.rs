//! Dominion, first edition base set (2008), for 2 to 4 players.
//!
//! Rule ids `DOM-...` are those of the rule document. Seats are numbered from 1.

mod action;
#[cfg(any(test, feature = "conformance"))]
mod audit;
mod board;
mod data;
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

pub use action::{Action, Named};
pub use data::{Card, CardSheet, CardType, Group, KINGDOM_SIZE, KingdomSet, Pile, Plus};
pub use event::{Event, SeatResult, Source, Zone};
pub use legal::Permit;
pub use options::{Draft, FirstPlayerDraft, Kingdom, KingdomDraft, Options};
pub use refusal::{OptionFlaw, Refusal};
pub use stage::{
    Counters, Decision, Destination, Frame, Gain, Immune, Phase, Playing, Queue, Revealed, Trashed,
};
pub use state::{Cards, State};
pub use view::{Choice, PlayerView, Question, View};

use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, Ruleset, Sheet};
use crate::table::{
    Chance, Fallback, Lister, Names, OptionRule, Pending, PendingList, Ranking, Refused,
    RefusedOption, Seat, Viewer, Visit,
};

/// The ruleset.
pub enum Dominion {}

impl Ruleset for Dominion {
    const SHEET: Sheet = Sheet {
        id: "dominion",
        title: "Dominion",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        revision: 1,
    };
    const RULES: Documents = Documents {
        prefix: "DOM",
        texts: &[include_str!("rules.md")],
    };
    const OPTIONS: &'static [OptionRule] = options::OPTIONS;

    const FALLBACKS: &'static [Fallback<Action>] = fallback::FALLBACKS;

    type Draft = Draft;
    type Options = Options;
    type State = State;
    type Action = Action;
    type Event = Event;
    type View = View;
    type Refusal = Refusal;
    type Permit = Permit;

    fn options(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
        options::check(players, draft)
    }

    fn seats(options: &Options) -> usize {
        usize::from(options.seats)
    }

    fn setup(options: &Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        setup::setup(options, chance, journal)
    }

    fn pending(state: &State) -> PendingList {
        let asked = state.asked();
        Pending::only(asked.map(|(seat, decision)| (seat, decision.id())))
    }

    fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
        legal::candidates(state, seat, list)
    }

    fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refused<Refusal>> {
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

    fn event_view(event: &Event, viewer: Viewer) -> Option<Event> {
        view::event_view(event, viewer)
    }

    fn action_text(view: &View, action: &Action, names: Names<'_>) -> String {
        words::action(view, action, names)
    }

    fn board(view: &View, names: Names<'_>, columns: usize) -> String {
        board::board(view, names, columns)
    }

    fn kind(action: &Action) -> &'static str {
        action.kind()
    }

    /// Draw R1 gives a seat; R2, R3 and R4 give cards.
    fn draw_label(draw: &str, value: u16) -> String {
        match Card::ALL.get(usize::from(value)) {
            Some(card) if draw != "R1" => card.id().into(),
            Some(_) | None => value.to_string(),
        }
    }
}
