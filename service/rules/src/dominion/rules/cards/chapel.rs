//! Chapel (DOM-7.5).

use crate::dominion::action::Action;
use crate::dominion::data::{CHAPEL_CARDS, Card};
use crate::dominion::refusal::{No, Refusal};
use crate::dominion::rules::common::{all_known, in_hand};
use crate::dominion::rules::procedures::{number, trash_from_hand};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

pub fn candidates(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    list.kind("chapel_trash", |list| {
        subsets(list, &state.active().hand, 0, CHAPEL_CARDS, |cards| {
            Action::ChapelTrash { cards }
        })
    })
}

/// Checks that there are at most four cards, all in hand.
///
/// # Rule DOM-7.5, DOM-14.12
pub fn check(state: &State, seat: Seat, cards: &[Named<Card>]) -> Result<Vec<Card>, No> {
    let cards = all_known(cards)?;
    let most = state.players[seat].hand.len().min(CHAPEL_CARDS);
    if cards.len() > usize::from(most) {
        let refusal = Refusal::WrongNumberOfCards {
            count: number(&cards),
            min: 0,
            max: most,
        };
        return Err(refusal.at("DOM-7.5"));
    }
    in_hand(state, seat, &cards, "DOM-7.5")?;
    Ok(cards)
}

pub fn perform(play: &mut Play<'_>, cards: Vec<Card>) {
    play.state.stack.pop();
    trash_from_hand(play, play.state.turn.active, cards);
}
