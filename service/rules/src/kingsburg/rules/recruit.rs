//! Phase 7, soldiers are recruited (KIN-6g).

use std::ops::ControlFlow;

use super::common::{payment, payments};
use super::year;
use crate::kingsburg::action::{Action, Payment};
use crate::kingsburg::data::Goods;
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::No;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Play, State};
use crate::table::{Lister, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Recruit(Goods),
    Pass,
}

/// Asks in turn order, for one soldier after the other. A player who cannot pay for one passes.
///
/// # Rule KIN-6.90
pub fn enter(play: &mut Play<'_>, place: u8) -> ControlFlow<()> {
    match play.state.at(place) {
        None => year::next_phase(play),
        Some(seat) => {
            let player = &play.state.players[seat];
            if player.goods.total() >= u16::from(player.soldier_price()) {
                return ControlFlow::Break(());
            }
            play.automatic(seat, Action::PassRecruit, |play| pass(play, seat));
        }
    }
    ControlFlow::Continue(())
}

/// Lists `recruit_soldier` with every payment, then `pass_recruit`.
pub fn candidates(state: &State, seat: Seat, price: u8, list: &mut Lister<'_, Action>) -> Visit {
    for goods in payments(state.players[seat].goods, price) {
        list.visit(Action::RecruitSoldier(goods.into()))?;
    }
    list.visit(Action::PassRecruit)
}

/// Judges `recruit_soldier`.
pub fn check(state: &State, seat: Seat, price: u8, offer: Payment) -> Result<Deed, No> {
    payment(state.players[seat].goods, offer, price, "KIN-6.90").map(Deed::Recruit)
}

/// Recruits, or passes. After a soldier the same player is asked again.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Recruit(paid) => {
            let player = &mut play.state.players[seat];
            player.goods = player.goods.minus(paid);
            player.soldiers += 1;
            play.tell(Event::SoldierRecruited { seat, paid });
        }
        Deed::Pass => pass(play, seat),
    }
}

/// Ends the recruiting of this player.
fn pass(play: &mut Play<'_>, seat: Seat) {
    play.tell(Event::RecruitPassed { seat });
    let place = play.state.place_of(seat) + 1;
    play.state.stage = Stage::Recruit { place };
}
