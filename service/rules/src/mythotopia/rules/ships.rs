//! Placing and removing ships (MYT-6.5.4, 6.5.5).

use super::actor::ActorContext;
use super::cards::{Cards, CheckResult, no_cards};
use super::payment::{at_most, total};
use super::purse::Purse;
use super::{awards, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{Piece, Sea, Stack, Symbol};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Refusal, ensure, require_known};
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
    Place { sea: Sea, ships: u8 },
    Remove { sea: Sea, ships: u8 },
}

/// Takes ships out of the stock, or returns them to it.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    match *valid_action {
        ValidAction::Place { sea, ships } => place(ctx, seat, sea, ships),
        ValidAction::Remove { sea, ships } => remove(ctx, seat, sea, ships),
    }
}

fn has_port(actor: ActorContext, sea: Sea) -> bool {
    !(actor.player().controlled() & sea.coast()).is_empty()
}

/// Checks that ships may be placed there, and counts them.
///
/// # Rule MYT-6.5.4, 6.3.4
/// Ships need a province of their owner on the coast, and the stock must hold them.
pub fn check_place(
    actor: ActorContext,
    sea: MaybeKnown<Sea>,
    ships: &[SymbolPlay],
) -> CheckResult<ValidAction> {
    let sea = require_known(sea, "sea")?;
    let cards = Cards {
        uses: &[],
        pays: &[("ships", ships, Symbol::Ship)],
    };
    cards.require_known()?;
    ensure(
        !ships.is_empty(),
        Refusal::EmptyList { field: "ships" }.citing("MYT-6.3.4"),
    )?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    ensure(
        has_port(actor, sea),
        Refusal::NoPort { sea }.citing("MYT-6.5.4"),
    )?;
    let (there, needed) = (actor.player().stock.ships, total(ships));
    let empty = Refusal::StockEmpty {
        piece: Piece::Ship,
        there,
        needed,
    };
    let ships = at_most(needed, there).ok_or(empty.citing("MYT-6.3.4"))?;
    Ok((spend, ValidAction::Place { sea, ships }))
}

/// Takes the ships out of the stock.
///
/// # Rule MYT-6.8.6
/// The third and the fourth sea are rewarded by Master of the Seas.
fn place(ctx: &mut ExecContext<'_>, seat: Seat, sea: Sea, ships: u8) {
    let before = ctx.state.seas_sailed(seat);
    let player = &mut ctx.state.players[seat];
    player.stock.ships -= ships;
    player.ships[sea.index()] += ships;
    ctx.emit(Event::ShipsPlaced { seat, sea, ships });
    match (before, ctx.state.seas_sailed(seat)) {
        (2, 3) => awards::queue(ctx.state, seat, Stack::ThreeSeas),
        (3, 4) => awards::queue(ctx.state, seat, Stack::FourSeas),
        _ => {}
    }
}

/// Lists the seas where ships may be placed, in the order of the table.
pub fn candidates_place(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let (purse, stock) = (Purse::of(actor), actor.player().stock.ships);
    for &sea in Sea::ALL.iter().filter(|&&sea| has_port(actor, sea)) {
        list.alternatives(|list| {
            purse.place(Symbol::Ship, stock, list, &mut |list, ships| {
                list.visit(Action::PlaceShips {
                    sea: Some(sea),
                    ships: ships.to_vec(),
                })
            })
        })?;
    }
    VisitFlow::Continue(())
}

/// Checks that these ships may come back.
///
/// # Rule MYT-6.5.5
/// From any sea, with or without a port or a war.
pub fn check_remove(
    actor: ActorContext,
    sea: MaybeKnown<Sea>,
    count: u32,
) -> CheckResult<ValidAction> {
    let sea = require_known(sea, "sea")?;
    ensure(count > 0, Refusal::NoPieces.citing("MYT-6.5.5"))?;
    gate::action(actor)?;
    let there = actor.player().ships[sea.index()];
    let missing = Refusal::NoShipsPresent {
        sea,
        there,
        needed: count,
    };
    let ships = at_most(count, there).ok_or(missing.citing("MYT-6.5.5"))?;
    Ok(no_cards(ValidAction::Remove { sea, ships }))
}

/// Returns the ships to the stock.
fn remove(ctx: &mut ExecContext<'_>, seat: Seat, sea: Sea, ships: u8) {
    let player = &mut ctx.state.players[seat];
    player.ships[sea.index()] -= ships;
    player.stock.ships += ships;
    ctx.emit(Event::ShipsRemoved { seat, sea, ships });
}

/// Lists the seas with ships to take back: all ships, or every number.
pub fn candidates_remove(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    for sea in Sea::ALL {
        let ships = u32::from(actor.player().ships[sea.index()]);
        let action = |count| Action::RemoveShips {
            sea: Some(sea),
            count,
        };
        if ships > 0 {
            (1..ships).try_for_each(|fewer| list.only_in_full(|list| list.visit(action(fewer))))?;
            list.visit(action(ships))?;
        }
    }
    VisitFlow::Continue(())
}
