//! Options and luck make the first table (DOM-5.7).

use super::action::Action;
use super::cards::Cards;
use super::data::{Card, Group, HAND_SIZE, KINGDOM_SIZE, STARTING_DECK};
use super::event::Event;
use super::options::{Kingdom, Options};
use super::pending::settle;
use super::piles::Supply;
use super::rules::clean_up::start_turn;
use super::rules::procedures::Table;
use super::state::{Counters, Phase, Player, State, Turn};
use crate::table::{Chance, Journal, PerSeat, Seat};

/// Sets the table up to the first decision.
pub(super) fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let first_player = first_player(options, chance);
    let kingdom = kingdom(options, chance);
    let mut state = bare_table(options, first_player, &kingdom);
    let mut table = Table {
        state: &mut state,
        chance,
        journal,
    };
    table.event(Event::GameCreated {
        options: options.clone(),
        kingdom,
        supply: table.state.supply.piles().to_vec(),
        first_player,
    });
    deal(&mut table, first_player);
    start_turn(&mut table, first_player);
    settle(&mut table);
    state
}

/// # Rule DOM-5.3
/// The first player of the options, or one drawn by lot (draw R1).
fn first_player(options: &Options, chance: &mut Chance) -> Seat {
    let seats: Vec<Seat> = Seat::all(usize::from(options.seats)).collect();
    options
        .first_player
        .or_else(|| chance.pick("R1", None, &seats))
        .unwrap_or(Seat::FIRST)
}

/// # Rule DOM-5.2
/// The kingdom of the options, in canonical order, or ten of the 25 kinds drawn by lot (draw R2).
fn kingdom(options: &Options, chance: &mut Chance) -> [Card; KINGDOM_SIZE] {
    match options.kingdom {
        Kingdom::Set(set) => set.cards(),
        Kingdom::Cards(cards) => cards,
        Kingdom::Random => {
            let kingdom = |card: &Card| card.sheet().group == Group::Kingdom;
            let mut kinds: Vec<Card> = Card::ALL.into_iter().filter(kingdom).collect();
            chance.sample("R2", None, &mut kinds, KINGDOM_SIZE);
            let mut drawn = [Card::Copper; KINGDOM_SIZE];
            drawn.copy_from_slice(&kinds);
            drawn.sort_unstable();
            drawn
        }
    }
}

/// The table before the decks are shuffled: they lie on the discard piles.
pub(super) fn bare_table(options: &Options, active: Seat, kingdom: &[Card; KINGDOM_SIZE]) -> State {
    let deck: Cards = STARTING_DECK.into_iter().collect();
    let players = PerSeat::new(usize::from(options.seats), |_| {
        let mut player = Player::default();
        player.discard_pile.put_all(&deck, None);
        player
    });
    State {
        options: options.clone(),
        supply: Supply::new(options.seats, kingdom),
        trash: Cards::none(),
        players,
        turn: Turn {
            active,
            phase: Phase::Action,
            counters: Counters {
                actions: 0,
                buys: 0,
                coins: 0,
            },
            bought: false,
            in_play: Vec::new(),
        },
        stack: Vec::new(),
    }
}

/// Shuffles the decks in turn order (draws R3); then everybody draws a hand.
fn deal(table: &mut Table<'_>, first_player: Seat) {
    let turn_order = first_player.clockwise(table.state.seats());
    for seat in turn_order.clone() {
        table.shuffle(seat, "R3");
    }
    for seat in turn_order {
        table.draw(seat, u16::from(HAND_SIZE));
    }
}
