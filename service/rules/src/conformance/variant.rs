//! A ruleset with another start or another random policy, so that random games reach rare rules.

use std::marker::PhantomData;

use super::{Audit, Unread};
use crate::rulebook::Documents;
use crate::ruleset::{ExecContextOf, JournalOf, RefusedBy, RefusedOptionBy, Ruleset, RulesetInfo};
use crate::table::picture::{Look, Plate};
use crate::table::{
    ActionEnumerator, Chance, Component, DecisionWords, Fallback, Fault, Flow, Holdings, Movement,
    Names, PendingList, Ranking, Resource, Seat, Term, TextContext, Viewer, VisitFlow,
};

/// The differences of a variant from the plain game.
pub trait RulesetPatch: Send + Sync + 'static {
    /// The plain game.
    type Base: Audit;

    /// Changes the table after the set-up.
    fn enrich(state: &mut <Self::Base as Ruleset>::State);

    /// Returns the options of a random game; see [`Audit::table`].
    fn table(seats: usize, seed: u64) -> <Self::Base as Ruleset>::Options {
        Self::Base::table(seats, seed)
    }

    /// Returns the index of the legal action that random play takes; see [`Audit::choose`].
    fn choose(
        state: &<Self::Base as Ruleset>::State,
        seat: Seat,
        legal: &[<Self::Base as Ruleset>::Action],
        chance: &mut Chance,
    ) -> usize {
        Self::Base::choose(state, seat, legal, chance)
    }
}

/// The ruleset of a variant. For tests only: no client can create such a game.
pub struct PatchedRuleset<V>(PhantomData<V>);

impl<V: RulesetPatch> Ruleset for PatchedRuleset<V> {
    const INFO: RulesetInfo = V::Base::INFO;
    const RULES: Documents = V::Base::RULES;
    const HAS_OMITTED_ACTIONS: bool = V::Base::HAS_OMITTED_ACTIONS;
    const HAS_RICH_START: bool = V::Base::HAS_RICH_START;
    const HAS_HIDDEN_INFORMATION: bool = V::Base::HAS_HIDDEN_INFORMATION;
    const RESOURCES: &'static [Resource] = V::Base::RESOURCES;

    const DECISIONS: &'static [DecisionWords] = V::Base::DECISIONS;

    const ACTIONS: &'static [Term] = V::Base::ACTIONS;

    const FALLBACKS: &'static [Fallback<Self::Action>] = V::Base::FALLBACKS;

    type Draft = <V::Base as Ruleset>::Draft;
    type Options = <V::Base as Ruleset>::Options;
    type State = <V::Base as Ruleset>::State;
    type Action = <V::Base as Ruleset>::Action;
    type Event = <V::Base as Ruleset>::Event;
    type View = <V::Base as Ruleset>::View;
    type Refusal = <V::Base as Ruleset>::Refusal;
    type Permit = <V::Base as Ruleset>::Permit;

    fn options(
        players: &[String],
        draft: &Self::Draft,
    ) -> Result<Self::Options, RefusedOptionBy<Self>> {
        V::Base::options(players, draft)
    }

    fn seats(options: &Self::Options) -> usize {
        V::Base::seats(options)
    }

    fn setup(
        options: &Self::Options,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) -> Self::State {
        let mut state = V::Base::setup(options, chance, journal);
        V::enrich(&mut state);
        state
    }

    fn pending(state: &Self::State) -> PendingList {
        V::Base::pending(state)
    }

    fn candidates(
        state: &Self::State,
        seat: Seat,
        list: &mut ActionEnumerator<'_, Self::Action>,
    ) -> VisitFlow {
        V::Base::candidates(state, seat, list)
    }

    fn check(
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
    ) -> Result<Self::Permit, RefusedBy<Self>> {
        V::Base::check(state, seat, action)
    }

    fn execute(ctx: &mut ExecContextOf<'_, Self>, permit: Self::Permit) {
        V::Base::execute(ctx, permit);
    }

    fn execute_immediate(ctx: &mut ExecContextOf<'_, Self>, permit: Self::Permit) {
        V::Base::execute_immediate(ctx, permit);
    }

    fn holdings(state: &Self::State, seat: Seat, holdings: &mut Holdings) {
        V::Base::holdings(state, seat, holdings);
    }

    fn flow(event: &Self::Event, seat: Seat, flow: &mut Flow) {
        V::Base::flow(event, seat, flow);
    }

    fn ranking(state: &Self::State) -> Option<Ranking> {
        V::Base::ranking(state)
    }

    fn sources() -> Vec<Term> {
        V::Base::sources()
    }

    fn view(state: &Self::State, viewer: Viewer) -> Self::View {
        V::Base::view(state, viewer)
    }

    fn sample_world(state: &Self::State, seat: Seat, chance: &mut Chance) -> Self::State {
        V::Base::sample_world(state, seat, chance)
    }

    fn enrich(state: &mut Self::State) -> bool {
        V::Base::enrich(state)
    }

    fn event_view(event: &Self::Event, viewer: Viewer) -> Option<Self::Event> {
        V::Base::event_view(event, viewer)
    }

    fn text_context(state: &Self::State) -> Option<TextContext> {
        V::Base::text_context(state)
    }

    fn update_text_context(scene: &mut TextContext, event: &Self::Event) {
        V::Base::update_text_context(scene, event);
    }

    fn action_text(view: &Self::View, action: &Self::Action, names: Names<'_>) -> String {
        V::Base::action_text(view, action, names)
    }

    fn board(view: &Self::View, names: Names<'_>, columns: usize) -> String {
        V::Base::board(view, names, columns)
    }

    fn action_components(view: &Self::View, seat: Seat, action: &Self::Action) -> Vec<Component> {
        V::Base::action_components(view, seat, action)
    }

    fn is_marked(action: &Self::Action) -> bool {
        V::Base::is_marked(action)
    }

    fn event_components(event: &Self::Event) -> Vec<Component> {
        V::Base::event_components(event)
    }

    fn event_movements(event: &Self::Event) -> Vec<Movement> {
        V::Base::event_movements(event)
    }

    fn plates() -> Vec<Plate> {
        V::Base::plates()
    }

    fn picture(view: &Self::View, look: &Look<'_>) -> String {
        V::Base::picture(view, look)
    }

    fn draw_label(draw: &str, value: u16) -> String {
        V::Base::draw_label(draw, value)
    }
}

impl<V: RulesetPatch> Audit for PatchedRuleset<V> {
    type Reader = Unread;

    fn table(seats: usize, seed: u64) -> Self::Options {
        V::table(seats, seed)
    }

    fn universe(state: &Self::State, seat: Seat) -> Vec<Self::Action> {
        V::Base::universe(state, seat)
    }

    fn covers(listed: &Self::Action, accepted: &Self::Action) -> bool {
        V::Base::covers(listed, accepted)
    }

    fn waives(state: &Self::State) -> bool {
        V::Base::waives(state)
    }

    const RENEWED: &'static [&'static str] = V::Base::RENEWED;

    fn ends_period(event: &Self::Event) -> bool {
        V::Base::ends_period(event)
    }

    fn invariants(state: &Self::State) -> Result<(), Fault> {
        V::Base::invariants(state)
    }

    fn step_invariants(
        before: &Self::State,
        after: &Self::State,
        events: &[Self::Event],
    ) -> Result<(), Fault> {
        V::Base::step_invariants(before, after, events)
    }

    fn scramble(state: &Self::State, viewer: Viewer, chance: &mut Chance) -> Self::State {
        V::Base::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Self::Event, viewer: Viewer, chance: &mut Chance) -> Self::Event {
        V::Base::scramble_event(event, viewer, chance)
    }

    fn choose(
        state: &Self::State,
        seat: Seat,
        legal: &[Self::Action],
        chance: &mut Chance,
    ) -> usize {
        V::choose(state, seat, legal, chance)
    }
}
