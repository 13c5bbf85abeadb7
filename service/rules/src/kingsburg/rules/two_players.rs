//! Rules for two players: neutral dice block advisors, and each sets a die aside (KIN-9.2).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::common::rolled_die;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Advisor, DIE_FACES, DieId};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::RefusedAction;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{ExecContext, NeutralGroup, State};
use crate::table::{ActionEnumerator, Seat, VisitFlow, invariant_violated};

/// Draws `neutral` twice: three dice block the advisor of their sum, two more block one each. A die for an advisor
/// already blocked is dropped.
///
/// # Rule KIN-6.25, KIN-16.7
pub fn roll_neutral_dice(ctx: &mut ExecContext<'_>) {
    if !ctx.state.is_two_player() {
        return;
    }
    let together: [u8; 3] = ctx.chance.dice("neutral", None, DIE_FACES);
    let alone: [u8; 2] = ctx.chance.dice("neutral", None, DIE_FACES);
    ctx.emit(Event::NeutralRolled { together, alone });
    place(ctx, &together);
    for die in alone {
        place(ctx, &[die]);
    }
}

fn place(ctx: &mut ExecContext<'_>, dice: &[u8]) {
    let values: ArrayVec<u8, 3> = dice.iter().copied().collect();
    let sum = values.iter().map(|&value| i32::from(value)).sum();
    let Some(advisor) = Advisor::from_number(sum) else {
        invariant_violated("KIN-6.25", values)
    };
    let mut blocked = ctx.state.neutral.iter();
    if blocked.any(|group| group.advisor == advisor) {
        return;
    }
    ctx.state.neutral.push(NeutralGroup {
        advisor,
        values: values.clone(),
    });
    ctx.emit(Event::NeutralPlaced { advisor, values });
}

/// Asks each of the two players, in the new turn order, to set one die aside.
///
/// # Rule KIN-6.37
pub fn enter_set_aside(ctx: &mut ExecContext<'_>, turn_index: u8) -> ControlFlow<()> {
    let asks = ctx.state.is_two_player() && ctx.state.options.two_player_set_aside;
    if asks && ctx.state.seat_at(turn_index).is_some() {
        return ControlFlow::Break(());
    }
    ctx.state.stage = Stage::Influence { turn_index: 0 };
    ControlFlow::Continue(())
}

/// Lists `set_aside_die` for each die.
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let mut dice = state.players[seat].dice.rolled().into_iter();
    dice.try_for_each(|die| {
        list.visit(Action::SetAsideDie {
            die: u32::from(die.number()),
        })
    })
}

/// Judges `set_aside_die`.
pub fn check(state: &State, seat: Seat, die: u32) -> Result<DieId, RefusedAction> {
    rolled_die(&state.players[seat], die, "KIN-6.37")
}

/// Sets the die aside. The turn order does not change: the die still counts for it.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, die: DieId) {
    let dice = &mut ctx.state.players[seat].dice;
    dice.set_aside = die.into();
    let value = dice.face(die);
    ctx.emit(Event::DieSetAside { seat, die, value });
    let turn_index = ctx.state.turn_index_of(seat) + 1;
    ctx.state.stage = Stage::SetAside { turn_index };
}
