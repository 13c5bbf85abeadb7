//! Changes everything that a viewer cannot know, and nothing else, to find leaks of hidden information (MYT-13).

use crate::mythotopia::data::{Card, INSPECTED, Improvement, Province};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::{SetupChoice, Stage};
use crate::mythotopia::state::{Player, State};
use crate::table::{Chance, Seat, Viewer};

/// Changes other hands, the order of all decks, the face-down improvements and other set-up choices. Cards that were
/// seen stay in their places (MYT-13.6).
pub fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
    let mut other = state.clone();
    let knows = |seat: Seat| viewer.sees(seat).then(|| state.known_improvements(seat));
    let known_count = state.players.seats().filter_map(knows).max();
    let hidden = other.improvement_deck.len() - known_count.unwrap_or_default();
    for seat in state.players.seats() {
        let player = &mut other.players[seat];
        if viewer.sees(seat) {
            if state.stage == Stage::Turns {
                chance.shuffle("scramble", None, &mut player.deck);
            }
        } else {
            swap_secret(player, &mut other.improvement_deck[..hidden], chance);
            deal_again(player, chance);
            choose_again(player, chance);
        }
    }
    chance.shuffle("scramble", None, &mut other.improvement_deck[..hidden]);
    drop(chance.take_record());
    other
}

/// Exchanges the improvement that Philosopher took: it may be any of those face down (MYT-13.5).
fn swap_secret(player: &mut Player, pile: &mut [Improvement], chance: &mut Chance) {
    let places: Vec<u8> = (0..).take(pile.len()).collect();
    if let (Some(secret), Some(place)) = (player.secret, chance.pick("scramble", None, &places)) {
        let replaced = std::mem::replace(&mut pile[usize::from(place)], secret);
        player.hand.remove(Card::improvement(secret));
        player.hand.insert(Card::improvement(replaced));
        player.secret = Some(replaced);
    }
}

/// Deals the hidden cards of a player again: the same numbers in hand and deck. Cards in hand that everybody knows stay
/// there. During the set-up all cards are public and ordered.
fn deal_again(player: &mut Player, chance: &mut Chance) {
    if player.hand.is_empty() {
        return;
    }
    let mut cards: Vec<Card> = player.hidden().iter().collect();
    chance.shuffle("scramble", None, &mut cards);
    let secret = player.secret;
    player.deal_hidden(&cards, secret);
}

fn choose_again(player: &mut Player, chance: &mut Chance) {
    if let Some(choice) = player.choice {
        let mut own: Vec<Province> = player.controlled().iter().collect();
        chance.sample("scramble", None, &mut own, choice.len());
        player.choice = Some(own.into_iter().collect());
    }
}

/// Exchanges the hidden ids of an event for any others.
pub fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
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
