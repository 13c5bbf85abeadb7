//! Shared by several themes: goods and dice that an action names.

use crate::kingsburg::action::Payment;
use crate::kingsburg::data::{DieId, Good, Goods};
use crate::kingsburg::refusal::{No, Refusal, known};
use crate::kingsburg::state::{Player, State};
use crate::table::{Named, Refusal as _, SeatSet};

/// The players with the fewest buildings, and among those the ones with the fewest goods. Tokens,
/// soldiers and points do not count (KIN-ADJ-18).
///
/// # Rule KIN-6.10
pub fn poorest(state: &State) -> SeatSet {
    let wealth = |player: &Player| (player.province.count(), player.goods.total());
    let least = state.players.iter().map(wealth).min();
    let entries = state.players.entries();
    let poorest = entries.filter(|(_, player)| Some(wealth(player)) == least);
    poorest.map(|(seat, _)| seat).collect()
}

/// A kind of goods of which the player has at least one.
pub fn owned(
    goods: Goods,
    good: Named<Good>,
    field: &'static str,
    rule: &'static str,
) -> Result<Good, No> {
    let good = known(good, field, rule)?;
    if goods.amount(good) == 0 {
        return Err(Refusal::GoodNotOwned { good }.at(rule));
    }
    Ok(good)
}

/// Goods that the player has, exactly as many as are due.
///
/// # Rule KIN-6.90, KIN-6.104
pub fn payment(owned: Goods, offer: Payment, due: u8, rule: &'static str) -> Result<Goods, No> {
    let paid = offer.total();
    let exact = offer.goods().filter(|_| paid == u64::from(due));
    let goods = exact.ok_or(Refusal::InvalidPayment { paid, due }.at(rule))?;
    if owned.covers(goods) {
        Ok(goods)
    } else {
        let refusal = Refusal::CannotAfford {
            building: None,
            price: goods,
            owned,
        };
        Err(refusal.at(rule))
    }
}

/// Every way to pay this many of these goods, more gold first, then more wood.
pub fn payments(owned: Goods, due: u8) -> impl Iterator<Item = Goods> {
    let golds = (0..=owned.gold.min(due)).rev();
    golds.flat_map(move |gold| {
        let rest = due - gold;
        let woods = (rest.saturating_sub(owned.stone)..=owned.wood.min(rest)).rev();
        woods.map(move |wood| Goods::new(gold, wood, rest - wood))
    })
}

/// A die that the player has this season, wherever it is.
pub fn rolled_die(player: &Player, die: u32, rule: &'static str) -> Result<DieId, No> {
    DieId::from_number(die)
        .filter(|&id| player.dice.rolled().contains(id))
        .ok_or(Refusal::UnknownDie { die }.at(rule))
}
