//! The open effects: what Throne Rooms have still to repeat, and the effect that asks (DOM-15.9, DOM-15.10).

pub mod attacks;

use attacks::Attack;

use super::Judged;
use crate::dominion::data::{Card, CardType, LIBRARY_HAND};
use crate::dominion::rules::cards::{chancellor, feast, mine, remodel, workshop};
use crate::dominion::rules::common::asks_for;
use crate::dominion::rules::gain;
use crate::dominion::stage::{EffectFrame, Gain, Phase};
use crate::dominion::state::{Cards, State};
use crate::table::PositionError;

/// Checks that the rules can have put these effects on the stack, and that they wait for an answer.
pub fn judge(state: &State) -> Judged {
    let Some((waiting, repeats)) = state.stack.split_last() else {
        return Ok(());
    };
    PositionError::unless(state.turn.phase == Phase::Action, || {
        PositionError::new(
            "DOM-15.9",
            "stack",
            state.stack.len(),
            "none in the Buy phase",
        )
    })?;
    let mut in_play: Cards = state.turn.in_play.iter().copied().collect();
    let last = repeated(state, repeats, &mut in_play)?;
    let path = path(repeats.len(), waiting);
    let is_there = |card| match last {
        // The effect belongs to the first play of this card.
        Some(again) if again != Card::ThroneRoom => again == card,
        // It may belong to the first play of this Throne Room, or to the second play of a card that it chose.
        Some(again) if again == card => true,
        Some(_) | None => is_played(state, &mut in_play.clone(), card),
    };
    PositionError::unless(sources(state, waiting).into_iter().any(is_there), || {
        let allowed = "at the end an effect that waits for an answer, of a card in play";
        PositionError::new("DOM-15.9", &path, "this effect", allowed)
    })?;
    waits(state, waiting, &path)
}

/// Checks the cards that are played again. Takes them from the cards in play, with the Throne Room that chose the
/// first. Returns the card that is played again next.
///
/// # Rule DOM-15.9
fn repeated(state: &State, repeats: &[EffectFrame], in_play: &mut Cards) -> Judged<Option<Card>> {
    let mut last = None;
    for (index, frame) in repeats.iter().enumerate() {
        let error = |allowed: &str| {
            PositionError::new("DOM-15.9", path(index, frame), "this effect", allowed)
        };
        let EffectFrame::ThroneSecond { card } = *frame else {
            return Err(error("throne_second below the last effect"));
        };
        let chosen_by = last.unwrap_or(Card::ThroneRoom);
        PositionError::unless(chosen_by == Card::ThroneRoom, || {
            error("nothing above the effect of another card than Throne Room")
        })?;
        let has_room = index > 0 || in_play.remove(Card::ThroneRoom);
        PositionError::unless(has_room && is_played(state, in_play, card), || {
            error("a card in play that a Throne Room in play chose")
        })?;
        last = Some(card);
    }
    Ok(last)
}

/// Takes a card that was played from the cards in play. A Feast is in the trash.
fn is_played(state: &State, in_play: &mut Cards, card: Card) -> bool {
    if card == Card::Feast {
        state.trash.has(card)
    } else {
        in_play.remove(card)
    }
}

/// The cards that can have opened an effect.
fn sources(state: &State, frame: &EffectFrame) -> Vec<Card> {
    let card = match frame {
        EffectFrame::Reactions { card, .. } if card.is(CardType::Attack) => *card,
        // These never wait.
        EffectFrame::Reactions { .. }
        | EffectFrame::Resolve { .. }
        | EffectFrame::ThroneSecond { .. } => return Vec::new(),
        EffectFrame::Gain(wanted) => return sources_of_gain(state, wanted),
        EffectFrame::ThroneChoose => Card::ThroneRoom,
        EffectFrame::Cellar => Card::Cellar,
        EffectFrame::Chapel => Card::Chapel,
        EffectFrame::Chancellor => Card::Chancellor,
        EffectFrame::RemodelTrash => Card::Remodel,
        EffectFrame::MineTrash => Card::Mine,
        EffectFrame::Library { .. } => Card::Library,
        EffectFrame::Militia { .. } => Card::Militia,
        EffectFrame::Bureaucrat { .. } => Card::Bureaucrat,
        EffectFrame::Spy { .. } => Card::Spy,
        EffectFrame::Thief { .. } | EffectFrame::ThiefGain { .. } => Card::Thief,
    };
    vec![card]
}

/// The cards that can have given this gain. Of Remodel and Mine, the card that they have trashed is in the trash.
fn sources_of_gain(state: &State, wanted: &Gain) -> Vec<Card> {
    let trashed = || state.trash.iter().map(|(card, _)| card);
    let mut treasures = trashed().filter(|card| card.is(CardType::Treasure));
    let gains = [
        (Card::Workshop, *wanted == workshop::GAIN),
        (Card::Feast, *wanted == feast::GAIN),
        (
            Card::Remodel,
            trashed().any(|card| *wanted == remodel::gain_for(card)),
        ),
        (
            Card::Mine,
            treasures.any(|card| *wanted == mine::gain_for(card)),
        ),
    ];
    let sources = gains.into_iter().filter(|(_, fits)| *fits);
    sources.map(|(card, _)| card).collect()
}

/// Checks that an effect has something to ask, and that what it holds can be there.
///
/// # Rule DOM-15.10, DOM-6.21
fn waits(state: &State, frame: &EffectFrame, path: &str) -> Judged {
    let hand = &state.active().hand;
    let asks = |asks, wanted: &str| {
        PositionError::unless(asks, || {
            let found = super::listed(hand);
            let path = super::path(state.turn.active, "hand");
            PositionError::new("DOM-6.21", path, found, format!("{wanted} to choose from"))
        })
    };
    match frame {
        EffectFrame::Cellar | EffectFrame::Chapel | EffectFrame::RemodelTrash => {
            asks(!hand.is_empty(), "a card")
        }
        EffectFrame::MineTrash => asks(asks_for(state, CardType::Treasure), "a Treasure"),
        EffectFrame::ThroneChoose => asks(asks_for(state, CardType::Action), "an Action card"),
        EffectFrame::Chancellor => PositionError::unless(chancellor::asks(state), || {
            let path = super::path(state.turn.active, "draw_pile");
            PositionError::new("DOM-6.21", path, "nothing", "a card to turn over")
        }),
        EffectFrame::Gain(wanted) => {
            let count = gain::choices(state, wanted).count();
            PositionError::unless(count > 1, || {
                let found = format!("{count} cards that can be gained");
                PositionError::new("DOM-6.21", path, found, "2 or more")
            })
        }
        EffectFrame::Library { drawn, set_aside } => library(state, *drawn, set_aside, path),
        EffectFrame::Reactions { .. }
        | EffectFrame::Militia { .. }
        | EffectFrame::Bureaucrat { .. }
        | EffectFrame::Spy { .. }
        | EffectFrame::Thief { .. }
        | EffectFrame::ThiefGain { .. } => Attack { state, path }.judge(frame),
        // These never wait, so `sources` has refused them.
        EffectFrame::Resolve { .. } | EffectFrame::ThroneSecond { .. } => Ok(()),
    }
}

/// Checks the question of Library: there is room in the hand, and only Action cards are asked about and set aside.
///
/// # Rule DOM-7.11
fn library(state: &State, drawn: Option<Card>, set_aside: &[Card], path: &str) -> Judged {
    let (active, rule) = (state.turn.active, "DOM-7.11");
    let count = state.active().hand.len();
    PositionError::unless(count < LIBRARY_HAND, || {
        let allowed = format!("fewer than {LIBRARY_HAND}");
        PositionError::new(rule, super::path(active, "hand_count"), count, allowed)
    })?;
    let strict = state.options.strict_secrecy;
    let is_asked = drawn.is_some_and(|card| strict || card.is(CardType::Action));
    PositionError::unless(is_asked, || {
        let found = drawn.map_or("nothing", Card::name);
        PositionError::new(rule, format!("{path}.drawn"), found, "an Action card")
    })?;
    let other = set_aside.iter().position(|card| !card.is(CardType::Action));
    other.map_or(Ok(()), |index| {
        let path = format!("{path}.set_aside[{index}]");
        Err(PositionError::new(
            rule,
            path,
            set_aside[index],
            "Action cards",
        ))
    })
}

/// The path of an effect on the stack: `stack[0].militia`.
fn path(index: usize, frame: &EffectFrame) -> String {
    let name = match frame {
        EffectFrame::Reactions { .. } => "reactions",
        EffectFrame::Resolve { .. } => "resolve",
        EffectFrame::ThroneChoose => "throne_choose",
        EffectFrame::ThroneSecond { .. } => "throne_second",
        EffectFrame::Gain(_) => "gain",
        EffectFrame::Cellar => "cellar",
        EffectFrame::Chapel => "chapel",
        EffectFrame::Chancellor => "chancellor",
        EffectFrame::RemodelTrash => "remodel_trash",
        EffectFrame::MineTrash => "mine_trash",
        EffectFrame::Library { .. } => "library",
        EffectFrame::Militia { .. } => "militia",
        EffectFrame::Bureaucrat { .. } => "bureaucrat",
        EffectFrame::Spy { .. } => "spy",
        EffectFrame::Thief { .. } => "thief",
        EffectFrame::ThiefGain { .. } => "thief_gain",
    };
    format!("stack[{index}].{name}")
}
