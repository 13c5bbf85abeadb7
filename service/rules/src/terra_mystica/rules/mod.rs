//! The rules by theme: what is checked, what is done and what is listed stand side by side.

mod bridges;
mod candidates;
mod conversions;
mod cults;
mod dwellings;
mod follow_ups;
mod offers;
mod passing;
mod power;
mod power_actions;
mod reach;
mod rounds;
mod setting_up;
mod special_actions;
mod towns;
mod tracks;
mod transform;
mod upgrades;
mod works;

pub(super) use bridges::check_engineer_bridge;
pub(super) use candidates::Lister;
pub(super) use conversions::{Exchange, check_convert, check_sacrifice};
pub(super) use cults::{PriestSent, check_send_priest};
pub(super) use dwellings::check_late_dwelling;
pub(super) use follow_ups::{check_cult_step, check_favor_tile, check_ordination, check_town_tile};
pub(super) use passing::check_pass;
pub(super) use power::Spend;
pub(super) use power_actions::{Bought, check_power_action};
pub(super) use setting_up::{check_faction, check_first_card, check_first_dwelling};
pub(super) use special_actions::{Special, check_special_action};
pub(super) use towns::{RiverTown, check_river_town};
pub(super) use tracks::{check_shipping, check_terraforming};
pub(super) use transform::{Job, SpadeSource, check_cult_spades, check_work};
pub(super) use upgrades::{Upgrade, check_upgrade};

use super::TerraMystica;
use super::data::{Goods, Land, PRIESTS, Space};
use super::event::{Event, GoodsSource, Purpose, VpSource};
use super::refusal::Refusal;
use super::state::State;
use crate::ruleset::JournalOf;
use crate::table::Seat;

/// A table in play: the state, and the journal of what happens to it.
pub(super) struct Play<'a> {
    pub(super) state: &'a mut State,
    pub(super) journal: &'a mut JournalOf<TerraMystica>,
}

impl Play<'_> {
    pub(super) fn tell(&mut self, event: Event) {
        self.journal.event(event);
    }

    /// Scores VP, if there are any.
    pub(super) fn score(&mut self, seat: Seat, vp: u16, source: VpSource) {
        if vp > 0 {
            self.state.players[seat].vp += vp;
            let vp = i32::from(vp);
            self.tell(Event::VpScored { seat, vp, source });
        }
    }

    /// Takes VP that are at hand.
    pub(super) fn lose_vp(&mut self, seat: Seat, vp: u16, source: VpSource) {
        if vp > 0 {
            self.state.players[seat].vp -= vp;
            let vp = -i32::from(vp);
            self.tell(Event::VpScored { seat, vp, source });
        }
    }

    /// Gives goods; priests as far as the supply has any (J38).
    pub(super) fn receive(&mut self, seat: Seat, goods: Goods, source: GoodsSource) {
        let supply = u16::from(self.state.priest_supply(seat));
        let goods = Goods {
            priests: goods.priests.min(supply),
            ..goods
        };
        if goods.is_none() {
            return;
        }
        self.tell(Event::Received {
            seat,
            goods,
            source,
        });
        let player = &mut self.state.players[seat];
        player.coins += goods.coins;
        player.workers += goods.workers;
        player.priests += u8::try_from(goods.priests).unwrap_or(PRIESTS);
        self.gain_power(seat, goods.power);
    }

    /// Takes coins, workers and priests that are at hand.
    pub(super) fn pay(&mut self, seat: Seat, goods: Goods, purpose: Purpose) {
        if goods.is_none() {
            return;
        }
        let player = &mut self.state.players[seat];
        player.coins -= goods.coins;
        player.workers -= goods.workers;
        player.priests -= u8::try_from(goods.priests).unwrap_or(0);
        self.tell(Event::Paid {
            seat,
            goods,
            purpose,
        });
    }
}

/// The land that a player names.
pub(super) const fn land_of(space: Space) -> Result<Land, Refusal> {
    match space {
        Space::Land(land) => Ok(land),
        Space::River(river) => Err(Refusal::NotALandSpace { space: river.id() }),
        Space::Unknown => Err(Refusal::UnknownSpace),
    }
}

/// Coins, workers and priests suffice.
fn affordable(state: &State, seat: Seat, price: Goods) -> Result<(), Refusal> {
    if state.players[seat].can_pay(price) {
        Ok(())
    } else {
        Err(Refusal::CannotAfford { price, vp: 0 })
    }
}
