//! Cards that change their place: reserve, discard, remove, store (MYT-6.5.9 to 6.5.11, 6.6.2).

use super::actor::Actor;
use super::cards::{Cards, Role, Ruling, no_cards};
use super::gate;
use super::sets::sets;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{
    Card, CardKind, CardSet, FEWEST_CARDS, Improvement, MAX_REMOVED, count,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{No, Refusal, ensure, known};
use crate::mythotopia::stage::TurnMark;
use crate::mythotopia::state::Play;
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Debug)]
pub enum Deed {
    Reserve(CardSet),
    /// Cards stored by Warehouse, which is a free action.
    Store(CardSet),
    Discard(CardSet),
    Remove(CardSet),
}

/// Moves the cards.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: &Deed) {
    match *deed {
        Deed::Reserve(cards) | Deed::Store(cards) => reserve(play, seat, cards),
        Deed::Discard(cards) => discard(play, seat, cards),
        Deed::Remove(cards) => remove(play, seat, cards),
    }
}

/// Checks a list of cards: at least one, each once, and each in the zone of the role.
fn check_cards(actor: Actor, cards: &[Named<Card>], role: Role) -> Result<CardSet, No> {
    let cards = Cards {
        uses: &[("cards", cards, role)],
        pays: &[],
    };
    let used = cards.distinct()?;
    gate::action(actor)?;
    cards.available(actor, used)?;
    Ok(used.cards)
}

fn check_list(cards: &[Named<Card>], rule: &'static str) -> Result<(), No> {
    cards
        .iter()
        .try_for_each(|&card| known(card, "cards").map(drop))?;
    ensure(
        !cards.is_empty(),
        Refusal::EmptyList { field: "cards" }.at(rule),
    )
}

fn room(actor: Actor) -> usize {
    let player = actor.player();
    usize::from(player.reserve_limit()).saturating_sub(player.reserve.len())
}

/// Checks that there is room in the reserve for this many cards.
fn fits_in(actor: Actor, wanted: usize, rule: &'static str) -> Result<(), No> {
    let (there, limit) = (actor.player().reserve.len(), actor.player().reserve_limit());
    let full = Refusal::ReserveFull {
        there: count(there),
        limit,
        wanted,
    }
    .at(rule);
    ensure(there + wanted <= usize::from(limit), full)
}

/// Checks that these cards may go into the reserve.
///
/// # Rule MYT-6.5.9
/// From the hand, up to the reserve limit.
pub fn check_reserve(actor: Actor, cards: &[Named<Card>]) -> Ruling<Deed> {
    check_list(cards, "MYT-6.5.9")?;
    let wanted = cards.len();
    let cards = check_cards(actor, cards, Role::FromHand)?;
    fits_in(actor, wanted, "MYT-6.5.9")?;
    Ok(no_cards(Deed::Reserve(cards)))
}

/// Moves the cards from the hand into the reserve.
fn reserve(play: &mut Play<'_>, seat: Seat, cards: CardSet) {
    let player = &mut play.state.players[seat];
    player.leave_hand(cards);
    player.reserve |= cards;
    play.tell(Event::CardsReserved { seat, cards });
}

/// Lists cards to put into the reserve.
pub fn candidates_reserve(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    sets(list, actor.player().hand, room(actor), |cards| {
        Action::ReserveCards { cards }
    })
}

/// Checks that these cards may be discarded (MYT-6.5.10).
pub fn check_discard(actor: Actor, cards: &[Named<Card>]) -> Ruling<Deed> {
    check_list(cards, "MYT-6.5.10")?;
    let cards = check_cards(actor, cards, Role::FromEither)?;
    Ok(no_cards(Deed::Discard(cards)))
}

/// Moves the cards to the discard pile.
fn discard(play: &mut Play<'_>, seat: Seat, cards: CardSet) {
    let player = &mut play.state.players[seat];
    let (hand, reserve) = (player.hand & cards, player.reserve & cards);
    player.discard(cards);
    play.tell(Event::CardsDiscarded {
        seat,
        hand,
        reserve,
    });
}

/// Lists cards to discard.
pub fn candidates_discard(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let cards = actor.player().playable();
    sets(list, cards, usize::MAX, |cards| Action::DiscardCards {
        cards,
    })
}

/// Checks that these cards may leave the deck.
///
/// # Rule MYT-6.5.11
/// One or two, and seven must remain.
pub fn check_remove(actor: Actor, cards: &[Named<Card>]) -> Ruling<Deed> {
    check_list(cards, "MYT-6.5.11")?;
    let removed = cards.len();
    let number = Refusal::InvalidCardCount {
        min: 1,
        max: count(MAX_REMOVED),
        given: removed,
    };
    ensure(removed <= MAX_REMOVED, number.at("MYT-6.5.11"))?;
    let cards = check_cards(actor, cards, Role::FromEither)?;
    let total = actor.player().total();
    let few = Refusal::DeckTooSmall {
        total: count(total),
        removed: count(removed),
        min: FEWEST_CARDS,
    };
    let enough = total - removed >= usize::from(FEWEST_CARDS);
    ensure(enough, few.at("MYT-6.5.11"))?;
    Ok(no_cards(Deed::Remove(cards)))
}

/// Moves improvements to the display, and other cards to the player's removed cards.
fn remove(play: &mut Play<'_>, seat: Seat, cards: CardSet) {
    let player = &mut play.state.players[seat];
    let (hand, reserve) = (player.hand & cards, player.reserve & cards);
    player.set_aside(cards);
    for card in cards.iter() {
        match card.kind() {
            CardKind::Improvement(improvement) => {
                play.state.display.insert(improvement);
            }
            CardKind::Start(..) | CardKind::Province(_) => {
                play.state.players[seat].removed.insert(card);
            }
        }
    }
    play.tell(Event::CardsRemoved {
        seat,
        hand,
        reserve,
    });
}

/// Lists cards to remove.
pub fn candidates_remove(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let player = actor.player();
    let spare = player.total().saturating_sub(usize::from(FEWEST_CARDS));
    sets(list, player.playable(), spare.min(MAX_REMOVED), |cards| {
        Action::RemoveCards { cards }
    })
}

/// Checks that the Warehouse may take this card.
///
/// # Rule MYT-6.6.2
/// Once a turn, from the hand, up to the reserve limit.
pub fn check_store(actor: Actor, card: Named<Card>) -> Ruling<Deed> {
    let cards = Cards {
        uses: &[("card", &[card], Role::FromHand)],
        pays: &[],
    };
    cards.known()?;
    let used = cards.distinct()?;
    gate::once(actor, TurnMark::Warehouse, "MYT-6.6.2")?;
    cards.available(actor, used)?;
    let improvement = Improvement::Warehouse;
    let warehouse = actor.reserves(improvement);
    ensure(
        warehouse,
        Refusal::AbilityNotInReserve { improvement }.at("MYT-6.6.2"),
    )?;
    fits_in(actor, used.cards.len(), "MYT-6.6.2")?;
    Ok(no_cards(Deed::Store(used.cards)))
}

/// Lists the cards that the Warehouse may take.
pub fn candidates_store(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    if !actor.reserves(Improvement::Warehouse) {
        return Visit::Continue(());
    }
    actor
        .player()
        .hand
        .iter()
        .try_for_each(|card| list.visit(Action::WarehouseStore { card: Some(card) }))
}
