//! Priests and cult tracks (TM-6.35 to TM-6.37).

use std::ops::ControlFlow;

use super::goods::{affordable, receive};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{
    CULT_TOP, Cult, Goods, PRIEST_SPACES, PriestSlot, cult_power_between,
};
use crate::terra_mystica::event::{Event, GoodsSource};
use crate::terra_mystica::refusal::{Expense, Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State};

/// A priest being sent to a cult: `None` instead of a priest space sends it to the supply.
#[derive(Clone, Copy, Debug)]
pub struct PriestSent {
    cult: Cult,
    slot: PriestSlot,
    space: Option<usize>,
}

pub fn candidates_priest(
    state: &State,
    seat: Seat,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    if state.players[seat].priests == 0 {
        return ControlFlow::Continue(());
    }
    let slots = |cult| PriestSlot::ALL.map(|slot| Action::SendPriest { cult, slot });
    Cult::ALL
        .into_iter()
        .flat_map(slots)
        .try_for_each(|action| list.visit(action))
}

/// # Rule TM-6.35
/// A priest in hand, and a free space of that value or the supply. The marker need not move.
pub fn check_priest(
    state: &State,
    seat: Seat,
    cult: Cult,
    slot: PriestSlot,
) -> Result<PriestSent, RefusedAction> {
    let spaces = &state.priest_spaces[cult.index()];
    let mut free = PRIEST_SPACES
        .iter()
        .zip(spaces)
        .map(|(&of, holder)| of == slot && holder.is_none());
    let space = free.position(|fits| fits);
    if space.is_none() && slot != PriestSlot::Supply {
        return Err(Refusal::PriestSpaceTaken { cult, slot }.citing("TM-6.35"));
    }
    affordable(state, seat, (Expense::Priest, Goods::priests(1)), "TM-6.35")?;
    Ok(PriestSent { cult, slot, space })
}

/// # Rule TM-6.43, TM-6.44
/// Any track that can advance.
pub fn check_step(
    state: &State,
    seat: Seat,
    cult: Cult,
    rule: &'static str,
) -> Result<Cult, RefusedAction> {
    if state.can_advance(seat, cult) {
        Ok(cult)
    } else {
        Err(Refusal::NoEffect { cult }.citing(rule))
    }
}

impl State {
    /// The space that a marker reaches with this many steps.
    ///
    /// # Rule TM-6.36
    /// The last space needs a key and must be empty; otherwise the marker stops before it.
    pub fn cult_goal(&self, seat: Seat, cult: Cult, steps: u8) -> u8 {
        let player = &self.players[seat];
        let from = player.cults[cult.index()];
        let goal = (from + steps).min(CULT_TOP);
        if goal == CULT_TOP && from < CULT_TOP && (player.keys == 0 || self.top_taken(cult)) {
            CULT_TOP - 1
        } else {
            goal
        }
    }

    /// Returns whether a step would move the marker at all.
    pub fn can_advance(&self, seat: Seat, cult: Cult) -> bool {
        self.cult_goal(seat, cult, 1) > self.players[seat].cults[cult.index()]
    }

    /// Returns whether this many steps would bring the marker to the last space, disregarding keys (TM-6.37).
    pub fn wants_key(&self, seat: Seat, cult: Cult, steps: u8) -> bool {
        let from = self.players[seat].cults[cult.index()];
        from < CULT_TOP && from + steps >= CULT_TOP && !self.top_taken(cult)
    }
}

pub fn perform_priest(ctx: &mut ExecContext<'_>, seat: Seat, sent: PriestSent) {
    let PriestSent { cult, slot, space } = sent;
    ctx.state.players[seat].priests -= 1;
    if let Some(space) = space {
        ctx.state.priest_spaces[cult.index()][space] = Some(seat);
    }
    ctx.emit(Event::PriestPlaced { seat, cult, slot });
    advance_cult(ctx, seat, cult, slot.steps());
}

/// Advances as far as the track allows, uses a key for the last space, and gives the power of
/// every space reached or passed (TM-6.36).
pub fn advance_cult(ctx: &mut ExecContext<'_>, seat: Seat, cult: Cult, steps: u8) {
    let to = ctx.state.cult_goal(seat, cult, steps);
    move_marker(ctx, seat, cult, to);
}

pub fn move_marker(ctx: &mut ExecContext<'_>, seat: Seat, cult: Cult, to: u8) {
    let player = &mut ctx.state.players[seat];
    let from = player.cults[cult.index()];
    if to <= from {
        return;
    }
    player.cults[cult.index()] = to;
    if to == CULT_TOP {
        player.keys -= 1;
    }
    ctx.emit(Event::CultAdvanced {
        seat,
        cult,
        from_level: from,
        to_level: to,
    });
    let power = Goods::power(u16::from(cult_power_between(from, to)));
    receive(ctx, seat, power, GoodsSource::Cult(cult));
}
