//! Cards that change their place: reserve, discard, remove, store (MYT-6.5.9 to 6.5.11, 6.6.2).

use super::actor::ActorContext;
use super::cards::{Cards, CheckResult, Role, no_cards};
use super::gate;
use super::sets::sets;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{
    Card, CardKind, CardSet, FEWEST_CARDS, Improvement, MAX_REMOVED, count,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::TurnMark;
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
    Reserve(CardSet),
    /// Cards stored by Warehouse, which is a free action.
    Store(CardSet),
    Discard(CardSet),
    Remove(CardSet),
}

/// Moves the cards.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: &ValidAction) {
    match *valid_action {
        ValidAction::Reserve(cards) | ValidAction::Store(cards) => reserve(ctx, seat, cards),
        ValidAction::Discard(cards) => discard(ctx, seat, cards),
        ValidAction::Remove(cards) => remove(ctx, seat, cards),
    }
}

/// Checks a list of cards: at least one, each once, and each in the zone of the role.
fn check_cards(
    actor: ActorContext,
    cards: &[MaybeKnown<Card>],
    role: Role,
) -> Result<CardSet, RefusedAction> {
    let cards = Cards {
        uses: &[("cards", cards, role)],
        pays: &[],
    };
    let used = cards.distinct()?;
    gate::action(actor)?;
    cards.available(actor, used)?;
    Ok(used.cards)
}

fn check_list(cards: &[MaybeKnown<Card>], rule: &'static str) -> Result<(), RefusedAction> {
    cards
        .iter()
        .try_for_each(|&card| require_known(card, "cards").map(drop))?;
    ensure(
        !cards.is_empty(),
        Refusal::EmptyList { field: "cards" }.citing(rule),
    )
}

fn room(actor: ActorContext) -> usize {
    let player = actor.player();
    usize::from(player.reserve_limit()).saturating_sub(player.reserve.len())
}

/// Checks that there is room in the reserve for this many cards.
fn fits_in(actor: ActorContext, wanted: usize, rule: &'static str) -> Result<(), RefusedAction> {
    let (there, limit) = (actor.player().reserve.len(), actor.player().reserve_limit());
    let full = Refusal::ReserveFull {
        there: count(there),
        limit,
        wanted,
    }
    .citing(rule);
    ensure(there + wanted <= usize::from(limit), full)
}

/// Checks that these cards may go into the reserve.
///
/// # Rule MYT-6.5.9
/// From the hand, up to the reserve limit.
pub fn check_reserve(actor: ActorContext, cards: &[MaybeKnown<Card>]) -> CheckResult<ValidAction> {
    check_list(cards, "MYT-6.5.9")?;
    let wanted = cards.len();
    let cards = check_cards(actor, cards, Role::FromHand)?;
    fits_in(actor, wanted, "MYT-6.5.9")?;
    Ok(no_cards(ValidAction::Reserve(cards)))
}

/// Moves the cards from the hand into the reserve.
fn reserve(ctx: &mut ExecContext<'_>, seat: Seat, cards: CardSet) {
    let player = &mut ctx.state.players[seat];
    player.leave_hand(cards);
    player.reserve |= cards;
    ctx.emit(Event::CardsReserved { seat, cards });
}

/// Lists cards to put into the reserve.
pub fn candidates_reserve(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    sets(list, actor.player().hand, room(actor), |cards| {
        Action::ReserveCards { cards }
    })
}

/// Checks that these cards may be discarded (MYT-6.5.10).
pub fn check_discard(actor: ActorContext, cards: &[MaybeKnown<Card>]) -> CheckResult<ValidAction> {
    check_list(cards, "MYT-6.5.10")?;
    let cards = check_cards(actor, cards, Role::FromEither)?;
    Ok(no_cards(ValidAction::Discard(cards)))
}

/// Moves the cards to the discard pile.
fn discard(ctx: &mut ExecContext<'_>, seat: Seat, cards: CardSet) {
    let player = &mut ctx.state.players[seat];
    let (hand, reserve) = (player.hand & cards, player.reserve & cards);
    player.discard(cards);
    ctx.emit(Event::CardsDiscarded {
        seat,
        hand,
        reserve,
    });
}

/// Lists cards to discard.
pub fn candidates_discard(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let cards = actor.player().playable();
    sets(list, cards, usize::MAX, |cards| Action::DiscardCards {
        cards,
    })
}

/// Checks that these cards may leave the deck.
///
/// # Rule MYT-6.5.11
/// One or two, and seven must remain.
pub fn check_remove(actor: ActorContext, cards: &[MaybeKnown<Card>]) -> CheckResult<ValidAction> {
    check_list(cards, "MYT-6.5.11")?;
    let removed = cards.len();
    let number = Refusal::InvalidCardCount {
        min: 1,
        max: count(MAX_REMOVED),
        given: removed,
    };
    ensure(removed <= MAX_REMOVED, number.citing("MYT-6.5.11"))?;
    let cards = check_cards(actor, cards, Role::FromEither)?;
    let total = actor.player().total();
    let few = Refusal::DeckTooSmall {
        total: count(total),
        removed: count(removed),
        min: FEWEST_CARDS,
    };
    let enough = total - removed >= usize::from(FEWEST_CARDS);
    ensure(enough, few.citing("MYT-6.5.11"))?;
    Ok(no_cards(ValidAction::Remove(cards)))
}

/// Moves improvements to the display, and other cards to the player's removed cards.
fn remove(ctx: &mut ExecContext<'_>, seat: Seat, cards: CardSet) {
    let player = &mut ctx.state.players[seat];
    let (hand, reserve) = (player.hand & cards, player.reserve & cards);
    player.set_aside(cards);
    for card in cards.iter() {
        match card.kind() {
            CardKind::Improvement(improvement) => {
                ctx.state.display.insert(improvement);
            }
            CardKind::Start(..) | CardKind::Province(_) => {
                ctx.state.players[seat].removed.insert(card);
            }
        }
    }
    ctx.emit(Event::CardsRemoved {
        seat,
        hand,
        reserve,
    });
}

/// Lists cards to remove.
pub fn candidates_remove(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
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
pub fn check_store(actor: ActorContext, card: MaybeKnown<Card>) -> CheckResult<ValidAction> {
    let cards = Cards {
        uses: &[("card", &[card], Role::FromHand)],
        pays: &[],
    };
    cards.require_known()?;
    let used = cards.distinct()?;
    gate::once(actor, TurnMark::Warehouse, "MYT-6.6.2")?;
    cards.available(actor, used)?;
    let improvement = Improvement::Warehouse;
    let warehouse = actor.reserves(improvement);
    ensure(
        warehouse,
        Refusal::AbilityNotInReserve { improvement }.citing("MYT-6.6.2"),
    )?;
    fits_in(actor, used.cards.len(), "MYT-6.6.2")?;
    Ok(no_cards(ValidAction::Store(used.cards)))
}

/// Lists the cards that the Warehouse may take.
pub fn candidates_store(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    if !actor.reserves(Improvement::Warehouse) {
        return VisitFlow::Continue(());
    }
    actor
        .player()
        .hand
        .iter()
        .try_for_each(|card| list.visit(Action::WarehouseStore { card: Some(card) }))
}
