//! The poorest players, and the goods and dice that an action names; shared by several themes.

use crate::kingsburg::action::Payment;
use crate::kingsburg::data::{DieId, Good, Goods};
use crate::kingsburg::refusal::{Refusal, RefusedAction, require_known};
use crate::kingsburg::state::{Player, State};
use crate::table::{MaybeKnown, Refusal as _, SeatSet};

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

/// Checks that the player has at least one of this kind of goods.
pub fn owned(
    goods: Goods,
    good: MaybeKnown<Good>,
    field: &'static str,
    rule: &'static str,
) -> Result<Good, RefusedAction> {
    let good = require_known(good, field, rule)?;
    if goods.amount(good) == 0 {
        return Err(Refusal::GoodNotOwned { good }.citing(rule));
    }
    Ok(good)
}

/// Checks that the player has the goods, and that they are exactly as many as are due.
///
/// # Rule KIN-6.90, KIN-6.104
pub fn payment(
    owned: Goods,
    offer: Payment,
    due: u8,
    rule: &'static str,
) -> Result<Goods, RefusedAction> {
    let paid = offer.total();
    let exact = offer.goods().filter(|_| paid == u64::from(due));
    let goods = exact.ok_or(Refusal::InvalidPayment { paid, due }.citing(rule))?;
    if owned.covers(goods) {
        Ok(goods)
    } else {
        let refusal = Refusal::CannotAfford {
            building: None,
            price: goods,
            owned,
        };
        Err(refusal.citing(rule))
    }
}

/// Lists every way to pay this many of these goods, more gold first, then more wood.
pub fn payments(owned: Goods, due: u8) -> impl Iterator<Item = Goods> {
    let golds = (0..=owned.gold.min(due)).rev();
    golds.flat_map(move |gold| {
        let rest = due - gold;
        let woods = (rest.saturating_sub(owned.stone)..=owned.wood.min(rest)).rev();
        woods.map(move |wood| Goods::new(gold, wood, rest - wood))
    })
}

/// Checks that the player has rolled this die in this season, in whatever place it is now.
pub fn rolled_die(player: &Player, die: u32, rule: &'static str) -> Result<DieId, RefusedAction> {
    DieId::from_number(die)
        .filter(|&id| player.dice.rolled().contains(id))
        .ok_or(Refusal::UnknownDie { die }.citing(rule))
}
