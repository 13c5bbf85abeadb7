//! Phase 6: the castle (CAY-6.8).

use std::cmp::Reverse;

use super::common::{Bill, afford, gain_favors};
use crate::caylus::action::Action;
use crate::caylus::data::{CASTLE_PENALTY, Cubes, Goods, Resource, Section};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, Refusal, RefusedAction, require_known};
use crate::caylus::stage::{Decision, Phase, Stage};
use crate::caylus::state::{Castle, ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Batch { section: Section, cubes: Cubes },
    Finish,
}

/// # Rule CAY-6.8.1
/// The phase is skipped when nobody is in the castle.
pub fn enter(ctx: &mut ExecContext<'_>) {
    if ctx.state.castle.queue.is_empty() {
        ctx.state.stage = Stage::Bailiff;
    } else {
        ctx.state.enter(Phase::Castle);
        ctx.state.stage = Stage::Castle;
    }
}

/// # Rule CAY-6.8.2
/// The builder at the cursor continues until they finish.
pub fn enter_builder(ctx: &mut ExecContext<'_>) {
    let seat = ctx.state.castle.queue[usize::from(ctx.state.cursor)];
    ctx.state.ask(seat, Decision::CastleBuild);
}

/// # Rule CAY-6.8.7
/// The most batches of this turn, at least 1, give a favor; ties go to the earlier builder.
pub fn enter_most_batches(ctx: &mut ExecContext<'_>) {
    ctx.state.stage = Stage::LeaveCastle;
    let castle = &ctx.state.castle;
    if let Some((seat, batches)) = most_batches(castle) {
        let others = castle.queue.iter().filter(|&&other| other != seat);
        let is_tied = others
            .map(|&other| castle.batches[other])
            .any(|parts| parts == batches);
        ctx.emit(Event::MostBatches {
            seat,
            batches,
            is_tied,
        });
        gain_favors(ctx, seat, 1);
    }
}

/// Returns the builder with the most batches of this turn, of several the first in the queue, and the number of the
/// batches. Returns `None` if there are none.
pub fn most_batches(castle: &Castle) -> Option<(Seat, u8)> {
    let builders = castle
        .queue
        .iter()
        .map(|&seat| (seat, castle.batches[seat]));
    let most = builders.min_by_key(|&(_, batches)| Reverse(batches));
    most.filter(|&(_, batches)| batches > 0)
}

/// # Rule CAY-6.8.7
/// All castle workers return.
pub fn enter_leaving(ctx: &mut ExecContext<'_>) {
    let seats = std::mem::take(&mut ctx.state.castle.queue);
    for &seat in &seats {
        ctx.state.bring_home(seat);
    }
    ctx.emit(Event::CastleLeft { seats });
    ctx.state.stage = Stage::Bailiff;
}

/// Lists pairs in resource order (CAY-14.10); finishing comes last.
pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let kinds = [
        Resource::Wood,
        Resource::Stone,
        Resource::Cloth,
        Resource::Gold,
    ];
    for (index, &second) in kinds.iter().enumerate() {
        for &third in &kinds[index + 1..] {
            let (second, third) = (Some(second), Some(third));
            list.visit(Action::BuildCastleBatch { second, third })?;
        }
    }
    list.visit(Action::FinishCastle)
}

/// # Rule CAY-6.8.3
/// One food and two different other kinds, owned, and a section with room.
pub fn check_batch(
    state: &State,
    seat: Seat,
    second: MaybeKnown<Resource>,
    third: MaybeKnown<Resource>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-6.8.3";
    let second = require_known(second, "second", rule)?;
    let third = require_known(third, "third", rule)?;
    if second == Resource::Food || third == Resource::Food || second == third {
        return Err(Refusal::InvalidBatch { second, third }.citing(rule));
    }
    let cubes = Cubes::of(1, Resource::Food).and(1, second).and(1, third);
    let bill = Bill::of(Expense::Batch, Goods::cubes(cubes));
    afford(state, seat, bill, rule)?;
    let open = state.castle.open();
    let section = open.ok_or(Refusal::CastleFull.citing(rule))?;
    Ok(ValidAction::Batch { section, cubes })
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Batch { section, cubes } => build(ctx, seat, section, cubes),
        ValidAction::Finish => finish(ctx, seat),
    }
}

/// # Rule CAY-6.8.4
/// Pay, put a house in the first section with room, gain its prestige points.
fn build(ctx: &mut ExecContext<'_>, seat: Seat, section: Section, paid: Cubes) {
    let vp = section.sheet().vp;
    let player = &mut ctx.state.players[seat];
    player.pay(Goods::cubes(paid));
    player.gain(Goods::vp(vp));
    ctx.state.castle.parts[section.index()][seat] += 1;
    ctx.state.castle.batches[seat] += 1;
    ctx.emit(Event::CastleBatch {
        seat,
        section,
        paid,
        vp,
    });
}

/// # Rule CAY-6.8.6
/// Without a batch a builder loses 2 VP, unless the castle had no room when their turn came: then
/// it still has none.
fn finish(ctx: &mut ExecContext<'_>, seat: Seat) {
    let batches = ctx.state.castle.batches[seat];
    if batches == 0 && ctx.state.castle.open().is_some() {
        let vp = ctx.state.players[seat].lose_vp(CASTLE_PENALTY);
        ctx.emit(Event::CastlePenalty { seat, vp });
    } else {
        ctx.emit(Event::CastleFinished { seat, batches });
    }
    if usize::from(ctx.state.cursor) + 1 < ctx.state.castle.queue.len() {
        ctx.state.cursor += 1;
    } else {
        ctx.state.stage = Stage::MostBatches;
    }
}
