//! Phase 7, soldiers are recruited (KIN-6.7).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::Action;
use super::super::data::Goods;
use super::super::event::Event;
use super::super::pending::{Decision, Stage};
use super::super::state::State;
use super::{Answer, Decided, Deed, payment, payments, year};
use crate::table::{Seat, Visit};

/// In turn order, one soldier after the other. Who cannot pay for one passes.
///
/// # Rule KIN-6.90
pub(in super::super) fn enter(state: &mut State, place: u8, journal: &mut Log) -> ControlFlow<()> {
    match state.at(place) {
        None => year::next_phase(state, journal),
        Some(seat) => {
            let player = &state.players[seat];
            if player.goods.total() >= u16::from(player.soldier_price()) {
                return ControlFlow::Break(());
            }
            journal.automatic(seat, Action::PassRecruit);
            perform_pass(state, seat, Decided::Auto, journal);
        }
    }
    ControlFlow::Continue(())
}

/// Lists `recruit_soldier` with every payment, then `pass_recruit`.
pub(in super::super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let player = &state.players[seat];
    for payment in payments(player.goods, player.soldier_price()) {
        visit(Action::RecruitSoldier(payment))?;
    }
    visit(Action::PassRecruit)
}

/// Judges `recruit_soldier` and `pass_recruit`.
pub(in super::super) fn check(state: &State, seat: Seat, price: u8, action: &Action) -> Answer {
    if let Action::RecruitSoldier(offer) = *action {
        let asked = Decision::Recruit { goods: price };
        let paid = payment(state.players[seat].goods, offer, price, asked);
        return Some(paid.map(Deed::Recruit));
    }
    matches!(action, Action::PassRecruit).then_some(Ok(Deed::PassRecruit))
}

/// Pays for a soldier; the same player is asked again.
pub(super) fn perform(state: &mut State, seat: Seat, paid: Goods, journal: &mut Log) {
    let player = &mut state.players[seat];
    player.goods = player.goods.minus(paid);
    player.soldiers += 1;
    journal.event(Event::SoldierRecruited { seat, paid });
}

/// Ends the recruiting of this player.
pub(super) fn perform_pass(state: &mut State, seat: Seat, decided: Decided, journal: &mut Log) {
    journal.event(Event::RecruitPassed {
        seat,
        auto: decided.is_auto(),
    });
    let place = state.place_of(seat) + 1;
    state.stage = Stage::Recruit { place };
}
