//! The advisors help, from the Jester to the King (KIN-6d, step HELP).

use std::ops::ControlFlow;

use super::build;
use super::common::owned;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Advisor, Building, Choice, Good, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{Refusal, RefusedAction, require_known};
use crate::kingsburg::stage::{Decision, Stage};
use crate::kingsburg::state::{Dice, ExecContext, PointSource, State};
use crate::table::{
    ActionEnumerator, Kind as _, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Take { advisor: Advisor, goods: Goods },
    Exchange(Good),
    Decline,
}

/// Serves one group: the fixed help, then the choice, if there is one.
///
/// # Rule KIN-6.52, KIN-16.4
pub fn enter(ctx: &mut ExecContext<'_>, advisor: Advisor, served: u8) -> ControlFlow<()> {
    let Some(group) = ctx.state.group_to_serve(advisor, served) else {
        match advisor.next() {
            Some(advisor) => ctx.state.stage = Stage::Help { advisor, served: 0 },
            None => clear_court(ctx),
        }
        return ControlFlow::Continue(());
    };
    let owner = group.owner;
    give(ctx, owner, advisor);
    peek(ctx, owner, advisor);
    ask(ctx, owner, advisor)
}

/// Goes on where the fixed help has been given already: on a described table, the choice is left.
///
/// # Rule KIN-5.8
pub fn resume(ctx: &mut ExecContext<'_>, advisor: Advisor, served: u8) -> ControlFlow<()> {
    match ctx.state.group_to_serve(advisor, served) {
        Some(group) => ask(ctx, group.owner, advisor),
        None => ControlFlow::Continue(()),
    }
}

/// Waits for the choice of the served player. Serves the next group if there is no choice.
fn ask(ctx: &mut ExecContext<'_>, owner: Seat, advisor: Advisor) -> ControlFlow<()> {
    let asks = match advisor.help().choice {
        None => false,
        Some(Choice::OneOf { .. }) => true,
        // Without goods there is nothing to exchange (KIN-ADJ-16).
        Some(Choice::Exchange) => !ctx.state.players[owner].goods.is_none(),
    };
    if asks {
        return ControlFlow::Break(());
    }
    serve_next(ctx);
    ControlFlow::Continue(())
}

fn serve_next(ctx: &mut ExecContext<'_>) {
    let Stage::Help { served, .. } = &mut ctx.state.stage else {
        invariant_violated("KIN-6.50", ctx.state.stage)
    };
    *served += 1;
}

/// Gives the fixed help of the advisor; the Stable adds a soldier to soldiers.
///
/// # Rule KIN-6.52, KIN-6.53
fn give(ctx: &mut ExecContext<'_>, seat: Seat, advisor: Advisor) {
    let help = advisor.help();
    let player = &mut ctx.state.players[seat];
    let stable = help.soldiers > 0 && player.has(Building::Stable);
    let soldiers = help.soldiers + u8::from(stable);
    player.goods = player.goods.plus(help.goods);
    player.plus2 += help.plus2;
    player.soldiers += u16::from(soldiers);
    player.score(PointSource::Advisors, i16::from(help.vp));
    if !help.goods.is_none() || help.vp + help.plus2 + soldiers > 0 {
        ctx.emit(Event::HelpGiven {
            seat,
            advisor,
            goods: help.goods,
            vp: help.vp,
            plus2: help.plus2,
            soldiers,
        });
    }
}

/// Shows this year's enemy card to the owner of a group on the General or the Queen; the card stays in place.
///
/// # Rule KIN-6.54
fn peek(ctx: &mut ExecContext<'_>, seat: Seat, advisor: Advisor) {
    if advisor.help().peek {
        ctx.state.peeked_by.insert(seat);
        ctx.emit(Event::EnemyPeeked {
            seat,
            advisor,
            year: ctx.state.year,
            card: Some(ctx.state.enemy()),
        });
    }
}

/// Returns dice to their players, and used tokens to the supply.
///
/// # Rule KIN-6.56, KIN-16.6
fn clear_court(ctx: &mut ExecContext<'_>) {
    ctx.state.groups.clear();
    ctx.state.neutral.clear();
    for seat in ctx.state.players.seats() {
        ctx.state.players[seat].dice = Dice::default();
    }
    ctx.emit(Event::CourtCleared);
    ctx.state.stage = build::turn(ctx.state, 0);
}

/// Lists the goods that the advisor offers, or the exchanges and `decline_exchange`.
pub fn candidates(
    state: &State,
    seat: Seat,
    advisor: Advisor,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    match advisor.help().choice {
        None => ControlFlow::Continue(()),
        Some(Choice::OneOf { goods, .. }) => goods
            .iter()
            .try_for_each(|&good| list.visit(Action::ChooseHelpGood { good: Some(good) })),
        Some(Choice::Exchange) => {
            let stock = state.players[seat].goods;
            for good in Good::ALL.into_iter().filter(|&good| stock.amount(good) > 0) {
                list.visit(Action::AlchemistExchange { give: Some(good) })?;
            }
            list.visit(Action::DeclineExchange)
        }
    }
}

/// Judges the answer to this advisor; other answers belong to other advisors.
///
/// # Rule KIN-6.51
pub fn check(
    state: &State,
    seat: Seat,
    advisor: Advisor,
    action: &Action,
) -> Result<ValidAction, RefusedAction> {
    let rule = "KIN-6.51";
    match (advisor.help().choice, action) {
        (Some(Choice::OneOf { amount, goods }), Action::ChooseHelpGood { good }) => {
            let good = check_offer(advisor, goods, *good)?;
            let goods = Goods::of(good, amount);
            Ok(ValidAction::Take { advisor, goods })
        }
        (Some(Choice::Exchange), Action::AlchemistExchange { give }) => {
            let goods = state.players[seat].goods;
            owned(goods, *give, "give", rule).map(ValidAction::Exchange)
        }
        (Some(Choice::Exchange), Action::DeclineExchange) => Ok(ValidAction::Decline),
        (_, action) => {
            let decision = Decision::HelpChoice { advisor };
            let action = action.kind();
            Err(Refusal::WrongDecision {
                action,
                decision: decision.id(),
            }
            .citing(rule))
        }
    }
}

fn check_offer(
    advisor: Advisor,
    offered: &[Good],
    good: MaybeKnown<Good>,
) -> Result<Good, RefusedAction> {
    let good = require_known(good, "good", "KIN-6.51")?;
    if offered.contains(&good) {
        Ok(good)
    } else {
        Err(Refusal::GoodNotOffered { good, advisor }.citing("KIN-6.51"))
    }
}

/// Gives the chosen goods, all of one kind (KIN-ADJ-07). In an exchange the player gives one good and gets one of each
/// other kind.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    let player = &mut ctx.state.players[seat];
    let event = match valid_action {
        ValidAction::Take { advisor, goods } => {
            player.goods = player.goods.plus(goods);
            Event::HelpChosen {
                seat,
                advisor,
                goods,
            }
        }
        ValidAction::Exchange(gave) => {
            let gained = Goods::new(1, 1, 1).minus(Goods::of(gave, 1));
            player.goods = player.goods.minus(Goods::of(gave, 1)).plus(gained);
            Event::GoodExchanged { seat, gave, gained }
        }
        ValidAction::Decline => Event::ExchangeDeclined { seat },
    };
    ctx.emit(event);
    serve_next(ctx);
}
