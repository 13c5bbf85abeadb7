//! Conversions and free sacrifices (TM-6.10, J6, J29).

use std::ops::ControlFlow;

use super::goods::{affordable, cannot_afford};
use super::power::{Spend, spend_power};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{Conversion, Faction};
use crate::terra_mystica::event::Event;
use crate::terra_mystica::refusal::{Expense, Piece, Refusal, RefusedAction};
use crate::terra_mystica::stage::Decision;
use crate::terra_mystica::state::{ExecContext, State};

/// A validated conversion.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    kind: Conversion,
    times: u16,
    spend: Option<Spend>,
}

/// The paragraph of conversions.
const RULE: &str = "TM-6.10";

/// More conversions than any player can pay for.
const MAX_TIMES: u16 = 10_000;

pub fn candidates(
    state: &State,
    seat: Seat,
    decision: Decision,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let player = &state.players[seat];
    list.kind("convert", |list| {
        for kind in Conversion::ALL {
            if kind.is_alchemy() && player.faction != Faction::Alchemists
                || !kind.is_alchemy() && decision == Decision::PowerDecision
            {
                continue;
            }
            let most = match kind {
                Conversion::PowerToPriest | Conversion::PowerToWorker | Conversion::PowerToCoin => {
                    u16::from((player.bowls[2] + player.bowls[1] / 2) / kind.power())
                }
                Conversion::PriestToWorker => player.priests,
                Conversion::WorkerToCoin => player.workers,
                Conversion::AlchemyVpToCoin => player.vp,
                Conversion::AlchemyCoinToVp => player.coins / 2,
            };
            list.indexed(usize::from(most), |list, fewer| {
                let times = u16::try_from(fewer + 1).unwrap_or(u16::MAX);
                conversion(state, seat, (kind, times), list)
            })?;
        }
        ControlFlow::Continue(())
    })
}

fn conversion(
    state: &State,
    seat: Seat,
    (kind, times): (Conversion, u16),
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let convert = |sacrifice| Action::Convert {
        kind,
        times: u32::from(times),
        sacrifice,
    };
    if kind.power() == 0 {
        return list.visit(convert(0));
    }
    // Saturation is harmless: no sacrifice suffices for that much power.
    let power = u8::try_from(times)
        .unwrap_or(u8::MAX)
        .saturating_mul(kind.power());
    Spend::candidates(
        &state.players[seat],
        power,
        state.rules,
        list,
        |list, sacrifice| list.visit(convert(sacrifice)),
    )
}

pub fn candidates_sacrifice(
    state: &State,
    seat: Seat,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    if !state.rules.free_sacrifice {
        return ControlFlow::Continue(());
    }
    let most = u32::from(state.players[seat].bowls[1] / 2);
    (1..=most)
        .map(|tokens| Action::SacrificePower { tokens })
        .try_for_each(|action| list.visit(action))
}

/// # Rule TM-6.10, TM-14.3
/// Ordinary kinds in the player's own turn, the Alchemists' kinds also at an offer of power. The number first, whatever
/// the kind, then the price.
pub fn check(
    state: &State,
    seat: Seat,
    decision: Decision,
    (kind, times, sacrifice): (Conversion, u32, u32),
) -> Result<Exchange, RefusedAction> {
    let alchemist = state.faction(seat) == Faction::Alchemists;
    let timely = kind.is_alchemy() || decision != Decision::PowerDecision;
    if kind.is_alchemy() && !alchemist || !timely {
        let kind = Some(kind);
        return Err(Refusal::ConversionNotAllowed { kind }.citing(RULE));
    }
    let number = u16::try_from(times)
        .ok()
        .filter(|number| (1..=MAX_TIMES).contains(number));
    let times = number.ok_or(out_of_range(times, MAX_TIMES.into()).citing(RULE))?;
    let spend = check_power(state, seat, kind, (times, sacrifice))?;
    let left = state.priest_supply(seat);
    if kind == Conversion::PowerToPriest && times > left {
        let piece = Piece::Priest;
        return Err(Refusal::NoPieceLeft { piece, left }.citing(RULE));
    }
    check_price(state, seat, kind, times)?;
    Ok(Exchange { kind, times, spend })
}

fn check_power(
    state: &State,
    seat: Seat,
    kind: Conversion,
    (times, sacrifice): (u16, u32),
) -> Result<Option<Spend>, RefusedAction> {
    if kind.power() == 0 {
        return if sacrifice == 0 {
            Ok(None)
        } else {
            let (tokens, most) = (sacrifice, 0);
            Err(Refusal::InvalidSacrifice { tokens, max: most }.citing(RULE))
        };
    }
    let power = u32::from(times) * u32::from(kind.power());
    Spend::check(&state.players[seat], state.rules, (power, sacrifice), RULE).map(Some)
}

fn check_price(
    state: &State,
    seat: Seat,
    kind: Conversion,
    times: u16,
) -> Result<(), RefusedAction> {
    let (price, vp) = (kind.goods().0.times(times), kind.vp().0 * times);
    let expense = Expense::Conversion(kind);
    if vp > state.players[seat].vp {
        return Err(cannot_afford(state, seat, expense, (price, vp)).citing(RULE));
    }
    affordable(state, seat, (expense, price), RULE)
}

/// # Rule J6, TM-14.3
/// Only if the option allows it: pairs of bowl II, at least one.
pub fn check_sacrifice(state: &State, seat: Seat, tokens: u32) -> Result<u8, RefusedAction> {
    if !state.rules.free_sacrifice {
        let kind = None;
        return Err(Refusal::ConversionNotAllowed { kind }.citing("TM-14.3"));
    }
    let most = u32::from(state.players[seat].bowls[1] / 2);
    if tokens == 0 {
        return Err(out_of_range(tokens, most).citing("TM-6.9"));
    }
    u8::try_from(tokens)
        .ok()
        .filter(|_| tokens <= most)
        .ok_or(Refusal::InvalidSacrifice { tokens, max: most }.citing("TM-6.9"))
}

/// The refusal of a number that is not from 1 to this maximum.
const fn out_of_range(amount: u32, max: u32) -> Refusal {
    Refusal::InvalidAmount {
        amount,
        min: 1,
        max,
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, exchange: Exchange) {
    let Exchange { kind, times, spend } = exchange;
    if let Some(spend) = spend {
        spend_power(ctx, seat, spend);
    }
    let (gone, come) = kind.goods();
    let (gone, come) = (gone.times(times), come.times(times));
    let (lost, won) = kind.vp();
    let player = &mut ctx.state.players[seat];
    player.coins = player.coins - gone.coins + come.coins;
    player.workers = player.workers - gone.workers + come.workers;
    player.priests = player.priests - gone.priests + come.priests;
    player.vp = player.vp - lost * times + won * times;
    ctx.emit(Event::Converted { seat, kind, times });
}
