//! Gaining a card up to a cost: Workshop, Feast, Remodel, Mine (DOM-6.34).

use super::procedures::Table;
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::pending::{Frame, Gain};
use crate::dominion::refusal::Refusal;
use crate::dominion::state::State;
use crate::table::Visit;

/// # Rule DOM-6.34
/// The card has a pile, the pile is not empty, the card is a Treasure if it must be, and it costs
/// no more than allowed.
pub(crate) fn check(state: &State, gain: &Gain, card: Card) -> Result<(), Refusal> {
    let decision = Decision::GainCard;
    let cost = card.cost();
    match state.supply.count(card) {
        None => Err(Refusal::NotInSupply { card, decision }),
        Some(0) => Err(Refusal::PileEmpty { card, decision }),
        Some(_) if gain.treasure_only && !card.is(CardType::Treasure) => {
            Err(Refusal::NotATreasure { card, decision })
        }
        Some(_) if cost > gain.max_cost => Err(Refusal::TooExpensive {
            card,
            cost,
            limit: gain.max_cost,
        }),
        Some(_) => Ok(()),
    }
}

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    state.supply.piles().iter().try_for_each(|pile| {
        visit(Action::GainCard {
            card: Some(pile.card),
        })
    })
}

/// The cards that may be gained, in canonical order.
pub(crate) fn choices<'a>(state: &'a State, gain: &'a Gain) -> impl Iterator<Item = Card> + 'a {
    let cards = state.supply.piles().iter().map(|pile| pile.card);
    cards.filter(|&card| check(state, gain, card).is_ok())
}

/// # Rule DOM-6.21
/// Asked with two cards to choose from; one alone is gained at once.
pub(crate) fn advance(table: &mut Table<'_>, gain: Gain) -> Option<Frame> {
    let mut choices = choices(table.state, &gain);
    let (first, second) = (choices.next(), choices.next());
    drop(choices);
    if second.is_some() {
        return Some(Frame::Gain(gain));
    }
    let card = first?;
    let seat = table.active();
    table
        .journal
        .automatic(seat, Action::GainCard { card: first });
    table.gain(seat, card, gain.destination);
    None
}

pub(crate) fn perform(table: &mut Table<'_>, card: Card) {
    if let Some(Frame::Gain(gain)) = table.state.stack.pop() {
        table.gain(table.active(), card, gain.destination);
    }
}
