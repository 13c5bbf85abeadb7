//! The methods that every ruleset forwards to its modules.

/// Implements the methods of [`Ruleset`](crate::ruleset::Ruleset) that all rulesets delegate to their modules in the
/// same way, so that a ruleset's `mod.rs` contains only the differences. The modules are named after their tasks:
/// `options` checks, `setup` sets up, `legal` judges and lists, `flow` performs, `holdings` counts, `score` counts points,
/// `view` shows, `worlds` samples, `words` and `board` put the table into text, `components` names touched components,
/// `movements` says where they go, and `picture` draws. After `with` stand the parts that not every ruleset has:
///
/// * `execute`: `flow` has an `execute`, since after some answers more is to do than `run_to_decision` does;
/// * `fallbacks`: `fallback` has answers for players who have left other than the first legal action;
/// * `questions`: `view` shows more of pending decisions than their list, and clears it;
/// * `starts`: tables on which players have much more;
/// * `labels`: `data` has labels of drawn values;
/// * `tally`: what viewers know from the events although no view shows it;
/// * `context`: facts of the table that sentences mention, kept by `State` and `Event`;
/// * `open`: nothing is ever hidden, so there is no `worlds`;
/// * `positions`: `position` makes the tables that somebody describes;
/// * `settle`: on these tables, `settle` of `flow` does something else than `run_to_decision`;
/// * `costs`: `holdings` knows events whose costs and gains have different units;
/// * `shortcut`: `legal` has a test for candidates that is cheaper than `check`.
#[doc(hidden)]
#[macro_export]
macro_rules! by_modules {
    ($(with $($part:ident),+ $(,)?)?) => {
        $crate::ruleset::by_modules!(@rest);
        $crate::ruleset::by_modules!(@unless_execute [$($($part)+)?]);
        $crate::ruleset::by_modules!(@unless_open [$($($part)+)?]);
        $crate::ruleset::by_modules!(@unless_questions [$($($part)+)?]);
        $crate::ruleset::by_modules!(@unless_settle [$($($part)+)?]);

        $($($crate::ruleset::by_modules!(@$part);)+)?
    };
    (@execute) => {
        fn execute(ctx: &mut $crate::ruleset::ExecContextOf<'_, Self>, permit: Permit) {
            flow::execute(ctx, permit);
        }
    };
    (@unless_execute [execute $($others:ident)*]) => {};
    (@unless_execute []) => {
        fn execute(ctx: &mut $crate::ruleset::ExecContextOf<'_, Self>, permit: Permit) {
            flow::execute_immediate(ctx, permit);
            flow::run_to_decision(ctx);
        }
    };
    (@questions) => {
        fn clear_pending(view: &mut View) {
            view::clear_pending(view);
        }
    };
    (@unless_questions [questions $($others:ident)*]) => {};
    (@unless_questions []) => {
        fn clear_pending(view: &mut View) {
            view.pending.clear();
        }
    };
    (@settle) => {
        fn settle(ctx: &mut $crate::ruleset::ExecContextOf<'_, Self>) {
            flow::settle(ctx);
        }
    };
    (@unless_settle [settle $($others:ident)*]) => {};
    (@unless_settle []) => {
        fn settle(ctx: &mut $crate::ruleset::ExecContextOf<'_, Self>) {
            flow::run_to_decision(ctx);
        }
    };
    (@open) => {
        const HAS_HIDDEN_INFORMATION: bool = false;

        fn sample_world(
            state: &State,
            _seat: $crate::table::Seat,
            _chance: &mut $crate::table::Chance,
        ) -> State {
            state.clone()
        }
    };
    (@unless_open [open $($others:ident)*]) => {};
    (@unless_open []) => {
        fn sample_world(
            state: &State,
            seat: $crate::table::Seat,
            chance: &mut $crate::table::Chance,
        ) -> State {
            worlds::sample_world(state, seat, chance)
        }
    };
    // Goes on with the next part: the first one does not replace this default.
    (@$default:ident [$part:ident $($others:ident)*]) => {
        $crate::ruleset::by_modules!(@$default [$($others)*]);
    };
    (@fallbacks) => {
        const FALLBACKS: &'static [$crate::table::Fallback<Action>] = fallback::FALLBACKS;
    };
    (@starts) => {
        const HAS_RICH_START: bool = true;

        fn enrich(state: &mut State) -> bool {
            starts::enrich(state)
        }
    };
    (@positions) => {
        const HAS_POSITIONS: bool = true;

        fn position(
            options: &Options,
            view: &View,
            chance: &mut $crate::table::Chance,
        ) -> Result<State, $crate::table::PositionError> {
            position::position(options, view, chance)
        }
    };
    (@labels) => {
        fn draw_label(draw: &str, value: u16) -> String {
            let label = data::draw_label(draw, value);
            label.map_or_else(|| value.to_string(), Into::into)
        }
    };
    (@tally) => {
        fn tracked_counter_names() -> Vec<String> {
            tally::names()
        }

        fn count_tracked(
            state: &State,
            viewer: $crate::table::Viewer,
            seat: $crate::table::Seat,
            count: &mut dyn FnMut(usize, u16),
        ) {
            tally::count(state, viewer, seat, count);
        }
    };
    (@context) => {
        fn text_context(state: &State) -> Option<$crate::table::TextContext> {
            Some(state.text_context())
        }

        fn update_text_context(scene: &mut $crate::table::TextContext, event: &Event) {
            event.update_text_context(scene);
        }
    };
    (@costs) => {
        fn flow(event: &Event, seat: $crate::table::Seat, flow: &mut $crate::table::Flow) {
            holdings::flow(event, seat, flow);
        }
    };
    (@shortcut) => {
        fn is_legal(state: &State, seat: $crate::table::Seat, candidate: &Action) -> bool {
            legal::is_legal(state, seat, candidate)
        }
    };
    (@rest) => {
        const OPTIONS: &'static [$crate::table::OptionRule] = options::OPTIONS;

        const RESOURCES: &'static [$crate::table::Resource] = holdings::RESOURCES;

        const DECISIONS: &'static [$crate::table::DecisionWords] = Decision::WORDS;

        const ACTIONS: &'static [$crate::table::Term] = Action::TERMS;

        type Draft = Draft;
        type Options = Options;
        type State = State;
        type Action = Action;
        type Event = Event;
        type View = View;
        type Refusal = Refusal;
        type Permit = Permit;

        fn options(
            players: &[String],
            draft: &Draft,
        ) -> Result<Options, $crate::ruleset::RefusedOptionBy<Self>> {
            options::check(players, draft)
        }

        fn seats(options: &Options) -> usize {
            options.seats()
        }

        fn setup(
            options: &Options,
            chance: &mut $crate::table::Chance,
            journal: &mut $crate::ruleset::JournalOf<Self>,
        ) -> State {
            setup::setup(options, chance, journal)
        }

        fn pending(state: &State) -> $crate::table::PendingList {
            $crate::table::Pending::all(state.pending(), Decision::id)
        }

        fn candidates(
            state: &State,
            seat: $crate::table::Seat,
            list: &mut $crate::table::ActionEnumerator<'_, Action>,
        ) -> $crate::table::VisitFlow {
            legal::candidates(state, seat, list)
        }

        fn check(
            state: &State,
            seat: $crate::table::Seat,
            action: &Action,
        ) -> Result<Permit, $crate::ruleset::RefusedBy<Self>> {
            legal::check(state, seat, action)
        }

        fn execute_immediate(ctx: &mut $crate::ruleset::ExecContextOf<'_, Self>, permit: Permit) {
            flow::execute_immediate(ctx, permit);
        }

        fn holdings(state: &State, seat: $crate::table::Seat, holdings: &mut $crate::table::Holdings) {
            holdings::count(state, seat, holdings);
        }

        fn ranking(state: &State) -> Option<$crate::table::Ranking> {
            if state.is_over() { Self::scores(state) } else { None }
        }

        fn scores(state: &State) -> Option<$crate::table::Ranking> {
            Self::INFO.ranking(score::scores(state))
        }

        fn sources() -> Vec<$crate::table::Term> {
            let all = <score::Source as $crate::table::Source>::all();
            all.map($crate::table::Source::term).collect()
        }

        fn view(state: &State, viewer: $crate::table::Viewer) -> View {
            view::view(state, viewer)
        }

        fn action_text(view: &View, action: &Action, names: $crate::table::Names<'_>) -> String {
            words::action(view, action, names)
        }

        fn board(view: &View, names: $crate::table::Names<'_>, columns: usize) -> String {
            board::board(view, names, columns)
        }

        fn action_components(
            view: &View,
            seat: $crate::table::Seat,
            action: &Action,
        ) -> Vec<$crate::table::Component> {
            components::action(view, seat, action)
        }

        fn event_components(event: &Event) -> Vec<$crate::table::Component> {
            components::event(event)
        }

        fn event_movements(event: &Event) -> Vec<$crate::table::Movement> {
            movements::event(event)
        }

        fn plates() -> Vec<$crate::table::picture::Plate> {
            picture::plates()
        }

        fn picture(view: &View, look: &$crate::table::picture::Look<'_>) -> String {
            picture::picture(view, look)
        }
    };
}
pub use by_modules;
