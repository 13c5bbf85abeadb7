//! Worlds that a seat may be in (MYT-13): the table with everything redrawn that its view hides.
//!
//! A world keeps the view of the seat. Of the past it keeps what the view shows the result of: the
//! cards of provinces and of the start belong to their owners wherever they are (MYT-11.4).
//! Improvements come and go in public until somebody has used Philosopher, and a world keeps their
//! owners. From then on a player may hold one that nobody else has seen (MYT-13.5), and the table
//! does not say which: every improvement that the view does not show may be in the face-down pile or
//! with any opponent who has enough hidden cards. A world forgets what was seen before and is out of
//! sight now, as views do: which card went from the display to whom, where in the deck a card is,
//! what Philosopher left on top.
//!
//! Hidden cards are dealt to their hidden places, every arrangement equally likely: all of them come
//! from shuffled piles, and what players chose reveals nothing. A secret choice of the set-up is not
//! luck at all; every legal choice is equally likely.

use super::data::{Card, CardSet, FACE_DOWN, Improvement, Province};
use super::stage::Stage;
use super::state::{Player, State};
use crate::table::{Chance, Seat};

/// A table that this seat cannot tell from the real one.
pub(crate) fn sample(state: &State, seat: Seat, chance: &mut Chance) -> State {
    let mut world = state.clone();
    let others = seat.others(state.seats());
    let mut unseen = Unseen::of(state, seat);
    unseen.shuffle(chance);
    unseen.lay_face_down(&mut world);
    for other in others {
        let cards = unseen.cards_of(&state.players[other]);
        let player = &mut world.players[other];
        if has_decks(state) {
            deal(player, other, cards, chance);
        } else {
            choose(player, other, chance);
        }
    }
    if has_decks(state) {
        let player = &mut world.players[seat];
        player.deck.sort_unstable();
        chance.shuffle("world", Some(seat), &mut player.deck);
    }
    drop(chance.take_record());
    world
}

/// Are decks ordered? During the set-up they are not, and everybody knows them (MYT-14.1).
const fn has_decks(state: &State) -> bool {
    match state.stage {
        Stage::SetupDiscard | Stage::SetupCitadel => false,
        Stage::Turns | Stage::Philosopher | Stage::Over => true,
    }
}

/// The improvements whose place a seat cannot know.
struct Unseen {
    improvements: Vec<Improvement>,
    /// How many of them are face down.
    face_down: usize,
    /// Has a player taken an improvement that only they have seen? Then the others may be with
    /// opponents.
    has_secrets: bool,
}

impl Unseen {
    fn of(state: &State, seat: Seat) -> Self {
        let shown = if state.active == seat {
            state.inspected().count()
        } else {
            0
        };
        let face_down = state.improvement_deck.len() - shown;
        let has_secrets = state.improvement_deck.len() < FACE_DOWN;
        let mut improvements = state.improvement_deck[..face_down].to_vec();
        if has_secrets {
            let others = seat.others(state.seats());
            let hidden = others.flat_map(|other| hidden(&state.players[other]).iter());
            improvements.extend(hidden.filter_map(Card::as_improvement));
        }
        Self {
            improvements,
            face_down,
            has_secrets,
        }
    }

    /// From the order of the ids, so that luck alone decides.
    fn shuffle(&mut self, chance: &mut Chance) {
        self.improvements.sort_unstable();
        chance.shuffle("world", None, &mut self.improvements);
    }

    /// The first ones go face down, below those that Philosopher shows.
    fn lay_face_down(&mut self, world: &mut State) {
        let pile = world.improvement_deck.iter_mut();
        let unseen = self.improvements.drain(..self.face_down);
        pile.zip(unseen).for_each(|(place, card)| *place = card);
    }

    /// The hidden cards of an opponent: as many improvements as before, the next ones if nobody
    /// knows which.
    fn cards_of(&mut self, player: &Player) -> CardSet {
        let cards = hidden(player);
        if !self.has_secrets {
            return cards;
        }
        let is_improvement = |card: &Card| card.as_improvement().is_some();
        let old: CardSet = cards.iter().filter(is_improvement).collect();
        let new: CardSet = (self.improvements)
            .drain(..old.len())
            .map(Card::improvement)
            .collect();
        (cards - old) | new
    }
}

/// The cards in hand and deck.
fn hidden(player: &Player) -> CardSet {
    player.hand | player.deck_cards()
}

/// Deals as many cards as before to hand and deck.
fn deal(player: &mut Player, seat: Seat, cards: CardSet, chance: &mut Chance) {
    let mut cards: Vec<Card> = cards.iter().collect();
    chance.shuffle("world", Some(seat), &mut cards);
    player.deck = cards.drain(player.hand.len()..).collect();
    player.hand = cards.into_iter().collect();
}

/// Chooses as many of the player's own provinces as before.
fn choose(player: &mut Player, seat: Seat, chance: &mut Chance) {
    if let Some(choice) = player.choice {
        let mut provinces: Vec<Province> = player.controlled().iter().collect();
        chance.sample("world", Some(seat), &mut provinces, choice.len());
        player.choice = Some(provinces.into_iter().collect());
    }
}
