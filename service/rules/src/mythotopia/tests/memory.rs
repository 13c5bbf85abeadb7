//! MYT-13.6 in random games: the table keeps as known exactly the cards that a player remembers from the events, and no
//! world contradicts that memory.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the player looks for a few actions"
)]

mod listener;

use std::collections::BTreeMap;

use self::listener::{Memory, Set};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Card, CardSet, Improvement};
use gamekeeper_rules::mythotopia::state::State;
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, Viewer};

/// Asserts that the listener may be at this table, and that it keeps as known the cards that they remember.
fn assert_remembered(memory: &Memory, state: &State) {
    let set = |cards: CardSet| -> Set { cards.iter().collect() };
    for (seat, player) in state.players.entries() {
        let remembered = &memory.players[seat];
        let is_own = seat == memory.listener;
        let known_cards = if is_own { player.hand } else { player.shown };
        let hidden = if is_own {
            player.deck_cards()
        } else {
            player.hidden()
        };
        assert_eq!(
            set(known_cards),
            remembered.known_cards,
            "{seat}: {remembered:?}"
        );
        assert_eq!(set(hidden), remembered.hidden, "{seat}: {remembered:?}");
        let has_secret = player.secret.is_some() && !is_own;
        assert_eq!(has_secret, remembered.has_secret, "{seat}");
        let hand_count =
            remembered.known_cards.len() + remembered.unknown + usize::from(has_secret);
        let counts = (player.hand.len(), player.deck.len());
        assert_eq!(
            counts,
            (hand_count, remembered.deck),
            "{seat}: {remembered:?}"
        );
        assert_eq!(set(player.hand & player.shown), set(player.shown), "{seat}");
        let secret = player.secret_card();
        assert!(
            secret.is_none_or(|card| player.hand.contains(card)),
            "{seat}"
        );
        assert_eq!(set(player.discard), remembered.discard, "{seat}");
        assert_eq!(set(player.reserve), remembered.reserve, "{seat}");
        assert_eq!(set(player.removed), remembered.removed, "{seat}");
    }
    let known_count = state.known_improvements(memory.listener);
    let pile = state.improvement_deck.iter().rev().copied();
    let tops: Vec<Improvement> = pile.take(known_count).collect();
    assert_eq!(tops, memory.tops);
}

/// Asserts that the numbers for learners are those that the listener remembers.
fn assert_counted(memory: &Memory, state: &State) {
    let (names, viewer) = (
        Mythotopia::tracked_counter_names(),
        Viewer::Seat(memory.listener),
    );
    for (seat, player) in state.players.entries() {
        let mut counted = BTreeMap::new();
        Mythotopia::count_tracked(state, viewer, seat, &mut |place, count| {
            assert_eq!(counted.insert(names[place].clone(), count), None);
        });
        let remembered = &memory.players[seat];
        let mut expected = BTreeMap::new();
        let mut add = |name: String| *expected.entry(name).or_insert(0) += 1;
        let is_own = seat == memory.listener;
        let secret = player.secret_card().filter(|_| is_own);
        let here = remembered.hidden.iter().chain(&remembered.known_cards);
        for card in here.filter(|card| Some(**card) != secret) {
            if card.as_improvement().is_some() {
                add(format!("hidden {}", card.id()));
            }
        }
        if is_own {
            for (place, improvement) in (1..).zip(&memory.tops) {
                let id = Card::improvement(*improvement).id();
                add(format!("improvement deck {place} {id}"));
            }
            // The tally counts the cards of the own hand that others know; the listener has no such memory.
            counted.retain(|name, _| !name.starts_with("hand "));
        } else {
            for card in &remembered.known_cards {
                // Starting cards of a kind are alike: the id says their color and number.
                let id = card.id();
                let id = id.split('#').next().unwrap();
                add(format!(
                    "hand {}",
                    id.replace(&format!(":{}:", player.color.id()), ":")
                ));
            }
            if remembered.has_secret {
                add(String::from("hand secret"));
            }
        }
        assert_eq!(counted, expected, "{seat}: {remembered:?}");
    }
}

/// The numbers of situations that random games tested.
#[derive(Debug, Default)]
struct Tally {
    shown: u64,
    secrets: u64,
    lookers: u64,
    other_worlds: u64,
}

fn look(memory: &Memory, state: &State, chance: &mut Chance, tally: &mut Tally) {
    assert_remembered(memory, state);
    assert_counted(memory, state);
    let seat = memory.listener;
    let seed = Seed::new(chance.dice("worlds", None, u8::MAX));
    let sample =
        |state: &State| Mythotopia::sample_world(state, seat, &mut Chance::from_seed(&seed));
    let world = sample(state);
    assert_remembered(memory, &world);
    let twin = Mythotopia::scramble(state, Viewer::Seat(seat), chance);
    assert_remembered(memory, &twin);
    assert_eq!(sample(&twin), world);
    tally.other_worlds += u64::from(world != *state);
    for player in &state.players {
        tally.shown += u64::from(!player.shown.is_empty());
        tally.secrets += u64::from(player.secret.is_some());
        tally.lookers += u64::from(player.has_looked && player.secret.is_none());
    }
}

/// Chooses a random action, but plays Philosopher as soon as possible.
fn choose(state: &State, seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
    let philosopher = Some(Card::improvement(Improvement::Philosopher));
    let wanted = |action: &Action| match action {
        Action::UsePhilosopher { .. } | Action::ChoosePhilosopherCard { .. } => true,
        Action::DraftCard { card, .. } => *card == philosopher,
        _ => false,
    };
    let found = legal.iter().position(wanted);
    found.unwrap_or_else(|| Mythotopia::choose(state, seat, legal, chance))
}

fn remember_a_game(seats: usize, seed: u64, tally: &mut Tally) {
    let options = Mythotopia::table(seats, seed);
    let mut chance = Chance::from_seed(&Seed::from_number(!seed));
    let game = create::<Mythotopia>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let (mut state, mut luck, mut events) = (game.state, game.chance, game.events);
    let mut memories: Vec<Memory> = Seat::all(seats)
        .map(|seat| Memory::new(seat, &state))
        .collect();
    for _ in 0..250 {
        for memory in &mut memories {
            memory.hear(&events);
            look(memory, &state, &mut chance, tally);
        }
        let Some(seat) = Mythotopia::pending(&state)
            .first()
            .map(|pending| pending.seat)
        else {
            return;
        };
        let legal = legal_actions::<Mythotopia>(&state, seat, Detail::Moves);
        let action = &legal[choose(&state, seat, &legal, &mut chance)];
        events = apply_in_place::<Mythotopia>(&mut state, &mut luck, seat, action)
            .unwrap()
            .events;
        drop((luck.take_record(), chance.take_record()));
    }
}

#[test]
fn worlds_remember_the_events_of_their_seat() {
    let mut tally = Tally::default();
    for seats in 2..=4 {
        for seed in 0..8 {
            remember_a_game(seats, seed, &mut tally);
        }
    }
    let least = [tally.shown, tally.secrets, tally.lookers];
    assert!(least.iter().all(|&count| count > 0), "{tally:?}");
    assert!(tally.other_worlds > 5_000, "{tally:?}");
}
