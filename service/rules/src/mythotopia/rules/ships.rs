//! Placing and removing ships (MYT-6.5.4, 6.5.5).

use super::actor::Actor;
use super::cards::{Cards, Ruling, no_cards};
use super::payment::{at_most, total};
use super::purse::Purse;
use super::{awards, gate};
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{Piece, Sea, Stack, Symbol};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Refusal, ensure, known};
use crate::mythotopia::state::Play;
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Debug)]
pub enum Deed {
    Place { sea: Sea, ships: u8 },
    Remove { sea: Sea, ships: u8 },
}

/// Takes ships out of the stock, or returns them to it.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: &Deed) {
    match *deed {
        Deed::Place { sea, ships } => place(play, seat, sea, ships),
        Deed::Remove { sea, ships } => remove(play, seat, sea, ships),
    }
}

fn has_port(actor: Actor, sea: Sea) -> bool {
    !(actor.player().controlled() & sea.coast()).is_empty()
}

/// Checks that ships may be placed there, and counts them.
///
/// # Rule MYT-6.5.4, 6.3.4
/// Ships need a province of their owner on the coast, and the stock must hold them.
pub fn check_place(actor: Actor, sea: Named<Sea>, ships: &[SymbolPlay]) -> Ruling<Deed> {
    let sea = known(sea, "sea")?;
    let cards = Cards {
        uses: &[],
        pays: &[("ships", ships, Symbol::Ship)],
    };
    cards.known()?;
    ensure(
        !ships.is_empty(),
        Refusal::EmptyList { field: "ships" }.at("MYT-6.3.4"),
    )?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    ensure(
        has_port(actor, sea),
        Refusal::NoPort { sea }.at("MYT-6.5.4"),
    )?;
    let (there, needed) = (actor.player().stock.ships, total(ships));
    let empty = Refusal::StockEmpty {
        piece: Piece::Ship,
        there,
        needed,
    };
    let ships = at_most(needed, there).ok_or(empty.at("MYT-6.3.4"))?;
    Ok((spend, Deed::Place { sea, ships }))
}

/// Takes the ships out of the stock.
///
/// # Rule MYT-6.8.6
/// The third and the fourth sea are rewarded by Master of the Seas.
fn place(play: &mut Play<'_>, seat: Seat, sea: Sea, ships: u8) {
    let before = play.state.seas_sailed(seat);
    let player = &mut play.state.players[seat];
    player.stock.ships -= ships;
    player.ships[sea.index()] += ships;
    play.tell(Event::ShipsPlaced { seat, sea, ships });
    match (before, play.state.seas_sailed(seat)) {
        (2, 3) => awards::queue(play.state, seat, Stack::ThreeSeas),
        (3, 4) => awards::queue(play.state, seat, Stack::FourSeas),
        _ => {}
    }
}

/// Lists the seas where ships may be placed, in the order of the table.
pub fn candidates_place(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let (purse, stock) = (Purse::of(actor), actor.player().stock.ships);
    for &sea in Sea::ALL.iter().filter(|&&sea| has_port(actor, sea)) {
        list.one_of(|list| {
            purse.place(Symbol::Ship, stock, list, &mut |list, ships| {
                list.visit(Action::PlaceShips {
                    sea: Some(sea),
                    ships: ships.to_vec(),
                })
            })
        })?;
    }
    Visit::Continue(())
}

/// Checks that these ships may come back.
///
/// # Rule MYT-6.5.5
/// From any sea, with or without a port or a war.
pub fn check_remove(actor: Actor, sea: Named<Sea>, count: u32) -> Ruling<Deed> {
    let sea = known(sea, "sea")?;
    ensure(count > 0, Refusal::NoPieces.at("MYT-6.5.5"))?;
    gate::action(actor)?;
    let there = actor.player().ships[sea.index()];
    let missing = Refusal::NoShipsPresent {
        sea,
        there,
        needed: count,
    };
    let ships = at_most(count, there).ok_or(missing.at("MYT-6.5.5"))?;
    Ok(no_cards(Deed::Remove { sea, ships }))
}

/// Returns the ships to the stock.
fn remove(play: &mut Play<'_>, seat: Seat, sea: Sea, ships: u8) {
    let player = &mut play.state.players[seat];
    player.ships[sea.index()] -= ships;
    player.stock.ships += ships;
    play.tell(Event::ShipsRemoved { seat, sea, ships });
}

/// Lists the seas with ships to take back: all ships, or every number.
pub fn candidates_remove(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    for sea in Sea::ALL {
        let ships = u32::from(actor.player().ships[sea.index()]);
        let action = |count| Action::RemoveShips {
            sea: Some(sea),
            count,
        };
        if ships > 0 {
            (1..ships).try_for_each(|fewer| list.beyond(|list| list.visit(action(fewer))))?;
            list.visit(action(ships))?;
        }
    }
    Visit::Continue(())
}
