//! Priests and cult tracks (TM-6.35 to TM-6.37).

use super::super::data::{CULT_TOP, Cult, Goods, PRIEST_SPACES, PriestSlot, cult_power_between};
use super::super::event::{Event, GoodsSource};
use super::super::refusal::Refusal;
use super::super::state::State;
use super::{Play, affordable};
use crate::table::Seat;

/// A priest on the way to a cult: the priest space, or none for the supply.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct PriestSent {
    cult: Cult,
    slot: PriestSlot,
    space: Option<usize>,
}

/// # Rule TM-6.35
/// A priest in hand, and a free space of that value or the supply. The marker need not move.
pub(in super::super) fn check_send_priest(
    state: &State,
    seat: Seat,
    cult: Cult,
    slot: PriestSlot,
) -> Result<PriestSent, Refusal> {
    let spaces = &state.priest_spaces[cult.index()];
    let mut free = PRIEST_SPACES
        .iter()
        .zip(spaces)
        .map(|(&of, holder)| of == slot && holder.is_none());
    let space = free.position(|fits| fits);
    if space.is_none() && slot != PriestSlot::Supply {
        return Err(Refusal::PriestSpaceTaken { cult, slot });
    }
    affordable(state, seat, Goods::priests(1))?;
    Ok(PriestSent { cult, slot, space })
}

impl State {
    /// Where a marker comes to with so many steps.
    ///
    /// # Rule TM-6.36
    /// The last space needs a key and must be empty; else the marker stops before it.
    pub(super) fn cult_goal(&self, seat: Seat, cult: Cult, steps: u8) -> u8 {
        let player = &self.players[seat];
        let from = player.cults[cult.index()];
        let goal = (from + steps).min(CULT_TOP);
        if goal == CULT_TOP && from < CULT_TOP && (player.keys == 0 || self.top_taken(cult)) {
            CULT_TOP - 1
        } else {
            goal
        }
    }

    /// Would so many steps move the marker at all?
    pub(super) fn can_advance(&self, seat: Seat, cult: Cult) -> bool {
        self.cult_goal(seat, cult, 1) > self.players[seat].cults[cult.index()]
    }

    /// Would so many steps bring the marker to the last space, keys apart? (TM-6.37)
    pub(super) fn wants_key(&self, seat: Seat, cult: Cult, steps: u8) -> bool {
        let from = self.players[seat].cults[cult.index()];
        from < CULT_TOP && from + steps >= CULT_TOP && !self.top_taken(cult)
    }
}

impl Play<'_> {
    pub(in super::super) fn perform_send_priest(&mut self, seat: Seat, sent: PriestSent) {
        let PriestSent { cult, slot, space } = sent;
        self.state.players[seat].priests -= 1;
        if let Some(space) = space {
            self.state.priest_spaces[cult.index()][space] = Some(seat);
        }
        self.tell(Event::PriestPlaced { seat, cult, slot });
        self.advance_cult(seat, cult, slot.steps());
    }

    /// Advances as far as the track allows, uses a key for the last space, and gives the power of
    /// every space reached or passed (TM-6.36).
    pub(super) fn advance_cult(&mut self, seat: Seat, cult: Cult, steps: u8) {
        let to = self.state.cult_goal(seat, cult, steps);
        self.move_marker(seat, cult, to);
    }

    pub(super) fn move_marker(&mut self, seat: Seat, cult: Cult, to: u8) {
        let player = &mut self.state.players[seat];
        let from = player.cults[cult.index()];
        if to <= from {
            return;
        }
        player.cults[cult.index()] = to;
        if to == CULT_TOP {
            player.keys -= 1;
        }
        self.tell(Event::CultAdvanced {
            seat,
            cult,
            from,
            to,
        });
        let power = Goods::power(u16::from(cult_power_between(from, to)));
        self.receive(seat, power, GoodsSource::Cult(cult));
    }
}
