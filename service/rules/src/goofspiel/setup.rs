//! Set-up: builds the first table from the options and random draws (GOO-5).

use enumset::EnumSet;

use super::action::Action;
use super::data::suit;
use super::event::Event;
use super::flow;
use super::options::Options;
use super::state::{ExecContext, Player, State};
use crate::table::{Chance, Journal, PerSeat};

/// Sets up the table, up to the first bids. Draws `prizes`.
///
/// # Rule GOO-5.4, GOO-5.5
pub fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let hand = suit(options.cards);
    let mut state = State {
        options: *options,
        order: hand.iter().collect(),
        turn: 0,
        offered: EnumSet::empty(),
        players: PerSeat::new(options.seats(), |_| Player {
            hand,
            bid: None,
            won: EnumSet::empty(),
        }),
    };
    chance.shuffle("prizes", None, &mut state.order);
    let mut ctx = ExecContext {
        state: &mut state,
        chance,
        journal,
    };
    flow::begin(&mut ctx);
    state
}
