//! Goods in hand, bowls of power, and the income of the rounds to come.

use super::figures::{BOWLS, COIN, COINS_OF_WORKER, POWER, PRIEST, SPARE_COINS, UNSPENT, WORKER};
use super::{EvalContext, POINT};
use crate::terra_mystica::data::{BonusCard, Faction, Goods, ROUNDS};

/// The worth of goods that are received when this many rounds are still to come.
pub(super) fn goods(goods: Goods, left: i32) -> i32 {
    i32::from(goods.coins) * COIN.at(left)
        + i32::from(goods.workers) * WORKER.at(left)
        + i32::from(goods.priests) * PRIEST.at(left)
        + i32::from(goods.power) * POWER.at(left)
}

/// The worth of goods that are received in each of the rounds to come.
pub(super) fn stream(each: Goods, rounds: i32) -> i32 {
    (0..rounds).map(|left| goods(each, left)).sum()
}

impl EvalContext<'_> {
    /// The worth of the goods in hand and in the bowls.
    pub(super) fn goods_value(&self) -> i32 {
        let player = self.player;
        if !self.builds() {
            return self.unspent();
        }
        let left = self.left;
        let usable = SPARE_COINS.at(left) + COINS_OF_WORKER.at(0) * i32::from(player.workers);
        let idle = (i32::from(player.coins) - usable).max(0);
        let hand = Goods {
            coins: player.coins,
            workers: player.workers,
            priests: player.priests,
            power: 0,
        };
        let tokens = player.bowls.iter().zip(&BOWLS);
        let tokens = tokens.map(|(&tokens, figure)| i32::from(tokens) * figure.at(left));
        goods(hand, left) - idle * (COIN.at(left) - UNSPENT).max(0) + tokens.sum::<i32>()
    }

    /// The worth of goods when nothing more can be bought.
    ///
    /// # Rule TM-8.4
    /// All goods as coins, three to a point; for the Alchemists two.
    fn unspent(&self) -> i32 {
        let player = self.player;
        let goods = player.coins + player.workers + player.priests;
        let power = i32::from(player.bowls[2]) + i32::from(player.bowls[1]) / 2;
        let coins = i32::from(goods) + power;
        let price = if player.faction == Faction::Alchemists {
            2
        } else {
            3
        };
        // The remainder counts too, so that more coins are never worth less.
        coins / price * POINT + coins % price
    }

    /// The worth of the income of all rounds to come (TM-6.6), without that of the bonus card, which changes hands.
    pub(super) fn income(&self) -> i32 {
        let rounds = if self.state.round == 0 {
            i32::from(ROUNDS)
        } else {
            self.left
        };
        let card = self.player.card.map_or(Goods::NONE, BonusCard::income);
        let all = self.state.income(self.seat);
        let each = Goods {
            coins: all.coins - card.coins,
            workers: all.workers - card.workers,
            priests: all.priests - card.priests,
            power: all.power - card.power,
        };
        stream(each, rounds)
    }
}
