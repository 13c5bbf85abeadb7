//! Caylus: worker placement along a road, with a castle and the king's favors.
//!
//! Nothing is hidden once the table is set. Rule ids are `CAY-...`.

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

pub use action::{Action, FavorEffect, Given, Target};
#[cfg(any(test, feature = "conformance"))]
pub use audit::RichCaylus;
pub use data::{
    Column, Cubes, Effect, FavorLine, Goods, Kind, MAX_MARKER, NEUTRAL_TILES, Resource, Section,
    SectionSheet, Space, Special, Tile, TileSheet, Trade,
};
pub use event::{Event, FinalScore};
pub use legal::Permit;
pub use options::{Draft, Options};
pub use refusal::{Expense, OptionFlaw, PaymentFlaw, Refusal};
pub use stage::{Asked, Decision, Phase, SeatList};
pub use state::{PendingFavors, State};
pub use view::{
    CastleView, GameResult, PlayerView, SectionView, SpaceView, SpecialView, SupplyView, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, Ruleset, Sheet};
use crate::table::{
    Chance, Fallback, Lister, Names, OptionRule, PendingList, Ranking, Refused, RefusedOption,
    Scene, Seat, Viewer, Visit,
};

/// The ruleset.
pub enum Caylus {}

impl Ruleset for Caylus {
    const SHEET: Sheet = Sheet {
        id: "caylus",
        title: "Caylus",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        revision: 1,
    };
    const RULES: Documents = Documents {
        prefix: "CAY",
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
        options::check(players.len(), draft)
    }

    fn seats(options: &Options) -> usize {
        usize::from(options.players)
    }

    fn setup(options: &Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        setup::setup(options, chance, journal)
    }

    fn pending(state: &State) -> PendingList {
        state.pending()
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

    fn view(state: &State, _viewer: Viewer) -> View {
        view::view(state)
    }

    fn sample(state: &State, _seat: Seat, _chance: &mut Chance) -> State {
        worlds::sample(state)
    }

    fn enrich(state: &mut State) -> bool {
        starts::enrich(state)
    }

    fn event_view(event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn scene(state: &State) -> Option<Scene> {
        Some(state.road.scene())
    }

    fn changes(scene: &mut Scene, event: &Event) {
        event.changes(scene);
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
        setup::draw_label(draw, value)
    }
}
