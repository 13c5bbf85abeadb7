//! Worlds that a seat may be in (DOM-13): the table with everything redrawn that its view hides.
//!
//! A world keeps the view of the seat, and the public tally that everyone can keep from the events
//! (DOM-13.7, DOM-13.9): which cards each player owns, and how many are in each zone. It forgets the
//! rest of the past, as views do: cards that were put on a draw pile, hands that were shown, and the
//! contents of discard piles, even the own one (DOM-13.1, DOM-13.5, DOM-13.6).
//!
//! The hidden cards of a player are dealt to their hidden zones, every arrangement of single cards
//! equally likely. Of those, only arrangements consistent with the open effects and questions are
//! possible: each is as likely as the others, since dealing again until one fits is conditional
//! luck. What players chose reveals nothing, except where the rules leave no alternative
//! (DOM-13.8).

use super::data::{Card, CardType};
use super::stage::{Decision, Frame};
use super::state::{Cards, Player, State};
use crate::table::{Chance, Seat};

/// A table that this seat cannot tell from the real one.
pub(crate) fn sample(state: &State, seat: Seat, chance: &mut Chance) -> State {
    let mut world = state.clone();
    for owner in state.players.seats() {
        let places = Places::of(state, owner, seat);
        let cards = places.deal(state, owner, chance);
        places.fill(&mut world, owner, cards);
    }
    drop(chance.take_record());
    world
}

/// The type of a card that this hand must hold, because of what everybody sees: an open question
/// shows it (DOM-13.8), or a Moat was shown against the Attack that is being resolved and stays in
/// hand (DOM-6.18).
pub(crate) fn certain(state: &State, seat: Seat) -> Option<CardType> {
    let shown = |frame: &Frame| frame.immune().is_some_and(|immune| immune.contains(&seat));
    if state.stack.iter().any(shown) {
        return Some(CardType::Reaction);
    }
    let (asked, decision) = state.asked()?;
    if asked != seat {
        return None;
    }
    let strict = state.options.strict_secrecy;
    match decision {
        // A player without a Victory card shows the hand instead, even under strict secrecy (DOM-7.2).
        Decision::BureaucratTopdeck => Some(CardType::Victory),
        Decision::ActionPhase | Decision::ThroneRoomChoose => (!strict).then_some(CardType::Action),
        Decision::ReactToAttack => (!strict).then_some(CardType::Reaction),
        Decision::MineTrash => (!strict).then_some(CardType::Treasure),
        Decision::BuyPhase
        | Decision::CellarDiscard
        | Decision::ChancellorDecide
        | Decision::ChapelTrash
        | Decision::GainCard
        | Decision::RemodelTrash
        | Decision::LibraryDecide
        | Decision::MilitiaDiscard
        | Decision::SpyDecide
        | Decision::ThiefTrash
        | Decision::ThiefGain => None,
    }
}

/// The number of hidden cards of a player in each zone.
struct Places {
    hand: usize,
    /// The card that Library asks about: one or none.
    drawn: usize,
    /// The discard pile without its top card.
    below: usize,
}

impl Places {
    fn of(state: &State, owner: Seat, seat: Seat) -> Self {
        let player = &state.players[owner];
        let hidden = |count: usize| if owner == seat { 0 } else { count };
        Self {
            hand: hidden(usize::from(player.hand.len())),
            drawn: hidden(usize::from(drawn(state, owner).is_some())),
            below: usize::from(below(player).len()),
        }
    }

    /// The hidden cards of a player in a random order that fits what is certain: the hand, the card
    /// of Library, the discard pile, the draw pile from the bottom.
    fn deal(&self, state: &State, owner: Seat, chance: &mut Chance) -> Vec<Card> {
        let player = &state.players[owner];
        let mut pool = below(player);
        player.draw_pile.top_down().for_each(|card| pool.add(card));
        if self.hand > 0 {
            pool.add_all(&player.hand);
        }
        if self.drawn > 0 {
            drawn(state, owner)
                .into_iter()
                .for_each(|card| pool.add(card));
        }
        let in_hand = certain(state, owner).filter(|_| self.hand > 0);
        let in_question = (!state.options.strict_secrecy).then_some(CardType::Action);
        let mut cards: Vec<Card> = pool.each().collect();
        let count = cards.len();
        chance.sample_where("world", Some(owner), &mut cards, count, |cards| {
            let (hand, rest) = cards.split_at(self.hand);
            let mut asked = rest.iter().take(self.drawn);
            in_hand.is_none_or(|wanted| hand.iter().any(|card| card.is(wanted)))
                && asked.all(|card| in_question.is_none_or(|wanted| card.is(wanted)))
        });
        cards
    }

    /// Puts the cards in their zones.
    fn fill(&self, world: &mut State, owner: Seat, cards: Vec<Card>) {
        let mut cards = cards.into_iter();
        if self.hand > 0 {
            world.players[owner].hand = cards.by_ref().take(self.hand).collect();
        }
        if self.drawn > 0
            && let Some(Frame::Library { drawn, .. }) = world.stack.last_mut()
        {
            *drawn = cards.next();
        }
        let player = &mut world.players[owner];
        let top = player.discard_pile.top();
        player.discard_pile.take_all();
        let below: Cards = cards.by_ref().take(self.below).collect();
        player.discard_pile.put_all(&below, None);
        if let Some(top) = top {
            player.discard_pile.put(top);
        }
        player.draw_pile.take_all();
        cards.for_each(|card| player.draw_pile.put_on_top(card));
    }
}

/// The card that Library asks the active player about.
fn drawn(state: &State, owner: Seat) -> Option<Card> {
    match state.stack.last() {
        Some(Frame::Library { drawn, .. }) if owner == state.turn.active => *drawn,
        Some(_) | None => None,
    }
}

/// The discard pile without its top card.
fn below(player: &Player) -> Cards {
    let mut below = *player.discard_pile.cards();
    if let Some(top) = player.discard_pile.top() {
        below.remove(top);
    }
    below
}
