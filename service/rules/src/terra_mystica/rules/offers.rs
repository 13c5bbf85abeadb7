//! Power for the neighbors (TM-6.40 to TM-6.43).

use super::goods::{lose_vp, receive};
use super::power::gain_power;
use crate::table::{ActionEnumerator, Seat, VisitFlow, invariant_violated};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{Faction, Goods, Land};
use crate::terra_mystica::event::{Event, GoodsSource, VpSource};
use crate::terra_mystica::state::{ExecContext, Offer, State, Takers};

pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let answers = [true, false].map(|accept| Action::DecidePower { accept });
    answers
        .into_iter()
        .try_for_each(|action| list.visit(action))
}

impl State {
    /// The power that a player can gain from an offer.
    ///
    /// # Rule TM-6.40
    /// At most what the bowls can move, and what the player's VP can pay for.
    pub fn gainable(&self, seat: Seat, value: u8) -> u8 {
        let player = &self.players[seat];
        let paid = u8::try_from(player.vp).map_or(u8::MAX, |vp| vp.saturating_add(1));
        value.min(player.power_room()).min(paid)
    }
}

/// Offers power to the neighbors of a new structure, clockwise from the builder's left.
///
/// # Rule TM-6.40, TM-6.43
/// A neighbor that can gain nothing gets no offer, but is adjacent: the Cultists have their event (J20), which ends at
/// once if there is no offer.
pub fn offer_power(ctx: &mut ExecContext<'_>, builder: Seat, land: Land) {
    let near = ctx.state.board.direct(land);
    let mut adjacent = false;
    for seat in builder.others(ctx.state.seats()) {
        let value = ctx.state.board.power_value(seat, near);
        adjacent |= value > 0;
        let gainable = ctx.state.gainable(seat, value);
        if gainable == 0 {
            continue;
        }
        ctx.state.turn.offers.push(Offer { seat, land, value });
        ctx.emit(Event::PowerOffered {
            seat,
            builder,
            space: land,
            value,
            gainable,
        });
    }
    let event = if ctx.state.rules.cultist_power_needs_offer {
        !ctx.state.turn.offers.is_empty()
    } else {
        adjacent
    };
    if event && ctx.state.faction(builder) == Faction::Cultists {
        ctx.state.turn.takers = Takers::Nobody;
    }
    if ctx.state.turn.offers.is_empty() {
        settle_takers(ctx);
    }
}

/// Answers the first offer (TM-6.41).
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, accept: bool) {
    let Some(offer) = ctx.state.turn.offers.pop_at(0) else {
        invariant_violated("TM-6.41", seat);
    };
    if !accept {
        ctx.emit(Event::PowerRefused { seat });
        return;
    }
    let power = ctx.state.gainable(seat, offer.value);
    ctx.emit(Event::PowerAccepted { seat, power });
    gain_power(ctx, seat, u16::from(power));
    lose_vp(
        ctx,
        seat,
        u16::from(power.saturating_sub(1)),
        VpSource::Power,
    );
    if ctx.state.turn.takers == Takers::Nobody {
        ctx.state.turn.takers = Takers::Somebody;
    }
}

/// Concludes an event of the Cultists once nobody has to answer an offer of it anymore.
///
/// # Rule TM-6.43
/// If a player accepted: a step on a cult, to be chosen. If nobody did: one power.
pub fn settle_takers(ctx: &mut ExecContext<'_>) {
    let seat = ctx.state.turn.seat;
    match ctx.state.turn.takers {
        Takers::NoEvent => {}
        Takers::Nobody => receive(ctx, seat, Goods::power(1), GoodsSource::Refusals),
        Takers::Somebody => ctx.state.turn.follow_ups.cult_step = true,
    }
    ctx.state.turn.takers = Takers::NoEvent;
}
