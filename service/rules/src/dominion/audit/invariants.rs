//! The invariants of every state, and of two successive ones (DOM-11).

use crate::dominion::data::{Card, CardType, HAND_SIZE};
use crate::dominion::event::{Event, Source};
use crate::dominion::stage::{Decision, EffectFrame, Phase};
use crate::dominion::state::{State, Supply};
use crate::table::Fault;

/// The invariants of one table.
pub fn of_state(state: &State) -> Result<(), Fault> {
    cards_are_conserved(state)?;
    turns_alternate(state)?;
    questions_make_sense(state)?;
    known_cards_are_there(state)?;
    over_is_tidy(state)
}

/// The invariants of two successive tables.
pub fn of_step(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    piles_only_shrink(before, after, events)?;
    hands_are_full(after, events)?;
    coins_are_accounted_for(before, after, events)
}

/// DOM-11.1: every card is somewhere, exactly once.
fn cards_are_conserved(state: &State) -> Result<(), Fault> {
    let mut now = state.trash;
    for seat in state.players.seats() {
        now.add_all(&state.owned(seat));
        now.add_all(&state.in_effect(seat));
    }
    let supply = Supply::new(state.options.seats, &state.kingdom());
    for card in Card::ALL {
        let made = supply.in_game(card, state.options.seats);
        let total = state.supply.count(card).unwrap_or(0) + now.count(card);
        Fault::unless(total == made, "DOM-11.1", || {
            format!("{total} of {made} {card} cards")
        })?;
    }
    Ok(())
}

/// DOM-11.3: the turns of two players differ by at most one.
fn turns_alternate(state: &State) -> Result<(), Fault> {
    let turns = || state.players.iter().map(|player| player.turns_taken);
    let (least, most) = (turns().min(), turns().max());
    let close = least
        .zip(most)
        .is_some_and(|(least, most)| most - least <= 1);
    Fault::unless(close, "DOM-11.3", || format!("{least:?} to {most:?} turns"))
}

/// DOM-11.5, DOM-11.8: a player who owes a decision can have a choice.
fn questions_make_sense(state: &State) -> Result<(), Fault> {
    if state.pending().map(|(_, decision)| decision) == Some(Decision::ActionPhase) {
        let hand = &state.active().hand;
        let may_play = state.options.strict_secrecy || hand.has_type(CardType::Action);
        let holds = state.turn.counters.actions >= 1 && may_play;
        Fault::unless(holds, "DOM-11.5", || format!("{:?}", state.turn))?;
    }
    match state.stack.last() {
        Some(
            EffectFrame::Militia { queue, immune } | EffectFrame::Bureaucrat { queue, immune },
        ) => {
            let protected = queue.first().is_some_and(|seat| immune.contains(seat));
            Fault::unless(!protected, "DOM-11.8", || format!("{queue:?}, {immune:?}"))
        }
        Some(_) | None => Ok(()),
    }
}

/// DOM-11.15: the cards that everybody knows are where they are known to be. A seen card that Library asks about is no
/// longer on the pile.
fn known_cards_are_there(state: &State) -> Result<(), Fault> {
    for player in &state.players {
        let pile = &player.discard_pile;
        let holds = player.shown().without(&player.hand).is_empty()
            && pile.unseen().without(pile.cards()).is_empty()
            && pile.top().is_none_or(|top| pile.seen().has(top))
            && player.draw_pile.seen() <= player.draw_pile.len();
        Fault::unless(holds, "DOM-11.15", || format!("{player:?}"))?;
    }
    let asks = matches!(
        state.stack.last(),
        Some(EffectFrame::Library { drawn: Some(_), .. })
    );
    Fault::unless(asks || !state.turn.asked_is_seen, "DOM-11.15", || {
        format!("{:?}", state.turn)
    })
}

/// DOM-11.6, DOM-14.7: at the end nothing is in play.
fn over_is_tidy(state: &State) -> Result<(), Fault> {
    let left = &state.turn.counters;
    let tidy = state.turn.in_play.is_empty()
        && state.stack.is_empty()
        && (left.actions, left.buys, left.coins) == (0, 0, 0);
    Fault::unless(state.turn.phase != Phase::Over || tidy, "DOM-11.6", || {
        format!("{:?}, {:?}", state.turn, state.stack)
    })
}

/// DOM-11.3: the Supply never grows, the trash loses cards by Thief alone.
fn piles_only_shrink(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    for card in Card::ALL {
        let left = (before.supply.count(card), after.supply.count(card));
        Fault::unless(left.1 <= left.0, "DOM-11.3", || {
            format!("the pile of {card} grows: {left:?}")
        })?;
        let taken = events.iter().filter(|event| {
            matches!(event, Event::CardGained { card: gained, source: Source::Trash, .. } if *gained == card)
        });
        let trash = (before.trash.count(card), after.trash.count(card));
        Fault::unless(
            usize::from(trash.1) + taken.count() >= usize::from(trash.0),
            "DOM-11.3",
            || format!("the trash loses {card}: {trash:?}"),
        )?;
    }
    Ok(())
}

/// DOM-11.7: after clean-up a player holds five cards, or all that they own.
fn hands_are_full(after: &State, events: &[Event]) -> Result<(), Fault> {
    let cleaned = events.iter().filter_map(|event| match event {
        Event::CleanedUp { seat, .. } => Some(*seat),
        _ => None,
    });
    for seat in cleaned {
        let player = &after.players[seat];
        let nothing_left = player.draw_pile.is_empty() && player.discard_pile.is_empty();
        let count = player.hand.len();
        let full = count == u16::from(HAND_SIZE) || count < u16::from(HAND_SIZE) && nothing_left;
        Fault::unless(full, "DOM-11.7", || format!("{seat}: {player:?}"))?;
    }
    Ok(())
}

/// DOM-11.9: coins come from Treasures and bonuses, and are spent on purchases.
fn coins_are_accounted_for(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    let mut coins = i32::from(before.turn.counters.coins);
    for event in events {
        coins += match event {
            Event::Bonuses {
                card: Card::Moneylender,
                ..
            } => 3,
            Event::Bonuses { card, .. } => i32::from(card.sheet().plus.coins),
            Event::TreasuresPlayed { cards, .. } => {
                cards.iter().map(|card| i32::from(card.sheet().coins)).sum()
            }
            Event::CardGained {
                price: Some(price), ..
            } => -i32::from(*price),
            Event::TurnStarted { .. } | Event::CleanedUp { .. } => -coins,
            _ => 0,
        };
    }
    let actual = after.turn.counters.coins;
    Fault::unless(coins == i32::from(actual), "DOM-11.9", || {
        format!("{actual} coins instead of {coins}")
    })
}
