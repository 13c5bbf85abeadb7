//! Placing and removing armies (MYT-6.5.2, 6.5.3).

use super::actor::Actor;
use super::cards::{Cards, Ruling, no_cards};
use super::gate;
use super::payment::{Cost, armed, armies_placed, at_most, pay};
use super::purse::Purse;
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{PLACE_FOOD, Piece, Province, Symbol};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, ensure, known};
use crate::mythotopia::state::Play;
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Debug)]
pub enum Deed {
    Place {
        province: Province,
        armies: u8,
    },
    Remove {
        province: Province,
        armies: u8,
        mercenaries: u8,
    },
}

/// Takes armies out of the stock, or returns them to it.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: &Deed) {
    match *deed {
        Deed::Place { province, armies } => place(play, seat, province, armies),
        Deed::Remove {
            province,
            armies,
            mercenaries,
        } => remove(play, seat, province, armies, mercenaries),
    }
}

fn food_for(actor: Actor, province: Province) -> u8 {
    if actor.controls(province) {
        0
    } else {
        PLACE_FOOD
    }
}

/// Checks that armies may be placed there, and counts them.
///
/// # Rule MYT-6.5.2
/// In an own province, or for one food where the player already has an army.
pub fn check_place(
    actor: Actor,
    province: Named<Province>,
    armies: &[SymbolPlay],
    food: &[SymbolPlay],
) -> Ruling<Deed> {
    let province = known(province, "province")?;
    let cards = Cards {
        uses: &[],
        pays: &[
            ("food", food, Symbol::Food),
            ("armies", armies, Symbol::Army),
        ],
    };
    cards.known()?;
    ensure(
        !armies.is_empty(),
        Refusal::EmptyList { field: "armies" }.at("MYT-6.3.3"),
    )?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    if !actor.controls(province) {
        armed(actor, province, "MYT-6.5.2")?;
    }
    pay(&[Cost::new(
        Purchase::Placement,
        food,
        Symbol::Food,
        food_for(actor, province),
    )])?;
    let armies = armies_placed(armies, actor.player().stock.armies)?;
    Ok((spend, Deed::Place { province, armies }))
}

/// Takes the armies out of the stock.
fn place(play: &mut Play<'_>, seat: Seat, province: Province, armies: u8) {
    let player = &mut play.state.players[seat];
    player.stock.armies -= armies;
    player.armies.add(province, armies);
    play.tell(Event::ArmiesPlaced {
        seat,
        province,
        armies,
    });
}

/// Lists the provinces where armies may be placed, by number.
pub fn candidates_place(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let (purse, player) = (Purse::of(actor), actor.player());
    if purse.giving(Symbol::Army).is_empty() {
        return Visit::Continue(());
    }
    let places = player.controlled() | player.armies.provinces();
    for province in places.iter() {
        let food = food_for(actor, province);
        list.one_of(|list| {
            purse.pay(Symbol::Food, food, list, &mut |list, purse, food| {
                let stock = player.stock.armies;
                purse.place(Symbol::Army, stock, list, &mut |list, armies| {
                    list.visit(Action::PlaceArmies {
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

/// Checks that these units may go home.
///
/// # Rule MYT-6.5.3, 14.9
/// Only from a province at peace; a war holds them.
pub fn check_remove(
    actor: Actor,
    province: Named<Province>,
    armies: u32,
    mercenaries: u32,
) -> Ruling<Deed> {
    let province = known(province, "province")?;
    ensure(
        armies > 0 || mercenaries > 0,
        Refusal::NoPieces.at("MYT-6.5.3"),
    )?;
    gate::action(actor)?;
    let war = actor.state.at_war(province);
    ensure(!war, Refusal::WarInProgress { province }.at("MYT-6.5.3"))?;
    let here = |piece, there, needed| {
        let missing = Refusal::NoArmyPresent {
            province,
            owner: None,
            piece,
            there,
            needed,
        };
        at_most(needed, there).ok_or(missing.at("MYT-6.5.3"))
    };
    let player = actor.player();
    Ok(no_cards(Deed::Remove {
        province,
        armies: here(Piece::Army, player.armies.at(province), armies)?,
        mercenaries: here(
            Piece::Mercenary,
            player.mercenaries.at(province),
            mercenaries,
        )?,
    }))
}

/// Returns armies to the stock, and mercenaries to the supply.
fn remove(play: &mut Play<'_>, seat: Seat, province: Province, armies: u8, mercenaries: u8) {
    let player = &mut play.state.players[seat];
    player.armies.take(province, armies);
    player.mercenaries.take(province, mercenaries);
    player.stock.armies += armies;
    play.tell(Event::ArmiesRemoved {
        seat,
        province,
        armies,
        mercenaries,
    });
}

/// Lists the provinces at peace with units to take back: all units, or every number.
pub fn candidates_remove(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let player = actor.player();
    for province in (player.garrisons() & player.controlled()).iter() {
        let armies = u32::from(player.armies.at(province));
        let mercenaries = u32::from(player.mercenaries.at(province));
        let action = |armies, mercenaries| Action::RemoveArmies {
            province: Some(province),
            armies,
            mercenaries,
        };
        for some in 0..=armies {
            for more in 0..=mercenaries {
                if (some, more) != (armies, mercenaries) {
                    list.beyond(|list| list.visit(action(some, more)))?;
                }
            }
        }
        list.visit(action(armies, mercenaries))?;
    }
    Visit::Continue(())
}
