//! Shipping and the exchange track (TM-6.25, TM-6.26).

use super::goods::{affordable, pay, score};
use crate::table::{Refusal as _, Seat};
use crate::terra_mystica::data::{Goods, SHIPPING_STEP, Spades, TERRAFORMING_VP};
use crate::terra_mystica::event::{Event, Purpose, VpSource};
use crate::terra_mystica::refusal::{Expense, Refusal, RefusedAction, Track};
use crate::terra_mystica::state::{ExecContext, State};

/// # Rule TM-6.25
/// There must be a track with a higher level; a step costs a priest and 4 coins.
pub fn check_shipping(state: &State, seat: Seat) -> Result<(), RefusedAction> {
    let rule = "TM-6.25";
    let player = &state.players[seat];
    let (faction, level, track) = (player.faction, player.shipping, Track::Shipping);
    let Some(steps) = player.sheet().shipping else {
        return Err(Refusal::NoSuchTrack { faction, track }.citing(rule));
    };
    if level >= steps.max {
        return Err(Refusal::TrackMaxed { track, level }.citing(rule));
    }
    affordable(state, seat, (Expense::Step(track), SHIPPING_STEP), rule)
}

/// # Rule TM-6.26
/// There must be a track with a higher level; the price is printed on the board.
pub fn check_terraforming(state: &State, seat: Seat) -> Result<Goods, RefusedAction> {
    let rule = "TM-6.26";
    let player = &state.players[seat];
    let (faction, level, track) = (player.faction, player.terraforming, Track::Terraforming);
    let Spades::Workers { max_level, step } = player.sheet().spades else {
        return Err(Refusal::NoSuchTrack { faction, track }.citing(rule));
    };
    if level >= max_level {
        return Err(Refusal::TrackMaxed { track, level }.citing(rule));
    }
    affordable(state, seat, (Expense::Step(track), step), rule)?;
    Ok(step)
}

pub fn perform_shipping(ctx: &mut ExecContext<'_>, seat: Seat) {
    pay(ctx, seat, SHIPPING_STEP, Purpose::Shipping);
    raise_shipping(ctx, seat);
}

/// Takes a step with its VP. Does nothing at the end of the track or without one (TM-10.24, TM-P.13).
pub fn raise_shipping(ctx: &mut ExecContext<'_>, seat: Seat) {
    let player = &mut ctx.state.players[seat];
    let Some(track) = player.sheet().shipping else {
        return;
    };
    if player.shipping < track.max {
        player.shipping += 1;
        let level = player.shipping;
        ctx.emit(Event::ShippingAdvanced { seat, level });
        score(ctx, seat, track.vp(level), VpSource::Shipping);
    }
}

pub fn perform_terraforming(ctx: &mut ExecContext<'_>, seat: Seat, price: Goods) {
    pay(ctx, seat, price, Purpose::Terraforming);
    ctx.state.players[seat].terraforming += 1;
    let level = ctx.state.players[seat].terraforming;
    ctx.emit(Event::TerraformingAdvanced { seat, level });
    score(ctx, seat, TERRAFORMING_VP, VpSource::Terraforming);
}
