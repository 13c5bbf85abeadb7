//! Caylus from rich starts, played by builders: rare rules happen often.

use crate::caylus::action::{Action, Target};
use crate::caylus::data::{Cubes, FavorLine, Goods, Resource};
use crate::caylus::event::Event;
use crate::caylus::options::{Draft, Options};
use crate::caylus::refusal::Refusal;
use crate::caylus::state::State;
use crate::caylus::view::View;
use crate::caylus::{Caylus, Permit};
use crate::conformance::Audit;
use crate::ruleset::{JournalOf, Ruleset, Sheet};
use crate::table::{Chance, Detail, Fault, PendingList, Ranking, Seat, Viewer, Visit};

/// Caylus in which everybody starts with `CUBES` more cubes of each kind and twice as many more
/// deniers. For tests only: nobody can create such a game.
pub enum RichCaylus<const CUBES: u16> {}

impl<const CUBES: u16> Ruleset for RichCaylus<CUBES> {
    const SHEET: Sheet = Caylus::SHEET;

    type Draft = Draft;
    type Options = Options;
    type State = State;
    type Action = Action;
    type Event = Event;
    type View = View;
    type Refusal = Refusal;
    type Permit = Permit;

    fn options(players: &[String], draft: &Draft) -> Result<Options, Refusal> {
        Caylus::options(players, draft)
    }

    fn seats(options: &Options) -> usize {
        Caylus::seats(options)
    }

    fn setup(options: &Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        let mut state = Caylus::setup(options, chance, journal);
        let cubes = Resource::ALL
            .into_iter()
            .fold(Cubes::NONE, |cubes, resource| cubes.and(CUBES, resource));
        for player in state.players.iter_mut() {
            player.gain(Goods {
                deniers: 2 * CUBES,
                cubes,
                vp: 0,
            });
        }
        state
    }

    fn pending(state: &State) -> PendingList {
        Caylus::pending(state)
    }

    fn candidates(
        state: &State,
        seat: Seat,
        detail: Detail,
        visit: &mut dyn FnMut(Action) -> Visit,
    ) -> Visit {
        Caylus::candidates(state, seat, detail, visit)
    }

    fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refusal> {
        Caylus::check(state, seat, action)
    }

    fn perform(
        state: &mut State,
        permit: Permit,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) {
        Caylus::perform(state, permit, chance, journal);
    }

    fn ranking(state: &State) -> Option<Ranking> {
        Caylus::ranking(state)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        Caylus::view(state, viewer)
    }

    fn event_view(event: &Event, viewer: Viewer) -> Option<Event> {
        Caylus::event_view(event, viewer)
    }

    fn kind(action: &Action) -> &'static str {
        Caylus::kind(action)
    }

    fn draw_label(draw: &str, value: u16) -> String {
        Caylus::draw_label(draw, value)
    }
}

impl<const CUBES: u16> Audit for RichCaylus<CUBES> {
    fn table(seats: usize, seed: u64) -> Options {
        Caylus::table(seats, seed)
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        Caylus::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        Caylus::covers(listed, accepted)
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        Caylus::invariants(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        Caylus::step_invariants(before, after, events)
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        Caylus::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        Caylus::scramble_event(event, viewer, chance)
    }

    /// Mostly builds on the road, if it can; otherwise mostly does something: the road fills.
    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        let best = legal.iter().map(eagerness).max().unwrap_or(0);
        let eager = (1..=best).rev().find(|_| mostly(chance)).unwrap_or(0);
        let places: Vec<u16> = (0..)
            .zip(legal)
            .filter(|(_, action)| eagerness(action) >= eager)
            .map(|(place, _)| place)
            .collect();
        let place = chance.pick("play", None, &places).unwrap_or(0);
        drop(chance.take_record());
        usize::from(place)
    }
}

/// Seven times in eight.
fn mostly(chance: &mut Chance) -> bool {
    let face = chance.roll("mostly", None, 8, 1);
    drop(chance.take_record());
    face != [8]
}

/// 3: builds on the road, or comes nearer to building by favor; 2: does something else; 1: is
/// passive, or builds the castle, which brings the end nearer.
fn eagerness(action: &Action) -> u8 {
    match action {
        Action::BuildCraft { .. }
        | Action::BuildPrestige { .. }
        | Action::TransformBuilding { .. } => 3,
        Action::TakeFavor {
            line: Some(FavorLine::Buildings),
            ..
        } => 3,
        Action::PlaceWorker {
            target: Some(Target::Castle),
        }
        | Action::MoveGateWorker {
            target: Some(Target::Castle),
        } => 1,
        Action::PlaceWorker { .. }
        | Action::MoveGateWorker { .. }
        | Action::MoveProvost { .. }
        | Action::Joust { accept: true }
        | Action::InnChoice { .. }
        | Action::Produce { .. }
        | Action::SellCube { .. }
        | Action::BuyCubes { .. }
        | Action::Trade { .. }
        | Action::Alchemy { .. }
        | Action::TakeFavor { .. }
        | Action::ChooseOwnerBonus { .. } => 2,
        Action::Pass
        | Action::RecallGateWorker
        | Action::Joust { accept: false }
        | Action::Decline
        | Action::BuildCastleBatch { .. }
        | Action::FinishCastle => 1,
    }
}
