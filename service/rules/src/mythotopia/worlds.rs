//! **Determinization**: samples worlds that a seat may be in (MYT-13). Redraws everything that the seat cannot know.
//!
//! A world keeps the view of the seat, and the knowledge that its view no longer shows (MYT-13.6). The owner of each
//! card is known in every zone (MYT-11.4): provinces and starting cards by their names, improvements because they come
//! and go in public. Only the card that Philosopher took is known to its player alone, until it leaves the hand
//! (MYT-13.5): it may be any that is not in sight. Cards that everybody knows to be in a hand stay there, and a player
//! who used Philosopher knows the two improvements on top. The players of the table store that knowledge, so the world
//! keeps it too.
//!
//! The other cards are dealt to their hidden places, every arrangement equally likely: all of them come from shuffled
//! piles, and the choices of players reveal nothing. A secret choice of the set-up is not random at all; every legal
//! choice is equally likely.

use super::data::{Card, Improvement, Province};
use super::stage::Stage;
use super::state::{Player, State};
use crate::table::{Chance, Seat};

/// Samples a table that this seat cannot tell from the real one.
pub fn sample_world(state: &State, seat: Seat, chance: &mut Chance) -> State {
    let mut world = state.clone();
    let mut unseen = unseen(state, seat);
    unseen.sort_unstable();
    chance.shuffle("world", None, &mut unseen);
    let mut unseen = unseen.into_iter();
    let face_down = state.improvement_deck.len() - state.known_improvements(seat);
    let places = world.improvement_deck.iter_mut().take(face_down);
    places
        .zip(unseen.by_ref())
        .for_each(|(place, card)| *place = card);
    for other in seat.others(state.seats()) {
        let player = &mut world.players[other];
        if has_decks(state) {
            let secret = player.secret.and_then(|_| unseen.next());
            deal(player, other, secret, chance);
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

/// Returns whether decks are ordered. During the set-up they are not, and everybody knows them (MYT-14.1).
const fn has_decks(state: &State) -> bool {
    match state.stage {
        Stage::SetupDiscard | Stage::SetupCitadel => false,
        Stage::Turns | Stage::Philosopher | Stage::Over => true,
    }
}

/// The improvements whose place a seat cannot know: those face down, and one that Philosopher took.
fn unseen(state: &State, seat: Seat) -> Vec<Improvement> {
    let face_down = state.improvement_deck.len() - state.known_improvements(seat);
    let others = seat.others(state.seats());
    let taken = others.filter_map(|other| state.players[other].secret);
    let face_down = state.improvement_deck.iter().copied().take(face_down);
    face_down.chain(taken).collect()
}

/// Deals the hidden cards of a player to hand and deck.
fn deal(player: &mut Player, seat: Seat, secret: Option<Improvement>, chance: &mut Chance) {
    let mut cards: Vec<Card> = player.hidden().iter().collect();
    chance.shuffle("world", Some(seat), &mut cards);
    player.deal_hidden(&cards, secret);
}

/// Chooses as many of the player's own provinces as before.
fn choose(player: &mut Player, seat: Seat, chance: &mut Chance) {
    if let Some(choice) = player.choice {
        let mut provinces: Vec<Province> = player.controlled().iter().collect();
        chance.sample("world", Some(seat), &mut provinces, choice.len());
        player.choice = Some(provinces.into_iter().collect());
    }
}
