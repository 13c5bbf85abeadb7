//! Table life at stored games. The tests set the time.

mod clocks;
mod due;
mod leaving;
mod limits;
mod outages;
mod quotas;
mod take_backs;

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::table_life::TableRefusal;
use pb::{ClockOptions, EndReason, TableOptions, TakeBackPolicy, TimeoutAction};
use prost_types::Timestamp;

use super::*;
use crate::aggregate::due::{due_bucket, minute_of};
use crate::authz::{Caller, Role};
use crate::metadata::GameMetadata;
use crate::test_server::{START_MS, TestServer, store};

fn clock(decision: u32, bank: u32, increment: u32, on_timeout: TimeoutAction) -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: decision,
            bank_seconds: bank,
            increment_seconds: increment,
            on_timeout: on_timeout.into(),
            ..ClockOptions::default()
        }),
        ..Default::default()
    }
}

/// Returns the milliseconds since the game was created.
fn since_begin(time: Option<Timestamp>) -> Option<u64> {
    let time = time?;
    let ms = u64::try_from(time.seconds).unwrap() * 1_000;
    Some(ms + u64::try_from(time.nanos).unwrap() / 1_000_000 - START_MS)
}

fn due(game: &pb::GameInfo) -> Option<u64> {
    since_begin(game.pending[0].due)
}

fn late(game: &pb::GameInfo) -> TableRequest {
    let seat = game.pending[0].seat;
    TableRequest::ClaimTimeout { seat }
}

fn bank(game: &pb::GameInfo, seat: u32) -> u64 {
    let mut clocks = game.clocks.iter();
    clocks.find(|clock| clock.seat == seat).unwrap().bank_ms
}
