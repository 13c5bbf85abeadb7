//! Tables that somebody describes: reads the view, lets the rules make the table, and compares what was given.

use gamekeeper_rules::table::{Chance, PositionError, Viewer};
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, Value};

use crate::contract::{message_name, pool};
use crate::{Malformed, Wire, field_text};

/// A described table on which no game can begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// The message is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// A value does not fit the rules, or the rest of the table: then no rule is named.
    #[error("{}", refused_text(.0))]
    Refused(PositionError),
}

impl PositionFault {
    /// Prefixes the path with that of the view in the request: `position`, `plan.positions[3]`. The field of the ruleset
    /// follows it.
    #[must_use]
    pub fn within<W: Wire>(self, outer: &str) -> Self {
        let nest = |path: String| {
            let descriptor = pool().get_message_by_name(&message_name::<W>("View"));
            // The path within a view begins at the field that holds it, whatever that is called.
            let path = Malformed::new(path, "").with_prefix("view");
            let path = path
                .without_oneofs(descriptor)
                .with_ruleset_prefix(W::INFO.id);
            let inner = path.field.strip_prefix("view").unwrap_or_default();
            format!("{outer}{inner}")
        };
        match self {
            Self::Malformed(Malformed { field, description }) => {
                Self::Malformed(Malformed::new(nest(field), description))
            }
            Self::Refused(error) => Self::Refused(PositionError {
                path: nest(error.path),
                ..error
            }),
        }
    }
}

fn refused_text(error: &PositionError) -> String {
    let PositionError {
        rule,
        path,
        found,
        allowed,
    } = error;
    match *rule {
        "" => format!("{path}: {found} contradicts the rest of the table; allowed: {allowed}"),
        _ => format!("{path}: {found} contradicts {rule}; allowed: {allowed}"),
    }
}

/// Makes the table that a view describes. Hidden things that the view leaves out are dealt by `chance`, in named draws.
/// The table is returned as the rules describe it, before any decision.
///
/// # Errors
/// Fails if the view is malformed, if the rules refuse it, or if any field that it has is another one in the operator's
/// view of the table. A field that is zero, empty or not set counts as left out.
pub fn position<W: Wire>(
    view: &W::PbView,
    options: &W::Options,
    chance: &mut Chance,
) -> Result<W::State, PositionFault> {
    let read = W::read_view(view.clone(), options)?;
    let state = W::position(options, &read, chance).map_err(PositionFault::Refused)?;
    let made = W::view_message(&W::view(&state, Viewer::Operator));
    match first_difference::<W>(view, &made) {
        None => Ok(state),
        Some(error) => Err(PositionFault::Refused(error)),
    }
}

/// Returns the first field of a described view that another view has otherwise.
fn first_difference<W: Wire>(sent: &W::PbView, made: &W::PbView) -> Option<PositionError> {
    let descriptor = pool().get_message_by_name(&message_name::<W>("View"))?;
    let dynamic = |message: &W::PbView| {
        DynamicMessage::decode(descriptor.clone(), &*message.encode_to_vec()).ok()
    };
    in_message(&dynamic(sent)?, &dynamic(made)?)
}

fn in_message(sent: &DynamicMessage, made: &DynamicMessage) -> Option<PositionError> {
    let mut given = sent.fields();
    given.find_map(|(field, value)| in_field(&field, value, made))
}

fn in_field(field: &FieldDescriptor, sent: &Value, made: &DynamicMessage) -> Option<PositionError> {
    let (name, kind) = (field.name(), field.kind());
    if field.supports_presence() && !made.has_field(field) {
        let found = field_text(sent, &kind);
        return Some(PositionError::new("", name, found, "nothing"));
    }
    in_value(sent, &made.get_field(field), &kind).map(|error| nested(name, error))
}

fn in_value(sent: &Value, made: &Value, kind: &Kind) -> Option<PositionError> {
    match (sent, made) {
        (Value::Message(sent), Value::Message(made)) => in_message(sent, made),
        (Value::List(sent), Value::List(made)) => {
            let entries = sent.iter().zip(made).enumerate();
            let mut faults = entries.filter_map(|(index, (sent, made))| {
                Some(nested(&format!("[{index}]"), in_value(sent, made, kind)?))
            });
            let (found, allowed) = (sent.len(), made.len());
            let length = || {
                let entries = |count| format!("{count} entries");
                PositionError::new("", "", entries(found), entries(allowed))
            };
            faults.next().or_else(|| (found != allowed).then(length))
        }
        _ if sent == made => None,
        _ => {
            let text = |value| field_text(value, kind);
            Some(PositionError::new("", "", text(sent), text(made)))
        }
    }
}

fn nested(outer: &str, error: PositionError) -> PositionError {
    PositionError {
        path: Malformed::new(error.path, "").with_prefix(outer).field,
        ..error
    }
}
