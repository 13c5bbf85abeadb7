//! A turn: a prize is turned up, and the highest bid takes it (GOO-6.1, GOO-6.5 to GOO-6.8).

use crate::goofspiel::data::{Card, points};
use crate::goofspiel::event::Event;
use crate::goofspiel::options::Ties;
use crate::goofspiel::state::Play;
use crate::table::{PerSeat, Seat, broken};

/// Turns up the next prize; there is none after the last turn.
///
/// # Rule GOO-6.1
pub fn begin(play: &mut Play<'_>) {
    let state = &mut *play.state;
    if let Some(&prize) = state.order.get(usize::from(state.turn)) {
        state.turn += 1;
        state.offered.insert(prize);
        let turn = state.turn;
        play.tell(Event::PrizeTurnedUp { turn, prize });
    }
}

/// Reveals the bids after every player has bid, and gives the prizes to the highest one.
///
/// # Rule GOO-6.5 to GOO-6.8
pub fn end(play: &mut Play<'_>) {
    let seats = play.state.seats();
    let bids = PerSeat::new(seats, |seat| {
        let player = &mut play.state.players[seat];
        let bid = player.bid.take();
        let bid = bid.unwrap_or_else(|| broken("GOO-6.5", seat));
        player.hand.remove(bid);
        bid
    });
    let winner = highest(&bids);
    play.tell(Event::BidsRevealed { bids });
    let prizes = play.state.offered;
    let carries_over = play.state.options.ties == Ties::CarryOver && !play.state.is_over();
    match winner {
        None if carries_over => {
            play.tell(Event::PrizesCarriedOver { prizes });
            return;
        }
        None => play.tell(Event::PrizesDiscarded { prizes }),
        Some(seat) => {
            play.state.players[seat].won |= prizes;
            let points = points(prizes);
            play.tell(Event::PrizesTaken {
                seat,
                prizes,
                points,
            });
        }
    }
    play.state.offered.clear();
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
