//! **Card counting**: numbers that a viewer can know from the events although no view shows them. These are the owners
//! of cards and the sizes of piles (DOM-13.9), and the places of cards that were seen and cannot have moved since
//! (DOM-13.11).

use super::data::Card;
use super::state::{Cards, State};
use crate::table::{Seat, Viewer};

/// The number of cards on top of a draw pile that are listed by position; the known ones below are only counted.
const TOPS: usize = 3;

/// The blocks that are counted card by card: the cards that a player owns; those known to be in the hand, in the discard pile,
/// first, second and third on the draw pile, and further below.
const BLOCKS: [&str; 7] = [
    "",
    "hand ",
    "discard pile ",
    "top 1 ",
    "top 2 ",
    "top 3 ",
    "below ",
];

/// The index of the size of the draw pile; that of the discard pile follows.
const SIZES: usize = BLOCKS.len() * Card::COUNT;

/// The names of the numbers: the blocks of cards, then the sizes of both piles.
pub fn names() -> Vec<String> {
    let of = |block: &str| Card::ALL_IDS.map(|id| format!("{block}{id}"));
    let sizes = ["draw pile size", "discard pile size"];
    let blocks = BLOCKS.into_iter().flat_map(of);
    blocks.chain(sizes.map(String::from)).collect()
}

pub fn count(state: &State, viewer: Viewer, seat: Seat, count: &mut dyn FnMut(usize, u16)) {
    let player = &state.players[seat];
    let mut block = |number: usize, cards: &Cards| {
        for (card, copies) in cards.iter() {
            count(number * Card::COUNT + card.index(), copies.into());
        }
    };
    block(0, &state.counted(seat));
    block(1, player.shown());
    let pile = &player.discard_pile;
    let discarded = if viewer.sees(seat) {
        *pile.cards()
    } else {
        pile.seen()
    };
    block(2, &discarded);
    for (index, card) in state.seen_on_top(seat).take(TOPS).enumerate() {
        block(3 + index, &Cards::from_iter([card]));
    }
    block(3 + TOPS, &state.seen_on_top(seat).skip(TOPS).collect());
    // No event has said yet that the card was drawn that Library asks about.
    let asked = u16::from(state.library_asks(seat).is_some());
    count(SIZES, player.draw_pile.len() + asked);
    count(SIZES + 1, pile.cards().len());
}
