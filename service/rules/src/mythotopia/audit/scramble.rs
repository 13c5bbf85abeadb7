//! Changes everything that a viewer cannot know, and nothing else (MYT-13).

use crate::mythotopia::data::{Card, FACE_DOWN, INSPECTED, Improvement, Province};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::{SetupChoice, Stage};
use crate::mythotopia::state::{Player, State};
use crate::table::{Chance, Seat, Viewer};

/// Other hands, the order of all decks, the face-down improvements, other set-up choices.
pub(crate) fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
    let mut other = state.clone();
    swap_secret(&mut other, viewer, chance);
    for seat in state.players.seats() {
        let player = &mut other.players[seat];
        if !viewer.sees(seat) {
            deal_again(player, chance);
            choose_again(player, chance);
        } else if state.stage == Stage::Turns {
            chance.shuffle("scramble", None, &mut player.deck);
        }
    }
    let knows = state.stage == Stage::Philosopher && viewer.sees(state.active);
    let hidden = other.improvement_deck.len() - if knows { INSPECTED } else { 0 };
    chance.shuffle("scramble", None, &mut other.improvement_deck[..hidden]);
    drop(chance.take_record());
    other
}

/// Once Philosopher was used, a player may hold an improvement that nobody else has seen (MYT-13.5): any
/// one hidden in a hand may be swapped with any in the pile.
fn swap_secret(state: &mut State, viewer: Viewer, chance: &mut Chance) {
    if state.improvement_deck.len() == FACE_DOWN {
        return;
    }
    for seat in state.players.seats().filter(|&seat| !viewer.sees(seat)) {
        let held = state.players[seat].hand.iter();
        let held: Vec<Improvement> = held.filter_map(Card::as_improvement).collect();
        let places: Vec<u8> = (0..).take(state.improvement_deck.len()).collect();
        let (Some(secret), Some(place)) = (
            chance.pick("scramble", None, &held),
            chance.pick("scramble", None, &places),
        ) else {
            continue;
        };
        let place = &mut state.improvement_deck[usize::from(place)];
        let hand = &mut state.players[seat].hand;
        hand.remove(Card::improvement(secret));
        hand.insert(Card::improvement(std::mem::replace(place, secret)));
    }
}

/// The same number of cards in hand and deck, from the same cards. During the set-up they are
/// public and ordered.
fn deal_again(player: &mut Player, chance: &mut Chance) {
    if player.hand.is_empty() {
        return;
    }
    let cards = player.hand | player.deck_cards();
    let mut cards: Vec<Card> = cards.iter().collect();
    chance.shuffle("scramble", None, &mut cards);
    let deck = cards.split_off(player.hand.len());
    player.hand = cards.into_iter().collect();
    player.deck = deck.into_iter().collect();
}

fn choose_again(player: &mut Player, chance: &mut Chance) {
    if let Some(choice) = player.choice {
        let mut own: Vec<Province> = player.controlled().iter().collect();
        chance.sample("scramble", None, &mut own, choice.len());
        player.choice = Some(own.into_iter().collect());
    }
}

/// Hidden ids of an event become any others.
pub(crate) fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
    let mut other = event.clone();
    let hidden = |seat: &Seat| !viewer.sees(*seat);
    if let Event::SetupChosen { seat, choice } = &mut other
        && hidden(seat)
    {
        *choice = choice.map(|choice| other_choice(choice, chance));
    }
    if let Event::CardsDrawn { seat, cards, .. } = &mut other
        && hidden(seat)
    {
        *cards = cards.as_ref().map(|cards| other_cards(cards.len(), chance));
    }
    if let Event::ImprovementsInspected {
        seat, improvements, ..
    } = &mut other
        && hidden(seat)
    {
        *improvements = improvements.as_ref().map(|_| other_improvements(chance));
    }
    if let Event::ImprovementTaken { seat, improvement } = &mut other
        && hidden(seat)
    {
        *improvement = other_improvements(chance).first().copied();
    }
    drop(chance.take_record());
    other
}

fn other_choice(choice: SetupChoice, chance: &mut Chance) -> SetupChoice {
    let mut all = Province::ALL.to_vec();
    chance.shuffle("scramble", None, &mut all);
    match choice {
        SetupChoice::Discard(provinces) => {
            SetupChoice::Discard(all.into_iter().take(provinces.len()).collect())
        }
        SetupChoice::Citadel(province) => {
            SetupChoice::Citadel(all.first().copied().unwrap_or(province))
        }
    }
}

fn other_cards(number: usize, chance: &mut Chance) -> Vec<Card> {
    let mut all: Vec<Card> = Card::all().collect();
    chance.sample("scramble", None, &mut all, number);
    all
}

fn other_improvements(chance: &mut Chance) -> Vec<Improvement> {
    let mut all = Improvement::ALL.to_vec();
    chance.sample("scramble", None, &mut all, INSPECTED);
    all
}
