//! Buildings that give or trade goods (CAY-7.1 to CAY-7.3, CAY-7.7, CAY-7.8).

use std::ops::ControlFlow;

use crate::caylus::action::Action;
use crate::caylus::data::{Cubes, Goods, Resource, Trade};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::vocabulary;
use crate::caylus::state::{Log, State};
use crate::table::{Seat, Visit};

/// # Rule CAY-7.1
/// The cubes of one of the tile's options.
pub(in crate::caylus) fn check_produce(
    options: &[Cubes],
    option: Option<u8>,
) -> Result<Deed, Refusal> {
    let &cubes = chosen(options, option, "CAY-7.1")?;
    Ok(Deed::Produce { cubes })
}

fn chosen<'a, T>(
    options: &'a [T],
    option: Option<u8>,
    rule: &'static str,
) -> Result<&'a T, Refusal> {
    option
        .and_then(|option| options.get(usize::from(option)))
        .ok_or(Refusal::InvalidOption {
            what: "option",
            rule,
        })
}

/// The numbers of so many options.
fn numbers(count: usize) -> impl Iterator<Item = Option<u8>> {
    (0..count).map(|number| u8::try_from(number).ok())
}

/// All options in the order of the data file.
pub(in crate::caylus) fn produce_candidates(
    options: &[Cubes],
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    for option in numbers(options.len()) {
        visit(Action::Produce { option })?;
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-7.1
pub(in crate::caylus) fn produce(state: &mut State, seat: Seat, cubes: Cubes, journal: &mut Log) {
    state.players[seat].gain(Goods::cubes(cubes));
    journal.event(Event::Produced { seat, cubes });
}

/// May this seat pay for this?
fn afford(state: &State, seat: Seat, trade: Trade, rule: &'static str) -> Result<Deed, Refusal> {
    let price = trade.pay;
    if state.players[seat].can_pay(price) {
        Ok(Deed::Trade(trade))
    } else {
        Err(Refusal::CannotAfford { price, rule })
    }
}

/// # Rule CAY-7.2
/// One cube of any kind, gold too.
pub(in crate::caylus) fn check_sell(
    state: &State,
    seat: Seat,
    deniers: u16,
    resource: Option<Resource>,
) -> Result<Deed, Refusal> {
    let resource = vocabulary::resource(resource, "resource")?;
    let trade = Trade {
        pay: Goods::cubes(Cubes::of(1, resource)),
        gain: Goods::deniers(deniers),
    };
    afford(state, seat, trade, "CAY-7.2")
}

/// All kinds.
pub(in crate::caylus) fn sell_candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    for resource in Resource::ALL {
        let resource = Some(resource);
        visit(Action::SellCube { resource })?;
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-7.3, CAY-14.9
/// The number of cubes, then no gold, then the price.
pub(in crate::caylus) fn check_buy(
    state: &State,
    seat: Seat,
    price: u16,
    most: u8,
    resources: &[Option<Resource>],
) -> Result<Deed, Refusal> {
    let rule = "CAY-7.3";
    let cubes = multiset(resources, "resources")?;
    let count = u16::try_from(resources.len()).unwrap_or(u16::MAX);
    if count == 0 || count > u16::from(most) {
        return Err(Refusal::InvalidAmount {
            what: "resources",
            wanted: if most == 1 { "1 cube" } else { "1 or 2 cubes" },
            rule,
        });
    }
    if cubes.count(Resource::Gold) > 0 {
        return Err(Refusal::GoldNotAllowed { rule });
    }
    let trade = Trade {
        pay: Goods::deniers(price * count),
        gain: Goods::cubes(cubes),
    };
    afford(state, seat, trade, rule)
}

/// A list of cubes, whatever its order (CAY-6.2.1). Lists longer than any rule asks for are cut.
pub(in crate::caylus) fn multiset(
    resources: &[Option<Resource>],
    what: &'static str,
) -> Result<Cubes, Refusal> {
    for &resource in resources {
        vocabulary::resource(resource, what)?;
    }
    Ok(resources.iter().take(4).copied().flatten().collect())
}

/// One cube, then two where allowed; by resource order (CAY-14.10).
pub(in crate::caylus) fn buy_candidates(most: u8, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    for resource in Resource::NOT_GOLD {
        let resources = vec![Some(resource)];
        visit(Action::BuyCubes { resources })?;
    }
    if most >= 2 {
        for pair in pairs_without_gold() {
            let resources = pair.map(Some).to_vec();
            visit(Action::BuyCubes { resources })?;
        }
    }
    ControlFlow::Continue(())
}

/// Two cubes of the four kinds that are not gold, equal or not, by resource order.
pub(in crate::caylus) fn pairs_without_gold() -> impl Iterator<Item = [Resource; 2]> {
    let kinds = Resource::NOT_GOLD;
    kinds.into_iter().flat_map(move |first| {
        kinds
            .into_iter()
            .filter(move |&second| second >= first)
            .map(move |second| [first, second])
    })
}

/// # Rule CAY-7.7, CAY-14.9
/// One of the tile's trades; option, then price.
pub(in crate::caylus) fn check_trade(
    state: &State,
    seat: Seat,
    options: &[Trade],
    option: Option<u8>,
) -> Result<Deed, Refusal> {
    let rule = "CAY-7.7";
    let &trade = chosen(options, option, rule)?;
    afford(state, seat, trade, rule)
}

/// All trades in the order of the data file.
pub(in crate::caylus) fn trade_candidates(
    options: &[Trade],
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    for option in numbers(options.len()) {
        visit(Action::Trade { option })?;
    }
    ControlFlow::Continue(())
}

/// Cubes paid to the alchemist, and the gold for them (CAY-3.5).
const ALCHEMY: [(u16, u16); 2] = [(2, 1), (4, 2)];

/// # Rule CAY-7.8, CAY-14.9
/// 2 or 4 cubes in all, then no gold, then owned.
pub(in crate::caylus) fn check_alchemy(
    state: &State,
    seat: Seat,
    payment: &[i32; 5],
) -> Result<Deed, Refusal> {
    let rule = "CAY-7.8";
    if payment.iter().any(|&count| count < 0) {
        return Err(Refusal::InvalidAmount {
            what: "payment",
            wanted: "without negative counts",
            rule: "CAY-6.11",
        });
    }
    let total: i64 = payment.iter().map(|&count| i64::from(count)).sum();
    let &(_, gold) = ALCHEMY
        .iter()
        .find(|(cubes, _)| i64::from(*cubes) == total)
        .ok_or(Refusal::InvalidPayment {
            wanted: "2 or 4 cubes",
            rule,
        })?;
    let cubes = Resource::ALL
        .into_iter()
        .zip(payment)
        .fold(Cubes::NONE, |cubes, (resource, &count)| {
            cubes.and(u16::try_from(count).unwrap_or(0), resource)
        });
    if cubes.count(Resource::Gold) > 0 {
        return Err(Refusal::GoldNotAllowed { rule });
    }
    let trade = Trade {
        pay: Goods::cubes(cubes),
        gain: Goods::cubes(Cubes::of(gold, Resource::Gold)),
    };
    afford(state, seat, trade, rule)
}

/// Fewer cubes first, then by resource order (CAY-14.10): the more of an earlier kind the earlier.
pub(in crate::caylus) fn alchemy_candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    for (total, _) in ALCHEMY.map(|(cubes, gold)| (i32::from(cubes), gold)) {
        for food in (0..=total).rev() {
            for wood in (0..=total - food).rev() {
                for stone in (0..=total - food - wood).rev() {
                    let cloth = total - food - wood - stone;
                    let payment = [food, wood, stone, cloth, 0];
                    visit(Action::Alchemy { payment })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Pays and gains.
pub(in crate::caylus) fn trade(state: &mut State, seat: Seat, trade: Trade, journal: &mut Log) {
    let player = &mut state.players[seat];
    player.pay(trade.pay);
    player.gain(trade.gain);
    journal.event(Event::Traded {
        seat,
        paid: trade.pay,
        gained: trade.gain,
    });
}
