//! The calls of the golden test to the rules and to their messages, one small function each.

use std::ops::ControlFlow;

use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, visit_legal};
use gamekeeper_rules::table::{
    Chance, Detail, Refusal, Refused, Seat, Seed, Viewer, decode, encode, fingerprint,
};
use gamekeeper_wire::{Malformed, Wire};
use prost::Message;

use crate::hex::{hex, short};

/// The maximum number of actions of a list that are looked at.
const MAX_LISTED: usize = 200;

/// The answer of the rules to a message.
pub(crate) struct RuleResult {
    pub(crate) code: &'static str,
    pub(crate) rule: &'static str,
    /// The sentence of a refusal, or a hash of the result.
    pub(crate) text: String,
}

impl RuleResult {
    fn malformed(malformed: &Malformed) -> Self {
        Self {
            code: "MALFORMED",
            rule: "-",
            text: malformed.to_string(),
        }
    }

    fn refused(refusal: &Refused<impl Refusal>) -> Self {
        Self {
            code: refusal.code(),
            rule: refusal.rule,
            text: refusal.to_string(),
        }
    }

    fn accepted(outcome: &[u8]) -> Self {
        Self {
            code: "ACCEPTED",
            rule: "-",
            text: short(outcome),
        }
    }
}

pub(crate) fn names(seats: usize) -> Vec<String> {
    (1..=seats).map(|seat| format!("Player {seat}")).collect()
}

/// Returns the checked options of a message.
pub(crate) fn options<W: Wire>(seats: usize, message: &[u8]) -> Result<W::Options, RuleResult> {
    let message = W::PbOptions::decode(message).expect("a recorded message");
    let draft = W::draft(message).map_err(|malformed| RuleResult::malformed(&malformed))?;
    W::options(&names(seats), &draft).map_err(|refusal| RuleResult::refused(&refusal.refused))
}

/// Returns the answer of the rules to a request for a game.
pub(crate) fn result_of_creation<W: Wire>(seats: usize, message: &[u8]) -> RuleResult {
    options::<W>(seats, message).map_or_else(
        |refused| refused,
        |options| RuleResult::accepted(&encode(&options)),
    )
}

/// Creates a game; on another table than the ruleset's own, if one is given.
pub(crate) fn started<R: Ruleset>(
    options: &R::Options,
    seed: u64,
    start: Option<(&[u8], u64)>,
) -> Applied<R> {
    let seed = Seed::from_number(seed);
    let plain = create::<R>(options, Chance::from_seed(&seed));
    match start {
        None => plain,
        Some((state, position)) => Applied {
            state: decode(state).expect("a recorded table"),
            chance: Chance::resume(&seed, position),
            ..plain
        },
    }
}

/// Plays the action of a message, without changing the table.
pub(crate) fn played<W: Wire>(
    now: &Applied<W>,
    seat: Seat,
    message: &[u8],
) -> Result<(W::Action, Applied<W>), RuleResult> {
    let message = W::PbAction::decode(message).expect("a recorded message");
    let action = W::action(message).map_err(|malformed| RuleResult::malformed(&malformed))?;
    match apply::<W>(&now.state, &now.chance, seat, &action) {
        Ok(next) => Ok((action, next)),
        Err(refusal) => Err(RuleResult::refused(&refusal)),
    }
}

/// Returns the answer of the rules to an action.
pub(crate) fn result_of_action<W: Wire>(
    now: &Applied<W>,
    seat: Seat,
    message: &[u8],
) -> RuleResult {
    played::<W>(now, seat, message).map_or_else(
        |refused| refused,
        |(_, next)| RuleResult::accepted(&fingerprint(&next.state).to_be_bytes()),
    )
}

/// Lists the legal actions of a seat.
pub(crate) fn listed<R: Ruleset>(state: &R::State, seat: Seat, detail: Detail) -> Vec<R::Action> {
    let mut actions = Vec::new();
    let _all = visit_legal::<R>(state, seat, detail, &mut |action| {
        actions.push(action);
        if actions.len() < MAX_LISTED {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    actions
}

pub(crate) fn viewers(seats: usize) -> impl Iterator<Item = Viewer> {
    let others = [Viewer::Spectator, Viewer::Operator];
    Seat::all(seats).map(Viewer::Seat).chain(others)
}

/// Returns the message of an action, in the form of a record.
pub(crate) fn action_hex<W: Wire>(action: &W::Action) -> String {
    hex(&W::action_message(action).encode_to_vec())
}
