//! Buildings that give or trade goods (CAY-7.1 to CAY-7.3, CAY-7.7, CAY-7.8).

use std::ops::ControlFlow;

use super::common::{self, Bill};
use crate::caylus::action::Action;
use crate::caylus::data::{Cubes, Goods, Resource, Trade};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, PaymentFlaw, Refusal, RefusedAction, require_known};
use crate::caylus::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Produce { cubes: Cubes },
    Trade(Trade),
}

/// Visits the numbers of this many options.
fn numbers(count: usize) -> impl Iterator<Item = Option<u8>> {
    (0..).take(count).map(Some)
}

/// Lists all options in the order of the data file.
pub fn candidates_produce(options: &[Cubes], list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for option in numbers(options.len()) {
        list.visit(Action::Produce { option })?;
    }
    ControlFlow::Continue(())
}

/// Lists all trades in the order of the data file.
pub fn candidates_trade(options: &[Trade], list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for option in numbers(options.len()) {
        list.visit(Action::Trade { option })?;
    }
    ControlFlow::Continue(())
}

/// Lists a sale of each kind of cube.
pub fn candidates_sell(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for resource in Resource::ALL {
        let resource = Some(resource);
        list.visit(Action::SellCube { resource })?;
    }
    ControlFlow::Continue(())
}

/// Lists one cube, then two where allowed, in resource order (CAY-14.10).
pub fn candidates_buy(most: u8, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for resource in Resource::NOT_GOLD {
        let resources = vec![Some(resource)];
        list.visit(Action::BuyCubes { resources })?;
    }
    if most >= 2 {
        for pair in pairs_without_gold() {
            let resources = pair.map(Some).to_vec();
            list.visit(Action::BuyCubes { resources })?;
        }
    }
    ControlFlow::Continue(())
}

/// Two cubes of the four kinds that are not gold, equal or not, by resource order.
pub fn pairs_without_gold() -> impl Iterator<Item = [Resource; 2]> {
    let kinds = Resource::NOT_GOLD;
    kinds.into_iter().flat_map(move |first| {
        kinds
            .into_iter()
            .filter(move |&second| second >= first)
            .map(move |second| [first, second])
    })
}

/// Cubes paid to the alchemist, and the gold for them (CAY-3.38).
const ALCHEMY: [(u16, u16); 2] = [(2, 1), (4, 2)];

/// Lists payments with fewer cubes first, then by resource order (CAY-14.10): the more of an earlier kind the earlier.
pub fn candidates_alchemy(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for (total, _) in ALCHEMY.map(|(cubes, gold)| (i32::from(cubes), gold)) {
        for food in (0..=total).rev() {
            for wood in (0..=total - food).rev() {
                for stone in (0..=total - food - wood).rev() {
                    let cloth = total - food - wood - stone;
                    let payment = [food, wood, stone, cloth, 0];
                    list.visit(Action::Alchemy { payment })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-7.1
/// The cubes of one of the tile's options.
pub fn check_produce(options: &[Cubes], option: Option<u8>) -> Result<ValidAction, RefusedAction> {
    let &cubes = chosen(options, option, "CAY-7.1")?;
    Ok(ValidAction::Produce { cubes })
}

fn chosen<'a, T>(
    options: &'a [T],
    option: Option<u8>,
    rule: &'static str,
) -> Result<&'a T, RefusedAction> {
    let choice = option.and_then(|option| options.get(usize::from(option)));
    require_known(choice, "option", rule)
}

/// Checks that this seat can pay for the trade.
fn afford(
    state: &State,
    seat: Seat,
    trade: Trade,
    rule: &'static str,
) -> Result<ValidAction, RefusedAction> {
    common::afford(state, seat, Bill::of(Expense::Trade, trade.pay), rule)?;
    Ok(ValidAction::Trade(trade))
}

/// # Rule CAY-7.2
/// One cube of any kind, gold too.
pub fn check_sell(
    state: &State,
    seat: Seat,
    deniers: u16,
    resource: MaybeKnown<Resource>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-7.2";
    let resource = require_known(resource, "resource", rule)?;
    let trade = Trade {
        pay: Goods::cubes(Cubes::of(1, resource)),
        gain: Goods::deniers(deniers),
    };
    afford(state, seat, trade, rule)
}

/// # Rule CAY-7.3, CAY-14.9
/// The number of cubes, then no gold, then the price.
pub fn check_buy(
    state: &State,
    seat: Seat,
    price: u16,
    most: u8,
    resources: &[Option<Resource>],
) -> Result<ValidAction, RefusedAction> {
    let (field, rule) = ("resources", "CAY-7.3");
    let cubes = multiset(resources, field, rule)?;
    check_number(resources.len(), (1, most), field, rule)?;
    if cubes.count(Resource::Gold) > 0 {
        return Err(Refusal::GoldNotAllowed.citing(rule));
    }
    let trade = Trade {
        pay: Goods::deniers(price * cubes.not_gold()),
        gain: Goods::cubes(cubes),
    };
    afford(state, seat, trade, rule)
}

/// Counts a list of cubes in any order (CAY-6.2.1). Lists longer than any rule needs are cut off.
pub fn multiset(
    resources: &[Option<Resource>],
    field: &'static str,
    rule: &'static str,
) -> Result<Cubes, RefusedAction> {
    for &resource in resources {
        require_known(resource, field, rule)?;
    }
    Ok(resources.iter().take(4).copied().flatten().collect())
}

/// Checks that a list has the required number of cubes.
pub fn check_number(
    count: usize,
    (least, most): (u8, u8),
    field: &'static str,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    if (usize::from(least)..=usize::from(most)).contains(&count) {
        return Ok(());
    }
    let refusal = Refusal::InvalidAmount {
        field,
        count: i32::try_from(count).unwrap_or(i32::MAX),
        min: least.into(),
        max: most.into(),
    };
    Err(refusal.citing(rule))
}

/// # Rule CAY-7.7, CAY-14.9
/// One of the tile's trades; option, then price.
pub fn check_trade(
    state: &State,
    seat: Seat,
    options: &[Trade],
    option: Option<u8>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-7.7";
    let &trade = chosen(options, option, rule)?;
    afford(state, seat, trade, rule)
}

/// # Rule CAY-7.8, CAY-14.9
/// 2 or 4 cubes in all, then no gold, then owned.
pub fn check_alchemy(
    state: &State,
    seat: Seat,
    payment: &[i32; 5],
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-7.8";
    let [(less, _), (more, _)] = ALCHEMY;
    if let Some(&count) = payment.iter().find(|count| **count < 0) {
        let refusal = Refusal::InvalidAmount {
            field: "payment",
            count,
            min: 0,
            max: more.into(),
        };
        return Err(refusal.citing(rule));
    }
    let cubes = payment.iter().map(|&count| u64::from(count.unsigned_abs()));
    let cubes: u64 = cubes.sum();
    let flaw = PaymentFlaw::Alchemist { cubes, less, more };
    let &(_, gold) = ALCHEMY
        .iter()
        .find(|(price, _)| u64::from(*price) == cubes)
        .ok_or(Refusal::InvalidPayment { flaw }.citing(rule))?;
    let cubes: Cubes = Resource::ALL
        .into_iter()
        .zip(payment)
        .flat_map(|(resource, &count)| (0..count).map(move |_| resource))
        .collect();
    if cubes.count(Resource::Gold) > 0 {
        return Err(Refusal::GoldNotAllowed.citing(rule));
    }
    let trade = Trade {
        pay: Goods::cubes(cubes),
        gain: Goods::cubes(Cubes::of(gold, Resource::Gold)),
    };
    afford(state, seat, trade, rule)
}

/// # Rule CAY-7.1 to CAY-7.3, CAY-7.7, CAY-7.8
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    let player = &mut ctx.state.players[seat];
    match valid_action {
        ValidAction::Produce { cubes } => {
            player.gain(Goods::cubes(cubes));
            ctx.emit(Event::Produced { seat, cubes });
        }
        ValidAction::Trade(trade) => {
            let (paid, gained) = (trade.pay, trade.gain);
            player.pay(paid);
            player.gain(gained);
            ctx.emit(Event::Traded { seat, paid, gained });
        }
    }
}
