//! The one interface of all rulesets.

mod by_modules;
mod cost_preview;
mod fallbacks;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::ops::{ControlFlow, RangeInclusive};

use serde::Serialize;
use serde::de::DeserializeOwned;

#[doc(hidden)]
pub use by_modules::by_modules;
#[cfg(feature = "conformance")]
pub use cost_preview::action_text_with_cost;
pub use cost_preview::{CostPreview, holdings};
pub use fallbacks::fallback;

use crate::rulebook::Documents;
use crate::table::picture::{Look, Plate};
use crate::table::{
    self, ActionCursor, ActionEnumerator, Automatic, Chance, Component, Counted, DecisionWords,
    Detail, Draw, ExecContext, Fallback, Flow, GameEvent, Holdings, Journal, Kind, Movement, Names,
    OptionRule, PendingList, PositionError, Ranking, Refusal, Refused, RefusedOption, Resource,
    Score, Seat, Source, Term, TextContext, Viewer, VisitFlow, Wanted, text,
};

/// Plain data: it can be compared, printed for debugging, and sent to another thread.
pub trait Value: Clone + Debug + PartialEq + Send + Sync + 'static {}
impl<T: Clone + Debug + PartialEq + Send + Sync + 'static> Value for T {}

/// Plain data that is stored in snapshots and logs.
pub trait Stored: Value + Serialize + DeserializeOwned {}
impl<T: Value + Serialize + DeserializeOwned> Stored for T {}

/// The key data of a game, as printed on its box: id, title, numbers of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesetInfo {
    /// The stable id in lower snake case, such as `terra_mystica`.
    pub id: &'static str,
    /// The name of the game in English.
    pub title: &'static str,
    /// The fewest seats.
    pub min_seats: u8,
    /// The most seats.
    pub max_seats: u8,
    /// The name of one point of a score, such as `victory point`.
    pub unit: &'static str,
    /// Whether the lowest score wins. Otherwise the highest one does.
    pub fewest_win: bool,
    /// The revision of the rules, from 1. It goes up when old logs would be replayed differently.
    pub revision: u32,
}

impl RulesetInfo {
    /// Creates the data of the first revision of a game in which the most points win.
    #[must_use]
    pub const fn new(id: &'static str, title: &'static str, min_seats: u8, max_seats: u8) -> Self {
        Self {
            id,
            title,
            min_seats,
            max_seats,
            unit: "point",
            fewest_win: false,
            revision: 1,
        }
    }

    /// Every number of seats.
    #[must_use]
    pub fn seats(&self) -> RangeInclusive<usize> {
        usize::from(self.min_seats)..=usize::from(self.max_seats)
    }

    /// Ranks scores, the winner's first. Returns `None` if there are none yet.
    pub fn ranking<S: Source>(
        &self,
        scores: impl IntoIterator<Item = Score<S>>,
    ) -> Option<Ranking> {
        let ranking = if self.fewest_win {
            Ranking::fewest_first(scores)
        } else {
            Ranking::of(scores)
        };
        (!ranking.standings.is_empty()).then_some(ranking)
    }

    /// Returns a score as a value of which more is better: the score, or its negative if the fewest points win.
    #[must_use]
    pub fn merit(&self, score: i32) -> i32 {
        if self.fewest_win {
            score.saturating_neg()
        } else {
            score
        }
    }
}

/// The journal of a ruleset.
pub type JournalOf<R> = Journal<<R as Ruleset>::Action, <R as Ruleset>::Event>;

/// A table of a ruleset while an action is carried out.
pub type ExecContextOf<'a, R> =
    ExecContext<'a, <R as Ruleset>::State, <R as Ruleset>::Action, <R as Ruleset>::Event>;

/// A refusal of a ruleset, and the paragraph that refuses.
pub type RefusedBy<R> = Refused<<R as Ruleset>::Refusal>;

/// A refusal of a request for a new game: like [`RefusedBy`], with the option that breaks the rule.
pub type RefusedOptionBy<R> = RefusedOption<<R as Ruleset>::Refusal>;

/// A game as a set of rules: pure functions over plain data.
///
/// There is no `self`. State goes in, state comes out; luck comes from [`Chance`] alone. All
/// functions are total: they handle everything that a client can send.
pub trait Ruleset: Sized + Send + Sync + 'static {
    /// The id, title and numbers of seats.
    const INFO: RulesetInfo;

    /// Is true for an example: a small game for the tutorial and for tests, which servers offer on demand only.
    const IS_EXAMPLE: bool = false;

    /// The rule documents, whose ids code and refusals cite.
    const RULES: Documents = Documents::NONE;

    /// The fields of the message `Options`: one row for each, in the order of the contract.
    const OPTIONS: &'static [OptionRule] = &[];

    /// Whether there are actions that [`Detail::Moves`] leaves out, such as further ways to pay.
    const HAS_OMITTED_ACTIONS: bool = false;

    /// Whether there is anything of which players could have more at the beginning. See [`enrich`](Self::enrich).
    const HAS_RICH_START: bool = false;

    /// Whether a game can begin on a table that somebody describes. See [`position`](Self::position).
    const HAS_POSITIONS: bool = false;

    /// Whether any part of a table is ever hidden from a seat. Where nothing is, each seat knows the whole table, and its
    /// only [world](Self::sample_world) is that table (**perfect information**); luck to come is not part of a table.
    const HAS_HIDDEN_INFORMATION: bool = true;

    /// Everything that a seat can have a number of, see [`holdings`](Self::holdings).
    const RESOURCES: &'static [Resource] = &[];

    /// The decisions that seats can owe, in words: one row for each, in the order of the contract.
    const DECISIONS: &'static [DecisionWords];

    /// The kinds of actions with their titles: one row for each, in the order of the contract.
    const ACTIONS: &'static [Term];

    /// The fallbacks for seats whose players have left. A decision without a row is answered with the first legal action.
    const FALLBACKS: &'static [Fallback<Self::Action>] = &[];

    /// The requested options, unchecked. The default is the plain game.
    type Draft: Value + Default;
    /// A checked set of options, number of seats included; [`setup`](Self::setup) cannot fail.
    type Options: Stored;
    /// The whole table, hidden things included. Luck is not part of it.
    type State: Stored + Eq;
    /// Everything a player can send. A value that may not exist is an `Option`, so that
    /// [`check`](Self::check) can refuse it in the order of the rule document.
    type Action: Stored + Kind;
    /// An event of the game, with all facts; [`seen_by`](GameEvent::seen_by) removes hidden ones.
    type Event: Stored + GameEvent;
    /// The part of the table that one viewer may know, written field by field.
    type View: Value;
    /// Every reason to refuse.
    type Refusal: Refusal + Value;
    /// An allowed action, with prices and targets worked out. Only `check` makes one.
    type Permit;

    /// Returns the layout of the stored events and states in this build. Data of another layout is not decoded by
    /// position: the game is replayed from its actions.
    fn layout_hash() -> u32 {
        crate::layout_hash(Self::INFO.id)
    }

    /// Checks the requested options. `players` are the names in seat order.
    ///
    /// # Errors
    /// The refusal of the first failing check, in the order of the rule document.
    fn options(
        players: &[String],
        draft: &Self::Draft,
    ) -> Result<Self::Options, RefusedOptionBy<Self>>;

    /// The number of seats of a game with these options.
    fn seats(options: &Self::Options) -> usize;

    /// Sets up the table, up to the first decision.
    fn setup(
        options: &Self::Options,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) -> Self::State;

    /// Returns the pending decisions. The list is empty once the game is over.
    fn pending(state: &Self::State) -> PendingList;

    /// Visits actions that this seat may be allowed, in the canonical order of the rule document. A superset of the
    /// legal actions: [`check`](Self::check) judges each one. Uses only what the seat knows.
    fn candidates(
        state: &Self::State,
        seat: Seat,
        list: &mut ActionEnumerator<'_, Self::Action>,
    ) -> VisitFlow;

    /// Decides whether this seat may do this now. All other code relies on this one judgment.
    ///
    /// # Errors
    /// The refusal of the first failing check, in the order of the rule document.
    fn check(
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
    ) -> Result<Self::Permit, RefusedBy<Self>>;

    /// Would [`check`](Self::check) allow this [candidate](Self::candidates)? Lists call this for each candidate, so a
    /// ruleset whose permits are costly to work out overrides it with a cheaper test.
    fn is_legal(state: &Self::State, seat: Seat, candidate: &Self::Action) -> bool {
        Self::check(state, seat, candidate).is_ok()
    }

    /// Carries out a permitted action, and everything automatic after it up to the next decision. The permit must come
    /// from `check` on this very state.
    fn execute(ctx: &mut ExecContextOf<'_, Self>, permit: Self::Permit);

    /// Carries out the first part of [`execute`](Self::execute): the answer to the decision alone, without its
    /// automatic consequences and without events for other reasons, such as the income of the next round. The change
    /// of the seat's holdings by it is the price of the action, and the same on every table that looks the same to the
    /// seat.
    fn execute_immediate(ctx: &mut ExecContextOf<'_, Self>, permit: Self::Permit) {
        Self::execute(ctx, permit);
    }

    /// Counts how many of each of the [`RESOURCES`](Self::RESOURCES) a seat has, using only what the seat can know.
    fn holdings(_state: &Self::State, _seat: Seat, _purse: &mut Holdings) {}

    /// Adds what an event takes from a seat and gives it of the [`RESOURCES`](Self::RESOURCES) whose costs and gains
    /// have different units, such as power: it is paid in tokens, and gained in steps of tokens.
    fn flow(_event: &Self::Event, _seat: Seat, _flow: &mut Flow) {}

    /// Returns the result, once the game is over.
    fn ranking(state: &Self::State) -> Option<Ranking>;

    /// Returns the result by the points that the rules would give if the game ended now. Returns `None` if the rules
    /// give no points before the end.
    fn scores(state: &Self::State) -> Option<Ranking> {
        Self::ranking(state)
    }

    /// Everything that a result can count, in points or to break ties, with its title.
    fn sources() -> Vec<Term>;

    /// Returns the part of the table that a viewer may know.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;

    /// Lists the names of the things that [`count_tracked`](Self::count_tracked) counts: facts that viewers know from
    /// the events although no view shows them, such as the cards that a player owns. Empty if views show everything.
    fn tracked_counter_names() -> Vec<String> {
        Vec::new()
    }

    /// Counts how many of each thing in [`tracked_counter_names`](Self::tracked_counter_names) a seat has, as far as
    /// the viewer knows. Passes the index of the thing in that list and the number to `count`. Every world of the
    /// viewer keeps these numbers.
    fn count_tracked(
        _: &Self::State,
        _viewer: Viewer,
        _seat: Seat,
        _count: &mut dyn FnMut(usize, u16),
    ) {
    }

    /// Removes the pending decisions, and everything that belongs to them, from a view. For games that ended for a
    /// reason beside the rules, where no seat owes a decision any more.
    fn clear_pending(_view: &mut Self::View) {}

    /// Draws a world that this seat may be in (a **determinization**): the table with everything drawn anew that the
    /// seat cannot know. Its [`view`](Self::view) for the seat is the same, and so are the actions that the seat may
    /// take.
    ///
    /// The world is drawn with the probabilities of the rules' luck, from all tables that look the same to the seat:
    /// what the seat sees is given, the choices of players reveal nothing else, and every arrangement of the hidden
    /// things has the probability that luck gives it. Tables look the same if their views are equal. A view has no
    /// memory; a fact that the seat once saw and that its view no longer shows is kept as far as the state keeps it.
    /// Each ruleset's `worlds.rs` lists these facts. They must follow from the events that the seat sees, and from
    /// nothing else.
    ///
    /// The result depends on nothing else: tables that differ only in what the seat cannot know give the same worlds
    /// from the same chance. `chance` must be a stream of its own, never the game's luck, and keeps no record. A
    /// ruleset without hidden information returns the table.
    fn sample_world(state: &Self::State, seat: Seat, chance: &mut Chance) -> Self::State;

    /// Gives every player much more than the rules do, on the table of a set-up: for training and tests, see
    /// [`starts`](crate::starts). The table remains legal. Returns false if nothing was given because the table is not
    /// ready for it; call again after the next action.
    fn enrich(_state: &mut Self::State) -> bool {
        true
    }

    /// Makes the table that an operator's view describes: the inverse of [`view`](Self::view), so that
    /// `position(view(state)) == state` for every state, also in the middle of an effect. Hidden things that the view
    /// leaves out, such as the order of a pile, are dealt by `chance`, in named draws; a view without gaps draws nothing.
    /// Fields that follow from others are not read: whoever calls compares them with the view of the table made here.
    ///
    /// A table is accepted if everything holds that a single table of the rules must keep: stage, open effects, and a
    /// bound for every number. Decisions that have only one answer may be open. A table that is over is refused.
    ///
    /// # Errors
    /// The first part of the view that does not fit. Rulesets without [positions](Self::HAS_POSITIONS) refuse all of it.
    fn position(
        _options: &Self::Options,
        _view: &Self::View,
        _chance: &mut Chance,
    ) -> Result<Self::State, PositionError> {
        Err(PositionError::default())
    }

    /// Carries out, on a table that [`position`](Self::position) made, the decisions that have only one answer and
    /// everything automatic after them, up to the first decision: what [`execute`](Self::execute) does after an answer.
    /// On the tables of games there is nothing to carry out.
    fn settle(_ctx: &mut ExecContextOf<'_, Self>) {}

    /// Returns the part of an event that a viewer may know, or `None` if they may not even know that it happened.
    fn event_view(event: &Self::Event, viewer: Viewer) -> Option<Self::Event> {
        event.seen_by(viewer)
    }

    /// Returns the facts of this table that sentences mention; `None` if they only name players. No part of a text
    /// context ever returns to an earlier value.
    fn text_context(_state: &Self::State) -> Option<TextContext> {
        None
    }

    /// Applies an event to the text context. Starting from an empty one, the events of a game give that
    /// of its table; events that only the operator sees change nothing.
    fn update_text_context(_scene: &mut TextContext, _event: &Self::Event) {}

    /// Returns an action in words, as the seat that owes the decision would say it at this table:
    /// `build the Crane for 1 wood and 1 stone`. Says nothing that the viewer does not know.
    fn action_text(_view: &Self::View, action: &Self::Action, _names: Names<'_>) -> String {
        Self::kind(action).replace('_', " ")
    }

    /// Draws the table as text, with styles, for lines of this many columns. Call [`board`] instead, which keeps to
    /// the columns even with long names.
    fn board(_view: &Self::View, _names: Names<'_>, _columns: usize) -> String {
        String::new()
    }

    /// Lists the components that an action of this seat touches, each once. The view is the seat's own.
    fn action_components(
        _view: &Self::View,
        _seat: Seat,
        _action: &Self::Action,
    ) -> Vec<Component> {
        Vec::new()
    }

    /// Returns whether drawings mark what an action touches. Returns `false` for choices beside the point, whose marks
    /// would hide the others, such as the card on top of a discard pile.
    fn is_marked(_action: &Self::Action) -> bool {
        true
    }

    /// Lists the components that an event touches, each once. The event contains only what its viewer may know.
    fn event_components(_event: &Self::Event) -> Vec<Component> {
        Vec::new()
    }

    /// Lists what an event moves from one place to another. The event contains only what its viewer may know.
    fn event_movements(_event: &Self::Event) -> Vec<Movement> {
        Vec::new()
    }

    /// Lists the components for the catalogue: everything that is printed, or lies on every table.
    fn plates() -> Vec<Plate> {
        Vec::new()
    }

    /// Draws the table as SVG. Each component has its name as `data-component`.
    fn picture(_view: &Self::View, _look: &Look<'_>) -> String {
        String::new()
    }

    /// Returns the name of the action's kind, as the rule document spells it (`buy_card`).
    fn kind(action: &Self::Action) -> &'static str {
        action.kind()
    }

    /// Returns the meaning of a drawn value, as the data file spells it: `copper`, or the number itself. `draw` is the
    /// name of the draw.
    fn draw_label(_draw: &str, value: u16) -> String {
        value.to_string()
    }
}

/// An action that was played, and the table after it. Not saved yet.
#[derive(Clone, Debug)]
pub struct Applied<R: Ruleset> {
    /// The table after the action.
    pub state: R::State,
    /// Luck after the action.
    pub chance: Chance,
    /// The events of the action, in order.
    pub events: Vec<R::Event>,
    /// The actions that the engine took because there was no choice, or for players who have left.
    pub automatic: Vec<Automatic<R::Action>>,
    /// The draws that were made.
    pub draws: Vec<Draw>,
}

/// Sets up a game: the first table, and what happened until the first decision.
#[must_use]
pub fn create<R: Ruleset>(options: &R::Options, mut chance: Chance) -> Applied<R> {
    let mut journal = Journal::new();
    let state = R::setup(options, &mut chance, &mut journal);
    applied(state, chance, journal)
}

/// Begins a game on a table that [`Ruleset::position`] made with this luck: carries out what needs no choice, up to the
/// first decision. The draws are those of both.
#[must_use]
pub fn begin<R: Ruleset>(mut state: R::State, mut chance: Chance) -> Applied<R> {
    let mut journal = Journal::new();
    let mut ctx = ExecContext {
        state: &mut state,
        chance: &mut chance,
        journal: &mut journal,
    };
    R::settle(&mut ctx);
    applied(state, chance, journal)
}

/// Plays an action on a copy: check, clone, perform. The old table and its luck remain unchanged.
///
/// # Errors
/// The refusal, if the action is not allowed.
pub fn apply<R: Ruleset>(
    state: &R::State,
    chance: &Chance,
    seat: Seat,
    action: &R::Action,
) -> Result<Applied<R>, RefusedBy<R>> {
    let permit = R::check(state, seat, action)?;
    let mut state = state.clone();
    let mut chance = chance.clone();
    let mut journal = Journal::new();
    apply_permitted::<R>(&mut state, permit, &mut chance, &mut journal);
    Ok(applied(state, chance, journal))
}

/// Plays an action on the table itself, for callers that do not need the previous table. A refusal
/// leaves it unchanged.
///
/// # Errors
/// The refusal, if the action is not allowed.
pub fn apply_in_place<R: Ruleset>(
    state: &mut R::State,
    chance: &mut Chance,
    seat: Seat,
    action: &R::Action,
) -> Result<JournalOf<R>, RefusedBy<R>> {
    let permit = R::check(state, seat, action)?;
    let mut journal = Journal::new();
    apply_permitted::<R>(state, permit, chance, &mut journal);
    Ok(journal)
}

/// Carries out the permit that [`Ruleset::check`] gave on this very state.
pub fn apply_permitted<R: Ruleset>(
    state: &mut R::State,
    permit: R::Permit,
    chance: &mut Chance,
    journal: &mut JournalOf<R>,
) {
    let mut ctx = ExecContext {
        state,
        chance,
        journal,
    };
    R::execute(&mut ctx, permit);
}

impl<R: Ruleset> Applied<R> {
    /// Yields the events, each with whether it is the first of a forced action.
    pub fn events_with_forced(&self) -> impl Iterator<Item = (&R::Event, bool)> + Clone {
        table::events_with_forced(&self.events, &self.automatic)
    }
}

/// Returns the sentence of an event and applies the event to the text context, which must be that before the event.
/// `is_forced` marks the first event of a forced action, whose sentence says so.
#[must_use]
pub fn render_event<R: Ruleset>(
    event: &R::Event,
    is_forced: bool,
    players: &[String],
    context: &mut TextContext,
) -> String {
    let sentence = event.sentence(Names::new(players).in_context(context));
    let sentence = TextContext::remark(sentence, is_forced);
    R::update_text_context(context, event);
    sentence
}

/// Draws the table as text, with styles, in lines of at most this many columns.
#[must_use]
pub fn board<R: Ruleset>(view: &R::View, names: Names<'_>, columns: usize) -> String {
    text::fit(&R::board(view, names, columns), columns)
}

/// Draws the table as SVG.
#[must_use]
pub fn picture<R: Ruleset>(view: &R::View, look: &Look<'_>) -> String {
    R::picture(view, look)
}

fn applied<R: Ruleset>(state: R::State, mut chance: Chance, journal: JournalOf<R>) -> Applied<R> {
    let draws = chance.take_record();
    chance.release_buffers();
    Applied {
        state,
        chance,
        events: journal.events,
        automatic: journal.automatic,
        draws,
    }
}

/// Visits the legal actions of a seat: the candidates that pass `check`, in canonical order.
pub fn visit_legal<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    detail: Detail,
    visit: &mut dyn FnMut(R::Action) -> VisitFlow,
) -> VisitFlow {
    let is_legal = legality_check::<R>(state, seat);
    let mut list = ActionEnumerator::new(R::kind, visit)
        .filtered(Wanted::all(detail))
        .checked_by(&is_legal);
    R::candidates(state, seat, &mut list)
}

/// Visits the wanted legal actions from a cursor on, for this many steps (**cursor pagination**). Returns the cursor
/// to resume at: the action that the visitor did not accept, or the place where the steps ended. Returns `None` at the
/// end of the list.
pub fn visit_legal_from<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    (from, steps): (ActionCursor, u32),
    visit: &mut dyn FnMut(R::Action) -> VisitFlow,
) -> Option<ActionCursor> {
    let is_legal = legality_check::<R>(state, seat);
    let mut list = ActionEnumerator::new(R::kind, visit)
        .filtered(wanted)
        .checked_by(&is_legal)
        .resume_at(from, steps);
    let visited = R::candidates(state, seat, &mut list);
    visited.is_break().then(|| list.cursor())
}

/// Visits legal actions as [`visit_legal_from`] does, but passes groups of known size as numbers. The visitor breaks at
/// a number to see the actions of the group, and at an action to stop before it.
pub fn count_legal_from<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    (from, steps): (ActionCursor, u32),
    visit: &mut dyn FnMut(Counted<R::Action>) -> VisitFlow,
) -> Option<ActionCursor> {
    let is_legal = legality_check::<R>(state, seat);
    let visit = RefCell::new(visit);
    let mut one = |action| visit.borrow_mut()(Counted::One(action));
    let mut many = |count| visit.borrow_mut()(Counted::Many(count)).is_continue();
    let mut list = ActionEnumerator::new(R::kind, &mut one)
        .filtered(wanted)
        .checked_by(&is_legal)
        .counting(&mut many)
        .resume_at(from, steps);
    let visited = R::candidates(state, seat, &mut list);
    visited.is_break().then(|| list.cursor())
}

/// Looks, from a cursor on and for this many steps, for a legal action that a list leaves out. Breaks with whether the
/// list is exhaustive, or continues with the cursor to resume at.
pub fn find_omitted_from<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    (from, steps): (ActionCursor, u32),
) -> ControlFlow<bool, ActionCursor> {
    if !R::HAS_OMITTED_ACTIONS || wanted.detail == Detail::AllPayments {
        return ControlFlow::Break(true);
    }
    let is_legal = legality_check::<R>(state, seat);
    let mut nobody = |_| ControlFlow::Continue(());
    let mut list = ActionEnumerator::new(R::kind, &mut nobody)
        .filtered(wanted)
        .checked_by(&is_legal)
        .searching_omitted()
        .resume_at(from, steps);
    match R::candidates(state, seat, &mut list) {
        ControlFlow::Continue(()) => ControlFlow::Break(true),
        ControlFlow::Break(()) if list.found_omitted() => ControlFlow::Break(false),
        ControlFlow::Break(()) => ControlFlow::Continue(list.cursor()),
    }
}

/// Returns whether a list shows everything that the seat may do, of the wanted kinds.
#[must_use]
pub fn is_exhaustive<R: Ruleset>(state: &R::State, seat: Seat, wanted: Wanted<'_>) -> bool {
    let mut from = ActionCursor::default();
    loop {
        match find_omitted_from::<R>(state, seat, wanted, (from, u32::MAX)) {
            ControlFlow::Break(exhaustive) => return exhaustive,
            ControlFlow::Continue(cursor) => from = cursor,
        }
    }
}

fn legality_check<R: Ruleset>(state: &R::State, seat: Seat) -> impl Fn(&R::Action) -> bool {
    move |action| R::is_legal(state, seat, action)
}

/// Returns the components that the legal actions of a seat touch, as far as drawings mark them. If the walk along the list takes more than this many
/// steps, only the components of the actions up to there.
#[must_use]
pub fn interactive_components<R: Ruleset>(
    state: &R::State,
    view: &R::View,
    seat: Seat,
    steps: u32,
) -> BTreeSet<Component> {
    let mut components = BTreeSet::new();
    let detail = Detail::Moves;
    let (wanted, begin) = (Wanted::all(detail), ActionCursor::default());
    let _cursor = visit_legal_from::<R>(state, seat, wanted, (begin, steps), &mut |action| {
        if R::is_marked(&action) {
            components.extend(R::action_components(view, seat, &action));
        }
        ControlFlow::Continue(())
    });
    components
}

/// Lists all legal actions of a seat, in canonical order.
#[must_use]
pub fn legal_actions<R: Ruleset>(state: &R::State, seat: Seat, detail: Detail) -> Vec<R::Action> {
    let mut actions = Vec::new();
    let _all = visit_legal::<R>(state, seat, detail, &mut |action| {
        actions.push(action);
        ControlFlow::Continue(())
    });
    actions
}
