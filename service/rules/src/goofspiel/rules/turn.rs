//! A turn: a prize is turned up, and the highest bid takes it (GOO-6.1, GOO-6.5 to GOO-6.8).

use crate::goofspiel::data::{Card, points};
use crate::goofspiel::event::Event;
use crate::goofspiel::options::Ties;
use crate::goofspiel::state::ExecContext;
use crate::table::{PerSeat, Seat, invariant_violated};

/// Turns up the next prize; there is none after the last turn.
///
/// # Rule GOO-6.1
pub fn begin(ctx: &mut ExecContext<'_>) {
    let state = &mut *ctx.state;
    if let Some(&prize) = state.order.get(usize::from(state.turn)) {
        state.turn += 1;
        state.offered.insert(prize);
        let turn = state.turn;
        ctx.emit(Event::PrizeTurnedUp { turn, prize });
    }
}

/// Reveals the bids after every player has bid, and gives the prizes to the highest one.
///
/// # Rule GOO-6.5 to GOO-6.8
pub fn end(ctx: &mut ExecContext<'_>) {
    let seats = ctx.state.seats();
    let bids = PerSeat::new(seats, |seat| {
        let player = &mut ctx.state.players[seat];
        let bid = player.bid.take();
        let bid = bid.unwrap_or_else(|| invariant_violated("GOO-6.5", seat));
        player.hand.remove(bid);
        bid
    });
    let winner = highest(&bids);
    ctx.emit(Event::BidsRevealed { bids });
    let prizes = ctx.state.offered;
    let carries_over = ctx.state.options.ties == Ties::CarryOver && !ctx.state.is_over();
    match winner {
        None if carries_over => {
            ctx.emit(Event::PrizesCarriedOver { prizes });
            return;
        }
        None => ctx.emit(Event::PrizesDiscarded { prizes }),
        Some(seat) => {
            ctx.state.players[seat].won |= prizes;
            let points = points(prizes);
            ctx.emit(Event::PrizesTaken {
                seat,
                prizes,
                points,
            });
        }
    }
    ctx.state.offered.clear();
}

/// The seat that bids more than every other one. Returns `None` if the highest bids are equal.
///
/// # Rule GOO-6.6
fn highest(bids: &PerSeat<Card>) -> Option<Seat> {
    let most = bids.iter().max()?;
    let mut best = bids.entries().filter(|(_, bid)| *bid == most);
    let (seat, _) = best.next()?;
    best.next().is_none().then_some(seat)
}
