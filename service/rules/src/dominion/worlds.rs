//! **Determinization**: samples worlds that a seat may be in (DOM-13). Redraws everything that the seat cannot know.
//!
//! A world keeps the view of the seat, the public tally that everyone can keep from the events
//! (DOM-13.7, DOM-13.9): which cards each player owns, and how many are in each zone; and the places
//! of cards that the seat has seen and that cannot have moved since (DOM-13.11): the own discard pile,
//! cards that others discarded in public, cards that were put on a draw pile, hands that were shown.
//! The piles and hands of the table store which cards were seen, so the world keeps that too.
//!
//! The other cards of a player are dealt to their other hidden places, every arrangement of single cards
//! equally likely. Of those, only arrangements consistent with the open effects and questions are
//! possible. They stay equally likely, since dealing again until one fits is **rejection sampling**. The
//! choices of players reveal nothing, except where the rules leave no alternative (DOM-13.8).

use super::data::{Card, CardType};
use super::stage::{Decision, EffectFrame};
use super::state::{Cards, State};
use crate::table::{Chance, Seat};

/// Samples a table that this seat cannot tell from the real one.
pub fn sample_world(state: &State, seat: Seat, chance: &mut Chance) -> State {
    let mut world = state.clone();
    for owner in state.players.seats() {
        let places = Places::of(state, owner, seat);
        let cards = places.deal(state, owner, chance);
        places.fill(&mut world, owner, cards);
    }
    drop(chance.take_record());
    world
}

/// The type of a card that this hand must hold, because an open question shows it (DOM-13.8).
pub fn certain(state: &State, seat: Seat) -> Option<CardType> {
    let (to_act, decision) = state.pending()?;
    if to_act != seat {
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

/// The number of cards of a player in each zone that the seat cannot know.
struct Places {
    hand: usize,
    /// The card that Library asks about: one or none.
    drawn: usize,
    discard_pile: usize,
}

impl Places {
    fn of(state: &State, owner: Seat, seat: Seat) -> Self {
        if owner == seat {
            // Of the own cards, only the order of the draw pile is hidden.
            return Self {
                hand: 0,
                drawn: 0,
                discard_pile: 0,
            };
        }
        let player = &state.players[owner];
        let is_asked = state.library_asks(owner).is_some() && !state.turn.asked_is_seen;
        Self {
            hand: usize::from(player.hand.len() - player.shown().len()),
            drawn: usize::from(is_asked),
            discard_pile: usize::from(player.discard_pile.unseen().len()),
        }
    }

    /// Returns the hidden cards of a player in a random order that fits the certain facts: the hand, the card of
    /// Library, the discard pile, the draw pile from the bottom.
    fn deal(&self, state: &State, owner: Seat, chance: &mut Chance) -> Vec<Card> {
        let player = &state.players[owner];
        let mut pool: Cards = player.draw_pile.unseen().collect();
        if self.hand > 0 {
            pool.add_all(&player.unshown());
        }
        if self.drawn > 0 {
            state
                .library_asks(owner)
                .into_iter()
                .for_each(|card| pool.add(card));
        }
        if self.discard_pile > 0 {
            pool.add_all(player.discard_pile.unseen());
        }
        let is_shown = |card_type: &CardType| player.shown().has_type(*card_type);
        let in_hand = certain(state, owner).filter(|wanted| self.hand > 0 && !is_shown(wanted));
        let in_question = (!state.options.strict_secrecy).then_some(CardType::Action);
        let mut cards: Vec<Card> = pool.each().collect();
        let count = cards.len();
        chance.sample_where("world", Some(owner), &mut cards, count, |cards| {
            let (hand, rest) = cards.split_at(self.hand);
            let mut next_cards = rest.iter().take(self.drawn);
            in_hand.is_none_or(|wanted| hand.iter().any(|card| card.is(wanted)))
                && next_cards.all(|card| in_question.is_none_or(|wanted| card.is(wanted)))
        });
        cards
    }

    /// Puts the cards in their zones.
    fn fill(&self, world: &mut State, owner: Seat, cards: Vec<Card>) {
        let mut cards = cards.into_iter();
        if self.hand > 0 {
            let mut hand = *world.players[owner].shown();
            cards
                .by_ref()
                .take(self.hand)
                .for_each(|card| hand.add(card));
            world.players[owner].hand = hand;
        }
        if self.drawn > 0
            && let Some(EffectFrame::Library { drawn, .. }) = world.stack.last_mut()
        {
            *drawn = cards.next();
        }
        let player = &mut world.players[owner];
        if self.discard_pile > 0 {
            let discarded = cards.by_ref().take(self.discard_pile).collect();
            player.discard_pile.replace_unseen(&discarded);
        }
        player.draw_pile.replace_unseen(cards);
    }
}
