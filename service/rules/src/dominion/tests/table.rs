//! A table for tests: set it up, play on it and look at it, with cards written as in the rulebook:
//! `"2 estate, copper"`.

use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::dominion::data::{Card, KingdomSet};
use gamekeeper_rules::dominion::options::{Kingdom, Options};
use gamekeeper_rules::dominion::setup::bare_table;
use gamekeeper_rules::dominion::stage::{Counters, Phase};
use gamekeeper_rules::dominion::state::{Cards, State};
use gamekeeper_rules::dominion::{Action, Dominion, Event};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, DrawValue, MaybeKnown, Seat, Seed};

pub(super) use gamekeeper_rules::conformance::TestPlay;

pub(super) const P1: Seat = Seat::FIRST;
pub(super) const P2: Seat = Seat::at(1);
pub(super) const P3: Seat = Seat::at(2);
pub(super) const P4: Seat = Seat::at(3);

gamekeeper_rules::test_type! { Table: TestTable<Dominion> }

/// A table for two with this kingdom: P1 begins the first turn, nobody has any cards.
pub(super) fn table(set: KingdomSet) -> Table {
    table_for(2, set)
}

/// A table for several players.
pub(super) fn table_for(seats: u8, set: KingdomSet) -> Table {
    let options = Options {
        seats,
        kingdom: Kingdom::Set(set),
        first_player: Some(P1),
        strict_secrecy: false,
    };
    let mut state = bare_table(&options, P1, &set.cards());
    for seat in state.players.seats() {
        let _starting_deck = state.players[seat].discard_pile.take_all();
    }
    state.players[P1].turns_taken = 1;
    state.turn.counters = Counters {
        actions: 1,
        buys: 1,
        coins: 0,
    };
    at(state)
}

/// A table to play on from this state.
pub(super) fn at(state: State) -> Table {
    let mut table = TestTable::at(state);
    table.luck = Chance::from_seed(&Seed::from_number(1));
    Table(table)
}

/// Setting the table.
impl Table {
    pub(super) fn hand(mut self, seat: Seat, text: &str) -> Self {
        self.state.players[seat].hand = many(text);
        self
    }

    /// The draw pile from the top, which nobody has seen.
    pub(super) fn draw_pile(mut self, seat: Seat, text: &str) -> Self {
        let pile = &mut self.state.players[seat].draw_pile;
        pile.build(&many(text), |pile| pile.copy_from_slice(&cards(text)));
        self
    }

    /// Cards of the discard pile that only their owner has seen.
    pub(super) fn unseen(mut self, seat: Seat, text: &str) -> Self {
        let pile = &mut self.state.players[seat].discard_pile;
        pile.put_all(&many(text), &many(text), None);
        self
    }

    /// The discard pile, which everybody has seen; the last card is on top.
    pub(super) fn discard_pile(mut self, seat: Seat, text: &str) -> Self {
        for card in cards(text) {
            self.state.players[seat].discard_pile.put(card);
        }
        self
    }

    pub(super) fn in_play(mut self, text: &str) -> Self {
        self.state.turn.in_play = cards(text);
        self
    }

    /// Leaves this many cards in a Supply pile.
    pub(super) fn pile(mut self, name: &str, left: u8) -> Self {
        while self.state.supply.count(card(name)) > Some(left) {
            self.state.supply.take(card(name));
        }
        assert_eq!(self.state.supply.count(card(name)), Some(left));
        self
    }

    pub(super) fn buy_phase(mut self) -> Self {
        self.state.turn.phase = Phase::Buy;
        self
    }

    pub(super) fn coins(mut self, coins: u16) -> Self {
        self.state.turn.counters.coins = coins;
        self
    }

    pub(super) fn buys(mut self, buys: u16) -> Self {
        self.state.turn.counters.buys = buys;
        self
    }

    pub(super) fn actions(mut self, actions: u16) -> Self {
        self.state.turn.counters.actions = actions;
        self
    }

    pub(super) fn strict(mut self) -> Self {
        self.state.options.strict_secrecy = true;
        self
    }

    /// The next shuffle gives this pile, from the top.
    pub(super) fn shuffle(mut self, seat: Seat, text: &str) -> Self {
        let values: Vec<u16> = cards(text).into_iter().map(DrawValue::draw_value).collect();
        self.script(&[("R4", Some(seat), &values)]);
        self
    }
}

/// Assertions about the table; `&mut` so that they can be chained with actions.
impl Table {
    /// Checks the pending decision.
    pub(super) fn asks(&mut self, seat: Seat, decision: &str) -> &mut Self {
        let pending = Dominion::pending(&self.state);
        let found: Vec<_> = pending.iter().map(|p| (p.seat, p.decision)).collect();
        assert_eq!(found, [(seat, decision)]);
        self
    }

    pub(super) fn is_over(&self) -> bool {
        Dominion::pending(&self.state).is_empty()
    }

    pub(super) fn holds(&mut self, seat: Seat, text: &str) -> &mut Self {
        assert_eq!(self.state.players[seat].hand, many(text), "hand of {seat}");
        self
    }

    pub(super) fn hand_count(&self, seat: Seat) -> u16 {
        self.state.players[seat].hand.len()
    }

    pub(super) fn draws_from(&mut self, seat: Seat, text: &str) -> &mut Self {
        let pile: Vec<Card> = self.state.players[seat].draw_pile.top_down().collect();
        assert_eq!(pile, cards(text), "draw pile of {seat}");
        self
    }

    /// The discard pile; the last card is on top.
    pub(super) fn discarded(&mut self, seat: Seat, text: &str) -> &mut Self {
        let pile = &self.state.players[seat].discard_pile;
        assert_eq!(*pile.cards(), many(text), "discard pile of {seat}");
        assert_eq!(pile.top(), cards(text).last().copied(), "top of {seat}");
        self
    }

    pub(super) fn discard_top(&self, seat: Seat) -> Option<&'static str> {
        self.state.players[seat].discard_pile.top().map(Card::id)
    }

    /// The remaining actions, buys and coins.
    pub(super) fn left(&self) -> (u16, u16, u16) {
        let left = self.state.turn.counters;
        (left.actions, left.buys, left.coins)
    }

    pub(super) fn lies_in_play(&mut self, text: &str) -> &mut Self {
        assert_eq!(self.state.turn.in_play, cards(text), "in play");
        self
    }

    pub(super) fn trash(&mut self, text: &str) -> &mut Self {
        assert_eq!(self.state.trash, many(text), "trash");
        self
    }

    pub(super) fn left_of(&self, name: &str) -> Option<u8> {
        self.state.supply.count(card(name))
    }

    pub(super) fn phase(&self) -> Phase {
        self.state.turn.phase
    }

    /// Returns whether these cards were shown to everybody.
    pub(super) fn revealed(&self, of: Seat, text: &str) -> bool {
        let shown: Vec<&[Card]> = (self.history.iter())
            .filter_map(|event| match event {
                Event::CardsRevealed { seat, cards, .. } if *seat == of => Some(&cards[..]),
                _ => None,
            })
            .collect();
        // A shuffle in the middle of a revealing divides its events.
        let wanted = cards(text);
        let runs = (0..shown.len()).flat_map(|from| (from..shown.len()).map(move |to| from..=to));
        runs.map(|run| shown[run].concat()).any(|run| run == wanted)
    }

    pub(super) fn shuffles(&self) -> usize {
        let shuffled = |event: &&Event| matches!(event, Event::Shuffled { .. });
        self.history.iter().filter(shuffled).count()
    }
}

pub(super) fn card(id: &str) -> Card {
    let found = Card::ALL.into_iter().find(|card| card.id() == id);
    found.unwrap_or_else(|| panic!("no card {id}"))
}

/// Cards in order: `"2 estate, copper"`.
pub(super) fn cards(text: &str) -> Vec<Card> {
    let groups = text
        .split(',')
        .map(str::trim)
        .filter(|group| !group.is_empty());
    groups
        .flat_map(|group| match group.split_once(' ') {
            Some((count, id)) => vec![card(id); count.parse().expect("a number")],
            None => vec![card(group)],
        })
        .collect()
}

pub(super) fn many(text: &str) -> Cards {
    cards(text).into_iter().collect()
}

fn named(text: &str) -> Vec<MaybeKnown<Card>> {
    cards(text).into_iter().map(Some).collect()
}

pub(super) fn play(id: &str) -> Action {
    Action::PlayAction {
        card: Some(card(id)),
    }
}

pub(super) const fn end_action_phase() -> Action {
    Action::EndActionPhase
}

pub(super) fn play_treasures(text: &str) -> Action {
    Action::PlayTreasures { cards: named(text) }
}

pub(super) const fn play_all_treasures() -> Action {
    Action::PlayAllTreasures
}

pub(super) fn buy(id: &str) -> Action {
    Action::BuyCard {
        card: Some(card(id)),
    }
}

pub(super) const fn end_turn() -> Action {
    Action::EndTurn { discard_top: None }
}

pub(super) fn end_turn_with(id: &str) -> Action {
    Action::EndTurn {
        discard_top: Some(Some(card(id))),
    }
}

pub(super) fn reveal(id: &str) -> Action {
    Action::RevealReaction {
        card: Some(card(id)),
    }
}

pub(super) const fn decline() -> Action {
    Action::DeclineReaction
}

pub(super) fn cellar(text: &str) -> Action {
    Action::CellarDiscard { cards: named(text) }
}

pub(super) const fn turn_over() -> Action {
    Action::ChancellorDecide { discard_deck: true }
}

pub(super) const fn keep_draw_pile() -> Action {
    Action::ChancellorDecide {
        discard_deck: false,
    }
}

pub(super) fn chapel(text: &str) -> Action {
    Action::ChapelTrash { cards: named(text) }
}

pub(super) fn gain(id: &str) -> Action {
    Action::GainCard {
        card: Some(card(id)),
    }
}

pub(super) fn remodel(id: &str) -> Action {
    Action::RemodelTrash {
        card: Some(card(id)),
    }
}

pub(super) fn mine(id: &str) -> Action {
    Action::MineTrash {
        card: Some(Some(card(id))),
    }
}

pub(super) const fn set_aside() -> Action {
    Action::LibraryDecide { set_aside: true }
}

pub(super) const fn keep() -> Action {
    Action::LibraryDecide { set_aside: false }
}

pub(super) fn militia(text: &str) -> Action {
    Action::MilitiaDiscard { cards: named(text) }
}

pub(super) fn bureaucrat(id: &str) -> Action {
    Action::BureaucratTopdeck {
        card: Some(card(id)),
    }
}

pub(super) const fn spy_discards() -> Action {
    Action::SpyDecide { discard: true }
}

pub(super) const fn spy_puts_back() -> Action {
    Action::SpyDecide { discard: false }
}

pub(super) fn thief(id: &str) -> Action {
    Action::ThiefTrash {
        card: Some(card(id)),
    }
}

pub(super) fn thief_gain(text: &str) -> Action {
    Action::ThiefGain { cards: named(text) }
}

pub(super) fn throne(id: &str) -> Action {
    Action::ThroneRoomChoose {
        card: Some(Some(card(id))),
    }
}
