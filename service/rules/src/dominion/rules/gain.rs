//! Gaining a card up to a cost: Workshop, Feast, Remodel, Mine (DOM-6.34).

use super::procedures;
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::{No, Refusal, known};
use crate::dominion::stage::{Destination, Frame, Gain};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
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
pub fn advance(play: &mut Play<'_>, gain: Gain) -> Option<Frame> {
    let mut choices = choices(play.state, &gain);
    let (first, second) = (choices.next(), choices.next());
    drop(choices);
    if second.is_some() {
        return Some(Frame::Gain(gain));
    }
    let (card, to, seat) = (first?, gain.destination, play.state.turn.active);
    play.state.stack.push(Frame::Gain(gain));
    play.automatic(seat, Action::GainCard { card: first }, |play| {
        perform(play, Deed { card, to });
    });
    None
}

pub fn candidates(state: &State, gain: &Gain, list: &mut Lister<'_, Action>) -> Visit {
    choices(state, gain).try_for_each(|card| list.visit(Action::GainCard { card: Some(card) }))
}

pub fn check(state: &State, gain: &Gain, card: Named<Card>) -> Result<Deed, No> {
    let card = known(card, "card")?;
    let left = state.supply.count(card);
    eligible(gain, card, left).map_err(|refusal| refusal.at("DOM-6.34"))?;
    let to = gain.destination;
    Ok(Deed { card, to })
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

pub fn perform(play: &mut Play<'_>, Deed { card, to }: Deed) {
    play.state.stack.pop();
    procedures::gain(play, play.state.turn.active, card, to);
}
