//! Rules for two players: neutral dice block advisors, and each sets a die aside (KIN-9.2).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::common::rolled_die;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Advisor, DIE_FACES, DieId};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::No;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{NeutralGroup, Play, State};
use crate::table::{Lister, Seat, Visit, broken};

/// Draws `neutral` twice: three dice block the advisor of their sum, two more block one each. A die for an advisor
/// already blocked is dropped.
///
/// # Rule KIN-6.25, KIN-16.7
pub fn roll_neutral_dice(play: &mut Play<'_>) {
    if !play.state.is_two_player() {
        return;
    }
    let together: [u8; 3] = play.chance.dice("neutral", None, DIE_FACES);
    let alone: [u8; 2] = play.chance.dice("neutral", None, DIE_FACES);
    play.tell(Event::NeutralRolled { together, alone });
    place(play, &together);
    for die in alone {
        place(play, &[die]);
    }
}

fn place(play: &mut Play<'_>, dice: &[u8]) {
    let values: ArrayVec<u8, 3> = dice.iter().copied().collect();
    let sum = values.iter().map(|&value| i32::from(value)).sum();
    let Some(advisor) = Advisor::from_number(sum) else {
        broken("KIN-6.25", values)
    };
    let mut blocked = play.state.neutral.iter();
    if blocked.any(|group| group.advisor == advisor) {
        return;
    }
    play.state.neutral.push(NeutralGroup {
        advisor,
        values: values.clone(),
    });
    play.tell(Event::NeutralPlaced { advisor, values });
}

/// Asks each of the two players, in the new turn order, to set one die aside.
///
/// # Rule KIN-6.37
pub fn enter_set_aside(play: &mut Play<'_>, place: u8) -> ControlFlow<()> {
    let asks = play.state.is_two_player() && play.state.options.two_player_set_aside;
    if asks && play.state.at(place).is_some() {
        return ControlFlow::Break(());
    }
    play.state.stage = Stage::Influence { place: 0 };
    ControlFlow::Continue(())
}

/// Lists `set_aside_die` for each die.
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let mut dice = state.players[seat].dice.rolled().into_iter();
    dice.try_for_each(|die| {
        list.visit(Action::SetAsideDie {
            die: u32::from(die.number()),
        })
    })
}

/// Judges `set_aside_die`.
pub fn check(state: &State, seat: Seat, die: u32) -> Result<DieId, No> {
    rolled_die(&state.players[seat], die, "KIN-6.37")
}

/// Sets the die aside. The turn order does not change: the die still counts for it.
pub fn perform(play: &mut Play<'_>, seat: Seat, die: DieId) {
    let dice = &mut play.state.players[seat].dice;
    dice.set_aside = die.into();
    let value = dice.face(die);
    play.tell(Event::DieSetAside { seat, die, value });
    let place = play.state.place_of(seat) + 1;
    play.state.stage = Stage::SetAside { place };
}
