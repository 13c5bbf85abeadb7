//! Shipping and the exchange track (TM-6.25, TM-6.26).

use super::super::data::{Goods, SHIPPING_STEP, Spades, TERRAFORMING_VP};
use super::super::event::{Event, Purpose, VpSource};
use super::super::refusal::Refusal;
use super::super::state::State;
use super::{Play, affordable};
use crate::table::Seat;

/// # Rule TM-6.25
/// There must be a track with a level above; a step costs a priest and 4 coins.
pub(in super::super) fn check_shipping(state: &State, seat: Seat) -> Result<(), Refusal> {
    let player = &state.players[seat];
    let Some(track) = player.sheet().shipping else {
        return Err(Refusal::NoSuchTrack {
            faction: player.faction,
        });
    };
    if player.shipping >= track.max {
        return Err(Refusal::TrackMaxed {
            level: player.shipping,
        });
    }
    affordable(state, seat, SHIPPING_STEP)
}

/// # Rule TM-6.26
/// There must be a track with a level above; the price is printed on the board.
pub(in super::super) fn check_terraforming(state: &State, seat: Seat) -> Result<Goods, Refusal> {
    let player = &state.players[seat];
    let Spades::Workers { max_level, step } = player.sheet().spades else {
        return Err(Refusal::NoSuchTrack {
            faction: player.faction,
        });
    };
    if player.terraforming >= max_level {
        return Err(Refusal::TrackMaxed {
            level: player.terraforming,
        });
    }
    affordable(state, seat, step)?;
    Ok(step)
}

impl Play<'_> {
    pub(in super::super) fn perform_shipping(&mut self, seat: Seat) {
        self.pay(seat, SHIPPING_STEP, Purpose::Shipping);
        self.raise_shipping(seat);
    }

    /// A step with its VP; nothing at the end of the track or without one (TM-10.24, TM-P.13).
    pub(super) fn raise_shipping(&mut self, seat: Seat) {
        let player = &mut self.state.players[seat];
        let Some(track) = player.sheet().shipping else {
            return;
        };
        if player.shipping < track.max {
            player.shipping += 1;
            let level = player.shipping;
            self.tell(Event::ShippingAdvanced { seat, level });
            self.score(seat, track.vp(level), VpSource::Shipping);
        }
    }

    pub(in super::super) fn perform_terraforming(&mut self, seat: Seat, price: Goods) {
        self.pay(seat, price, Purpose::Terraforming);
        self.state.players[seat].terraforming += 1;
        let level = self.state.players[seat].terraforming;
        self.tell(Event::TerraformingAdvanced { seat, level });
        self.score(seat, TERRAFORMING_VP, VpSource::Terraforming);
    }
}
