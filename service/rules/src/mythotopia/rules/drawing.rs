//! Drawing and shuffling (MYT-6.9, 14.1).

use crate::mythotopia::data::count;
use crate::mythotopia::data::{Card, CardSet, Color};
use crate::mythotopia::event::Event;
use crate::mythotopia::state::{ExecContext, Player};
use crate::table::{Chance, Seat};

/// The reason why a deck gets a new order.
#[derive(Clone, Copy)]
pub enum Shuffle {
    /// The deck at the start.
    Beginning,
    /// The discard pile becomes the deck.
    Reshuffle,
    /// A card was taken out of the deck.
    Capture,
}

const fn draw_name(shuffle: Shuffle, color: Color) -> &'static str {
    match (shuffle, color) {
        (Shuffle::Beginning, Color::Red) => "deck:red",
        (Shuffle::Beginning, Color::Blue) => "deck:blue",
        (Shuffle::Beginning, Color::Yellow) => "deck:yellow",
        (Shuffle::Beginning, Color::Green) => "deck:green",
        (Shuffle::Reshuffle, Color::Red) => "reshuffle:red",
        (Shuffle::Reshuffle, Color::Blue) => "reshuffle:blue",
        (Shuffle::Reshuffle, Color::Yellow) => "reshuffle:yellow",
        (Shuffle::Reshuffle, Color::Green) => "reshuffle:green",
        (Shuffle::Capture, Color::Red) => "deck_shuffle:red",
        (Shuffle::Capture, Color::Blue) => "deck_shuffle:blue",
        (Shuffle::Capture, Color::Yellow) => "deck_shuffle:yellow",
        (Shuffle::Capture, Color::Green) => "deck_shuffle:green",
    }
}

/// Puts the deck into a random order. An empty deck makes no draw (MYT-14.1).
pub fn shuffle(player: &mut Player, seat: Seat, why: Shuffle, chance: &mut Chance) {
    if player.deck.is_empty() {
        return;
    }
    // Starting from the order of the card ids, so that the draw alone decides the order; the top card comes first.
    player.deck.sort_unstable();
    let name = draw_name(why, player.color);
    chance.shuffle(name, Some(seat), &mut player.deck);
    player.deck.reverse();
}

/// Shuffles a deck out of which a card was taken (MYT-6.7.1).
pub fn shuffle_deck(ctx: &mut ExecContext<'_>, seat: Seat) {
    let player = &mut ctx.state.players[seat];
    shuffle(player, seat, Shuffle::Capture, ctx.chance);
}

/// Draws cards to the hand.
///
/// # Rule MYT-6.9.1
/// One at a time. The discard pile becomes the deck when a card is needed and the deck is empty. At that moment the
/// hand has all hidden cards of the player, so everybody knows it (MYT-13.6). If there is no card at all, the draw
/// stops.
pub fn draw(ctx: &mut ExecContext<'_>, seat: Seat, wanted: u8) {
    let player = &mut ctx.state.players[seat];
    let mut cards: Vec<Card> = Vec::with_capacity(usize::from(wanted));
    let mut reshuffles = 0;
    for _ in 0..wanted {
        if player.deck.is_empty() && !player.discard.is_empty() {
            player.deck = player.discard.iter().collect();
            player.discard = CardSet::EMPTY;
            player.show_hand();
            shuffle(player, seat, Shuffle::Reshuffle, ctx.chance);
            reshuffles += 1;
        }
        let Some(card) = player.deck.pop() else {
            break;
        };
        player.hand.insert(card);
        cards.push(card);
    }
    if !cards.is_empty() {
        ctx.emit(Event::CardsDrawn {
            seat,
            count: count(cards.len()),
            reshuffles,
            cards: Some(cards),
        });
    }
}
