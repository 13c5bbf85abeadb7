//! The provost: the guild moves it free of charge, everybody may bribe it in phase 4
//! (CAY-6.5.3, CAY-6.6).

use std::ops::ControlFlow;

use super::common::{Bill, afford};
use crate::caylus::action::Action;
use crate::caylus::data::{Goods, PROVOST_MOST_SPACES, Space};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, No, Refusal};
use crate::caylus::stage::{Decision, Phase, Stage};
use crate::caylus::state::{Play, State};
use crate::table::{Lister, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Guild { to: Space },
    Bribe { to: Space, price: u16 },
}

/// # Rule CAY-6.6.1
/// Every player acts once, in the order of passing.
pub fn enter(play: &mut Play<'_>) {
    let seat = play.state.pass_order[usize::from(play.state.cursor)];
    play.state.ask(seat, Decision::BribeProvost);
    play.state.stage = Stage::AfterBribe;
}

/// Continues with the next player, or with phase 5.
pub fn enter_next(play: &mut Play<'_>) {
    play.state.cursor += 1;
    if usize::from(play.state.cursor) < play.state.pass_order.len() {
        play.state.stage = Stage::Bribe;
    } else {
        play.state.enter(Phase::Activation);
        play.state.cursor = Space::FIRST.number();
        play.state.stage = Stage::Road;
    }
}

/// Lists all moves, towards the bridge first.
pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    let most = i32::from(PROVOST_MOST_SPACES);
    for delta in -most..=most {
        list.visit(Action::MoveProvost { delta })?;
    }
    ControlFlow::Continue(())
}

/// Returns the provost's destination: at most 3 spaces away, within the road. Empty spaces count.
fn check_move(state: &State, delta: i32, rule: &'static str) -> Result<Space, No> {
    let most = PROVOST_MOST_SPACES;
    if delta.unsigned_abs() > u32::from(most) {
        return Err(Refusal::ProvostMoveTooLong { delta, max: most }.at(rule));
    }
    let provost = state.provost;
    provost
        .moved(delta)
        .ok_or(Refusal::ProvostOutOfRange { provost, delta }.at(rule))
}

pub fn check_guild(state: &State, delta: i32) -> Result<Deed, No> {
    let to = check_move(state, delta, "CAY-6.5.3")?;
    Ok(Deed::Guild { to })
}

/// # Rule CAY-6.6.1
/// 1 denier for each space.
pub fn check_bribe(state: &State, seat: Seat, delta: i32) -> Result<Deed, No> {
    let rule = "CAY-6.6.1";
    let to = check_move(state, delta, rule)?;
    let price = u16::from(to.number().abs_diff(state.provost.number()));
    let bill = Bill::of(Expense::Provost, Goods::deniers(price));
    afford(state, seat, bill, rule)?;
    Ok(Deed::Bribe { to, price })
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Guild { to } => {
            play.state.special.merchants_guild = None;
            play.state.bring_home(seat);
            move_provost(play, seat, to, 0);
        }
        Deed::Bribe { to, price } => move_provost(play, seat, to, price),
    }
}

fn move_provost(play: &mut Play<'_>, seat: Seat, to: Space, paid: u16) {
    play.state.players[seat].deniers -= paid;
    let from = std::mem::replace(&mut play.state.provost, to);
    play.tell(Event::ProvostMoved {
        seat,
        from_space: from,
        to_space: to,
        paid,
    });
}
