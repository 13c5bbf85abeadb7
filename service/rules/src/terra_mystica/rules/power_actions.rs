//! Power actions (TM-6.38).

use std::ops::ControlFlow;

use super::bridges::{self, build_bridge, check_bridge};
use super::goods::receive;
use super::power::{Spend, spend_power};
use super::spades::SpadeSource;
use super::transform::{self, PricedTransform};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::{Action, PowerUse, Work};
use crate::terra_mystica::data::{Goods, PowerAction};
use crate::terra_mystica::event::{Event, GoodsSource};
use crate::terra_mystica::refusal::{Refusal, RefusedAction, TakenAction};
use crate::terra_mystica::state::{ExecContext, State};

/// A validated action of this theme.
#[derive(Clone, Debug)]
pub struct ValidAction {
    action: PowerAction,
    spend: Spend,
    bought: Bought,
}

/// The validated effect that the power pays for.
#[derive(Clone, Debug)]
enum Bought {
    /// A bridge on this site, or nothing.
    Bridge(Option<usize>),
    /// Goods; a priest only if the supply has one (TM-10.7).
    Goods(Goods),
    /// Free spades.
    Work(PricedTransform),
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for action in PowerAction::ALL {
        if state.used_power_actions.contains(action) {
            continue;
        }
        let (player, power) = (&state.players[seat], action.power());
        Spend::candidates(player, power, state.rules, list, |list, sacrifice| {
            uses(state, seat, action, &mut |power_use| {
                list.visit(Action::TakePowerAction {
                    power_use,
                    sacrifice,
                })
            })
        })?;
    }
    ControlFlow::Continue(())
}

fn uses(
    state: &State,
    seat: Seat,
    action: PowerAction,
    visit: &mut dyn FnMut(PowerUse) -> VisitFlow,
) -> VisitFlow {
    match action {
        PowerAction::Act1 => {
            visit(PowerUse::Bridge { span: None })?;
            let mut sites = bridges::sites(state, seat);
            sites.try_for_each(|span| visit(PowerUse::Bridge { span: Some(span) }))
        }
        PowerAction::Act2 => visit(PowerUse::Priest),
        PowerAction::Act3 => visit(PowerUse::Workers),
        PowerAction::Act4 => visit(PowerUse::Coins),
        PowerAction::Act5 => {
            let mut visit = |work| visit(PowerUse::Spade(work));
            visit(Work::default())?;
            transform::one_space(state, seat, SpadeSource::Act5, &mut visit)
        }
        PowerAction::Act6 => {
            let mut visit = |work| visit(PowerUse::TwoSpades(work));
            visit(Work::default())?;
            transform::one_space(state, seat, SpadeSource::Act6, &mut visit)?;
            transform::many_spaces(state, seat, SpadeSource::Act6, &mut visit)
        }
    }
}

/// # Rule TM-6.38
/// Not used in this round; then its power; then its effect.
pub fn check(
    state: &State,
    seat: Seat,
    power_use: &PowerUse,
    sacrifice: u32,
) -> Result<ValidAction, RefusedAction> {
    let rule = "TM-6.38";
    let action = power_use.action();
    if state.used_power_actions.contains(action) {
        let action = TakenAction::Power(action);
        return Err(Refusal::ActionTaken { action }.citing(rule));
    }
    let cost = (u32::from(action.power()), sacrifice);
    let spend = Spend::check(&state.players[seat], state.rules, cost, rule)?;
    let bought = match power_use {
        PowerUse::Bridge { span } => {
            let site = span.map(|span| check_bridge(state, seat, span, rule));
            Bought::Bridge(site.transpose()?)
        }
        PowerUse::Priest => Bought::Goods(Goods::priests(1)),
        PowerUse::Workers => Bought::Goods(Goods::workers(2)),
        PowerUse::Coins => Bought::Goods(Goods::coins(7)),
        PowerUse::Spade(work) => {
            Bought::Work(transform::check(state, seat, SpadeSource::Act5, work)?)
        }
        PowerUse::TwoSpades(work) => {
            Bought::Work(transform::check(state, seat, SpadeSource::Act6, work)?)
        }
    };
    Ok(ValidAction {
        action,
        spend,
        bought,
    })
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    let ValidAction {
        action,
        spend,
        bought,
    } = valid_action;
    let action = *action;
    spend_power(ctx, seat, *spend);
    ctx.emit(Event::PowerActionTaken { seat, action });
    ctx.state.used_power_actions.insert(action);
    match bought {
        Bought::Bridge(None) => {}
        Bought::Bridge(Some(site)) => build_bridge(ctx, seat, *site),
        Bought::Goods(goods) => receive(ctx, seat, *goods, GoodsSource::PowerAction(action)),
        Bought::Work(job) => transform::execute(ctx, seat, job),
    }
}
