//! The **holdings** of a seat: its countable resources.

use super::data::{Card, CardType, LIBRARY_HAND, MONEYLENDER_COINS};
use super::rules::cards::adventurer::SOUGHT_TREASURES;
use super::rules::end::total;
use super::stage::EffectFrame;
use super::state::State;
use crate::table::{Holdings, Resource, Seat};

const ACTION: usize = 0;
const BUY: usize = 1;
const COIN: usize = 2;
const HAND: usize = 3;
const POINT: usize = 4;
const CARDS: usize = 5;

/// All countable resources: the remaining actions, buys and coins of the turn, cards in hand, points, and then the
/// cards of one's own in all zones, in canonical order.
pub const RESOURCES: &[Resource] = &TABLE;

static TABLE: [Resource; CARDS + Card::COUNT] = {
    let coin = Resource::new("coin", "coin");
    let mut table = [coin; CARDS + Card::COUNT];
    table[ACTION] = Resource::new("action", "action").without_cost_text();
    table[BUY] = Resource::new("buy", "buy").without_cost_text();
    table[HAND] = Resource::many("hand_card", "card in hand", "cards in hand").without_cost_text();
    table[POINT] = Resource::mass("victory_point", "VP");
    let mut at = 0;
    while at < Card::COUNT {
        table[CARDS + at] = named(Card::ALL[at]);
        at += 1;
    }
    table
};

/// Makes a resource of a card whose name has a plural of its own.
const fn named(card: Card) -> Resource {
    let (id, one) = (card.id(), card.name());
    if matches!(card, Card::Gardens) {
        Resource::mass(id, one)
    } else if matches!(card, Card::Thief) {
        Resource::many(id, one, "Thieves")
    } else if matches!(card, Card::Witch) {
        Resource::many(id, one, "Witches")
    } else {
        Resource::new(id, one)
    }
}

/// Counts the public resources of a player: hands by their number of cards (DOM-13.7).
pub fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
    let owned = state.counted(seat);
    for (card, copies) in owned.iter() {
        holdings.add(CARDS + card.index(), copies);
    }
    holdings.add(HAND, state.players[seat].hand.len());
    holdings.add(POINT, total(&owned));
    if state.turn.active == seat {
        let counters = state.turn.counters;
        holdings.add(ACTION, counters.actions);
        holdings.add(BUY, counters.buys);
        holdings.add(COIN, counters.coins);
        expect_effects(state, seat, holdings);
    }
}

/// Adds the certain changes of a player's holdings by unfinished effects: printed bonuses, and cards that come and go
/// without luck or an answer, with their points. Drawn cards are only a number, since their kinds depend on luck.
///
/// # Rule DOM-6.17
fn expect_effects(state: &State, seat: Seat, holdings: &mut Holdings) {
    let (before, mut drawn) = (state.counted(seat), 0);
    let mut owned = before;
    let mut coppers = state.players[seat].hand.count(Card::Copper);
    let mut silvers = state.supply.count(Card::Silver).unwrap_or(0);
    let in_play = state.turn.in_play.iter();
    let mut treasures = in_piles(state, seat, |card| card.is(CardType::Treasure));
    let (mut found, mut fills_hand) = (0, false);
    let mut feasts = in_play.filter(|&&card| card == Card::Feast).count();
    for card in state.stack.iter().filter_map(comes) {
        let plus = card.sheet().plus;
        drawn += u16::from(plus.cards);
        holdings.add_expected(ACTION, plus.actions);
        holdings.add_expected(BUY, plus.buys);
        holdings.add_expected(COIN, plus.coins);
        if card == Card::Moneylender && coppers > 0 {
            coppers -= 1;
            owned.remove(Card::Copper);
            holdings.add_expected(COIN, MONEYLENDER_COINS);
            holdings.add_expected(HAND, -1);
        }
        if card == Card::Bureaucrat && silvers > 0 {
            silvers -= 1;
            owned.add(Card::Silver);
        }
        fills_hand |= card == Card::Library;
        if card == Card::Adventurer {
            let finds = treasures.min(SOUGHT_TREASURES);
            treasures -= finds;
            found += finds;
        }
        if card == Card::Feast && feasts > 0 {
            feasts -= 1;
            owned.remove(Card::Feast);
        }
    }
    for card in Card::ALL {
        let change = i32::from(owned.count(card)) - i32::from(before.count(card));
        holdings.add_expected(CARDS + card.index(), change);
    }
    holdings.add_expected(POINT, total(&owned) - total(&before));
    drawn = drawn.min(in_piles(state, seat, |_| true));
    holdings.add_expected(HAND, drawn + found);
    if fills_hand {
        expect_full_hand(state, seat, holdings);
    }
}

/// Adds the cards that Library is sure to draw: all but Action cards, which the player may set aside.
///
/// # Rule DOM-7.11
fn expect_full_hand(state: &State, seat: Seat, holdings: &mut Holdings) {
    let is_kept = |card: Card| !card.is(CardType::Action);
    let asked = state.library_asks(seat).filter(|card| is_kept(*card));
    let kept = in_piles(state, seat, is_kept) + u16::from(asked.is_some());
    let missing = LIBRARY_HAND.saturating_sub(state.players[seat].hand.len());
    holdings.add_expected(HAND, missing.min(kept));
}

/// Counts some of the cards in the draw and discard piles of a player, who knows which cards these are.
fn in_piles(state: &State, seat: Seat, is_counted: impl Fn(Card) -> bool) -> u16 {
    let player = &state.players[seat];
    let drawn = player.draw_pile.top_down();
    let drawn = drawn.filter(|card| is_counted(*card)).count();
    let discarded = player.discard_pile.cards().iter();
    let discarded = discarded.filter(|(card, _)| is_counted(*card));
    let discarded: u16 = discarded.map(|(_, copies)| u16::from(copies)).sum();
    u16::try_from(drawn).unwrap_or(u16::MAX) + discarded
}

/// The card whose printed effect is still to come in this frame.
const fn comes(frame: &EffectFrame) -> Option<Card> {
    if matches!(frame, EffectFrame::Library { .. }) {
        return Some(Card::Library);
    }
    frame.play_to_come()
}
