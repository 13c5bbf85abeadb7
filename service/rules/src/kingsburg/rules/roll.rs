//! A season begins: income, the roll, the reroll, the new turn order (KIN-6d).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::common::rolled_die;
use super::two_players;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, DIE_FACES, DieId, Goods, Phase};
use crate::kingsburg::event::{Event, ShownDie};
use crate::kingsburg::refusal::RefusedAction;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Dice, ExecContext, State};
use crate::table::{ActionEnumerator, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Reroll(DieId),
    Keep,
}

/// Rolls neutral dice, gives income, and rolls the dice of every player.
pub fn enter(ctx: &mut ExecContext<'_>) {
    two_players::roll_neutral_dice(ctx);
    take_income(ctx);
    for seat in ctx.state.order.clone() {
        roll(ctx, seat);
    }
    ctx.state.stage = Stage::Reroll { turn_index: 0 };
}

/// Gives one gold for each Merchants' Guild before the roll.
///
/// # Rule KIN-6.28, KIN-7.8
fn take_income(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.order.clone() {
        let player = &mut ctx.state.players[seat];
        if player.has(Building::MerchantsGuild) {
            player.goods = player.goods.plus(Goods::new(1, 0, 0));
            ctx.emit(Event::GuildIncome { seat });
        }
    }
}

/// Draws `roll`, player by player in the previous turn order; white dice are always rolled
/// (KIN-ADJ-12).
///
/// # Rule KIN-6.30
fn roll(ctx: &mut ExecContext<'_>, seat: Seat) {
    let aid = ctx.state.aid_die == Some(seat) && ctx.state.phase == Phase::Spring;
    let player = &mut ctx.state.players[seat];
    let farms = player.has(Building::Farms);
    let rolled = DieId::ALL.into_iter().filter(|die| match die {
        DieId::Own0 | DieId::Own1 | DieId::Own2 => true,
        DieId::KingsAid => aid,
        DieId::Farms => farms,
    });
    let rolled: ArrayVec<DieId, { DieId::COUNT }> = rolled.collect();
    let faces = ctx.chance.roll("roll", Some(seat), DIE_FACES, rolled.len());
    let shown = rolled.into_iter().zip(faces);
    let dice: ArrayVec<ShownDie, { DieId::COUNT }> =
        shown.map(|(die, value)| ShownDie { die, value }).collect();
    player.dice = Dice::default();
    for &ShownDie { die, value } in &dice {
        player.dice.show(die, value);
    }
    player.reroll_used = false;
    player.market_used = false;
    player.influence_done = false;
    ctx.emit(Event::DiceRolled { seat, dice });
}

/// Asks an owner of the Statue whose dice all show one face whether to roll one of them again. The Chapel adds nothing
/// to this (KIN-7.2).
///
/// # Rule KIN-6.33
pub fn enter_reroll(ctx: &mut ExecContext<'_>, turn_index: u8) -> ControlFlow<()> {
    match ctx.state.seat_at(turn_index) {
        Some(seat) => {
            let player = &ctx.state.players[seat];
            if player.has(Building::Statue) && player.dice.all_equal() {
                return ControlFlow::Break(());
            }
            ctx.state.stage = Stage::Reroll {
                turn_index: turn_index + 1,
            };
        }
        None => ctx.state.stage = Stage::Order,
    }
    ControlFlow::Continue(())
}

/// Lists `reroll_die` for each die, then `keep_roll`.
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for die in state.players[seat].dice.rolled() {
        let die = u32::from(die.number());
        list.visit(Action::RerollDie { die })?;
    }
    list.visit(Action::KeepRoll)
}

/// Judges `reroll_die`.
pub fn check(state: &State, seat: Seat, die: u32) -> Result<ValidAction, RefusedAction> {
    rolled_die(&state.players[seat], die, "KIN-6.33").map(ValidAction::Reroll)
}

/// Draws `reroll`: one die, once, with any result; or leaves the dice as they are.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    let event = match valid_action {
        ValidAction::Reroll(die) => {
            let [after] = ctx.chance.dice("reroll", Some(seat), DIE_FACES);
            let player = &mut ctx.state.players[seat];
            let before = player.dice.face(die);
            player.dice.show(die, after);
            player.reroll_used = true;
            Event::DieRerolled {
                seat,
                die,
                before,
                after,
            }
        }
        ValidAction::Keep => Event::RollKept { seat },
    };
    ctx.emit(event);
    let turn_index = ctx.state.turn_index_of(seat) + 1;
    ctx.state.stage = Stage::Reroll { turn_index };
}

/// Sorts the players by the totals of their dice, lower ones first; equal ones keep their order.
///
/// # Rule KIN-6.35
pub fn enter_order(ctx: &mut ExecContext<'_>) {
    let players = &ctx.state.players;
    let total = |seat: &Seat| players[*seat].dice.total();
    ctx.state.order.sort_by_key(total);
    let order = ctx.state.order.clone();
    let totals = order.iter().map(total).collect();
    ctx.emit(Event::OrderSet { order, totals });
    ctx.state.stage = Stage::SetAside { turn_index: 0 };
}
