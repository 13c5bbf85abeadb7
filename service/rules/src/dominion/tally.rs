//! **Card counting**: numbers that a viewer can know from the events although no view shows them. These are the owners
//! of cards (DOM-13.9), and the places of cards that were seen and cannot have moved since (DOM-13.11).

use super::data::Card;
use super::state::{Cards, State};
use crate::table::{Seat, Viewer};

/// The number of cards on top of a draw pile that are listed by position; the known ones below are only counted.
const TOPS: usize = 3;

/// The names of the numbers: cards that a player owns; those known to be in the hand, in the discard pile, first,
/// second and third on the draw pile, and further below.
pub fn names() -> Vec<String> {
    let blocks = [
        "",
        "hand ",
        "discard pile ",
        "top 1 ",
        "top 2 ",
        "top 3 ",
        "below ",
    ];
    let of = |block: &str| Card::ALL_IDS.map(|id| format!("{block}{id}"));
    blocks.into_iter().flat_map(of).collect()
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
}
