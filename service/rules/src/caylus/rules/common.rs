//! Payments and gained favors, shared by several themes.

use crate::caylus::data::{Cubes, Goods, Resource, SIMPLIFIED_FAVOR_VP, Tile};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, Refusal, RefusedAction};
use crate::caylus::state::{ExecContext, PendingFavors, State};
use crate::table::{Refusal as _, Seat};

/// A price, and its purpose.
#[derive(Clone, Copy, Debug)]
pub struct Bill {
    expense: Expense,
    tile: Option<Tile>,
    price: Goods,
}

impl Bill {
    pub const fn of(expense: Expense, price: Goods) -> Self {
        let tile = None;
        Self {
            expense,
            tile,
            price,
        }
    }

    /// The price of a tile to build.
    pub const fn of_tile(tile: Tile, price: Cubes) -> Self {
        Self {
            expense: Expense::Tile,
            tile: Some(tile),
            price: Goods::cubes(price),
        }
    }
}

/// Checks that this seat can pay the price.
pub fn afford(
    state: &State,
    seat: Seat,
    bill: Bill,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let player = &state.players[seat];
    let Bill {
        expense,
        tile,
        price,
    } = bill;
    if player.can_pay(price) {
        return Ok(());
    }
    let kinds = Resource::ALL.into_iter();
    let paid_kinds = kinds.filter(|kind| price.cubes.count(*kind) > 0);
    let refusal = Refusal::CannotAfford {
        expense,
        tile,
        price,
        owned: Goods {
            deniers: if price.deniers > 0 { player.deniers } else { 0 },
            cubes: paid_kinds.fold(Cubes::NONE, |owned, kind| {
                owned.and(player.cubes.count(kind), kind)
            }),
            vp: 0,
        },
    };
    Err(refusal.citing(rule))
}

/// Gives favors to a player. They wait until the current effect is done; simplified favors are VP at once.
///
/// # Rule CAY-6.10.1, CAY-6.10.4
pub fn gain_favors(ctx: &mut ExecContext<'_>, seat: Seat, count: u8) {
    if count == 0 {
        return;
    }
    if ctx.state.simplified_favors {
        let vp = u16::from(count) * SIMPLIFIED_FAVOR_VP;
        ctx.state.players[seat].vp += vp;
        ctx.emit(Event::FavorsSimplified { seat, count, vp });
        return;
    }
    let waiting = ctx.state.pending_favors.map_or(0, |favors| favors.count);
    ctx.state.pending_favors = Some(PendingFavors {
        seat,
        count: waiting + count,
    });
    ctx.emit(Event::FavorsGained { seat, count });
}
