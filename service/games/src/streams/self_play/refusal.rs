//! Refusals of self-play moves, with the same contents as the status of a refused call.

use std::collections::BTreeMap;

use gamekeeper_proto::Code;
use gamekeeper_proto::raw::Problem;
use gamekeeper_rules::ruleset::RefusedBy;
use gamekeeper_store::Version;
use gamekeeper_wire::{Malformed, Wire};

use crate::errors::RulesRefusal;

/// Encodes a refusal by the rules.
pub(super) fn rules_refusal<W: Wire>(refusal: &RefusedBy<W>) -> Problem {
    let RulesRefusal {
        code,
        rule,
        message,
        detail,
    } = RulesRefusal::of::<W>(refusal);
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

/// Encodes the error for a malformed move, with the reason that all other calls use.
pub(super) fn malformed_move(error: &Malformed) -> Problem {
    let metadata = [("field", error.field.clone())];
    refusal(
        (Code::InvalidArgument, "MALFORMED"),
        error.to_string(),
        metadata,
    )
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
