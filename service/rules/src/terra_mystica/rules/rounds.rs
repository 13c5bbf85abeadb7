//! Income, turn order, clean-up (TM-6.6, TM-6.7, TM-6.63).

use enumset::EnumSet;

use super::goods::receive;
use crate::table::{Seat, invariant_violated};
use crate::terra_mystica::data::{BonusCard, FavorTile, Goods, Structure};
use crate::terra_mystica::event::{Event, GoodsSource};
use crate::terra_mystica::options::TurnOrder;
use crate::terra_mystica::state::{ExecContext, Seats, State};

impl State {
    /// # Rule TM-6.6
    /// Structures on the map, bonus card, favor tiles.
    pub fn income(&self, seat: Seat) -> Goods {
        let player = &self.players[seat];
        let tracks = &player.sheet().income;
        let structures = Structure::ALL.into_iter();
        structures
            .map(|structure| tracks.of(structure, self.board.count(seat, structure)))
            .chain(player.card.map(BonusCard::income))
            .chain(player.favors.iter().map(FavorTile::income))
            .fold(Goods::NONE, Goods::and)
    }

    /// The turn order of the next round, once all have passed: clockwise from the first to pass, or
    /// the order of passing (TM-6.63, TM-P.42).
    pub fn next_turn_order(&self) -> Seats {
        let Some(first) = self.passed.first() else {
            invariant_violated("TM-6.45", &self.passed);
        };
        match self.rules.turn_order {
            TurnOrder::Clockwise => first.clockwise(self.seats()).collect(),
            TurnOrder::PassingOrder => self.passed.clone(),
        }
    }

    /// The next player in the turn order who has not passed (TM-6.7, TM-P.41).
    pub fn next_in_turn(&self) -> Option<Seat> {
        let order = &self.turn_order;
        let now = order.iter().position(|&seat| seat == self.turn.seat)?;
        (1..=order.len())
            .map(|step| order[(now + step) % order.len()])
            .find(|&seat| !self.has_passed(seat))
    }
}

/// Puts a coin on each card of the pool (TM-5.8, TM-6.63).
pub fn lay_coins(ctx: &mut ExecContext<'_>) {
    for pooled in &mut ctx.state.pool {
        pooled.coins += 1;
    }
    let cards = ctx.state.pool.iter().map(|pooled| pooled.card).collect();
    ctx.emit(Event::CoinsLaid { cards });
}

/// # Rule TM-6.6
/// Everybody's income, in turn order.
pub fn receive_income(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.turn_order.clone() {
        let income = ctx.state.income(seat);
        receive(ctx, seat, income, GoodsSource::Income);
    }
}

/// # Rule TM-6.63
/// Removes all marks, adds coins, and sets the turn order of the next round.
pub fn clean_up(ctx: &mut ExecContext<'_>) {
    ctx.state.used_power_actions.clear();
    for seat in ctx.state.players.seats() {
        ctx.state.players[seat].used = EnumSet::empty();
    }
    lay_coins(ctx);
    ctx.state.turn_order = ctx.state.next_turn_order();
    ctx.state.passed.clear();
}
