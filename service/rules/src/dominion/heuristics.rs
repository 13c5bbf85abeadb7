//! The **evaluation function** of bots, and their purchases: big money with a few good Actions, or a thin deck.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each judgment speaks of a few cards only"
)]

use super::Dominion;
use super::action::Action;
use super::data::{Card, CardType};
use super::menu::{BuyRule, buy};
use super::rules::end;
use super::stage::Phase;
use super::state::State;
use super::strategies;
use super::tactics::{BuyMode, choose_action, rank, use_in_hand};
use crate::bots::{Effort, Heuristics, Strategy, expected_value_after};
use crate::table::{Chance, MaybeKnown, Seat};

/// The menu of a good player in any kingdom.
const BIG_MONEY: &[BuyRule] = &[
    buy(Card::Province).with_money(14),
    buy(Card::Duchy).at_provinces(4),
    buy(Card::Estate).at_provinces(2),
    buy(Card::Witch).up_to(2),
    buy(Card::Gold),
    buy(Card::Laboratory),
    buy(Card::CouncilRoom).up_to(1),
    buy(Card::Smithy).up_to(1).one_in(7),
    buy(Card::Market),
    buy(Card::Militia).up_to(1).one_in(14),
    buy(Card::Duchy).at_provinces(6),
    buy(Card::Silver),
    buy(Card::Cellar).up_to(1),
];

/// The menu of a good player who owns a Chapel: few cards, and each of them good.
const THIN_DECK: &[BuyRule] = &[
    buy(Card::Province).with_money(12),
    buy(Card::Duchy).at_provinces(4),
    buy(Card::Estate).at_provinces(2),
    buy(Card::Witch).up_to(1),
    buy(Card::Gold),
    buy(Card::Laboratory).up_to(1),
    buy(Card::Market),
    buy(Card::Militia).up_to(1),
    buy(Card::Silver),
];

/// The maximum number of cards in a deck that a first Chapel still thins in time.
const THINNED_FROM: i32 = 14;

/// The menu by which a seat goes on. Whether a Chapel is worth it is for `search` to find out: it compares the purchase,
/// and each deck is then played by its own menu.
fn menu_of(state: &State, seat: Seat) -> &'static [BuyRule] {
    match state.counted(seat).has(Card::Chapel) {
        true => THIN_DECK,
        false => BIG_MONEY,
    }
}

impl Heuristics for Dominion {
    /// Enough to reach the end of nearly every game.
    const HORIZON: u32 = 600;

    /// Levels differ by their horizon, since a few playouts to the end already play well: a few decisions are less than a
    /// turn.
    const LEVELS: [Effort; 3] = [
        Effort::of(64, Self::WIDTH, 3),
        Effort::of(64, Self::WIDTH, 11),
        Effort::of(1_024, Self::WIDTH, Self::HORIZON),
    ];

    const WIDTH: usize = 6;

    const MIN_STD_ERRORS: u32 = 2;

    /// Fewer playouts do not tell a good purchase from the habitual one, since luck decides much. About 80
    /// milliseconds.
    const PLAYOUTS: u32 = 4_096;

    const WON: i32 = 300;

    const STRATEGIES: &'static [Strategy] = strategies::NAMES;

    fn strategy_action(strategy: usize, state: &State, seat: Seat) -> Option<Action> {
        let menu = strategies::MENUS.get(strategy)?;
        choose_action(state, seat, menu, BuyMode::Exact)
    }

    fn playout_policy(state: &State, seat: Seat) -> Option<Action> {
        choose_action(state, seat, menu_of(state, seat), BuyMode::AvoidLosing)
    }

    fn players(state: &State) -> usize {
        state.seats()
    }

    /// The sum of printed points and prices of the cards that a player owns, and of the rest of their turn.
    fn evaluate(state: &State, seat: Seat) -> i32 {
        let owned = state.owned(seat);
        let points = end::total(&owned);
        let prices: i32 = owned
            .iter()
            .map(|(card, count)| price(card) * i32::from(count))
            .sum();
        10 * points + 2 * prices + turn(state, seat)
    }

    fn prior(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
        match action {
            Action::PlayAction { card } => named(*card, |card| rank(state, card)),
            Action::PlayAllTreasures => 10_000,
            // Never rated above another action, so that an accident of luck does not decide for it.
            Action::PlayTreasures { .. }
            | Action::BuyCard {
                card: Some(Card::Copper | Card::Curse),
            }
            | Action::EndTurn {
                discard_top: Some(_),
            } => i32::MIN,
            Action::BuyCard { .. } | Action::EndTurn { .. } if can_pay_more(state, seat) => {
                i32::MIN
            }
            Action::BuyCard { card } | Action::GainCard { card } => {
                named(*card, |card| desire(state, seat, card))
            }
            Action::EndActionPhase | Action::EndTurn { .. } => 0,
            Action::DeclineReaction => -1,
            Action::RevealReaction { .. } => 1,
            Action::MilitiaDiscard { cards } => -listed(cards, use_in_hand),
            // Discards cards that are worth less than an unknown one.
            Action::CellarDiscard { cards } => listed(cards, |card| 3 - use_in_hand(card)),
            Action::ChapelTrash { cards } => listed(cards, burden),
            Action::RemodelTrash { card } | Action::BureaucratTopdeck { card } => {
                -named(*card, use_in_hand)
            }
            Action::LibraryDecide { set_aside } => {
                i32::from(*set_aside && state.turn.counters.actions == 0)
            }
            Action::ThroneRoomChoose { card } => {
                card.map_or(0, |card| named(card, |card| rank(state, card)))
            }
            Action::ChancellorDecide { .. }
            | Action::MineTrash { .. }
            | Action::SpyDecide { .. }
            | Action::ThiefTrash { .. }
            | Action::ThiefGain { .. } => expected_value_after::<Self>(state, seat, action, luck),
        }
    }
}

/// Returns whether there are Treasures in hand that can be played.
fn can_pay_more(state: &State, seat: Seat) -> bool {
    !state.turn.bought && state.players[seat].hand.has_type(CardType::Treasure)
}

fn named(card: MaybeKnown<Card>, of: impl Fn(Card) -> i32) -> i32 {
    card.map_or(0, of)
}

fn listed(cards: &[MaybeKnown<Card>], of: impl Fn(Card) -> i32) -> i32 {
    cards.iter().map(|&card| named(card, &of)).sum()
}

fn price(card: Card) -> i32 {
    i32::from(card.sheet().cost)
}

/// The worth of the coins and playable cards of the active player.
fn turn(state: &State, seat: Seat) -> i32 {
    if state.turn.active != seat || state.turn.phase == Phase::Over {
        return 0;
    }
    let counters = state.turn.counters;
    let hand = i32::from(state.players[seat].hand.len());
    i32::from(counters.coins) + hand + i32::from(counters.actions)
}

/// The desirability of trashing a card.
fn burden(card: Card) -> i32 {
    match card {
        Card::Curse => 5,
        Card::Estate => 3,
        Card::Copper => 1,
        _ => -10,
    }
}

/// The desirability of a card; below 0, it is not wanted even for free.
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
        Card::Duchy if left <= 6 => 395,
        Card::Estate if left <= 2 => 300,
        Card::Estate if left <= 3 => 250,
        Card::Gardens if left <= 4 && size >= 20 => 290,
        Card::Silver => 200,
        Card::Chapel if have == 0 && size <= THINNED_FROM => 395,
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
