//! Procedures shared by many effects: draw, refill, gain, discard, trash (DOM-6.30 to DOM-6.36).

use crate::dominion::data::Card;
use crate::dominion::event::{Event, Source, Zone};
use crate::dominion::stage::Destination;
use crate::dominion::state::ExecContext;
use crate::table::Seat;

/// Draws cards one by one into the hand, fewer if there are no more.
///
/// # Rule DOM-6.30
pub fn draw(ctx: &mut ExecContext<'_>, seat: Seat, count: u16) {
    let mut cards = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        if shuffles_next(ctx, seat) {
            drawn(ctx, seat, std::mem::take(&mut cards));
        }
        let Some((card, is_seen)) = take(ctx, seat) else {
            break;
        };
        ctx.state.players[seat].take_up(card, is_seen);
        cards.push(card);
    }
    drawn(ctx, seat, cards);
}

/// Returns whether taking a card shuffles first. Cards taken before are reported before, since events are in the order
/// of happening.
pub fn shuffles_next(ctx: &ExecContext<'_>, seat: Seat) -> bool {
    let player = &ctx.state.players[seat];
    player.draw_pile.is_empty() && !player.discard_pile.is_empty()
}

/// Reports that these cards, if there are any, are now in hand.
pub fn drawn(ctx: &mut ExecContext<'_>, seat: Seat, cards: Vec<Card>) {
    if cards.is_empty() {
        return;
    }
    ctx.emit(Event::CardsDrawn {
        seat,
        count: number(&cards),
        cards: Some(cards),
    });
}

/// Takes the top card of the draw pile to reveal it. Returns `None` if draw and discard pile are empty (DOM-6.32).
pub fn take_top(ctx: &mut ExecContext<'_>, seat: Seat) -> Option<Card> {
    take(ctx, seat).map(|(card, _)| card)
}

/// Takes the top card of the draw pile. Also returns whether everybody has seen it there.
pub fn take(ctx: &mut ExecContext<'_>, seat: Seat) -> Option<(Card, bool)> {
    if ctx.state.players[seat].draw_pile.is_empty() {
        refill(ctx, seat);
    }
    ctx.state.players[seat].draw_pile.take_top()
}

/// Shuffles the discard pile, if there is one, to make the draw pile (draw R4).
///
/// # Rule DOM-6.31
fn refill(ctx: &mut ExecContext<'_>, seat: Seat) {
    if !ctx.state.players[seat].discard_pile.is_empty() {
        shuffle(ctx, seat, "R4");
    }
}

/// Shuffles the discard pile under this name to make the draw pile, which is empty. The cards are sorted first, so that
/// the random draw alone determines the order (DOM-5.8).
pub fn shuffle(ctx: &mut ExecContext<'_>, seat: Seat, name: &'static str) {
    let chance = &mut *ctx.chance;
    ctx.state.players[seat].shuffle(|pile| chance.shuffle(name, Some(seat), pile));
    ctx.emit(Event::Shuffled { seat });
}

/// Gains a card of the Supply, if one is left.
///
/// # Rule DOM-6.33
pub fn gain(ctx: &mut ExecContext<'_>, seat: Seat, card: Card, destination: Destination) {
    take_from_supply(ctx, seat, card, destination, None);
}

/// Gains a card onto the discard pile for its price.
///
/// # Rule DOM-6.10
pub fn gain_bought(ctx: &mut ExecContext<'_>, seat: Seat, card: Card) {
    let price = Some(card.cost());
    take_from_supply(ctx, seat, card, Destination::DiscardPile, price);
}

fn take_from_supply(
    ctx: &mut ExecContext<'_>,
    seat: Seat,
    card: Card,
    destination: Destination,
    price: Option<u8>,
) {
    if !ctx.state.supply.take(card) {
        return;
    }
    let player = &mut ctx.state.players[seat];
    match destination {
        Destination::DiscardPile => player.discard_pile.put(card),
        Destination::Hand => player.take_up(card, true),
        Destination::DrawPile => player.draw_pile.put_on_top(card),
    }
    ctx.emit(Event::CardGained {
        seat,
        card,
        source: Source::Supply,
        destination,
        price,
    });
}

/// Discards cards of the hand in this order; only their owner knows them all. Returns their number.
///
/// # Rule DOM-6.35
pub fn discard_from_hand(ctx: &mut ExecContext<'_>, seat: Seat, cards: Vec<Card>) -> u16 {
    let count = number(&cards);
    let player = &mut ctx.state.players[seat];
    player.discard(&cards);
    let discard_top = player.discard_pile.top();
    ctx.emit(Event::HandDiscarded {
        seat,
        count,
        discard_top,
        cards: Some(cards),
    });
    count
}

/// Discards cards that an effect held face up, in this order (DOM-6.35).
pub fn discard_held(ctx: &mut ExecContext<'_>, seat: Seat, cards: Vec<Card>) {
    if cards.is_empty() {
        return;
    }
    for &card in &cards {
        ctx.state.players[seat].discard_pile.put(card);
    }
    ctx.emit(Event::CardsDiscarded { seat, cards });
}

/// Trashes cards of the hand.
///
/// # Rule DOM-6.36
pub fn trash_from_hand(ctx: &mut ExecContext<'_>, seat: Seat, cards: Vec<Card>) {
    for &card in &cards {
        ctx.state.players[seat].give_away(card);
        ctx.state.trash.add(card);
    }
    let zone = Zone::Hand;
    ctx.emit(Event::CardsTrashed { seat, zone, cards });
}

/// Trashes a card that an effect has taken from the revealed cards or from play.
pub fn trash_taken(ctx: &mut ExecContext<'_>, seat: Seat, zone: Zone, card: Card) {
    ctx.state.trash.add(card);
    let cards = vec![card];
    ctx.emit(Event::CardsTrashed { seat, zone, cards });
}

/// Reports that the player of this card chose nothing for it.
pub fn chose_nothing(ctx: &mut ExecContext<'_>, card: Card) {
    let seat = ctx.state.turn.active;
    ctx.emit(Event::NothingChosen { seat, card });
}

/// Shows cards of the draw pile to everybody, if there are any.
pub fn reveal_top(ctx: &mut ExecContext<'_>, seat: Seat, cards: Vec<Card>) {
    if !cards.is_empty() {
        reveal(ctx, seat, Zone::DrawPile, cards);
    }
}

/// Shows cards to everybody.
pub fn reveal(ctx: &mut ExecContext<'_>, seat: Seat, zone: Zone, cards: Vec<Card>) {
    ctx.emit(Event::CardsRevealed { seat, zone, cards });
}

/// Puts a card that everybody has seen on its owner's draw pile (DOM-13.5).
pub fn topdeck(ctx: &mut ExecContext<'_>, seat: Seat, zone: Zone, card: Card) {
    ctx.state.players[seat].draw_pile.put_on_top(card);
    ctx.emit(Event::CardTopdecked { seat, zone, card });
}

/// The number of these cards. No group of cards comes near the limit: there are 500 in the box.
pub fn number(cards: &[Card]) -> u16 {
    u16::try_from(cards.len()).unwrap_or(u16::MAX)
}
