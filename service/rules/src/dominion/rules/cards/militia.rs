//! Militia (DOM-7.13).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, MILITIA_HAND};
use crate::dominion::refusal::{No, Refusal};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::{all_held, answered};
use crate::dominion::rules::procedures::{discard_from_hand, number};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::stage::{Frame, Immune, Queue};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit, broken};

pub fn resolve(play: &mut Play<'_>, immune: Immune) {
    let queue = touched(play.state, &immune);
    play.state.stack.push(Frame::Militia { queue, immune });
}

/// Opponents with more than three cards are asked.
pub fn advance(state: &State, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        if surplus(state, seat) > 0 {
            return Some(Frame::Militia { queue, immune });
        }
        queue.remove(0);
    }
    None
}

/// The number of cards that the player must discard.
pub fn surplus(state: &State, seat: Seat) -> u16 {
    state.players[seat].hand.len().saturating_sub(MILITIA_HAND)
}

pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let surplus = surplus(state, seat);
    list.kind("militia_discard", |list| {
        subsets(list, &state.players[seat].hand, surplus, surplus, |cards| {
            Action::MilitiaDiscard { cards }
        })
    })
}

/// Checks that all cards are in hand, and that exactly three stay.
///
/// # Rule DOM-7.13
pub fn check(state: &State, seat: Seat, cards: &[Named<Card>]) -> Result<Vec<Card>, No> {
    let cards = all_held(state, seat, cards, "DOM-7.13")?;
    let surplus = surplus(state, seat);
    if cards.len() == usize::from(surplus) {
        return Ok(cards);
    }
    let refusal = Refusal::WrongNumberOfCards {
        count: number(&cards),
        min: surplus,
        max: surplus,
    };
    Err(refusal.at("DOM-7.13"))
}

pub fn perform(play: &mut Play<'_>, seat: Seat, cards: Vec<Card>) {
    let Frame::Militia { mut queue, immune } = answered(play) else {
        broken("DOM-7.13", &play.state.stack)
    };
    queue.remove(0);
    play.state.stack.push(Frame::Militia { queue, immune });
    discard_from_hand(play, seat, cards);
}
