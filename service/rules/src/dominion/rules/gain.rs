//! Gaining a card up to a cost: Workshop, Feast, Remodel, Mine (DOM-6.34).

use super::procedures;
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::{Refusal, RefusedAction, require_known};
use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub struct ValidAction {
    card: Card,
    to: Destination,
}

/// The cards that may be gained, in canonical order.
pub fn choices<'a>(state: &'a State, gain: &'a Gain) -> impl Iterator<Item = Card> + 'a {
    let piles = state.supply.piles().iter();
    let eligible = piles.filter(|pile| eligible(gain, pile.card, Some(pile.count)).is_ok());
    eligible.map(|pile| pile.card)
}

/// Asks if there are at least two cards to choose from; a single one is gained at once.
///
/// # Rule DOM-6.21
pub fn advance(ctx: &mut ExecContext<'_>, gain: Gain) -> Option<EffectFrame> {
    let mut choices = choices(ctx.state, &gain);
    let (first, second) = (choices.next(), choices.next());
    drop(choices);
    if second.is_some() {
        return Some(EffectFrame::Gain(gain));
    }
    let (card, to, seat) = (first?, gain.destination, ctx.state.turn.active);
    ctx.state.stack.push(EffectFrame::Gain(gain));
    ctx.execute_forced(seat, Action::GainCard { card: first }, |ctx| {
        execute(ctx, ValidAction { card, to });
    });
    None
}

pub fn candidates(
    state: &State,
    gain: &Gain,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    choices(state, gain).try_for_each(|card| list.visit(Action::GainCard { card: Some(card) }))
}

pub fn check(
    state: &State,
    gain: &Gain,
    card: MaybeKnown<Card>,
) -> Result<ValidAction, RefusedAction> {
    let card = require_known(card, "card")?;
    let left = state.supply.count(card);
    eligible(gain, card, left).map_err(|refusal| refusal.citing("DOM-6.34"))?;
    let to = gain.destination;
    Ok(ValidAction { card, to })
}

/// Checks that the card has a pile, that the pile is not empty, that the card is a Treasure if it must be, and that it
/// costs no more than allowed. `left` is the number of cards in the pile.
///
/// # Rule DOM-6.34
fn eligible(gain: &Gain, card: Card, left: Option<u8>) -> Result<(), Refusal> {
    let (cost, limit) = (card.cost(), gain.max_cost);
    match left {
        None => Err(Refusal::NotInSupply { card }),
        Some(0) => Err(Refusal::PileEmpty { card }),
        Some(_) if gain.treasure_only && !card.is(CardType::Treasure) => {
            Err(Refusal::NotATreasure { card })
        }
        Some(_) if cost > limit => Err(Refusal::TooExpensive { card, cost, limit }),
        Some(_) => Ok(()),
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, ValidAction { card, to }: ValidAction) {
    ctx.state.stack.pop();
    procedures::gain(ctx, ctx.state.turn.active, card, to);
}
