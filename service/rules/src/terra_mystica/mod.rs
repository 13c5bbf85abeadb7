//! Terra Mystica: fourteen factions on a hex map, four cults, power in bowls.
//!
//! Rule ids are `TM-...`, those of `rules.md`, and of `rules_promos.md` about the optional tiles. Start with
//! `data` (what is printed) and `stage` (the course of the game); then `rules` has a file for each theme,
//! `legal` judges by them, and `flow` runs them.

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

pub use action::{
    Action, Direction, MAX_LIST, PowerUse, Span, SpecialUse, Transform, Transforms, Work,
};
pub use event::{Event, GoodsSource, Purpose, VpSource};
pub use legal::Permit;
pub use options::{Draft, HouseRules, MAX_CARDS, Options, PromoTiles, SetupMode, TurnOrder};
pub use refusal::{Expense, Piece, Refusal, TakenAction, Tile, Track};
pub use stage::{Decision, Phase};
pub use state::State;
pub use view::{
    BoardView, BridgeView, FollowUp, OfferView, PlayerView, PoolView, SpaceView, SpadesView,
    TownView, TurnView, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, RefusedBy, RefusedOptionBy, Ruleset, Sheet};
use crate::table::{
    Chance, DecisionWords, Fallback, Lister, Names, OptionRule, Pending, PendingList, Ranking,
    Scene, Seat, Viewer, Visit,
};

/// The ruleset.
pub enum TerraMystica {}

impl Ruleset for TerraMystica {
    const SHEET: Sheet = Sheet {
        id: "terra_mystica",
        title: "Terra Mystica",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "victory point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "TM",
        texts: &[include_str!("rules.md"), include_str!("rules_promos.md")],
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

    fn view(state: &State, _viewer: Viewer) -> View {
        view::view(state)
    }

    fn sample(state: &State, _seat: Seat, _chance: &mut Chance) -> State {
        worlds::sample(state)
    }

    fn enrich(state: &mut State) -> bool {
        starts::enrich(state)
    }

    fn scene(state: &State) -> Option<Scene> {
        Some(state.scene())
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

    fn draw_label(draw: &str, value: u16) -> String {
        data::draw_label(draw, value)
    }
}
