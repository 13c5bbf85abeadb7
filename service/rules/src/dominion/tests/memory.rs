//! DOM-13.11 in random games: the table keeps as known exactly the cards that a player remembers from the events, and
//! no world contradicts that memory.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the player looks for a few actions"
)]

mod listener;

use std::collections::BTreeMap;

use self::listener::{Memory, Place};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::dominion::action::Action;
use gamekeeper_rules::dominion::data::{Card, KingdomSet};
use gamekeeper_rules::dominion::options::Kingdom;
use gamekeeper_rules::dominion::state::Cards;
use gamekeeper_rules::dominion::{Dominion, State};
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, Viewer};

fn known_cards(places: &[Place]) -> Cards {
    places.iter().filter_map(|place| *place).collect()
}

/// The draw pile from the top, with the card that Library asks about: no event has said that it was drawn.
fn draw_pile(state: &State, seat: Seat) -> Vec<Card> {
    let library_card = state.library_asks(seat).into_iter();
    library_card
        .chain(state.players[seat].draw_pile.top_down())
        .collect()
}

/// Asserts that the table keeps as known exactly the cards that the listener remembers.
fn assert_kept(memory: &Memory, state: &State) {
    for (seat, player) in state.players.entries() {
        let remembered = &memory.players[seat];
        let discarded = player.discard_pile.cards();
        let (hand, discard_pile) = if seat == memory.listener {
            (player.hand, *discarded)
        } else {
            (
                *player.shown(),
                discarded.without(player.discard_pile.unseen()),
            )
        };
        assert_eq!(
            known_cards(&remembered.hand),
            hand,
            "{seat}: {remembered:?}"
        );
        assert_eq!(
            known_cards(&remembered.discard_pile),
            discard_pile,
            "{seat}: {remembered:?}"
        );
        // No event has reported yet that the card that Library asks about was drawn.
        let is_asked = state.library_asks(seat).is_some() && state.turn.asked_is_seen;
        let seen = usize::from(player.draw_pile.seen()) + usize::from(is_asked);
        assert_eq!(remembered.tops().len(), seen, "{seat}: {remembered:?}");
        let known_count = remembered.draw_pile.iter().flatten().count();
        assert_eq!(known_count, seen, "{seat}: {remembered:?}");
    }
}

/// Asserts that the numbers for learners are those that the listener remembers.
fn assert_counted(memory: &Memory, state: &State) {
    let (names, viewer) = (
        Dominion::tracked_counter_names(),
        Viewer::Seat(memory.listener),
    );
    for seat in state.players.seats() {
        let mut counted = BTreeMap::new();
        Dominion::count_tracked(state, viewer, seat, &mut |place, count| {
            assert_eq!(counted.insert(names[place].clone(), count), None);
        });
        let remembered = &memory.players[seat];
        let mut expected = BTreeMap::new();
        let mut add = |zone: &str, card: &Card| {
            *expected.entry(format!("{zone}{}", card.id())).or_insert(0) += 1;
        };
        remembered.owned.iter().for_each(|card| add("", card));
        for card in remembered.discard_pile.iter().flatten() {
            add("discard pile ", card);
        }
        for (place, card) in (1..).zip(&remembered.tops()) {
            if place <= 3 {
                add(&format!("top {place} "), card);
            } else {
                add("below ", card);
            }
        }
        if seat == memory.listener {
            // The tally counts the cards of the own hand that others know; the listener has no such memory.
            counted.retain(|name, _| !name.starts_with("hand "));
        } else {
            for card in remembered.hand.iter().flatten() {
                add("hand ", card);
            }
        }
        for (pile, size) in [
            ("draw pile size", remembered.draw_pile.len()),
            ("discard pile size", remembered.discard_pile.len()),
        ] {
            expected.insert(pile.to_owned(), u16::try_from(size).unwrap());
        }
        assert_eq!(counted, expected, "{seat}: {remembered:?}");
    }
}

/// Asserts that the listener may be at this table.
fn assert_possible(memory: &Memory, state: &State) {
    for (seat, player) in state.players.entries() {
        let remembered = &memory.players[seat];
        let discarded = player.discard_pile.cards();
        let (hand, discard_pile) = (
            known_cards(&remembered.hand),
            known_cards(&remembered.discard_pile),
        );
        assert!(
            hand.without(&player.hand).is_empty(),
            "{seat}: {remembered:?}"
        );
        assert!(
            discard_pile.without(discarded).is_empty(),
            "{seat}: {remembered:?}"
        );
        let pile = draw_pile(state, seat);
        assert!(
            pile.starts_with(&remembered.tops()),
            "{seat}: {remembered:?}"
        );
        let found = (player.hand.len(), pile.len(), discarded.len());
        let expected = (
            u16::try_from(remembered.hand.len()).unwrap(),
            remembered.draw_pile.len(),
            u16::try_from(remembered.discard_pile.len()).unwrap(),
        );
        assert_eq!(found, expected, "{seat}: {remembered:?}");
        let owned: Cards = remembered.owned.iter().copied().collect();
        assert_eq!(state.counted(seat), owned, "{seat}");
    }
}

/// The numbers of situations that random games tested.
#[derive(Debug, Default)]
struct Tally {
    shown: u64,
    tops: u64,
    unseen: u64,
    library_cards: u64,
    other_worlds: u64,
}

impl Tally {
    fn count(&mut self, state: &State) {
        for player in &state.players {
            self.shown += u64::from(!player.shown().is_empty());
            self.tops += u64::from(player.draw_pile.seen() > 0);
            self.unseen += u64::from(!player.discard_pile.unseen().is_empty());
        }
        self.library_cards += u64::from(state.turn.asked_is_seen);
    }
}

/// Asserts that a world of the listener contradicts nothing, and follows from their knowledge.
fn look(memory: &Memory, state: &State, chance: &mut Chance, tally: &mut Tally) {
    assert_kept(memory, state);
    assert_counted(memory, state);
    assert_possible(memory, state);
    let seat = memory.listener;
    let seed = Seed::new(chance.dice("worlds", None, u8::MAX));
    let sample = |state: &State| Dominion::sample_world(state, seat, &mut Chance::from_seed(&seed));
    let world = sample(state);
    assert_kept(memory, &world);
    assert_possible(memory, &world);
    tally.other_worlds += u64::from(world != *state);
    let twin = Dominion::scramble(state, Viewer::Seat(seat), chance);
    assert_possible(memory, &twin);
    assert_eq!(sample(&twin), world);
}

/// Chooses a random action, but every third game is one of many Spies and Libraries: then the card that a Library asks
/// about may have been seen.
fn choose(state: &State, seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
    let is_wanted = |card: &Card| matches!(card, Card::Spy | Card::Library);
    let wanted = |action: &Action| match action {
        Action::PlayAction { card: Some(card) } | Action::BuyCard { card: Some(card) } => {
            is_wanted(card)
        }
        Action::PlayAllTreasures => true,
        Action::SpyDecide { discard } => !discard,
        _ => false,
    };
    let is_rich = state.options.kingdom == Kingdom::Set(KingdomSet::Interaction);
    let found = legal.iter().position(wanted).filter(|_| is_rich);
    found.unwrap_or_else(|| Dominion::choose(state, seat, legal, chance))
}

fn remember_a_game(seats: usize, seed: u64, tally: &mut Tally) {
    let mut options = Dominion::table(seats, seed);
    if seed % 3 == 1 {
        options.kingdom = Kingdom::Set(KingdomSet::Interaction);
    }
    let mut chance = Chance::from_seed(&Seed::from_number(!seed));
    let game = create::<Dominion>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let (mut state, mut luck, mut events) = (game.state, game.chance, game.events);
    let mut memories: Vec<Memory> = Seat::all(seats)
        .map(|seat| Memory::new(seat, seats))
        .collect();
    for _ in 0..400 {
        tally.count(&state);
        for memory in &mut memories {
            memory.hear(&events);
            look(memory, &state, &mut chance, tally);
        }
        let Some(seat) = Dominion::pending(&state)
            .first()
            .map(|pending| pending.seat)
        else {
            return;
        };
        let legal = legal_actions::<Dominion>(&state, seat, Detail::Moves);
        let action = &legal[choose(&state, seat, &legal, &mut chance)];
        events = apply_in_place::<Dominion>(&mut state, &mut luck, seat, action)
            .unwrap()
            .events;
        drop((luck.take_record(), chance.take_record()));
    }
}

#[test]
fn worlds_remember_the_events_of_their_seat() {
    let mut tally = Tally::default();
    for seats in 2..=4 {
        for seed in 0..12 {
            remember_a_game(seats, seed, &mut tally);
        }
    }
    let least = [tally.shown, tally.tops, tally.unseen, tally.library_cards];
    assert!(least.iter().all(|&count| count > 0), "{tally:?}");
    assert!(tally.other_worlds > 5_000, "{tally:?}");
}
