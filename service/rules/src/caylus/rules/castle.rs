//! Phase 6: the castle (CAY-6.8).

use std::cmp::Reverse;
use std::ops::ControlFlow;

use crate::caylus::action::Action;
use crate::caylus::data::{CASTLE_PENALTY, Cubes, Goods, Resource, Section};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::pending::Decision;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::{favors, vocabulary};
use crate::caylus::state::{Log, Phase, State, Step};
use crate::table::{Seat, Visit};

/// A part of the castle that may be built.
#[derive(Clone, Copy, Debug)]
pub(in crate::caylus) struct Batch {
    section: Section,
    cubes: Cubes,
}

/// # Rule CAY-6.8.1
/// The phase is skipped when nobody is in the castle.
pub(in crate::caylus) fn begin(state: &mut State) {
    if state.castle.queue.is_empty() {
        state.step = Step::Bailiff;
    } else {
        state.enter(Phase::Castle);
        state.step = Step::Castle;
    }
}

/// # Rule CAY-6.8.2
/// The builder at the cursor goes on until he finishes.
pub(in crate::caylus) fn ask(state: &mut State) {
    let seat = state.castle.queue[usize::from(state.cursor)];
    state.ask(seat, Decision::CastleBuild);
}

/// # Rule CAY-6.8.3
/// One food and two different other kinds, owned, and a section with room.
pub(in crate::caylus) fn check_batch(
    state: &State,
    seat: Seat,
    second: Option<Resource>,
    third: Option<Resource>,
) -> Result<Deed, Refusal> {
    let second = vocabulary::resource(second, "second")?;
    let third = vocabulary::resource(third, "third")?;
    if second == Resource::Food || third == Resource::Food || second == third {
        return Err(Refusal::InvalidBatch);
    }
    let cubes = Cubes::of(1, Resource::Food).and(1, second).and(1, third);
    let price = Goods::cubes(cubes);
    if !state.players[seat].can_pay(price) {
        return Err(Refusal::CannotAfford {
            price,
            rule: "CAY-6.8.3",
        });
    }
    let section = state.castle.open().ok_or(Refusal::CastleFull)?;
    Ok(Deed::Batch(Batch { section, cubes }))
}

/// Pairs by resource order (CAY-14.10).
pub(in crate::caylus) fn batch_candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let kinds = [
        Resource::Wood,
        Resource::Stone,
        Resource::Cloth,
        Resource::Gold,
    ];
    for (place, &second) in kinds.iter().enumerate() {
        for &third in &kinds[place + 1..] {
            let (second, third) = (Some(second), Some(third));
            visit(Action::BuildCastleBatch { second, third })?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-6.8.4
/// Pay, put a house in the first section with room, gain its prestige points.
pub(in crate::caylus) fn build(state: &mut State, seat: Seat, batch: Batch, journal: &mut Log) {
    let Batch { section, cubes } = batch;
    let vp = section.sheet().vp;
    let player = &mut state.players[seat];
    player.pay(Goods::cubes(cubes));
    player.gain(Goods::vp(vp));
    state.castle.parts[section as usize][seat] += 1;
    state.castle.batches[seat] += 1;
    journal.event(Event::CastleBatch {
        seat,
        section,
        paid: cubes,
        vp,
    });
}

/// # Rule CAY-6.8.6
/// Without a batch a builder loses 2 VP, unless the castle had no room when his turn came: then
/// it still has none.
pub(in crate::caylus) fn finish(state: &mut State, seat: Seat, journal: &mut Log) {
    let batches = state.castle.batches[seat];
    if batches == 0 && state.castle.open().is_some() {
        let vp = state.players[seat].lose_vp(CASTLE_PENALTY);
        journal.event(Event::CastlePenalty { seat, vp });
    } else {
        journal.event(Event::CastleFinished { seat, batches });
    }
    if usize::from(state.cursor) + 1 < state.castle.queue.len() {
        state.cursor += 1;
    } else {
        state.step = Step::MostBatches;
    }
}

/// # Rule CAY-6.8.7
/// The most batches of this turn, at least 1, give a favor; of equals, to the earlier builder.
pub(in crate::caylus) fn reward_most_batches(state: &mut State, journal: &mut Log) {
    state.step = Step::LeaveCastle;
    let castle = &state.castle;
    let most = castle
        .queue
        .iter()
        .copied()
        .min_by_key(|&seat| Reverse(castle.batches[seat]))
        .map(|seat| (seat, castle.batches[seat]));
    if let Some((seat, batches @ 1..)) = most {
        journal.event(Event::MostBatches { seat, batches });
        favors::gain(state, seat, 1, journal);
    }
}

/// # Rule CAY-6.8.7
/// All castle workers return.
pub(in crate::caylus) fn leave(state: &mut State, journal: &mut Log) {
    let seats = std::mem::take(&mut state.castle.queue);
    for &seat in &seats {
        state.bring_home(seat);
    }
    journal.event(Event::CastleLeft { seats });
    state.step = Step::Bailiff;
}
