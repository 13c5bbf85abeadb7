//! The Buy phase: Treasures, then purchases (DOM-6.8 to DOM-6.13).

use super::procedures::Table;
use crate::dominion::action::Action;
use crate::dominion::cards::Cards;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::event::Event;
use crate::dominion::refusal::Refusal;
use crate::dominion::state::State;
use crate::dominion::subsets::subsets;
use crate::table::{Seat, Visit};

const DECISION: Decision = Decision::BuyPhase;

/// # Rule DOM-6.8
/// No purchase yet, at least one card, all in hand, all Treasures.
pub(crate) fn check_treasures(state: &State, seat: Seat, cards: &[Card]) -> Result<(), Refusal> {
    treasures_open(state)?;
    if cards.is_empty() {
        return Err(Refusal::EmptySelection);
    }
    state.in_hand(seat, cards, DECISION)?;
    match cards.iter().find(|card| !card.is(CardType::Treasure)) {
        None => Ok(()),
        Some(&card) => Err(Refusal::NotATreasure {
            card,
            decision: DECISION,
        }),
    }
}

/// # Rule DOM-6.9
/// No purchase yet, at least one Treasure in hand.
pub(crate) fn check_all_treasures(state: &State, seat: Seat) -> Result<(), Refusal> {
    treasures_open(state)?;
    if state.players[seat].hand.has_type(CardType::Treasure) {
        Ok(())
    } else {
        Err(Refusal::NoTreasureInHand)
    }
}

/// Treasures first, then purchases (DOM-1.A28).
const fn treasures_open(state: &State) -> Result<(), Refusal> {
    if state.turn.bought {
        Err(Refusal::TreasuresClosed)
    } else {
        Ok(())
    }
}

/// # Rule DOM-6.10
/// The card has a pile, a buy is left, the pile is not empty, the coins suffice.
pub(crate) fn check_buy(state: &State, card: Card) -> Result<(), Refusal> {
    let decision = DECISION;
    let counters = &state.turn.counters;
    let (cost, coins) = (card.cost(), counters.coins);
    match state.supply.count(card) {
        None => Err(Refusal::NotInSupply { card, decision }),
        Some(_) if counters.buys == 0 => Err(Refusal::NoBuysLeft),
        Some(0) => Err(Refusal::PileEmpty { card, decision }),
        Some(_) if u16::from(cost) > coins => Err(Refusal::CannotAfford { card, cost, coins }),
        Some(_) => Ok(()),
    }
}

/// # Rule DOM-6.13
/// A card that shall end on top of the discard pile is in hand or in play.
pub(crate) fn check_end_turn(
    state: &State,
    seat: Seat,
    discard_top: Option<Card>,
) -> Result<(), Refusal> {
    match discard_top {
        Some(card) if !leaving(state, seat).has(card) => Err(Refusal::CardNotAvailable { card }),
        Some(_) | None => Ok(()),
    }
}

/// The cards that clean-up discards.
fn leaving(state: &State, seat: Seat) -> Cards {
    let mut cards = state.players[seat].hand;
    state.turn.in_play.iter().for_each(|&card| cards.add(card));
    cards
}

pub(crate) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    if !state.turn.bought {
        let treasures = state.players[seat].hand.of_type(CardType::Treasure);
        subsets(&treasures, 1, treasures.len(), &mut |cards| {
            visit(Action::PlayTreasures { cards })
        })?;
        visit(Action::PlayAllTreasures)?;
    }
    for pile in state.supply.piles() {
        if check_buy(state, pile.card).is_ok() {
            visit(Action::BuyCard {
                card: Some(pile.card),
            })?;
        }
    }
    visit(Action::EndTurn { discard_top: None })?;
    leaving(state, seat).iter().try_for_each(|(card, _)| {
        visit(Action::EndTurn {
            discard_top: Some(Some(card)),
        })
    })
}

/// Plays Treasures in this order; each gives its coins.
pub(crate) fn perform_treasures(table: &mut Table<'_>, cards: Vec<Card>) {
    let seat = table.active();
    for &card in &cards {
        super::action_phase::lay_out(table, card);
        table.state.turn.counters.coins += u16::from(card.sheet().coins);
    }
    table.event(Event::TreasuresPlayed {
        seat,
        cards,
        counters: table.state.turn.counters,
    });
}

/// All Coppers, then Silvers, then Golds.
pub(crate) fn perform_all_treasures(table: &mut Table<'_>) {
    let treasures = table.state.active().hand.of_type(CardType::Treasure);
    perform_treasures(table, treasures.each().collect());
}

pub(crate) fn perform_buy(table: &mut Table<'_>, card: Card) {
    let turn = &mut table.state.turn;
    turn.counters.buys -= 1;
    turn.counters.coins -= u16::from(card.cost());
    turn.bought = true;
    table.gain_bought(table.active(), card);
}
