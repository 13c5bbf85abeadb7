//! Chapel (DOM-7.5).

use crate::dominion::action::Action;
use crate::dominion::data::{CHAPEL_CARDS, Card};
use crate::dominion::refusal::{Refusal, RefusedAction};
use crate::dominion::rules::common::{all_known, in_hand};
use crate::dominion::rules::procedures::{number, trash_from_hand};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.kind("chapel_trash", |list| {
        subsets(list, &state.active().hand, 0, CHAPEL_CARDS, |cards| {
            Action::ChapelTrash { cards }
        })
    })
}

/// Checks that there are at most four cards, all in hand.
///
/// # Rule DOM-7.5, DOM-14.12
pub fn check(
    state: &State,
    seat: Seat,
    cards: &[MaybeKnown<Card>],
) -> Result<Vec<Card>, RefusedAction> {
    let cards = all_known(cards)?;
    let most = state.players[seat].hand.len().min(CHAPEL_CARDS);
    if cards.len() > usize::from(most) {
        let refusal = Refusal::WrongNumberOfCards {
            count: number(&cards),
            min: 0,
            max: most,
        };
        return Err(refusal.citing("DOM-7.5"));
    }
    in_hand(state, seat, &cards, "DOM-7.5")?;
    Ok(cards)
}

pub fn execute(ctx: &mut ExecContext<'_>, cards: Vec<Card>) {
    ctx.state.stack.pop();
    trash_from_hand(ctx, ctx.state.turn.active, cards);
}
