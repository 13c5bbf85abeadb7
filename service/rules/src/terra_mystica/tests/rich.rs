//! The same game for players who can afford anything: random games reach all of the rules.

use crate::conformance::{Audit, Plan, play_games};
use crate::ruleset::{JournalOf, Ruleset, Sheet};
use crate::table::{Chance, Detail, Fault, PendingList, Ranking, Seat, Viewer, Visit};
use crate::terra_mystica::event::Event;
use crate::terra_mystica::{
    Action, Draft, Options, Permit, Refusal, SetupMode, State, TerraMystica, View,
};

/// Terra Mystica with full purses at the start.
struct Rich;

impl Ruleset for Rich {
    const SHEET: Sheet = TerraMystica::SHEET;

    type Draft = Draft;
    type Options = Options;
    type State = State;
    type Action = Action;
    type Event = Event;
    type View = View;
    type Refusal = Refusal;
    type Permit = Permit;

    fn options(players: &[String], draft: &Draft) -> Result<Options, Refusal> {
        TerraMystica::options(players, draft)
    }

    fn seats(options: &Options) -> usize {
        TerraMystica::seats(options)
    }

    fn setup(options: &Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> State {
        let mut plain = JournalOf::<TerraMystica>::new();
        let mut state = TerraMystica::setup(options, chance, &mut plain);
        plain
            .events
            .into_iter()
            .for_each(|event| journal.event(event));
        for player in state.players.iter_mut() {
            player.coins += 70;
            player.workers += 50;
            player.priests = 4;
            player.vp += 60;
            player.bowls = [0, 4, 8];
        }
        state
    }

    fn pending(state: &State) -> PendingList {
        TerraMystica::pending(state)
    }

    fn candidates(
        state: &State,
        seat: Seat,
        detail: Detail,
        visit: &mut dyn FnMut(Action) -> Visit,
    ) -> Visit {
        TerraMystica::candidates(state, seat, detail, visit)
    }

    fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refusal> {
        TerraMystica::check(state, seat, action)
    }

    fn perform(
        state: &mut State,
        permit: Permit,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) {
        let mut plain = JournalOf::<TerraMystica>::new();
        TerraMystica::perform(state, permit, chance, &mut plain);
        journal.events = plain.events;
        journal.automatic = plain.automatic;
    }

    fn ranking(state: &State) -> Option<Ranking> {
        TerraMystica::ranking(state)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        TerraMystica::view(state, viewer)
    }

    fn event_view(event: &Event, viewer: Viewer) -> Option<Event> {
        TerraMystica::event_view(event, viewer)
    }

    fn kind(action: &Action) -> &'static str {
        action.kind()
    }
}

impl Audit for Rich {
    /// Only tables whose players have boards from the start can be made rich.
    fn table(seats: usize, seed: u64) -> Options {
        let seed = seed * 8 + 3;
        let options = TerraMystica::table(seats, seed);
        assert_eq!(options.setup_mode, SetupMode::Custom);
        options
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        TerraMystica::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        TerraMystica::covers(listed, accepted)
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        TerraMystica::invariants(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        TerraMystica::step_invariants(before, after, events)
    }

    fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
        TerraMystica::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        TerraMystica::scramble_event(event, viewer, chance)
    }

    fn choose(state: &State, seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        TerraMystica::choose(state, seat, legal, chance)
    }
}

#[test]
fn rich_players_break_nothing() {
    for seats in 2..=5 {
        let plan = Plan {
            games: 2,
            closely_every: 149,
            ..Plan::default()
        };
        let tally = play_games::<Rich>(seats, &plan).unwrap();
        assert_eq!(tally.finished, tally.games);
        assert!(tally.largest_state <= 700, "{tally:?}");
        println!("{tally:?}");
    }
}
