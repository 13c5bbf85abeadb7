//! Cellar (DOM-7.3).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::refusal::No;
use crate::dominion::rules::common::all_held;
use crate::dominion::rules::procedures::{discard_from_hand, draw};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Seat, Visit};

pub fn candidates(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    let hand = &state.active().hand;
    list.kind("cellar_discard", |list| {
        subsets(list, hand, 0, hand.len(), |cards| Action::CellarDiscard {
            cards,
        })
    })
}

/// Checks that the cards are in hand; any number is allowed.
///
/// # Rule DOM-7.3
pub fn check(state: &State, seat: Seat, cards: &[Named<Card>]) -> Result<Vec<Card>, No> {
    all_held(state, seat, cards, "DOM-7.3")
}

/// Discards the cards at once, then draws as many; a refill shuffles them in.
///
/// # Rule DOM-7.3
pub fn perform(play: &mut Play<'_>, cards: Vec<Card>) {
    play.state.stack.pop();
    let seat = play.state.turn.active;
    let count = discard_from_hand(play, seat, cards);
    draw(play, seat, count);
}
