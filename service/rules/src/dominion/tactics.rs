//! The **playing rules** beside a menu: which cards are played, discarded, trashed and shown. All of them use only
//! information that the seat has.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each judgment speaks of a few cards only"
)]

use super::action::Action;
use super::data::{CHAPEL_CARDS, Card, CardType, MILITIA_HAND};
use super::foresight;
use super::menu::{self, BuyRule};
use super::rules::gain;
use super::stage::{Decision, EffectFrame};
use super::state::{Cards, State};
use crate::table::{MaybeKnown, Seat};

/// The minimum number of coins that Chapel leaves in the deck.
const KEPT_MONEY: u16 = 5;

/// The number of Provinces left from which on Estates are worth their point.
const LATE: u8 = 4;

/// The attitude of a player to the purchases of a menu.
#[derive(Clone, Copy, Debug)]
pub enum BuyMode {
    /// Makes every purchase, even one that loses the game.
    Exact,
    /// Makes no purchase that loses the game.
    AvoidLosing,
}

/// The answer of a seat that buys by this menu. Returns `None` if the seat owes no decision.
pub fn choose_action(state: &State, seat: Seat, menu: &[BuyRule], mode: BuyMode) -> Option<Action> {
    let (to_act, decision) = state.pending()?;
    if to_act != seat {
        return None;
    }
    let hand = &state.players[seat].hand;
    Some(match decision {
        Decision::ActionPhase => match best_action(state, seat) {
            Some(card) => Action::PlayAction { card: Some(card) },
            None => Action::EndActionPhase,
        },
        Decision::BuyPhase => buy_phase(state, seat, menu, mode),
        Decision::ReactToAttack if hand.has(Card::Moat) => Action::RevealReaction {
            card: Some(Card::Moat),
        },
        Decision::ReactToAttack => Action::DeclineReaction,
        Decision::CellarDiscard => Action::CellarDiscard {
            cards: named(hand.each().filter(|&card| use_in_hand(card) == 0)),
        },
        Decision::ChancellorDecide => Action::ChancellorDecide { discard_deck: true },
        Decision::ChapelTrash => Action::ChapelTrash {
            cards: named(burdens(state, seat)),
        },
        Decision::GainCard => Action::GainCard {
            card: gained(state, seat, menu),
        },
        Decision::RemodelTrash => Action::RemodelTrash {
            card: remodeled(state, hand).or_else(|| least(hand)),
        },
        Decision::MineTrash => Action::MineTrash {
            card: mined(state, hand).map(Some),
        },
        Decision::LibraryDecide => Action::LibraryDecide {
            set_aside: sets_aside(state),
        },
        Decision::MilitiaDiscard => Action::MilitiaDiscard {
            cards: named(surplus(hand)),
        },
        Decision::BureaucratTopdeck => Action::BureaucratTopdeck {
            card: hand.of_type(CardType::Victory).first(),
        },
        Decision::SpyDecide => Action::SpyDecide {
            discard: spied(state, seat),
        },
        Decision::ThiefTrash => Action::ThiefTrash {
            card: robbed(state),
        },
        Decision::ThiefGain => Action::ThiefGain {
            cards: named(loot(state)),
        },
        Decision::ThroneRoomChoose => Action::ThroneRoomChoose {
            card: best_repeated(state, seat).map(Some),
        },
    })
}

/// Lists cards in canonical order, as legal lists do.
fn named(cards: impl IntoIterator<Item = Card>) -> Vec<MaybeKnown<Card>> {
    let cards: Cards = cards.into_iter().collect();
    cards.each().map(Some).collect()
}

/// Plays all Treasures first, then buys by the menu.
fn buy_phase(state: &State, seat: Seat, menu: &[BuyRule], mode: BuyMode) -> Action {
    let turn = &state.turn;
    if !turn.bought && state.players[seat].hand.has_type(CardType::Treasure) {
        return Action::PlayAllTreasures;
    }
    let can = |card: Card| {
        turn.counters.buys > 0
            && u16::from(card.sheet().cost) <= turn.counters.coins
            && state.supply.has(card)
            && match mode {
                BuyMode::Exact => true,
                BuyMode::AvoidLosing => !foresight::loses(state, seat, card),
            }
    };
    match menu::choice(menu, state, seat, can) {
        Some(card) => Action::BuyCard { card: Some(card) },
        None => Action::EndTurn { discard_top: None },
    }
}

/// The card to gain by an effect: by the menu, otherwise the most expensive card that does no harm.
fn gained(state: &State, seat: Seat, menu: &[BuyRule]) -> MaybeKnown<Card> {
    let Some(EffectFrame::Gain(gain)) = state.stack.last() else {
        return None;
    };
    let choices: Cards = gain::choices(state, gain).collect();
    let wanted = menu::choice(menu, state, seat, |card| choices.has(card));
    wanted.or_else(|| {
        let worth = |card: &Card| {
            (
                *card != Card::Curse,
                card.sheet().cost,
                *card != Card::Copper,
            )
        };
        choices.each().max_by_key(worth)
    })
}

/// The Action of the hand that is played next, if one helps.
fn best_action(state: &State, seat: Seat) -> Option<Card> {
    let hand = &state.players[seat].hand;
    let actions = hand.of_type(CardType::Action);
    let useful = actions.iter().filter(|&(card, _)| helps(state, seat, card));
    useful
        .max_by_key(|&(card, _)| rank(state, card))
        .map(|(card, _)| card)
}

/// The Action of the hand that Throne Room repeats; there may be none that helps.
fn best_repeated(state: &State, seat: Seat) -> Option<Card> {
    let hand = &state.players[seat].hand;
    best_action(state, seat).or_else(|| hand.of_type(CardType::Action).first())
}

/// The order of playing: first those that allow another one, then the most valuable.
pub fn rank(state: &State, card: Card) -> i32 {
    let plus = card.sheet().plus;
    let more = 100 * i32::from(plus.actions);
    more + match card {
        Card::Witch if state.supply.has(Card::Curse) => 60,
        Card::CouncilRoom => 50,
        Card::Smithy | Card::Adventurer => 45,
        Card::Militia => 44,
        Card::Library => 40,
        Card::ThroneRoom => 95,
        Card::Chapel => 42,
        Card::Remodel | Card::Thief | Card::Feast => 15,
        _ => 10 + 10 * i32::from(plus.cards) + 8 * i32::from(plus.coins),
    }
}

/// Returns whether playing this card of the hand helps.
fn helps(state: &State, seat: Seat, card: Card) -> bool {
    let hand = &state.players[seat].hand;
    match card {
        Card::Chapel => burdens(state, seat).len() > 1,
        Card::Moneylender => hand.has(Card::Copper),
        Card::Mine => mined(state, hand).is_some_and(|card| card != Card::Gold),
        Card::Remodel => remodeled(state, hand).is_some(),
        Card::ThroneRoom => {
            let mut others = hand.of_type(CardType::Action);
            others.remove(Card::ThroneRoom);
            others
                .iter()
                .any(|(card, _)| card != Card::ThroneRoom && helps(state, seat, card))
        }
        _ => true,
    }
}

/// The cards of the hand that Chapel trashes: Curses, Estates before the end, and Coppers that the deck can spare.
fn burdens(state: &State, seat: Seat) -> Vec<Card> {
    let hand = &state.players[seat].hand;
    let early = state.supply.count(Card::Province).unwrap_or(0) > LATE;
    let owned = state.counted(seat);
    let money: u16 = owned
        .iter()
        .map(|(card, count)| u16::from(card.sheet().coins) * u16::from(count))
        .sum();
    let coppers = hand.count(Card::Copper).into();
    let spared = money.saturating_sub(KEPT_MONEY).min(coppers);
    let parts = [
        (Card::Curse, hand.count(Card::Curse).into()),
        (
            Card::Estate,
            if early {
                hand.count(Card::Estate).into()
            } else {
                0
            },
        ),
        (Card::Copper, spared),
    ];
    let all = parts
        .iter()
        .flat_map(|&(card, count): &(Card, u16)| std::iter::repeat_n(card, count.into()));
    all.take(CHAPEL_CARDS.into()).collect()
}

/// The card that Remodel should make into a better one: Gold into the last Provinces, or a burden.
fn remodeled(state: &State, hand: &Cards) -> Option<Card> {
    let left = state.supply.count(Card::Province).unwrap_or(0);
    if (1..=LATE).contains(&left) && hand.has(Card::Gold) {
        return Some(Card::Gold);
    }
    let early = left > 2;
    [Card::Curse, Card::Estate]
        .into_iter()
        .find(|&card| hand.has(card) && (early || card == Card::Curse))
}

/// The Treasure that Mine makes into a better one.
fn mined(state: &State, hand: &Cards) -> Option<Card> {
    let steps = [(Card::Silver, Card::Gold), (Card::Copper, Card::Silver)];
    let step = steps
        .into_iter()
        .find(|&(from, to)| hand.has(from) && state.supply.has(to));
    step.map(|(from, _)| from)
        .or_else(|| hand.of_type(CardType::Treasure).first())
}

/// Returns whether Library sets the Action aside, because it cannot be played.
fn sets_aside(state: &State) -> bool {
    let Some(EffectFrame::Library {
        drawn: Some(card), ..
    }) = state.stack.last()
    else {
        return false;
    };
    card.is(CardType::Action) && state.turn.counters.actions == 0
}

/// The value of a card in hand, roughly in half coins.
pub fn use_in_hand(card: Card) -> i32 {
    match card {
        Card::Gold => 6,
        Card::Silver => 4,
        Card::Copper => 2,
        _ if card.is(CardType::Action) => 5,
        _ => 0,
    }
}

/// The least useful card of a hand.
fn least(hand: &Cards) -> Option<Card> {
    hand.each().min_by_key(|&card| use_in_hand(card))
}

/// The order in which Militia's discards are chosen: points first, then Curses, then Treasures, cheapest first, and
/// Actions last.
fn surplus(hand: &Cards) -> impl Iterator<Item = Card> {
    let order = |card: &Card| match card {
        Card::Province => 0,
        Card::Duchy => 1,
        Card::Estate => 2,
        Card::Gardens => 3,
        Card::Curse => 4,
        Card::Copper => 5,
        Card::Silver => 6,
        Card::Gold => 7,
        _ => 8,
    };
    let mut cards: Vec<Card> = hand.each().collect();
    cards.sort_by_key(order);
    cards.truncate(cards.len().saturating_sub(MILITIA_HAND.into()));
    cards.into_iter()
}

fn is_junk(card: Card) -> bool {
    card == Card::Copper || use_in_hand(card) == 0
}

/// Returns whether Spy discards the card: one that would help another player, or hinder its own.
fn spied(state: &State, seat: Seat) -> bool {
    let Some(EffectFrame::Spy {
        queue,
        revealed: Some(card),
        ..
    }) = state.stack.last()
    else {
        return false;
    };
    is_junk(*card) == (queue.first() == Some(&seat))
}

/// The Treasure that Thief trashes: the better one.
fn robbed(state: &State) -> MaybeKnown<Card> {
    let Some(EffectFrame::Thief { revealed, .. }) = state.stack.last() else {
        return None;
    };
    let treasures = revealed
        .iter()
        .copied()
        .filter(|card| card.is(CardType::Treasure));
    treasures.max_by_key(|card| card.sheet().cost)
}

/// The trashed Treasures that Thief takes: all but Coppers.
fn loot(state: &State) -> Vec<Card> {
    let Some(EffectFrame::ThiefGain { trashed }) = state.stack.last() else {
        return Vec::new();
    };
    trashed
        .iter()
        .copied()
        .filter(|&card| card != Card::Copper)
        .collect()
}
