//! The end of the game (KIN-8).

use crate::kingsburg::data::{Building, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{ExecContext, PointSource};
use crate::table::invariant_violated;

/// Exchanges two goods for a point for owners of the Cathedral as often as they can: points come before every tie-break
/// (KIN-ADJ-28). Gold goes first, then wood, then stone.
///
/// # Rule KIN-8.2
pub fn finish(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.order.clone() {
        let player = &mut ctx.state.players[seat];
        let goods_left = player.goods;
        let vp = u8::try_from(goods_left.total() / 2)
            .unwrap_or_else(|_| invariant_violated("KIN-3.9", goods_left));
        if !player.has(Building::Cathedral) || vp == 0 {
            continue;
        }
        let goods = first_goods(goods_left, u16::from(vp) * 2);
        player.goods = goods_left.minus(goods);
        player.score(PointSource::Cathedral, i16::from(vp));
        ctx.emit(Event::CathedralExchange { seat, goods, vp });
    }
    ctx.state.stage = Stage::Over;
}

/// This many of these goods: gold first, then wood, then stone.
fn first_goods(goods: Goods, count: u16) -> Goods {
    let mut left = count;
    let mut take = |amount: u8| {
        let taken = u8::try_from(left).unwrap_or(u8::MAX).min(amount);
        left -= u16::from(taken);
        taken
    };
    Goods {
        gold: take(goods.gold),
        wood: take(goods.wood),
        stone: take(goods.stone),
    }
}
