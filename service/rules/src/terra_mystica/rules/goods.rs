//! Gains, losses and payments: VP, coins, workers, priests.

use super::power::gain_power;
use crate::table::{Refusal as _, Seat};
use crate::terra_mystica::data::{Goods, ScoringTrigger};
use crate::terra_mystica::event::{Event, GoodsSource, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, State};

/// Checks that coins, workers and priests suffice.
pub fn affordable(
    state: &State,
    seat: Seat,
    (expense, price): (Expense, Goods),
    rule: &'static str,
) -> Result<(), RefusedAction> {
    if state.players[seat].can_pay(price) {
        Ok(())
    } else {
        Err(cannot_afford(state, seat, expense, (price, 0)).citing(rule))
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
pub fn score(ctx: &mut ExecContext<'_>, seat: Seat, vp: u16, source: VpSource) {
    if vp > 0 {
        ctx.state.players[seat].vp += vp;
        let vp = i32::from(vp);
        ctx.emit(Event::VpScored { seat, vp, source });
    }
}

/// Scores the scoring tile of the round this many times (TM-3.16).
pub fn score_tile(ctx: &mut ExecContext<'_>, seat: Seat, trigger: ScoringTrigger, times: u16) {
    let tile = ctx.state.scoring_tile();
    if tile.trigger() == trigger {
        score(ctx, seat, tile.vp() * times, VpSource::ScoringTile(tile));
    }
}

/// Takes VP; the player must have them.
pub fn lose_vp(ctx: &mut ExecContext<'_>, seat: Seat, vp: u16, source: VpSource) {
    if vp > 0 {
        ctx.state.players[seat].vp -= vp;
        let vp = -i32::from(vp);
        ctx.emit(Event::VpScored { seat, vp, source });
    }
}

/// Gives goods: priests as far as the supply has any (J38), power as far as the bowls can move it
/// (TM-14.12).
pub fn receive(ctx: &mut ExecContext<'_>, seat: Seat, goods: Goods, source: GoodsSource) {
    let supply = ctx.state.priest_supply(seat);
    let room = u16::from(ctx.state.players[seat].power_room());
    let goods = Goods {
        priests: goods.priests.min(supply),
        power: goods.power.min(room),
        ..goods
    };
    if goods.is_none() {
        return;
    }
    ctx.emit(Event::Received {
        seat,
        goods,
        source,
    });
    let player = &mut ctx.state.players[seat];
    player.coins += goods.coins;
    player.workers += goods.workers;
    player.priests += goods.priests;
    gain_power(ctx, seat, goods.power);
}

/// Takes coins, workers and priests; the player must have them.
pub fn pay(ctx: &mut ExecContext<'_>, seat: Seat, goods: Goods, purpose: Purpose) {
    if goods.is_none() {
        return;
    }
    let player = &mut ctx.state.players[seat];
    player.coins -= goods.coins;
    player.workers -= goods.workers;
    player.priests -= goods.priests;
    ctx.emit(Event::Paid {
        seat,
        goods,
        purpose,
    });
}
