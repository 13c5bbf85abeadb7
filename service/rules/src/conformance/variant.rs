//! A ruleset with another start or another random policy, so that random games reach rare rules.

use std::marker::PhantomData;

use super::Audit;
use crate::rulebook::Documents;
use crate::ruleset::{JournalOf, PlayOf, RefusedBy, RefusedOptionBy, Ruleset, Sheet};
use crate::table::picture::{Look, Plate};
use crate::table::{
    Chance, Component, DecisionWords, Fallback, Fault, Holdings, Lister, Names, PendingList,
    Ranking, Resource, Scene, Seat, Term, Viewer, Visit,
};

/// The differences of a variant from the plain game.
pub trait Variant: Send + Sync + 'static {
    /// The plain game.
    type Plain: Audit;

    /// Changes the table after the set-up.
    fn enrich(state: &mut <Self::Plain as Ruleset>::State);

    /// Returns the options of a random game; see [`Audit::table`].
    fn table(seats: usize, seed: u64) -> <Self::Plain as Ruleset>::Options {
        Self::Plain::table(seats, seed)
    }

    /// Returns the index of the legal action that random play takes; see [`Audit::choose`].
    fn choose(
        state: &<Self::Plain as Ruleset>::State,
        seat: Seat,
        legal: &[<Self::Plain as Ruleset>::Action],
        chance: &mut Chance,
    ) -> usize {
        Self::Plain::choose(state, seat, legal, chance)
    }
}

/// The ruleset of a variant. For tests only: no client can create such a game.
pub struct Varied<V>(PhantomData<V>);

impl<V: Variant> Ruleset for Varied<V> {
    const SHEET: Sheet = V::Plain::SHEET;
    const RULES: Documents = V::Plain::RULES;
    const LEAVES_OUT: bool = V::Plain::LEAVES_OUT;
    const RESOURCES: &'static [Resource] = V::Plain::RESOURCES;

    const DECISIONS: &'static [DecisionWords] = V::Plain::DECISIONS;

    const ACTIONS: &'static [Term] = V::Plain::ACTIONS;

    const FALLBACKS: &'static [Fallback<Self::Action>] = V::Plain::FALLBACKS;

    type Draft = <V::Plain as Ruleset>::Draft;
    type Options = <V::Plain as Ruleset>::Options;
    type State = <V::Plain as Ruleset>::State;
    type Action = <V::Plain as Ruleset>::Action;
    type Event = <V::Plain as Ruleset>::Event;
    type View = <V::Plain as Ruleset>::View;
    type Refusal = <V::Plain as Ruleset>::Refusal;
    type Permit = <V::Plain as Ruleset>::Permit;

    fn options(
        players: &[String],
        draft: &Self::Draft,
    ) -> Result<Self::Options, RefusedOptionBy<Self>> {
        V::Plain::options(players, draft)
    }

    fn seats(options: &Self::Options) -> usize {
        V::Plain::seats(options)
    }

    fn setup(
        options: &Self::Options,
        chance: &mut Chance,
        journal: &mut JournalOf<Self>,
    ) -> Self::State {
        let mut state = V::Plain::setup(options, chance, journal);
        V::enrich(&mut state);
        state
    }

    fn pending(state: &Self::State) -> PendingList {
        V::Plain::pending(state)
    }

    fn candidates(state: &Self::State, seat: Seat, list: &mut Lister<'_, Self::Action>) -> Visit {
        V::Plain::candidates(state, seat, list)
    }

    fn check(
        state: &Self::State,
        seat: Seat,
        action: &Self::Action,
    ) -> Result<Self::Permit, RefusedBy<Self>> {
        V::Plain::check(state, seat, action)
    }

    fn perform(play: &mut PlayOf<'_, Self>, permit: Self::Permit) {
        V::Plain::perform(play, permit);
    }

    fn answer(play: &mut PlayOf<'_, Self>, permit: Self::Permit) {
        V::Plain::answer(play, permit);
    }

    fn holdings(state: &Self::State, seat: Seat, holdings: &mut Holdings) {
        V::Plain::holdings(state, seat, holdings);
    }

    fn ranking(state: &Self::State) -> Option<Ranking> {
        V::Plain::ranking(state)
    }

    fn sources() -> Vec<Term> {
        V::Plain::sources()
    }

    fn view(state: &Self::State, viewer: Viewer) -> Self::View {
        V::Plain::view(state, viewer)
    }

    fn sample(state: &Self::State, seat: Seat, chance: &mut Chance) -> Self::State {
        V::Plain::sample(state, seat, chance)
    }

    fn enrich(state: &mut Self::State) -> bool {
        V::Plain::enrich(state)
    }

    fn event_view(event: &Self::Event, viewer: Viewer) -> Option<Self::Event> {
        V::Plain::event_view(event, viewer)
    }

    fn scene(state: &Self::State) -> Option<Scene> {
        V::Plain::scene(state)
    }

    fn changes(scene: &mut Scene, event: &Self::Event) {
        V::Plain::changes(scene, event);
    }

    fn action_text(view: &Self::View, action: &Self::Action, names: Names<'_>) -> String {
        V::Plain::action_text(view, action, names)
    }

    fn board(view: &Self::View, names: Names<'_>, columns: usize) -> String {
        V::Plain::board(view, names, columns)
    }

    fn action_components(view: &Self::View, seat: Seat, action: &Self::Action) -> Vec<Component> {
        V::Plain::action_components(view, seat, action)
    }

    fn event_components(event: &Self::Event) -> Vec<Component> {
        V::Plain::event_components(event)
    }

    fn plates() -> Vec<Plate> {
        V::Plain::plates()
    }

    fn picture(view: &Self::View, look: &Look<'_>) -> String {
        V::Plain::picture(view, look)
    }

    fn draw_label(draw: &str, value: u16) -> String {
        V::Plain::draw_label(draw, value)
    }
}

impl<V: Variant> Audit for Varied<V> {
    fn table(seats: usize, seed: u64) -> Self::Options {
        V::table(seats, seed)
    }

    fn universe(state: &Self::State, seat: Seat) -> Vec<Self::Action> {
        V::Plain::universe(state, seat)
    }

    fn covers(listed: &Self::Action, accepted: &Self::Action) -> bool {
        V::Plain::covers(listed, accepted)
    }

    fn waives(state: &Self::State) -> bool {
        V::Plain::waives(state)
    }

    fn invariants(state: &Self::State) -> Result<(), Fault> {
        V::Plain::invariants(state)
    }

    fn step_invariants(
        before: &Self::State,
        after: &Self::State,
        events: &[Self::Event],
    ) -> Result<(), Fault> {
        V::Plain::step_invariants(before, after, events)
    }

    fn scramble(state: &Self::State, viewer: Viewer, chance: &mut Chance) -> Self::State {
        V::Plain::scramble(state, viewer, chance)
    }

    fn scramble_event(event: &Self::Event, viewer: Viewer, chance: &mut Chance) -> Self::Event {
        V::Plain::scramble_event(event, viewer, chance)
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
