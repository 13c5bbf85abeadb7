//! Set-up: builds the first table from the options and random draws (DOM-5.7).

use super::action::Action;
use super::data::{Card, Group, HAND_SIZE, KINGDOM_SIZE, STARTING_DECK};
use super::event::Event;
use super::flow::run_to_decision;
use super::options::{Kingdom, Options};
use super::rules::clean_up::start_turn;
use super::rules::procedures::{draw, shuffle};
use super::stage::{Counters, Phase};
use super::state::{Cards, ExecContext, Player, State, Supply, Turn};
use crate::table::{Chance, Journal, PerSeat, Seat, invariant_violated};

/// Sets up the table, up to the first decision.
///
/// # Rule DOM-5.7
pub fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let first_player = first_player(options, chance);
    let kingdom = kingdom(options, chance);
    let mut state = bare_table(options, first_player, &kingdom);
    let mut ctx = ExecContext {
        state: &mut state,
        chance,
        journal,
    };
    ctx.emit(Event::GameCreated {
        options: options.clone(),
        kingdom,
        supply: ctx.state.supply.piles().to_vec(),
        first_player,
    });
    deal(&mut ctx, first_player);
    start_turn(&mut ctx, first_player);
    run_to_decision(&mut ctx);
    state
}

/// The first player of the options, or one drawn at random (draw R1).
///
/// # Rule DOM-5.3
fn first_player(options: &Options, chance: &mut Chance) -> Seat {
    let seats: Vec<Seat> = Seat::all(usize::from(options.seats)).collect();
    options
        .first_player
        .or_else(|| chance.pick("R1", None, &seats))
        .unwrap_or_else(|| invariant_violated("DOM-5.1", options))
}

/// The kingdom of the options, in canonical order, or ten of the 25 kinds drawn at random (draw R2).
///
/// # Rule DOM-5.2
pub fn kingdom(options: &Options, chance: &mut Chance) -> [Card; KINGDOM_SIZE] {
    match options.kingdom {
        Kingdom::Set(set) => set.cards(),
        Kingdom::Cards(cards) => cards,
        Kingdom::Random => {
            let kingdom = |card: &Card| card.sheet().group == Group::Kingdom;
            let mut kinds: Vec<Card> = Card::ALL.into_iter().filter(kingdom).collect();
            chance.sample("R2", None, &mut kinds, KINGDOM_SIZE);
            kinds.sort_unstable();
            kinds
                .try_into()
                .unwrap_or_else(|kinds: Vec<Card>| invariant_violated("DOM-5.2", kinds))
        }
    }
}

/// The table before the decks are shuffled: they are on the discard piles.
pub fn bare_table(options: &Options, active: Seat, kingdom: &[Card; KINGDOM_SIZE]) -> State {
    let deck: Cards = STARTING_DECK.into_iter().collect();
    let players = PerSeat::new(usize::from(options.seats), |_| {
        let mut player = Player::default();
        player.discard_pile.put_all(&deck, &Cards::none(), None);
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
            asked_is_seen: false,
        },
        stack: Vec::new(),
    }
}

/// Shuffles the decks in turn order (draws R3); then every player draws a hand.
fn deal(ctx: &mut ExecContext<'_>, first_player: Seat) {
    let turn_order = first_player.clockwise(ctx.state.seats());
    for seat in turn_order.clone() {
        shuffle(ctx, seat, "R3");
    }
    for seat in turn_order {
        draw(ctx, seat, u16::from(HAND_SIZE));
    }
}
