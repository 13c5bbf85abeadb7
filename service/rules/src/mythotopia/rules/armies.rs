//! Placing and removing armies (MYT-6.5.2, 6.5.3).

use super::actor::ActorContext;
use super::cards::{Cards, CheckResult, no_cards};
use super::gate;
use super::payment::{Cost, armed, armies_placed, at_most, pay};
use super::purse::Purse;
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{PLACE_FOOD, Piece, Province, Symbol};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Purchase, Refusal, ensure, require_known};
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
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
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    match *valid_action {
        ValidAction::Place { province, armies } => place(ctx, seat, province, armies),
        ValidAction::Remove {
            province,
            armies,
            mercenaries,
        } => remove(ctx, seat, province, armies, mercenaries),
    }
}

fn food_for(actor: ActorContext, province: Province) -> u8 {
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
    actor: ActorContext,
    province: MaybeKnown<Province>,
    armies: &[SymbolPlay],
    food: &[SymbolPlay],
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    let cards = Cards {
        uses: &[],
        pays: &[
            ("food", food, Symbol::Food),
            ("armies", armies, Symbol::Army),
        ],
    };
    cards.require_known()?;
    ensure(
        !armies.is_empty(),
        Refusal::EmptyList { field: "armies" }.citing("MYT-6.3.3"),
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
    Ok((spend, ValidAction::Place { province, armies }))
}

/// Takes the armies out of the stock.
fn place(ctx: &mut ExecContext<'_>, seat: Seat, province: Province, armies: u8) {
    let player = &mut ctx.state.players[seat];
    player.stock.armies -= armies;
    player.armies.add(province, armies);
    ctx.emit(Event::ArmiesPlaced {
        seat,
        province,
        armies,
    });
}

/// Lists the provinces where armies may be placed, by number.
pub fn candidates_place(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let (purse, player) = (Purse::of(actor), actor.player());
    if purse.giving(Symbol::Army).is_empty() {
        return VisitFlow::Continue(());
    }
    let places = player.controlled() | player.armies.provinces();
    for province in places.iter() {
        let food = food_for(actor, province);
        list.alternatives(|list| {
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
    VisitFlow::Continue(())
}

/// Checks that these units may go home.
///
/// # Rule MYT-6.5.3, 14.9
/// Only from a province at peace; a war holds them.
pub fn check_remove(
    actor: ActorContext,
    province: MaybeKnown<Province>,
    armies: u32,
    mercenaries: u32,
) -> CheckResult<ValidAction> {
    let province = require_known(province, "province")?;
    ensure(
        armies > 0 || mercenaries > 0,
        Refusal::NoPieces.citing("MYT-6.5.3"),
    )?;
    gate::action(actor)?;
    let war = actor.state.at_war(province);
    ensure(
        !war,
        Refusal::WarInProgress { province }.citing("MYT-6.5.3"),
    )?;
    let here = |piece, there, needed| {
        let missing = Refusal::NoArmyPresent {
            province,
            owner: None,
            piece,
            there,
            needed,
        };
        at_most(needed, there).ok_or(missing.citing("MYT-6.5.3"))
    };
    let player = actor.player();
    Ok(no_cards(ValidAction::Remove {
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
fn remove(ctx: &mut ExecContext<'_>, seat: Seat, province: Province, armies: u8, mercenaries: u8) {
    let player = &mut ctx.state.players[seat];
    player.armies.take(province, armies);
    player.mercenaries.take(province, mercenaries);
    player.stock.armies += armies;
    ctx.emit(Event::ArmiesRemoved {
        seat,
        province,
        armies,
        mercenaries,
    });
}

/// Lists the provinces at peace with units to take back: all units, or every number.
pub fn candidates_remove(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
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
                    list.only_in_full(|list| list.visit(action(some, more)))?;
                }
            }
        }
        list.visit(action(armies, mercenaries))?;
    }
    VisitFlow::Continue(())
}
