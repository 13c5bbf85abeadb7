//! Power for the neighbours (TM-6.40 to TM-6.43).

use super::super::data::{Faction, Goods, Land};
use super::super::event::{Event, GoodsSource, VpSource};
use super::super::state::{Offer, State, Takers};
use super::Play;
use crate::table::Seat;

impl State {
    /// The power that a player can gain from an offer.
    ///
    /// # Rule TM-6.40
    /// Not more than the bowls can move, and not more than the VP pay for.
    pub(in super::super) fn gainable(&self, seat: Seat, value: u8) -> u8 {
        let player = &self.players[seat];
        let paid = u8::try_from(player.vp).map_or(u8::MAX, |vp| vp.saturating_add(1));
        value.min(player.power_room()).min(paid)
    }
}

impl Play<'_> {
    /// Offers power to the neighbours of a new structure, clockwise from the builder's left.
    pub(super) fn offer_power(&mut self, builder: Seat, land: Land) {
        let near = self.state.board.direct(land);
        for seat in builder.others(self.state.seats()) {
            let value = self.state.board.power_value(seat, near);
            let gainable = self.state.gainable(seat, value);
            if gainable == 0 {
                continue;
            }
            self.state.turn.offers.push(Offer { seat, land, value });
            self.tell(Event::PowerOffered {
                seat,
                builder,
                land,
                value,
                gainable,
            });
        }
        let event = !self.state.turn.offers.is_empty();
        if event && self.state.faction(builder) == Faction::Cultists {
            self.state.turn.takers = Takers::Nobody;
        }
    }

    /// Answers the first offer (TM-6.41).
    pub(in super::super) fn perform_decide_power(&mut self, seat: Seat, accept: bool) {
        let Some(offer) = self.state.turn.offers.pop_at(0) else {
            return;
        };
        if !accept {
            self.tell(Event::PowerRefused { seat });
            return;
        }
        let power = self.state.gainable(seat, offer.value);
        self.tell(Event::PowerAccepted { seat, power });
        self.gain_power(seat, u16::from(power));
        self.lose_vp(seat, u16::from(power.saturating_sub(1)), VpSource::Power);
        if self.state.turn.takers == Takers::Nobody {
            self.state.turn.takers = Takers::Somebody;
        }
    }

    /// The Cultists' event is answered by all.
    ///
    /// # Rule TM-6.43
    /// Somebody accepted: a step on a cult, to be chosen. All refused: one power.
    pub(in super::super) fn settle_takers(&mut self) {
        let seat = self.state.turn.seat;
        match self.state.turn.takers {
            Takers::NoEvent => {}
            Takers::Nobody => self.receive(seat, Goods::power(1), GoodsSource::Refusals),
            Takers::Somebody => self.state.turn.follow_ups.cult_step = true,
        }
        self.state.turn.takers = Takers::NoEvent;
    }
}
