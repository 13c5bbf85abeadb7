//! Placing and removing armies (MYT-6.5.2, 6.5.3).

use super::cards::{Cards, Cost, Spend, armies_placed, pay};
use super::listing::Listing;
use super::purse::Purse;
use super::{Actor, Play, ensure, gate, known, malformed};
use crate::mythotopia::action::{Action, Named, SymbolPlay};
use crate::mythotopia::data::{PLACE_FOOD, Piece, Province, Symbol};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Problem, Refusal, Shortage};
use crate::table::{Detail, Seat, Visit};

fn food_for(actor: Actor, province: Province) -> u8 {
    if actor.controls(province) {
        0
    } else {
        PLACE_FOOD
    }
}

/// May armies be placed there, and how many are they?
///
/// # Rule MYT-6.5.2
/// In a province of one's own, or for one food where one has an army already.
pub(in crate::mythotopia) fn check_place(
    actor: Actor,
    province: Named<Province>,
    armies: &[SymbolPlay],
    food: &[SymbolPlay],
) -> Result<(Spend, Province, u8), Refusal> {
    let province = known(province)?;
    let cards = Cards {
        uses: &[],
        pays: &[(food, Symbol::Food), (armies, Symbol::Army)],
    };
    cards.known()?;
    let symbol = Symbol::Army;
    ensure(!armies.is_empty(), malformed(Problem::NoPlay { symbol }))?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    let shortage = Shortage::of_armies(actor.player(), province, 1);
    let rule = "MYT-6.5.2";
    let may = actor.controls(province) || shortage.met().is_some();
    ensure(may, Refusal::NoArmyPresent { shortage, rule })?;
    pay(&[Cost::new(food, Symbol::Food, food_for(actor, province))])?;
    let armies = armies_placed(armies, actor.player().stock.armies)?;
    Ok((spend, province, armies))
}

/// The armies come out of the stock.
pub(in crate::mythotopia) fn place(play: &mut Play, seat: Seat, province: Province, armies: u8) {
    let player = play.player(seat);
    player.stock.armies -= armies;
    player.armies.add(province, armies);
    play.note(Event::ArmiesPlaced {
        seat,
        province,
        armies,
    });
}

/// Provinces where armies may be placed, by number.
pub(in crate::mythotopia) fn list_place(list: &mut Listing) -> Visit {
    let (actor, detail) = (list.actor(), list.detail());
    let (purse, player) = (Purse::of(actor), actor.player());
    if purse.giving(Symbol::Army).is_empty() {
        return Visit::Continue(());
    }
    let places = player.controlled() | player.armies.provinces();
    for province in places.iter() {
        let food = food_for(actor, province);
        list.target(|visit| {
            purse.pay(Symbol::Food, food, &mut |purse, food| {
                let stock = player.stock.armies;
                purse.place(Symbol::Army, stock, detail, &mut |_, armies| {
                    visit(Action::PlaceArmies {
                        province: Some(province),
                        armies: armies.to_vec(),
                        food: food.to_vec(),
                    })
                })
            })
        })?;
    }
    Visit::Continue(())
}

/// Units that leave a province.
#[derive(Clone, Copy, Debug)]
pub(in crate::mythotopia) struct Retreat {
    province: Province,
    armies: u8,
    mercenaries: u8,
}

/// May these units go home?
///
/// # Rule MYT-6.5.3, 14.9
/// Only from a province at peace; a war holds them.
pub(in crate::mythotopia) fn check_remove(
    actor: Actor,
    province: Named<Province>,
    armies: u16,
    mercenaries: u16,
) -> Result<Retreat, Refusal> {
    let province = known(province)?;
    ensure(armies > 0 || mercenaries > 0, malformed(Problem::NoPiece))?;
    gate::action(actor)?;
    let war = actor.state.at_war(province);
    ensure(!war, Refusal::WarInProgress { province })?;
    let rule = "MYT-6.5.3";
    let there = |shortage: Shortage| {
        let missing = Refusal::NoArmyPresent { shortage, rule };
        shortage.met().ok_or(missing)
    };
    let player = actor.player();
    Ok(Retreat {
        province,
        armies: there(Shortage::of_armies(player, province, armies))?,
        mercenaries: there(Shortage {
            piece: Piece::Mercenary,
            there: player.mercenaries.at(province),
            ..Shortage::of_armies(player, province, mercenaries)
        })?,
    })
}

/// Armies go to the stock, mercenaries to the supply.
pub(in crate::mythotopia) fn remove(play: &mut Play, seat: Seat, retreat: Retreat) {
    let Retreat {
        province,
        armies,
        mercenaries,
    } = retreat;
    let player = play.player(seat);
    player.armies.take(province, armies);
    player.mercenaries.take(province, mercenaries);
    player.stock.armies += armies;
    play.note(Event::ArmiesRemoved {
        seat,
        province,
        armies,
        mercenaries,
    });
}

/// Provinces at peace with units to take back: all of them, or every number.
pub(in crate::mythotopia) fn list_remove(list: &mut Listing) -> Visit {
    let actor = list.actor();
    let player = actor.player();
    for province in (player.garrisons() & player.controlled()).iter() {
        let armies = u16::from(player.armies.at(province));
        let mercenaries = u16::from(player.mercenaries.at(province));
        let action = |armies, mercenaries| Action::RemoveArmies {
            province: Some(province),
            armies,
            mercenaries,
        };
        if list.detail() == Detail::Moves {
            list.single(action(armies, mercenaries))?;
            continue;
        }
        for some in 0..=armies {
            for more in 0..=mercenaries {
                list.single(action(some, more))?;
            }
        }
    }
    Visit::Continue(())
}
