//! What bots think of a table, and of purchases: big money with a few good Actions.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each judgment speaks of a few cards only"
)]

use super::Dominion;
use super::action::Action;
use super::data::{Card, CardType};
use super::rules::end;
use super::stage::Phase;
use super::state::State;
use crate::bots::{Mind, promise_after};
use crate::table::{Chance, Named, Seat};

impl Mind for Dominion {
    /// Enough to reach the end of nearly every game.
    const HORIZON: u32 = 600;

    fn players(state: &State) -> usize {
        state.seats()
    }

    /// Printed points and prices of the cards that a player owns, and what their turn still offers.
    fn worth(state: &State, seat: Seat) -> i32 {
        let owned = state.owned(seat);
        let points = end::total(&owned);
        let prices: i32 = owned
            .iter()
            .map(|(card, count)| price(card) * i32::from(count))
            .sum();
        10 * points + 2 * prices + turn(state, seat)
    }

    fn appeal(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
        match action {
            Action::PlayAction { card } => named(*card, play),
            Action::PlayAllTreasures => 10_000,
            Action::BuyCard { card } | Action::GainCard { card } => {
                named(*card, |card| desire(state, seat, card))
            }
            Action::EndActionPhase | Action::EndTurn { .. } => 0,
            Action::PlayTreasures { .. } | Action::DeclineReaction => -1,
            Action::RevealReaction { .. } => 1,
            Action::MilitiaDiscard { cards } => -listed(cards, use_in_hand),
            // Cards worth less than an unknown one.
            Action::CellarDiscard { cards } => listed(cards, |card| 3 - use_in_hand(card)),
            Action::ChapelTrash { cards } => listed(cards, burden),
            Action::RemodelTrash { card } | Action::BureaucratTopdeck { card } => {
                -named(*card, use_in_hand)
            }
            Action::LibraryDecide { set_aside } => {
                i32::from(*set_aside && state.turn.counters.actions == 0)
            }
            Action::ThroneRoomChoose { card } => card.map_or(0, |card| named(card, play)),
            Action::ChancellorDecide { .. }
            | Action::MineTrash { .. }
            | Action::SpyDecide { .. }
            | Action::ThiefTrash { .. }
            | Action::ThiefGain { .. } => promise_after::<Self>(state, seat, action, luck),
        }
    }
}

fn named(card: Named<Card>, of: impl Fn(Card) -> i32) -> i32 {
    card.map_or(0, of)
}

fn listed(cards: &[Named<Card>], of: impl Fn(Card) -> i32) -> i32 {
    cards.iter().map(|&card| named(card, &of)).sum()
}

fn price(card: Card) -> i32 {
    i32::from(card.sheet().cost)
}

/// Coins and playable cards of the active player.
fn turn(state: &State, seat: Seat) -> i32 {
    if state.turn.active != seat || state.turn.phase == Phase::Over {
        return 0;
    }
    let counters = state.turn.counters;
    let hand = i32::from(state.players[seat].hand.len());
    i32::from(counters.coins) + hand + i32::from(counters.actions)
}

/// Playing an Action: first those that allow another one, then the most valuable.
fn play(card: Card) -> i32 {
    let plus = card.sheet().plus;
    let more = 100 * i32::from(plus.actions);
    more + match card {
        Card::Witch => 60,
        Card::CouncilRoom => 50,
        Card::Smithy | Card::Adventurer => 45,
        Card::Militia => 44,
        Card::Library => 40,
        Card::ThroneRoom => 95,
        Card::Chapel | Card::Remodel | Card::Thief | Card::Feast => 5,
        _ => 10 + 10 * i32::from(plus.cards) + 8 * i32::from(plus.coins),
    }
}

/// The value of a card in hand, roughly in coins.
fn use_in_hand(card: Card) -> i32 {
    match card {
        Card::Gold => 6,
        Card::Silver => 4,
        Card::Copper => 2,
        Card::Curse => -1,
        _ if card.is(CardType::Action) => 5,
        _ => 0,
    }
}

/// How desirable it is to trash a card.
fn burden(card: Card) -> i32 {
    match card {
        Card::Curse => 5,
        Card::Estate => 3,
        Card::Copper => 1,
        _ => -10,
    }
}

/// How much a card is wanted; less than 0: not even for free.
fn desire(state: &State, seat: Seat, card: Card) -> i32 {
    let left = state.supply.count(Card::Province).unwrap_or(0);
    let owned = state.owned(seat);
    let size = i32::from(owned.len());
    let have = i32::from(owned.count(card));
    // Terminal Actions: one for each `every` cards.
    let few = |wanted: i32, every: i32| if have * every < size { wanted } else { 10 };
    match card {
        Card::Province => 1_000,
        Card::Gold => 400,
        Card::Duchy if left <= 4 => 500,
        Card::Estate if left <= 2 => 300,
        Card::Gardens if left <= 4 && size >= 20 => 290,
        Card::Silver => 200,
        Card::Witch => few(390, 12),
        Card::Laboratory => 350,
        Card::Market => 340,
        Card::Festival => 320,
        Card::CouncilRoom => few(345, 14),
        Card::Smithy => few(260, 12),
        Card::Militia => few(255, 16),
        Card::Adventurer => few(210, 20),
        Card::Library => few(240, 16),
        Card::Mine => few(215, 16),
        Card::Moneylender => few(210, 16),
        Card::Spy => 190,
        Card::Bureaucrat | Card::Remodel | Card::ThroneRoom => few(100, 16),
        Card::Woodcutter | Card::Chancellor | Card::Moat => few(50, 16),
        Card::Village | Card::Cellar => few(40, 10),
        Card::Chapel | Card::Workshop | Card::Feast | Card::Thief => few(20, 20),
        Card::Copper | Card::Estate => -20,
        Card::Duchy | Card::Gardens => -10,
        Card::Curse => -1_000,
    }
}
