//! The cards in play, and the counters that they can give (DOM-15.6, DOM-15.7).

use std::ops::RangeInclusive;

use super::{Judged, path};
use crate::dominion::data::{Card, CardType, MONEYLENDER_COINS, Plus};
use crate::dominion::rules::end;
use crate::dominion::stage::{EffectFrame, Phase};
use crate::dominion::state::State;
use crate::table::PositionError;

/// Checks the turn of the active player.
pub fn judge(state: &State) -> Judged {
    cards_in_play(state)?;
    purchase(state)?;
    let limits = Limits::of(state)?;
    let counters = &state.turn.counters;
    for (name, found, allowed) in [
        ("actions", counters.actions, limits.actions),
        ("buys", counters.buys, limits.buys),
        ("coins", counters.coins, limits.coins),
    ] {
        PositionError::unless(allowed.contains(&found), || {
            let allowed = format!("{} to {}", allowed.start(), allowed.end());
            PositionError::new("DOM-15.7", format!("counters.{name}"), found, allowed)
        })?;
    }
    question(state)?;
    begins_before_the_end(state)
}

/// Checks that Action cards and then Treasures are in play, Treasures in the Buy phase alone. A Feast leaves play at
/// once.
///
/// # Rule DOM-15.6
fn cards_in_play(state: &State) -> Judged {
    let (turn, mut has_treasure) = (&state.turn, false);
    for (index, card) in turn.in_play.iter().enumerate() {
        let is_treasure = card.is(CardType::Treasure);
        has_treasure |= is_treasure;
        let fits = if is_treasure {
            turn.phase == Phase::Buy
        } else {
            card.is(CardType::Action) && *card != Card::Feast && !has_treasure
        };
        PositionError::unless(fits, || {
            let path = path(turn.active, &format!("in_play[{index}]"));
            let allowed = "Action cards but Feast, then in the Buy phase Treasures";
            PositionError::new("DOM-15.6", path, card, allowed)
        })?;
    }
    Ok(())
}

/// Checks that purchases were made in the Buy phase, and that the last one lies on the discard pile.
///
/// # Rule DOM-15.7
fn purchase(state: &State) -> Judged {
    let turn = &state.turn;
    let top = state.active().discard_pile.top();
    let has_bought = turn.phase == Phase::Buy && top.is_some();
    PositionError::unless(!turn.bought || has_bought, || {
        let allowed = "false before the Buy phase, and without a discard pile";
        PositionError::new("DOM-15.7", "bought_this_turn", true, allowed)
    })
}

/// The numbers that the counters can have.
struct Limits {
    actions: RangeInclusive<u16>,
    buys: RangeInclusive<u16>,
    coins: RangeInclusive<u16>,
}

impl Limits {
    /// Adds up what the cards in play can give. A card is played once, or twice if a Throne Room chose it; all but the first
    /// Throne Room can have been chosen too, so that they choose twice. Plays and choices that are still to come have given
    /// nothing yet.
    ///
    /// # Rule DOM-15.7
    fn of(state: &State) -> Judged<Self> {
        let turn = &state.turn;
        let played = || turn.in_play.iter().map(|card| card.sheet());
        let sum = |value: fn(Plus) -> u8| -> u16 {
            let values = played().map(|sheet| u16::from(value(sheet.plus)));
            values.sum()
        };
        let to_come = |value: fn(Plus) -> u8| -> u16 {
            let plays = state.stack.iter().filter_map(EffectFrame::play_to_come);
            plays.map(|card| u16::from(value(card.sheet().plus))).sum()
        };
        let number = |wanted: fn(Card) -> bool| -> u16 {
            let cards = played().filter(|sheet| wanted(sheet.card));
            u16::try_from(cards.count()).unwrap_or(u16::MAX)
        };
        let rooms = number(|card| card == Card::ThroneRoom);
        let choices = state.stack.iter().filter(|frame| frame.is_choice_to_come());
        let choices_to_come = u16::try_from(choices.count()).unwrap_or(u16::MAX);
        let plays = 1 + rooms.min(1);
        let chosen = (2 * rooms).saturating_sub(1 + choices_to_come);
        let spent = number(|card| card.is(CardType::Action)).saturating_sub(chosen);
        let most = |value: fn(Plus) -> u8| (plays * sum(value)).saturating_sub(to_come(value));
        let most_actions = 1 + most(|plus| plus.actions);
        let Some(actions) = most_actions.checked_sub(spent) else {
            let allowed = format!("at most {} Action cards", most_actions + chosen);
            let found = format!("{} Action cards", spent + chosen);
            let path = path(turn.active, "in_play");
            return Err(PositionError::new("DOM-15.7", path, found, allowed));
        };
        let (bonus_buys, bonus_coins) = (sum(|plus| plus.buys), sum(|plus| plus.coins));
        let treasure: u16 = played().map(|sheet| u16::from(sheet.coins)).sum();
        let lent = MONEYLENDER_COINS * number(|card| card == Card::Moneylender);
        // The top of the discard pile is the card that was bought last.
        let bought = state.active().discard_pile.top().filter(|_| turn.bought);
        let price = bought.map_or(0, |card| u16::from(card.cost()));
        let (least_buys, least_coins) = match bought {
            Some(_) => (0, 0),
            None if !state.stack.is_empty() => (1, 0),
            None => (1 + bonus_buys, bonus_coins + treasure),
        };
        let buys = 1 + most(|plus| plus.buys) - u16::from(bought.is_some());
        let most_coins = most(|plus| plus.coins) + plays * lent;
        let coins = (most_coins + treasure).checked_sub(price);
        let Some(coins) = coins else {
            let path = path(turn.active, "discard_top");
            let allowed = "after a purchase, a card that the cards in play can pay";
            return Err(PositionError::new(
                "DOM-15.7",
                path,
                bought.map_or("", Card::name),
                allowed,
            ));
        };
        Ok(Self {
            actions: 0..=actions,
            buys: least_buys..=buys,
            coins: least_coins..=coins,
        })
    }
}

/// Checks that the Action phase goes on, if nothing is open.
///
/// # Rule DOM-11.5
fn question(state: &State) -> Judged {
    let turn = &state.turn;
    if turn.phase != Phase::Action || !state.stack.is_empty() {
        return Ok(());
    }
    PositionError::unless(turn.counters.actions > 0, || {
        PositionError::new(
            "DOM-11.5",
            "counters.actions",
            0,
            "1 or more in the Action phase",
        )
    })?;
    let hand = &state.active().hand;
    let may_play = hand.has_type(CardType::Action) || state.options.strict_secrecy;
    PositionError::unless(may_play, || {
        let path = path(turn.active, "hand");
        let allowed = "an Action card in the Action phase";
        PositionError::new("DOM-11.5", path, super::listed(hand), allowed)
    })
}

/// Checks that the last turn did not end the game: if no card can have been gained in this turn, its piles are those
/// of the end of the last one.
///
/// # Rule DOM-15.8
fn begins_before_the_end(state: &State) -> Judged {
    let turn = &state.turn;
    let has_action = turn.in_play.iter().any(|card| card.is(CardType::Action));
    // A Feast leaves play, but takes an action.
    let begins = !turn.bought && !has_action && state.stack.is_empty() && turn.counters.actions > 0;
    PositionError::unless(!begins || !end::is_due(state), || {
        let empty = format!("{} empty piles", state.supply.empty_piles());
        let allowed = "a game that did not end with the last turn";
        PositionError::new("DOM-15.8", "supply", empty, allowed)
    })
}
