//! Scripts of the load client for the null game and the echo server.

use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_wire::{Wire, wrap_options};
use prost::Message;
use serde::Serialize;

use crate::echo;
use crate::null::{Null, Options, pb};
use crate::play::Recording;
use crate::sizes::Sizes;

/// The number of actions after which the load client restarts a game.
const MAX_MOVES: usize = 2_000;

/// A game in the format that the load client reads.
#[derive(Serialize)]
struct Line<'a> {
    service: &'a str,
    ruleset: &'a str,
    seats: u32,
    options: Vec<u8>,
    seed: u64,
    moves: Vec<(u32, Vec<u8>)>,
}

/// Measures the sizes of a ruleset's data.
///
/// # Panics
/// If there is no such ruleset.
#[must_use]
pub(crate) fn sizes(ruleset: &str) -> Sizes {
    gamekeeper_rules::with_ruleset!(ruleset, R => of::<R>(), _ => panic!("there is no ruleset {ruleset:?}"))
}

fn of<W: Wire>() -> Sizes {
    let games: Vec<Recording<W>> = (1..=8)
        .map(|seed| Recording::new(seed, MAX_MOVES))
        .collect();
    Sizes::of(&games)
}

/// Builds the script of a null game with these sizes, minus the few bytes that the null game itself adds.
#[must_use]
pub(super) fn null_script(sizes: &Sizes) -> String {
    let size =
        |size: usize, overhead: usize| u32::try_from(size.saturating_sub(overhead)).unwrap_or(0);
    let options = Options {
        state: size(sizes.state, 18),
        view: size(sizes.view, 10),
        entry: size(sizes.entry, 51 + sizes.action),
        event: size(sizes.events, 16),
        action: size(sizes.action, 4),
        listed: size(sizes.listed, 0),
        last: size(sizes.moves, 0),
    };
    let action = pb::Padding {
        pad: vec![0; sizes.action.saturating_sub(4)].into(),
    };
    let action = raw::Action {
        ruleset: Some((Null::ONEOF_CODEC.action)(EncodedMessage::from_message(
            &action,
        ))),
    };
    line(
        ("gamekeeper.v1.GameService", Null::INFO.id),
        wrap_options::<Null>(&options).encode_to_vec(),
        &action.encode_to_vec(),
        sizes,
    )
}

/// Builds a script of calls with these sizes for the echo server.
#[must_use]
pub(crate) fn echo_script(sizes: &Sizes) -> String {
    line(
        (echo::SERVICE, "echo"),
        Vec::new(),
        &vec![0; sizes.action],
        sizes,
    )
}

fn line(
    (service, ruleset): (&str, &str),
    options: Vec<u8>,
    action: &[u8],
    sizes: &Sizes,
) -> String {
    let moves = 0..u32::try_from(sizes.moves).unwrap_or(u32::MAX);
    let line = Line {
        service,
        ruleset,
        seats: 4,
        options,
        seed: 1,
        moves: moves.map(|at| (at % 4 + 1, action.to_vec())).collect(),
    };
    serde_json::to_string(&line).expect("a script")
}
