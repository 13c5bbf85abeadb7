//! Descriptions of tables, with cards written as in the rulebook. The Supply is left out: it has what lies nowhere else.

use crate::table::{Table, at, cards, many};
use gamekeeper_rules::conformance::DescribedTable;
use gamekeeper_rules::dominion::Kingdom;
use gamekeeper_rules::dominion::data::{Card, KINGDOM_SIZE, KingdomSet};
use gamekeeper_rules::dominion::{
    Bookkeeping, Cards, Counters, Dominion, EffectFrame, KnownCards, Options, Phase, PlayerView,
    State, View,
};
use gamekeeper_rules::table::Seat;

pub(super) use gamekeeper_rules::conformance::TestDescription;

gamekeeper_rules::test_type! { Described: DescribedTable<Dominion> }

fn nothing(seat: Seat) -> PlayerView {
    PlayerView {
        seat,
        hand_count: 0,
        hand: Some(Cards::none()),
        draw_pile_empty: true,
        draw_pile_count: None,
        draw_pile: Some(Vec::new()),
        discard_empty: true,
        discard_top: None,
        discard_pile: Some(Cards::none()),
        in_play: Vec::new(),
        turns_taken: 0,
    }
}

impl Described {
    /// The first turn, of seat 1, in which nobody has any cards.
    pub(super) fn new(seats: u8, kingdom: [Card; KINGDOM_SIZE]) -> Self {
        let options = Options {
            seats,
            kingdom: Kingdom::Cards(kingdom),
            first_player: None,
            strict_secrecy: false,
        };
        let mut view = View {
            options: options.clone(),
            kingdom: kingdom.to_vec(),
            phase: Phase::Action,
            active_player: Seat::FIRST,
            turn_number: 1,
            counters: Counters {
                actions: 1,
                buys: 1,
                coins: 0,
            },
            bought_this_turn: false,
            supply: Vec::new(),
            trash: Cards::none(),
            players: Seat::all(options.seats()).map(nothing).collect(),
            stack: Vec::new(),
            pending: [].into_iter().collect(),
            question: None,
            final_decks: Vec::new(),
            bookkeeping: None,
        };
        view.players[0].turns_taken = 1;
        Self(DescribedTable::of(view, options))
    }

    /// The operator's view of a table.
    pub(super) fn of(state: &State) -> Self {
        Self(DescribedTable::of_state(state, state.options.clone()))
    }

    fn player(self, seat: Seat, change: impl FnOnce(&mut PlayerView)) -> Self {
        self.with(|view| change(&mut view.players[seat.index()]))
    }

    pub(super) fn hand(self, seat: Seat, text: &str) -> Self {
        self.player(seat, |player| player.hand = Some(many(text)))
    }

    /// The draw pile from the top.
    pub(super) fn draw_pile(self, seat: Seat, text: &str) -> Self {
        self.player(seat, |player| player.draw_pile = Some(cards(text)))
    }

    /// The discard pile; the last card is on top.
    pub(super) fn discard_pile(self, seat: Seat, text: &str) -> Self {
        self.player(seat, |player| {
            player.discard_pile = Some(many(text));
            player.discard_top = cards(text).last().copied();
        })
    }

    /// The cards of the hand, and the number of cards on the draw pile, that everybody knows.
    pub(super) fn knows(self, seat: Seat, hand: &str, draw_pile: u16) -> Self {
        let (hand, count) = (many(hand), self.options.seats());
        let known = move |other: Seat| KnownCards {
            seat: other,
            owned: Cards::none(),
            hand: if other == seat { hand } else { Cards::none() },
            draw_pile: if other == seat { draw_pile } else { 0 },
            discard_pile: Cards::none(),
        };
        let players = Seat::all(count).map(known).collect();
        self.with(|view| view.bookkeeping = Some(Bookkeeping { players }))
    }

    /// Cards in play, of the active player.
    pub(super) fn in_play(self, text: &str) -> Self {
        let active = self.view.active_player;
        self.player(active, |player| player.in_play = cards(text))
    }

    /// The active player, and the turns that the players have begun.
    pub(super) fn turns(mut self, active: Seat, turns: &[u32]) -> Self {
        self.view.active_player = active;
        for (player, count) in self.view.players.iter_mut().zip(turns) {
            player.turns_taken = *count;
        }
        self
    }

    pub(super) fn trash(self, text: &str) -> Self {
        self.with(|view| view.trash = many(text))
    }

    pub(super) fn stack(self, stack: Vec<EffectFrame>) -> Self {
        self.with(|view| view.stack = stack)
    }

    pub(super) fn buy_phase(self) -> Self {
        self.with(|view| view.phase = Phase::Buy)
    }

    pub(super) fn bought(self) -> Self {
        self.with(|view| view.bought_this_turn = true)
    }

    /// The remaining actions, buys and coins.
    pub(super) fn counters(self, actions: u16, buys: u16, coins: u16) -> Self {
        let counters = Counters {
            actions,
            buys,
            coins,
        };
        self.with(|view| view.counters = counters)
    }

    /// Makes the table, to play on it.
    #[track_caller]
    pub(super) fn table(&self) -> Table {
        at(self.made().state)
    }
}

/// The kingdom of a set, with this card instead of the last one.
pub(super) fn kingdom_with(set: KingdomSet, card: Card) -> [Card; KINGDOM_SIZE] {
    let mut kingdom = set.cards();
    kingdom[KINGDOM_SIZE - 1] = card;
    kingdom.sort_unstable();
    kingdom
}

/// Throne Room plays this card again.
pub(super) fn second(id: &str) -> EffectFrame {
    EffectFrame::ThroneSecond { card: cards(id)[0] }
}

/// Militia, with the players still to be handled and the spared ones.
pub(super) fn militia_frame(queue: &[Seat], immune: &[Seat]) -> EffectFrame {
    EffectFrame::Militia {
        queue: queue.iter().copied().collect(),
        immune: immune.iter().copied().collect(),
    }
}
