//! The **envelopes** of `gamekeeper.v1` around the messages of rulesets, with the facts that clients without knowledge
//! of the ruleset need.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::table::picture::{Plate, Point};
use gamekeeper_rules::table::{Amount, Component, DecisionWords, GameEvent, Kind, Movement, Term};

use crate::help::{Help, Helper};
use crate::{Wire, seat_number};

/// Wraps an action.
#[must_use]
pub fn wrap_action<W: Wire>(action: &W::Action) -> raw::Action {
    raw::Action {
        ruleset: Some((W::ONEOF_CODEC.action)(W::encoded_action(action))),
    }
}

/// Returns a legal action, with its text if given.
#[must_use]
pub fn legal_action<W: Wire>(action: &W::Action, text: Option<String>) -> raw::LegalAction {
    raw::LegalAction {
        action: Some(wrap_action::<W>(action)),
        kind: W::kind(action).to_owned(),
        text: text.unwrap_or_default(),
        ..raw::LegalAction::default()
    }
}

/// Returns an event, which must contain only what its viewer may know, with its sentence if given. `forced` marks the
/// first event of a forced action.
#[must_use]
pub fn wrap_event<W: Wire>(event: &W::Event, forced: bool, text: Option<String>) -> raw::Event {
    raw::Event {
        kind: event.kind().to_owned(),
        seat: event.seat().map_or(0, seat_number),
        text: text.unwrap_or_default(),
        forced,
        ruleset: Some((W::ONEOF_CODEC.event)(W::encoded_event(event))),
        ..raw::Event::default()
    }
}

/// Returns the names of components.
#[must_use]
pub fn component_names(components: &[Component]) -> Vec<String> {
    components.iter().map(ToString::to_string).collect()
}

/// Adds the components that an event touches, and what it moves, to the message of the event. The event must contain only
/// what its viewer may know.
#[must_use]
pub fn with_components<W: Wire>(event: &W::Event, message: raw::Event) -> raw::Event {
    raw::Event {
        components: component_names(&W::event_components(event)),
        movements: W::event_movements(event).iter().map(movement).collect(),
        ..message
    }
}

/// Converts a movement.
fn movement(movement: &Movement) -> pb::Movement {
    let name = |component: Option<Component>| {
        component.map_or_else(String::new, |component| component.to_string())
    };
    pb::Movement {
        component: name(movement.component),
        from_place: name(movement.from),
        to_place: name(movement.to),
        count: movement.count,
    }
}

/// Converts amounts of resources.
#[must_use]
pub fn amounts(amounts: &[Amount]) -> Vec<pb::Amount> {
    let message = |amount: &Amount| pb::Amount {
        resource: amount.resource.id.to_owned(),
        amount: amount.count,
    };
    amounts.iter().map(message).collect()
}

/// Converts the catalogue's entry of a component.
fn component(plate: &Plate, helper: &Helper<'_>) -> pb::Component {
    let Help { rules, text } = helper.named(&plate.title);
    let point = |point: &Point| pb::Point {
        x: point.x,
        y: point.y,
    };
    pb::Component {
        id: plate.component.to_string(),
        title: plate.title.clone(),
        color: plate.color.to_owned(),
        place: plate
            .place
            .map_or_else(String::new, |region| region.to_string()),
        outline: plate.outline.iter().map(point).collect(),
        neighbors: component_names(&plate.neighbors),
        help: text,
        rules,
    }
}

/// Wraps a view.
#[must_use]
pub fn wrap_view<W: Wire>(view: &W::View) -> raw::View {
    raw::View {
        ruleset: Some((W::ONEOF_CODEC.view)(W::encoded_view(view))),
    }
}

/// Wraps options.
#[must_use]
pub fn wrap_options<W: Wire>(options: &W::Options) -> raw::Options {
    raw::Options {
        ruleset: Some((W::ONEOF_CODEC.options)(W::encoded_options(options))),
    }
}

/// Returns the catalogue, with the words for people. Help comes from the rules of this ruleset.
#[must_use]
pub fn wrap_catalogue<W: Wire>(book: &Rulebook) -> raw::Catalogue {
    let helper = Helper::of::<W>(book);
    let component = |plate| component(plate, &helper);
    raw::Catalogue {
        revision: W::CATALOGUE_REVISION,
        terms: terms::<W>(&helper),
        components: W::plates().iter().map(component).collect(),
        ruleset: Some((W::ONEOF_CODEC.catalogue)(
            gamekeeper_proto::EncodedMessage::from_message(&W::catalogue()),
        )),
    }
}

/// Returns the words for people.
fn terms<W: Wire>(helper: &Helper<'_>) -> Vec<pb::Term> {
    let decision = |words: &DecisionWords| {
        let Help { rules, text } = helper.decision::<W>(words.id);
        pb::Term {
            kind: pb::TermKind::Decision.into(),
            id: words.id.to_owned(),
            title: words.title.to_owned(),
            question: words.question.to_owned(),
            help: text,
            rules,
        }
    };
    let titled = |kind: pb::TermKind| {
        move |term: &Term| {
            let Help { rules, text } = helper.cited(term.doc);
            pb::Term {
                kind: kind.into(),
                id: term.id.to_owned(),
                title: term.title.to_owned(),
                question: String::new(),
                help: text,
                rules,
            }
        }
    };
    let mut terms: Vec<pb::Term> = W::DECISIONS.iter().map(decision).collect();
    terms.extend(W::ACTIONS.iter().map(titled(pb::TermKind::Action)));
    terms.extend(W::sources().iter().map(titled(pb::TermKind::Score)));
    terms
}

/// Returns the id of the ruleset that these options belong to.
#[must_use]
pub const fn ruleset_of(options: &raw::options::Ruleset) -> &'static str {
    macro_rules! id_of {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match options {
                $(raw::options::Ruleset::$Ruleset(_) => stringify!($module),)*
            }
        };
    }
    crate::for_each_ruleset!(id_of)
}
