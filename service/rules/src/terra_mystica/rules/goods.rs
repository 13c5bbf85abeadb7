//! Gains, losses and payments: VP, coins, workers, priests.

use super::power::gain_power;
use crate::table::{Refusal as _, Seat};
use crate::terra_mystica::data::{Goods, ScoringTrigger};
use crate::terra_mystica::event::{Event, GoodsSource, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, No, Refusal};
use crate::terra_mystica::state::{Play, State};

/// Checks that coins, workers and priests suffice.
pub fn affordable(
    state: &State,
    seat: Seat,
    (expense, price): (Expense, Goods),
    rule: &'static str,
) -> Result<(), No> {
    if state.players[seat].can_pay(price) {
        Ok(())
    } else {
        Err(cannot_afford(state, seat, expense, (price, 0)).at(rule))
    }
}

/// The refusal of a price in goods and VP that the player cannot pay.
pub fn cannot_afford(
    state: &State,
    seat: Seat,
    expense: Expense,
    (price, vp): (Goods, u16),
) -> Refusal {
    let player = &state.players[seat];
    Refusal::CannotAfford {
        expense,
        price,
        vp,
        owned: Goods {
            coins: player.coins,
            workers: player.workers,
            priests: player.priests,
            power: 0,
        },
        owned_vp: if vp == 0 { 0 } else { player.vp },
    }
}

/// Scores VP, if there are any.
pub fn score(play: &mut Play<'_>, seat: Seat, vp: u16, source: VpSource) {
    if vp > 0 {
        play.state.players[seat].vp += vp;
        let vp = i32::from(vp);
        play.tell(Event::VpScored { seat, vp, source });
    }
}

/// Scores the scoring tile of the round this many times (TM-3.16).
pub fn score_tile(play: &mut Play<'_>, seat: Seat, trigger: ScoringTrigger, times: u16) {
    let tile = play.state.scoring_tile();
    if tile.trigger() == trigger {
        score(play, seat, tile.vp() * times, VpSource::ScoringTile(tile));
    }
}

/// Takes VP; the player must have them.
pub fn lose_vp(play: &mut Play<'_>, seat: Seat, vp: u16, source: VpSource) {
    if vp > 0 {
        play.state.players[seat].vp -= vp;
        let vp = -i32::from(vp);
        play.tell(Event::VpScored { seat, vp, source });
    }
}

/// Gives goods: priests as far as the supply has any (J38), power as far as the bowls can move it
/// (TM-14.12).
pub fn receive(play: &mut Play<'_>, seat: Seat, goods: Goods, source: GoodsSource) {
    let supply = play.state.priest_supply(seat);
    let room = u16::from(play.state.players[seat].power_room());
    let goods = Goods {
        priests: goods.priests.min(supply),
        power: goods.power.min(room),
        ..goods
    };
    if goods.is_none() {
        return;
    }
    play.tell(Event::Received {
        seat,
        goods,
        source,
    });
    let player = &mut play.state.players[seat];
    player.coins += goods.coins;
    player.workers += goods.workers;
    player.priests += goods.priests;
    gain_power(play, seat, goods.power);
}

/// Takes coins, workers and priests; the player must have them.
pub fn pay(play: &mut Play<'_>, seat: Seat, goods: Goods, purpose: Purpose) {
    if goods.is_none() {
        return;
    }
    let player = &mut play.state.players[seat];
    player.coins -= goods.coins;
    player.workers -= goods.workers;
    player.priests -= goods.priests;
    play.tell(Event::Paid {
        seat,
        goods,
        purpose,
    });
}
