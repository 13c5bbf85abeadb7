//! Placing and removing ships (MYT-6.5.4, 6.5.5).

use super::cards::{Cards, Spend, total};
use super::listing::Listing;
use super::purse::Purse;
use super::{Actor, Play, awards, ensure, gate, known, malformed};
use crate::mythotopia::action::{Action, Named, SymbolPlay};
use crate::mythotopia::data::{Piece, Sea, Stack, Symbol};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Holder, Problem, Refusal, Shortage};
use crate::table::{Detail, Seat, Visit};

fn has_port(actor: Actor, sea: Sea) -> bool {
    !(actor.player().controlled() & sea.coast()).is_empty()
}

/// May ships be placed there, and how many are they?
///
/// # Rule MYT-6.5.4, 6.3.4
/// Ships need a province of their owner on the coast, and the stock must hold them.
pub(in crate::mythotopia) fn check_place(
    actor: Actor,
    sea: Named<Sea>,
    ships: &[SymbolPlay],
) -> Result<(Spend, Sea, u8), Refusal> {
    let sea = known(sea)?;
    let cards = Cards {
        uses: &[],
        pays: &[(ships, Symbol::Ship)],
    };
    cards.known()?;
    let symbol = Symbol::Ship;
    ensure(!ships.is_empty(), malformed(Problem::NoPlay { symbol }))?;
    let used = cards.distinct()?;
    gate::action(actor)?;
    let spend = cards.usable(actor, used)?;
    ensure(has_port(actor, sea), Refusal::NoPort { sea })?;
    let shortage = Shortage {
        holder: Holder::Stock,
        piece: Piece::Ship,
        there: actor.player().stock.ships,
        needed: total(ships),
    };
    let placed = shortage.met().ok_or(Refusal::StockEmpty { shortage })?;
    Ok((spend, sea, placed))
}

/// The ships come out of the stock.
///
/// # Rule MYT-6.8.6
/// The third and the fourth sea are rewarded by Master of the Seas.
pub(in crate::mythotopia) fn place(play: &mut Play, seat: Seat, sea: Sea, ships: u8) {
    let before = play.state.seas_sailed(seat);
    let player = play.player(seat);
    player.stock.ships -= ships;
    player.ships[sea.index()] += ships;
    play.note(Event::ShipsPlaced { seat, sea, ships });
    match (before, play.state.seas_sailed(seat)) {
        (2, 3) => awards::queue(play.state, seat, Stack::ThreeSeas),
        (3, 4) => awards::queue(play.state, seat, Stack::FourSeas),
        _ => {}
    }
}

/// Seas where ships may be placed, in the order of the table.
pub(in crate::mythotopia) fn list_place(list: &mut Listing) -> Visit {
    let (actor, detail) = (list.actor(), list.detail());
    let (purse, stock) = (Purse::of(actor), actor.player().stock.ships);
    for &sea in Sea::ALL.iter().filter(|&&sea| has_port(actor, sea)) {
        list.target(|visit| {
            purse.place(Symbol::Ship, stock, detail, &mut |_, ships| {
                visit(Action::PlaceShips {
                    sea: Some(sea),
                    ships: ships.to_vec(),
                })
            })
        })?;
    }
    Visit::Continue(())
}

/// May these ships come back?
///
/// # Rule MYT-6.5.5
/// From any sea, port or not, war or not.
pub(in crate::mythotopia) fn check_remove(
    actor: Actor,
    sea: Named<Sea>,
    count: u16,
) -> Result<(Sea, u8), Refusal> {
    let sea = known(sea)?;
    ensure(count > 0, malformed(Problem::NoPiece))?;
    gate::action(actor)?;
    let shortage = Shortage {
        holder: Holder::Sea(sea),
        piece: Piece::Ship,
        there: actor.player().ships[sea.index()],
        needed: count,
    };
    let ships = shortage.met().ok_or(Refusal::NoShipsPresent { shortage })?;
    Ok((sea, ships))
}

/// The ships go to the stock.
pub(in crate::mythotopia) fn remove(play: &mut Play, seat: Seat, sea: Sea, ships: u8) {
    let player = play.player(seat);
    player.ships[sea.index()] -= ships;
    player.stock.ships += ships;
    play.note(Event::ShipsRemoved { seat, sea, ships });
}

/// Seas with ships to take back: all of them, or every number.
pub(in crate::mythotopia) fn list_remove(list: &mut Listing) -> Visit {
    for &sea in Sea::ALL {
        let ships = u16::from(list.actor().player().ships[sea.index()]);
        let least = match list.detail() {
            Detail::Moves => ships.max(1),
            Detail::AllPayments => 1,
        };
        for count in least..=ships {
            list.single(Action::RemoveShips {
                sea: Some(sea),
                count,
            })?;
        }
    }
    Visit::Continue(())
}
