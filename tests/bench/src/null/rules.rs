//! The rules of the null game: the next seat increments the counter.

use std::fmt;
use std::ops::ControlFlow;

use gamekeeper_rules::ruleset::{
    ExecContextOf, JournalOf, RefusedBy, RefusedOptionBy, Ruleset, RulesetInfo,
};
use gamekeeper_rules::table::{
    ActionEnumerator, Chance, CommonRefusals, DecisionWords, ExecContext, GameEvent, Kind, Names,
    Pending, PendingList, Ranking, Refusal, Seat, Term, Viewer, VisitFlow,
};
use serde::{Deserialize, Serialize};

use super::pad::Pad;
use super::pb::Options;

/// The null game.
#[derive(Clone, Copy, Debug)]
pub enum Null {}

/// The state of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    counter: u32,
    options: Options,
    pad: Pad,
}

/// An action, which increments the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub(super) pad: Pad,
}

/// An event, which reports that the counter was incremented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    stored: Pad,
    /// The number of bytes that are shown.
    pub(super) shown: u32,
}

impl Kind for Action {
    fn kind(&self) -> &'static str {
        "count"
    }
}

impl Kind for Event {
    fn kind(&self) -> &'static str {
        "counted"
    }
}

impl GameEvent for Event {
    fn seat(&self) -> Option<Seat> {
        None
    }

    fn reveals(&self) -> bool {
        false
    }

    fn seen_by(&self, _viewer: Viewer) -> Option<Self> {
        Some(*self)
    }

    fn write_sentence(&self, _names: Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The counter goes on.")
    }
}

/// The view, which is the same for all viewers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub(super) counter: u32,
    pub(super) pad: Pad,
}

/// The only refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotYourTurn;

impl fmt::Display for NotYourTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another seat is next")
    }
}

impl std::error::Error for NotYourTurn {}

impl CommonRefusals for NotYourTurn {}

impl Refusal for NotYourTurn {
    const CODES: &'static [&'static str] = &["NOT_YOUR_TURN"];

    fn code(&self) -> &'static str {
        "NOT_YOUR_TURN"
    }
}

/// The seats of every game.
const SEATS: usize = 4;

impl State {
    fn next(&self) -> Option<Seat> {
        let index = usize::try_from(self.counter).unwrap_or(0) % SEATS;
        (self.counter < self.options.last).then(|| Seat::at(index))
    }
}

impl Ruleset for Null {
    const INFO: RulesetInfo = RulesetInfo {
        id: "null",
        title: "Null",
        min_seats: 4,
        max_seats: 4,
        unit: "point",
        fewest_win: false,
        revision: 1,
    };

    const DECISIONS: &'static [DecisionWords] = &[DecisionWords {
        id: "count",
        title: "Count",
        question: "Do you count on?",
    }];

    const ACTIONS: &'static [Term] = &[Term {
        id: "count",
        title: "Count",
        doc: "Counts on.",
    }];

    type Draft = Options;
    type Options = Options;
    type State = State;
    type Action = Action;
    type Event = Event;
    type View = View;
    type Refusal = NotYourTurn;
    type Permit = ();

    fn options(_players: &[String], draft: &Options) -> Result<Options, RefusedOptionBy<Self>> {
        Ok(*draft)
    }

    fn seats(_options: &Options) -> usize {
        SEATS
    }

    fn setup(options: &Options, _chance: &mut Chance, _journal: &mut JournalOf<Self>) -> State {
        State {
            counter: 0,
            options: *options,
            pad: Pad::of(options.state),
        }
    }

    fn pending(state: &State) -> PendingList {
        Pending::all(state.next().map(|seat| (seat, "count")), |name| name)
    }

    fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
        if state.next() != Some(seat) {
            return ControlFlow::Continue(());
        }
        let pad = Pad::of(state.options.action);
        (0..state.options.listed).try_for_each(|_| list.visit(Action { pad }))
    }

    fn check(state: &State, seat: Seat, _action: &Action) -> Result<(), RefusedBy<Self>> {
        if state.next() == Some(seat) {
            Ok(())
        } else {
            Err(NotYourTurn.citing("NUL-1"))
        }
    }

    fn execute(play: &mut ExecContextOf<'_, Self>, _permit: ()) {
        let ExecContext { state, journal, .. } = play;
        state.counter += 1;
        journal.push_event(Event {
            stored: Pad::of(state.options.entry),
            shown: state.options.event,
        });
    }

    fn ranking(_state: &State) -> Option<Ranking> {
        None
    }

    fn sources() -> Vec<Term> {
        Vec::new()
    }

    fn view(state: &State, _viewer: Viewer) -> View {
        View {
            counter: state.counter,
            pad: Pad::of(state.options.view),
        }
    }

    fn sample_world(state: &State, _seat: Seat, _chance: &mut Chance) -> State {
        state.clone()
    }
}
