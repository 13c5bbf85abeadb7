//! What only two players do: neutral dice block advisors, and each sets a die aside (KIN-9.2).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Advisor, DIE_FACES, DieId};
use super::super::event::Event;
use super::super::pending::{Decision, Stage};
use super::super::state::{NeutralGroup, State};
use super::roll::rolled_die;
use super::{Answer, Deed};
use crate::table::{Chance, Seat, Visit};

/// Draws `neutral` twice: three dice block the advisor of their sum, two more block one each. A
/// die that comes to a blocked advisor is dropped.
///
/// # Rule KIN-6.25, KIN-16.7
pub(super) fn roll_neutral_dice(state: &mut State, chance: &mut Chance, journal: &mut Log) {
    if !state.is_two_player() {
        return;
    }
    let together = roll::<3>(chance);
    let alone = roll::<2>(chance);
    journal.event(Event::NeutralRolled { together, alone });
    place(state, &together, journal);
    for die in alone {
        place(state, &[die], journal);
    }
}

fn roll<const DICE: usize>(chance: &mut Chance) -> [u8; DICE] {
    let mut faces = [0; DICE];
    let rolled = chance.roll("neutral", None, DIE_FACES, DICE);
    for (face, value) in faces.iter_mut().zip(rolled) {
        *face = value;
    }
    faces
}

fn place(state: &mut State, values: &[u8], journal: &mut Log) {
    let sum: i32 = values.iter().map(|&value| i32::from(value)).sum();
    let Some(advisor) = Advisor::from_number(sum) else {
        return;
    };
    if state.neutral.iter().any(|group| group.advisor == advisor) {
        return;
    }
    let values: ArrayVec<u8, 3> = values.iter().copied().collect();
    state.neutral.push(NeutralGroup {
        advisor,
        values: values.clone(),
    });
    journal.event(Event::NeutralPlaced { advisor, values });
}

/// In the new turn order each of two players does without one die.
///
/// # Rule KIN-6.37
pub(in super::super) fn enter_set_aside(state: &mut State, place: u8) -> ControlFlow<()> {
    let asks = state.is_two_player() && state.options.two_player_set_aside;
    if asks && state.at(place).is_some() {
        return ControlFlow::Break(());
    }
    state.stage = Stage::Influence { place: 0 };
    ControlFlow::Continue(())
}

/// Lists `set_aside_die` for each die.
pub(in super::super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    for die in state.players[seat].dice.rolled().dice() {
        let die = u32::from(die.number());
        visit(Action::SetAsideDie { die })?;
    }
    ControlFlow::Continue(())
}

/// Judges `set_aside_die`.
pub(in super::super) fn check(state: &State, seat: Seat, action: &Action) -> Answer {
    let Action::SetAsideDie { die } = *action else {
        return None;
    };
    Some(rolled_die(state, seat, die, Decision::SetAside).map(Deed::SetAside))
}

/// The turn order stays as it is: the die still counted for it.
pub(super) fn perform_set_aside(state: &mut State, seat: Seat, die: DieId, journal: &mut Log) {
    let dice = &mut state.players[seat].dice;
    dice.set_aside = [die].into_iter().collect();
    let value = dice.face(die);
    journal.event(Event::DieSetAside { seat, die, value });
    let place = state.place_of(seat) + 1;
    state.stage = Stage::SetAside { place };
}
