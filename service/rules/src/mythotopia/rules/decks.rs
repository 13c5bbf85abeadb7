//! Cards that change their place: reserve, discard, remove, store (MYT-6.5.9 to 6.5.11, 6.6.2).

use super::cards::{Cards, Role};
use super::listing::Listing;
use super::{Actor, Play, ensure, gate, known, malformed};
use crate::mythotopia::action::{Action, Named};
use crate::mythotopia::data::{Card, CardKind, CardSet, FEWEST_CARDS, Improvement, MOST_REMOVED};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Problem, Refusal};
use crate::mythotopia::state::TurnMark;
use crate::table::{Seat, Visit};

/// The cards of a list: some, each once, and each where the role says.
fn check_cards(actor: Actor, cards: &[Named<Card>], role: Role) -> Result<CardSet, Refusal> {
    let cards = Cards {
        uses: &[(cards, role)],
        pays: &[],
    };
    let used = cards.distinct()?;
    gate::action(actor)?;
    cards.available(actor, used)?;
    Ok(used.cards)
}

fn check_list(cards: &[Named<Card>], most: usize) -> Result<(), Refusal> {
    cards.iter().try_for_each(|&card| known(card).map(drop))?;
    let number = Problem::Cards {
        least: 1,
        most,
        given: cards.len(),
    };
    let fits = (1..=most).contains(&cards.len());
    ensure(fits, malformed(number))
}

fn room(actor: Actor) -> usize {
    let player = actor.player();
    usize::from(player.reserve_limit()).saturating_sub(player.reserve.len())
}

/// Is there room in the reserve for so many cards?
fn fits_in(actor: Actor, wanted: usize) -> Result<(), Refusal> {
    let player = actor.player();
    let full = Refusal::ReserveFull {
        there: player.reserve.len(),
        limit: player.reserve_limit(),
        wanted,
    };
    ensure(wanted <= room(actor), full)
}

/// May these cards go into the reserve?
///
/// # Rule MYT-6.5.9
/// From the hand, up to the reserve limit.
pub(in crate::mythotopia) fn check_reserve(
    actor: Actor,
    cards: &[Named<Card>],
) -> Result<CardSet, Refusal> {
    check_list(cards, usize::MAX)?;
    let cards = check_cards(actor, cards, Role::FromHand)?;
    fits_in(actor, cards.len())?;
    Ok(cards)
}

/// The cards go from the hand into the reserve.
pub(in crate::mythotopia) fn reserve(play: &mut Play, seat: Seat, cards: CardSet) {
    let player = play.player(seat);
    player.hand = player.hand - cards;
    player.reserve = player.reserve | cards;
    play.note(Event::CardsReserved { seat, cards });
}

/// Cards to put into the reserve.
pub(in crate::mythotopia) fn list_reserve(list: &mut Listing) -> Visit {
    let actor = list.actor();
    list.sets(actor.player().hand, room(actor), |cards| {
        Action::ReserveCards { cards }
    })
}

/// May these cards be discarded (MYT-6.5.10)?
pub(in crate::mythotopia) fn check_discard(
    actor: Actor,
    cards: &[Named<Card>],
) -> Result<CardSet, Refusal> {
    check_list(cards, usize::MAX)?;
    check_cards(actor, cards, Role::FromEither)
}

/// The cards go to the discard pile.
pub(in crate::mythotopia) fn discard(play: &mut Play, seat: Seat, cards: CardSet) {
    let player = play.player(seat);
    let (hand, reserve) = (player.hand & cards, player.reserve & cards);
    player.discard(cards);
    play.note(Event::CardsDiscarded {
        seat,
        hand,
        reserve,
    });
}

/// Cards to discard.
pub(in crate::mythotopia) fn list_discard(list: &mut Listing) -> Visit {
    let cards = list.actor().player().playable();
    list.sets(cards, usize::MAX, |cards| Action::DiscardCards { cards })
}

/// May these cards leave the deck?
///
/// # Rule MYT-6.5.11
/// One or two, and seven must remain.
pub(in crate::mythotopia) fn check_remove(
    actor: Actor,
    cards: &[Named<Card>],
) -> Result<CardSet, Refusal> {
    check_list(cards, MOST_REMOVED)?;
    let cards = check_cards(actor, cards, Role::FromEither)?;
    let (total, removed) = (actor.player().total(), cards.len());
    let enough = total - removed >= usize::from(FEWEST_CARDS);
    ensure(enough, Refusal::DeckTooSmall { total, removed })?;
    Ok(cards)
}

/// Improvements go to the display, other cards to the player's removed cards.
pub(in crate::mythotopia) fn remove(play: &mut Play, seat: Seat, cards: CardSet) {
    let player = play.player(seat);
    let (hand, reserve) = (player.hand & cards, player.reserve & cards);
    player.set_aside(cards);
    for card in cards.iter() {
        match card.kind() {
            CardKind::Improvement(improvement) => play.state.display.insert(improvement),
            CardKind::Start(..) | CardKind::Province(_) => {
                play.player(seat).removed.insert(card);
            }
        }
    }
    play.note(Event::CardsRemoved {
        seat,
        hand,
        reserve,
    });
}

/// Cards to remove.
pub(in crate::mythotopia) fn list_remove(list: &mut Listing) -> Visit {
    let player = list.actor().player();
    let spare = player.total().saturating_sub(usize::from(FEWEST_CARDS));
    list.sets(player.playable(), spare.min(MOST_REMOVED), |cards| {
        Action::RemoveCards { cards }
    })
}

/// May the Warehouse take this card?
///
/// # Rule MYT-6.6.2
/// Once a turn, from the hand, up to the reserve limit.
pub(in crate::mythotopia) fn check_store(
    actor: Actor,
    card: Named<Card>,
) -> Result<CardSet, Refusal> {
    let cards = Cards {
        uses: &[(&[card], Role::FromHand)],
        pays: &[],
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::once(actor, TurnMark::Warehouse)?;
    cards.available(actor, used)?;
    let improvement = Improvement::Warehouse;
    let warehouse = actor.reserves(improvement);
    ensure(warehouse, Refusal::AbilityNotInReserve { improvement })?;
    fits_in(actor, used.cards.len())?;
    Ok(used.cards)
}

/// Cards that the Warehouse may take.
pub(in crate::mythotopia) fn list_store(list: &mut Listing) -> Visit {
    let actor = list.actor();
    if !actor.reserves(Improvement::Warehouse) {
        return Visit::Continue(());
    }
    actor
        .player()
        .hand
        .iter()
        .try_for_each(|card| list.single(Action::WarehouseStore { card: Some(card) }))
}
