//! Rulesets that play like the real ones but look different. The server cannot distinguish them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_rules::conformance::{Audit, Unread};
use gamekeeper_rules::rulebook::Documents;
use gamekeeper_rules::ruleset::{
    ExecContextOf, JournalOf, RefusedBy, RefusedOptionBy, Ruleset, RulesetInfo,
};
use gamekeeper_rules::table::picture::{Look, Plate};
use gamekeeper_rules::table::{
    ActionEnumerator, Chance, Component, DecisionWords, Fallback, Fault, Fingerprint, Flow,
    Holdings, Movement, Names, OptionRule, PendingList, PositionError, Ranking, Resource, Seat,
    Seed, Term, TextContext, Viewer, VisitFlow, fingerprint,
};
use gamekeeper_wire::{Malformed, OneofCodec, Wire};

/// The way in which a ruleset differs from the real one.
pub trait Disguise: Send + Sync + 'static {
    /// The number of revisions that the ruleset is ahead.
    const AHEAD: u32;

    /// Returns the viewer who sees a table that differs in everything hidden from them.
    fn deceived() -> Option<Viewer>;
}

/// A ruleset with the next revision of the rules, as a newer build has it.
#[derive(Debug)]
pub struct Newer;

impl Disguise for Newer {
    const AHEAD: u32 = 1;

    fn deceived() -> Option<Viewer> {
        None
    }
}

/// A ruleset that shows the deception set up by [`deceive`] to its viewer, in the calling thread only.
#[derive(Debug)]
pub struct Deceiving;

thread_local! {
    static DECEIVED: Cell<Viewer> = const { Cell::new(Viewer::Spectator) };
    static TAKEN_FOR: Cell<Viewer> = const { Cell::new(Viewer::Spectator) };
    static SEED: Cell<u64> = const { Cell::new(0) };
    /// The last requested table, with the one that is shown in its place.
    static SHOWN: RefCell<Option<(Fingerprint, Box<dyn Any>)>> = const { RefCell::new(None) };
}

/// Makes this viewer see tables that differ, at random, in all facts that are hidden from the viewer.
pub fn deceive(viewer: Viewer, seed: u64) {
    mistake(viewer, viewer, seed);
}

/// Makes this viewer see tables that differ in the facts hidden from another viewer.
pub fn mistake(viewer: Viewer, taken_for: Viewer, seed: u64) {
    DECEIVED.set(viewer);
    TAKEN_FOR.set(taken_for);
    SEED.set(seed);
    SHOWN.set(None);
}

impl Disguise for Deceiving {
    const AHEAD: u32 = 0;

    fn deceived() -> Option<Viewer> {
        Some(DECEIVED.get())
    }
}

/// A disguised ruleset.
pub struct Disguised<R, D>(PhantomData<fn() -> (R, D)>);

impl<R: Audit, D: Disguise> Disguised<R, D> {
    /// Answers a question from the table that is shown to this viewer. Spectators get the false table too: facts that
    /// are hidden from the deceived viewer are hidden from spectators as well.
    fn shown<A>(state: &R::State, viewer: Viewer, ask: impl FnOnce(&R::State) -> A) -> A {
        let Some(deceived) = D::deceived() else {
            return ask(state);
        };
        if viewer != deceived && viewer != Viewer::Spectator {
            return ask(state);
        }
        let print = fingerprint(state);
        let cached = SHOWN.with_borrow(|shown| {
            let (of, other) = shown.as_ref()?;
            (*of == print).then(|| other.downcast_ref::<R::State>().cloned())?
        });
        let other = cached.unwrap_or_else(|| {
            let other = R::scramble(state, TAKEN_FOR.get(), &mut luck());
            SHOWN.set(Some((print, Box::new(other.clone()))));
            other
        });
        ask(&other)
    }
}

fn luck() -> Chance {
    Chance::from_seed(&Seed::from_number(SEED.get()))
}

impl<R: Audit, D: Disguise> Ruleset for Disguised<R, D> {
    const INFO: RulesetInfo = RulesetInfo {
        revision: R::INFO.revision + D::AHEAD,
        ..R::INFO
    };
    const RULES: Documents = R::RULES;
    const HAS_OMITTED_ACTIONS: bool = R::HAS_OMITTED_ACTIONS;
    const HAS_RICH_START: bool = R::HAS_RICH_START;
    const HAS_POSITIONS: bool = R::HAS_POSITIONS;
    const HAS_HIDDEN_INFORMATION: bool = R::HAS_HIDDEN_INFORMATION;
    const OPTIONS: &'static [OptionRule] = R::OPTIONS;

    const FALLBACKS: &'static [Fallback<R::Action>] = R::FALLBACKS;
    const DECISIONS: &'static [DecisionWords] = R::DECISIONS;
    const ACTIONS: &'static [Term] = R::ACTIONS;
    const RESOURCES: &'static [Resource] = R::RESOURCES;

    type Draft = R::Draft;
    type Options = R::Options;
    type State = R::State;
    type Action = R::Action;
    type Event = R::Event;
    type View = R::View;
    type Refusal = R::Refusal;
    type Permit = R::Permit;

    fn options(players: &[String], draft: &R::Draft) -> Result<R::Options, RefusedOptionBy<R>> {
        R::options(players, draft)
    }

    fn seats(options: &R::Options) -> usize {
        R::seats(options)
    }

    fn setup(options: &R::Options, chance: &mut Chance, journal: &mut JournalOf<Self>) -> R::State {
        R::setup(options, chance, journal)
    }

    fn position(
        options: &R::Options,
        view: &R::View,
        chance: &mut Chance,
    ) -> Result<R::State, PositionError> {
        R::position(options, view, chance)
    }

    fn settle(play: &mut ExecContextOf<'_, Self>) {
        R::settle(play);
    }

    fn pending(state: &R::State) -> PendingList {
        Self::shown(state, Viewer::Spectator, R::pending)
    }

    fn candidates(
        state: &R::State,
        seat: Seat,
        list: &mut ActionEnumerator<'_, R::Action>,
    ) -> VisitFlow {
        Self::shown(state, Viewer::Seat(seat), |state| {
            R::candidates(state, seat, list)
        })
    }

    /// Takes the verdict from the table that is shown, and the permit from the true one.
    fn check(state: &R::State, seat: Seat, action: &R::Action) -> Result<R::Permit, RefusedBy<R>> {
        Self::shown(state, Viewer::Seat(seat), |state| {
            R::check(state, seat, action).map(drop)
        })?;
        R::check(state, seat, action)
    }

    fn execute(play: &mut ExecContextOf<'_, Self>, permit: R::Permit) {
        R::execute(play, permit);
    }

    fn execute_immediate(play: &mut ExecContextOf<'_, Self>, permit: R::Permit) {
        R::execute_immediate(play, permit);
    }

    fn tracked_counter_names() -> Vec<String> {
        R::tracked_counter_names()
    }

    fn count_tracked(
        state: &R::State,
        viewer: Viewer,
        seat: Seat,
        count: &mut dyn FnMut(usize, u16),
    ) {
        Self::shown(state, viewer, |state| {
            R::count_tracked(state, viewer, seat, count);
        });
    }

    fn holdings(state: &R::State, seat: Seat, purse: &mut Holdings) {
        R::holdings(state, seat, purse);
    }

    fn flow(event: &R::Event, seat: Seat, flow: &mut Flow) {
        R::flow(event, seat, flow);
    }

    fn ranking(state: &R::State) -> Option<Ranking> {
        R::ranking(state)
    }

    fn sources() -> Vec<Term> {
        R::sources()
    }

    fn view(state: &R::State, viewer: Viewer) -> R::View {
        Self::shown(state, viewer, |state| R::view(state, viewer))
    }

    fn sample_world(state: &R::State, seat: Seat, chance: &mut Chance) -> R::State {
        Self::shown(state, Viewer::Seat(seat), |state| {
            R::sample_world(state, seat, chance)
        })
    }

    fn enrich(state: &mut R::State) -> bool {
        R::enrich(state)
    }

    fn event_view(event: &R::Event, viewer: Viewer) -> Option<R::Event> {
        match D::deceived() {
            Some(deceived) if viewer == deceived || viewer == Viewer::Spectator => {
                let taken_for = TAKEN_FOR.get();
                R::event_view(&R::scramble_event(event, taken_for, &mut luck()), viewer)
            }
            Some(_) | None => R::event_view(event, viewer),
        }
    }

    fn text_context(state: &R::State) -> Option<TextContext> {
        R::text_context(state)
    }

    fn update_text_context(scene: &mut TextContext, event: &R::Event) {
        R::update_text_context(scene, event);
    }

    fn action_text(view: &R::View, action: &R::Action, names: Names<'_>) -> String {
        R::action_text(view, action, names)
    }

    fn board(view: &R::View, names: Names<'_>, columns: usize) -> String {
        R::board(view, names, columns)
    }

    fn action_components(view: &R::View, seat: Seat, action: &R::Action) -> Vec<Component> {
        R::action_components(view, seat, action)
    }

    fn is_marked(action: &R::Action) -> bool {
        R::is_marked(action)
    }

    fn event_components(event: &R::Event) -> Vec<Component> {
        R::event_components(event)
    }

    fn event_movements(event: &R::Event) -> Vec<Movement> {
        R::event_movements(event)
    }

    fn plates() -> Vec<Plate> {
        R::plates()
    }

    fn picture(view: &R::View, look: &Look<'_>) -> String {
        R::picture(view, look)
    }

    fn draw_label(draw: &str, value: u16) -> String {
        R::draw_label(draw, value)
    }
}

impl<R: Audit, D: Disguise> Audit for Disguised<R, D> {
    type Reader = Unread;

    fn table(seats: usize, seed: u64) -> R::Options {
        R::table(seats, seed)
    }

    fn universe(state: &R::State, seat: Seat) -> Vec<R::Action> {
        R::universe(state, seat)
    }

    fn covers(listed: &R::Action, accepted: &R::Action) -> bool {
        R::covers(listed, accepted)
    }

    fn waives(state: &R::State) -> bool {
        R::waives(state)
    }

    fn invariants(state: &R::State) -> Result<(), Fault> {
        R::invariants(state)
    }

    fn step_invariants(
        before: &R::State,
        after: &R::State,
        events: &[R::Event],
    ) -> Result<(), Fault> {
        R::step_invariants(before, after, events)
    }

    fn scramble(state: &R::State, viewer: Viewer, chance: &mut Chance) -> R::State {
        R::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &R::Event, viewer: Viewer, chance: &mut Chance) -> R::Event {
        R::scramble_event(event, viewer, chance)
    }

    fn choose(state: &R::State, seat: Seat, legal: &[R::Action], chance: &mut Chance) -> usize {
        R::choose(state, seat, legal, chance)
    }
}

impl<R: Audit + Wire, D: Disguise> Wire for Disguised<R, D> {
    const CATALOGUE_REVISION: u32 = R::CATALOGUE_REVISION;

    const ONEOF_CODEC: OneofCodec = R::ONEOF_CODEC;

    type PbOptions = R::PbOptions;
    type PbAction = R::PbAction;
    type PbEvent = R::PbEvent;
    type PbView = R::PbView;
    type PbCatalogue = R::PbCatalogue;
    type PbRefusalDetail = R::PbRefusalDetail;

    fn unwrap_options(joined: raw::options::Ruleset) -> Option<EncodedMessage> {
        R::unwrap_options(joined)
    }

    fn unwrap_action(joined: raw::action::Ruleset) -> Option<EncodedMessage> {
        R::unwrap_action(joined)
    }

    fn unwrap_view(joined: raw::view::Ruleset) -> Option<EncodedMessage> {
        R::unwrap_view(joined)
    }

    fn read_view(message: R::PbView, options: &R::Options) -> Result<R::View, Malformed> {
        R::read_view(message, options)
    }

    fn draft(message: R::PbOptions) -> Result<R::Draft, Malformed> {
        R::draft(message)
    }

    fn encoded_options(options: &R::Options) -> EncodedMessage {
        R::encoded_options(options)
    }

    fn action(message: R::PbAction) -> Result<R::Action, Malformed> {
        R::action(message)
    }

    fn encoded_action(action: &R::Action) -> EncodedMessage {
        R::encoded_action(action)
    }

    fn encoded_event(event: &R::Event) -> EncodedMessage {
        R::encoded_event(event)
    }

    fn encoded_view(view: &R::View) -> EncodedMessage {
        R::encoded_view(view)
    }

    fn encoded_detail(refusal: &R::Refusal) -> Option<EncodedMessage> {
        R::encoded_detail(refusal)
    }

    fn catalogue() -> R::PbCatalogue {
        R::catalogue()
    }
}
