//! What several themes share: prices that are owned, and favors that are gained.

use crate::caylus::data::{Goods, SIMPLIFIED_FAVOR_VP};
use crate::caylus::event::Event;
use crate::caylus::refusal::{No, Refusal};
use crate::caylus::state::{PendingFavors, Play, State};
use crate::table::{Refusal as _, Seat};

/// Does this seat have the price?
pub(crate) fn afford(
    state: &State,
    seat: Seat,
    price: Goods,
    rule: &'static str,
) -> Result<(), No> {
    if state.players[seat].can_pay(price) {
        Ok(())
    } else {
        Err(Refusal::CannotAfford { price }.at(rule))
    }
}

/// A player gains favors. They wait until what gave them is done; simplified, they are VP at once.
///
/// # Rule CAY-6.10.1, CAY-6.10.4
pub(crate) fn gain_favors(play: &mut Play<'_>, seat: Seat, count: u8) {
    if count == 0 {
        return;
    }
    if play.state.simplified_favors {
        let vp = u16::from(count) * SIMPLIFIED_FAVOR_VP;
        play.state.players[seat].vp += vp;
        play.tell(Event::FavorsSimplified { seat, count, vp });
        return;
    }
    let waiting = play.state.pending_favors.map_or(0, |favors| favors.count);
    play.state.pending_favors = Some(PendingFavors {
        seat,
        count: waiting + count,
    });
    play.tell(Event::FavorsGained { seat, count });
}
