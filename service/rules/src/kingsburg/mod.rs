//! Kingsburg: dice at the King's court, five years of building, and an enemy every winter.
//!
//! Rule ids are `KIN-` and those of the rule document. Start with `data` (the printed facts), then
//! `stage` (the stages of a year), then `rules`, one file per theme, and `flow`, which runs them.

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

pub use action::{Action, EnvoyUse, Influence, NamedDice, Payment};
pub use data::{
    Advisor, Building, COLUMNS, Choice, Color, DiceSet, DieId, Enemy, EnemyCard, EnemyKind,
    EnemyYear, Good, Goods, Help, Loss, Phase, ROWS, Reward, Step, YEARS,
};
pub use event::{Event, Outcome, ShownDie, TurnOrder};
pub use legal::Permit;
pub use options::{Draft, InitialOrder, Options};
pub use refusal::Refusal;
pub use stage::Decision;
pub use state::State;
pub use view::{
    BattleView, DiePlace, DieView, EnemyView, EnvoyMode, EnvoyView, FighterView, GroupView,
    PlayerView, Question, SeatResult, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, Ruleset, Sheet};
use crate::table::{
    Chance, Fallback, Lister, Names, OptionRule, Pending, PendingList, Ranking, Refused,
    RefusedOption, Seat, Viewer, Visit,
};

/// The ruleset.
pub enum Kingsburg {}

impl Ruleset for Kingsburg {
    const SHEET: Sheet = Sheet {
        id: "kingsburg",
        title: "Kingsburg",
        min_seats: options::MIN_PLAYERS,
        max_seats: options::MAX_PLAYERS,
        revision: 1,
    };
    const RULES: Documents = Documents {
        prefix: "KIN",
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
        options.colors.count()
    }

    fn setup(options: &Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        setup::setup(options, chance, journal)
    }

    fn pending(state: &State) -> PendingList {
        let asked = state.asked();
        Pending::only(asked.map(|(seat, decision)| (seat, decision.name())))
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
        Some(event::seen_by(event, viewer))
    }

    fn action_text(view: &View, action: &Action, _names: Names<'_>) -> String {
        words::action(view, action)
    }

    fn board(view: &View, names: Names<'_>, columns: usize) -> String {
        board::board(view, names, columns)
    }

    fn kind(action: &Action) -> &'static str {
        action.kind()
    }

    fn draw_label(draw: &str, value: u16) -> String {
        let card = Enemy::from_number(value).filter(|_| draw.starts_with("enemy_year_"));
        card.map_or_else(|| value.to_string(), |card| card.id().to_owned())
    }
}
