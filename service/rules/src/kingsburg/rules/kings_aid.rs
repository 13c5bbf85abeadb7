//! Phase 1, the Aid from the King (KIN-6c).

use std::ops::ControlFlow;

use super::common::poorest;
use super::year;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Good, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{RefusedAction, require_known};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Seat, SeatSet, VisitFlow, invariant_violated};

/// Gives the poorest player a white die for spring; tied players get goods instead.
///
/// # Rule KIN-6.11, KIN-6.12
pub fn enter(ctx: &mut ExecContext<'_>) {
    let tied = poorest(ctx.state);
    if let Some(seat) = tied.only() {
        ctx.state.aid_die = Some(seat);
        ctx.emit(Event::AidDieGiven { seat });
        year::next_phase(ctx);
    } else {
        ctx.state.stage = Stage::AidGood {
            turn_index: 0,
            tied,
        };
    }
}

/// Asks the tied players in turn order. The tie was determined at the start of the phase.
///
/// # Rule KIN-6.12
pub fn enter_choice(ctx: &mut ExecContext<'_>, turn_index: u8, tied: SeatSet) -> ControlFlow<()> {
    match ctx.state.seat_at(turn_index) {
        Some(seat) if tied.contains(seat) => return ControlFlow::Break(()),
        Some(_) => {
            ctx.state.stage = Stage::AidGood {
                turn_index: turn_index + 1,
                tied,
            }
        }
        None => year::next_phase(ctx),
    }
    ControlFlow::Continue(())
}

/// Lists `choose_aid_good` for every kind.
pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    Good::ALL
        .into_iter()
        .try_for_each(|good| list.visit(Action::ChooseAidGood { good: Some(good) }))
}

/// Judges `choose_aid_good`.
pub fn check(good: MaybeKnown<Good>) -> Result<Good, RefusedAction> {
    require_known(good, "good", "KIN-6.12")
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, good: Good) {
    let Stage::AidGood { turn_index, tied } = ctx.state.stage else {
        invariant_violated("KIN-6.12", ctx.state.stage)
    };
    let player = &mut ctx.state.players[seat];
    player.goods = player.goods.plus(Goods::of(good, 1));
    ctx.emit(Event::AidGoodChosen { seat, good });
    ctx.state.stage = Stage::AidGood {
        turn_index: turn_index + 1,
        tied,
    };
}
