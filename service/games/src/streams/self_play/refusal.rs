//! Refusals of self-play moves, with the same contents as the status of a refused call.

use std::collections::BTreeMap;

use gamekeeper_proto::raw::Problem;
use gamekeeper_proto::{Code, EncodedMessage};
use gamekeeper_rules::ruleset::RefusedBy;
use gamekeeper_store::Version;
use gamekeeper_wire::{Malformed, Wire};

use crate::errors::RulesRefusal;

/// Encodes a refusal by the rules of the move at this place of the request, with its action if it was sent as such.
pub(super) fn rules_refusal<W: Wire>(
    refusal: &RefusedBy<W>,
    action: Option<&EncodedMessage>,
    place: usize,
) -> Problem {
    let mut refusal = RulesRefusal::of::<W>(refusal);
    if let Some(action) = action {
        refusal.locate_unknown_name::<W>(action, &format!("{}.action", path_of(place)));
    }
    let RulesRefusal {
        code,
        rule,
        message,
        detail,
    } = refusal;
    let mut metadata = BTreeMap::from([(String::from("rule"), rule.to_owned())]);
    let detail = detail.map(|detail| {
        metadata.extend(detail.texts);
        detail.message
    });
    Problem {
        code: Code::FailedPrecondition.into(),
        reason: code.to_owned(),
        message,
        metadata,
        detail,
    }
}

/// Returns the path of the move at this place of the request.
fn path_of(place: usize) -> String {
    format!("moves.moves[{place}]")
}

/// Encodes the error for a malformed move at this place of the request, with the reason that all other calls use.
pub(super) fn malformed_move(error: Malformed, place: usize) -> Problem {
    let error = error.with_prefix(&path_of(place));
    let message = error.to_string();
    let metadata = [("field", error.field)];
    refusal((Code::InvalidArgument, "MALFORMED"), message, metadata)
}

/// Encodes the error for a move that expects another version.
pub(super) fn stale_version(expected: Version, current: Version) -> Problem {
    let metadata = [
        ("expected", expected.to_string()),
        ("current", current.to_string()),
    ];
    let message = format!("the game is at version {current}, not {expected}");
    refusal((Code::Aborted, "STALE_VERSION"), message, metadata)
}

/// Builds a refusal that comes before the rules are consulted.
fn refusal<const N: usize>(
    (code, reason): (Code, &str),
    message: String,
    metadata: [(&str, String); N],
) -> Problem {
    Problem {
        code: code.into(),
        reason: reason.to_owned(),
        message,
        metadata: metadata
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
        ..Problem::default()
    }
}
