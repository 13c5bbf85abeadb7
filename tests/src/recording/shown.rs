//! The expected contents of responses, computed by the rules alone.

use gamekeeper_proto::raw::LegalAction;
use gamekeeper_rules::ruleset::{Applied, CostPreview, Ruleset, legal_actions, render_event};
use gamekeeper_rules::table::{Detail, Names, Seat, TextContext, Viewer};
use gamekeeper_wire::{
    Wire, amounts, component_names, draw, legal_action, with_components, wrap_event, wrap_view,
};
use serde_json::{Value, json};

use super::{NAMES, json as message, list};

/// Maximum number of actions per page.
const MAX_PAGE: usize = 1_000;

/// A version of a game.
pub(super) struct Moment<'a, W: Ruleset> {
    pub(super) table: &'a Applied<W>,
    pub(super) version: u64,
    /// The seat that acted. `None` in the set-up.
    pub(super) actor: Option<Seat>,
    /// The scene before this version, which sentences refer to.
    pub(super) scene: &'a TextContext,
}

/// Returns the draws of a version.
pub(super) fn drawn<W: Wire>(table: &Applied<W>) -> Value {
    let draws = table.draws.iter().map(draw::<W>);
    list("Draw", &draws.collect::<Vec<_>>())
}

/// Returns the view of a viewer.
pub(super) fn view_of<W: Wire>(state: &W::State, viewer: Viewer) -> Value {
    message("View", &wrap_view::<W>(&W::view(state, viewer)))
}

/// Returns the events of a version as a seat sees them, with sentences.
pub(super) fn event_messages<W: Wire>(
    now: &Moment<'_, W>,
    viewer: Seat,
    components: bool,
) -> Value {
    let (names, mut scene) = (NAMES.map(str::to_owned), now.scene.clone());
    let message_of = |(event, is_forced): (W::Event, bool)| {
        let text = render_event::<W>(&event, is_forced, &names, &mut scene);
        let mut event_message = wrap_event::<W>(&event, is_forced, Some(text));
        if components {
            event_message = with_components::<W>(&event, event_message);
        }
        message("Event", &event_message)
    };
    visible_events::<W>(now.table, viewer)
        .map(message_of)
        .chain(ended(now.table))
        .collect()
}

/// Returns the legal actions of a seat with all the fields of a list.
pub(super) fn listed<W: Wire>(state: &W::State, seat: Seat) -> Value {
    let names = NAMES.map(str::to_owned);
    let view = W::view(state, Viewer::Seat(seat));
    let mut pricing = CostPreview::<W>::new(state, seat);
    let shown = |action: &W::Action| {
        let price = pricing.price(action);
        let text = price.annotate(W::action_text(&view, action, Names::new(&names)));
        let action = LegalAction {
            components: component_names(&W::action_components(&view, seat, action)),
            cost: amounts(&price.cost),
            gains: amounts(&price.gains),
            ..legal_action::<W>(action, Some(text))
        };
        message("LegalAction", &action)
    };
    let legal = legal_actions::<W>(state, seat, Detail::Moves);
    legal.iter().take(MAX_PAGE).map(shown).collect()
}

/// Returns the event of the end, if the rules have ended the game.
fn ended<W: Ruleset>(table: &Applied<W>) -> Option<Value> {
    let ranking = W::ranking(&table.state)?;
    let names = NAMES.map(str::to_owned);
    Some(json!({
        "kind": "ended",
        "text": ranking.outcome(Names::new(&names), W::INFO.unit),
        "table": {"ended": {"reason": "END_REASON_RULES"}},
    }))
}

/// Returns the events of a version that a seat may know, each with whether it was caused by a forced action.
pub(super) fn visible_events<W: Ruleset>(
    table: &Applied<W>,
    seat: Seat,
) -> impl Iterator<Item = (W::Event, bool)> {
    table
        .events_with_forced()
        .filter_map(move |(event, is_forced)| {
            let visible = W::event_view(event, Viewer::Seat(seat))?;
            Some((visible, is_forced))
        })
}
