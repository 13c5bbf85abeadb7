//! Phase 6: the castle (CAY-6.8).

use std::cmp::Reverse;

use super::common::{Bill, afford, gain_favors};
use crate::caylus::action::Action;
use crate::caylus::data::{CASTLE_PENALTY, Cubes, Goods, Resource, Section};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, No, Refusal, known};
use crate::caylus::stage::{Decision, Phase, Stage};
use crate::caylus::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Batch { section: Section, cubes: Cubes },
    Finish,
}

/// # Rule CAY-6.8.1
/// The phase is skipped when nobody is in the castle.
pub fn enter(play: &mut Play<'_>) {
    if play.state.castle.queue.is_empty() {
        play.state.stage = Stage::Bailiff;
    } else {
        play.state.enter(Phase::Castle);
        play.state.stage = Stage::Castle;
    }
}

/// # Rule CAY-6.8.2
/// The builder at the cursor continues until they finish.
pub fn enter_builder(play: &mut Play<'_>) {
    let seat = play.state.castle.queue[usize::from(play.state.cursor)];
    play.state.ask(seat, Decision::CastleBuild);
}

/// # Rule CAY-6.8.7
/// The most batches of this turn, at least 1, give a favor; ties go to the earlier builder.
pub fn enter_most_batches(play: &mut Play<'_>) {
    play.state.stage = Stage::LeaveCastle;
    let castle = &play.state.castle;
    let most = castle
        .queue
        .iter()
        .copied()
        .min_by_key(|&seat| Reverse(castle.batches[seat]))
        .map(|seat| (seat, castle.batches[seat]));
    if let Some((seat, batches @ 1..)) = most {
        play.tell(Event::MostBatches { seat, batches });
        gain_favors(play, seat, 1);
    }
}

/// # Rule CAY-6.8.7
/// All castle workers return.
pub fn enter_leaving(play: &mut Play<'_>) {
    let seats = std::mem::take(&mut play.state.castle.queue);
    for &seat in &seats {
        play.state.bring_home(seat);
    }
    play.tell(Event::CastleLeft { seats });
    play.state.stage = Stage::Bailiff;
}

/// Lists pairs in resource order (CAY-14.10); finishing comes last.
pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    let kinds = [
        Resource::Wood,
        Resource::Stone,
        Resource::Cloth,
        Resource::Gold,
    ];
    for (place, &second) in kinds.iter().enumerate() {
        for &third in &kinds[place + 1..] {
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
    second: Named<Resource>,
    third: Named<Resource>,
) -> Result<Deed, No> {
    let rule = "CAY-6.8.3";
    let second = known(second, "second", rule)?;
    let third = known(third, "third", rule)?;
    if second == Resource::Food || third == Resource::Food || second == third {
        return Err(Refusal::InvalidBatch { second, third }.at(rule));
    }
    let cubes = Cubes::of(1, Resource::Food).and(1, second).and(1, third);
    let bill = Bill::of(Expense::Batch, Goods::cubes(cubes));
    afford(state, seat, bill, rule)?;
    let open = state.castle.open();
    let section = open.ok_or(Refusal::CastleFull.at(rule))?;
    Ok(Deed::Batch { section, cubes })
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Batch { section, cubes } => build(play, seat, section, cubes),
        Deed::Finish => finish(play, seat),
    }
}

/// # Rule CAY-6.8.4
/// Pay, put a house in the first section with room, gain its prestige points.
fn build(play: &mut Play<'_>, seat: Seat, section: Section, paid: Cubes) {
    let vp = section.sheet().vp;
    let player = &mut play.state.players[seat];
    player.pay(Goods::cubes(paid));
    player.gain(Goods::vp(vp));
    play.state.castle.parts[section.index()][seat] += 1;
    play.state.castle.batches[seat] += 1;
    play.tell(Event::CastleBatch {
        seat,
        section,
        paid,
        vp,
    });
}

/// # Rule CAY-6.8.6
/// Without a batch a builder loses 2 VP, unless the castle had no room when their turn came: then
/// it still has none.
fn finish(play: &mut Play<'_>, seat: Seat) {
    let batches = play.state.castle.batches[seat];
    if batches == 0 && play.state.castle.open().is_some() {
        let vp = play.state.players[seat].lose_vp(CASTLE_PENALTY);
        play.tell(Event::CastlePenalty { seat, vp });
    } else {
        play.tell(Event::CastleFinished { seat, batches });
    }
    if usize::from(play.state.cursor) + 1 < play.state.castle.queue.len() {
        play.state.cursor += 1;
    } else {
        play.state.stage = Stage::MostBatches;
    }
}
