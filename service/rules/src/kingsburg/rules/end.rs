//! The end of the game (KIN-8).

use crate::kingsburg::data::{Building, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Play, PointSource};
use crate::table::broken;

/// Exchanges two goods for a point for owners of the Cathedral as often as they can: points come before every tie-break
/// (KIN-ADJ-28). Gold goes first, then wood, then stone.
///
/// # Rule KIN-8.2
pub fn finish(play: &mut Play<'_>) {
    for seat in play.state.order.clone() {
        let player = &mut play.state.players[seat];
        let held = player.goods;
        let vp = u8::try_from(held.total() / 2).unwrap_or_else(|_| broken("KIN-3.9", held));
        if !player.has(Building::Cathedral) || vp == 0 {
            continue;
        }
        let goods = first_goods(held, u16::from(vp) * 2);
        player.goods = held.minus(goods);
        player.score(PointSource::Cathedral, i16::from(vp));
        play.tell(Event::CathedralExchange { seat, goods, vp });
    }
    play.state.stage = Stage::Over;
}

/// This many of these goods: gold first, then wood, then stone.
fn first_goods(held: Goods, count: u16) -> Goods {
    let mut left = count;
    let mut take = |amount: u8| {
        let taken = u8::try_from(left).unwrap_or(u8::MAX).min(amount);
        left -= u16::from(taken);
        taken
    };
    Goods {
        gold: take(held.gold),
        wood: take(held.wood),
        stone: take(held.stone),
    }
}
