//! The end of the game and the ranking (KIN-8).

use super::Log;
use super::data::{Building, Goods};
use super::event::Event;
use super::pending::Stage;
use super::state::{PointSource, State};
use crate::table::{Ranking, ScoreItem};

/// Owners of the Cathedral exchange two goods for a point as often as they can: points come before
/// every tie-break (KIN-ADJ-28). Gold goes first, then wood, then stone.
///
/// # Rule KIN-8.2
pub(super) fn finish(state: &mut State, journal: &mut Log) {
    for &seat in &state.order {
        let player = &mut state.players[seat];
        let vp = u8::try_from(player.goods.total() / 2).unwrap_or(u8::MAX);
        if !player.has(Building::Cathedral) || vp == 0 {
            continue;
        }
        let goods = first_goods(player.goods, u16::from(vp) * 2);
        player.goods = player.goods.minus(goods);
        player.score(PointSource::Cathedral, i16::from(vp));
        journal.event(Event::CathedralExchange { seat, goods, vp });
    }
    state.stage = Stage::Final;
    journal.event(Event::GameEnded);
}

/// So many of these goods, gold first, then wood, then stone.
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

/// More points, then more goods, then more buildings; else a shared rank.
///
/// # Rule KIN-8.3
pub(super) fn ranking(state: &State) -> Option<Ranking> {
    let over = state.stage == Stage::Final;
    let item = |source, points| ScoreItem { source, points };
    let scores = state.players.entries().map(|(seat, player)| {
        let breakdown =
            PointSource::ALL.map(|source| item(source.id(), player.points(source).into()));
        let tie_breaks = vec![
            item("goods", player.goods.total().into()),
            item("buildings", player.province.count().into()),
        ];
        (seat, breakdown.to_vec(), tie_breaks)
    });
    over.then(|| Ranking::of(scores))
}
