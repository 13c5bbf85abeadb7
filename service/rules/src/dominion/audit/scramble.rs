//! Changes everything that a viewer cannot know, and nothing else.

use crate::dominion::data::Card;
use crate::dominion::event::Event;
use crate::dominion::stage::Frame;
use crate::dominion::state::Cards;
use crate::dominion::state::{Player, State};
use crate::dominion::worlds;
use crate::table::{Chance, Viewer};

/// What each player owns is public, since gains are; where it is, is not. So the cards of each
/// player are dealt anew to the zones that this viewer cannot see.
pub(crate) fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
    let mut other = state.clone();
    for seat in state.players.seats() {
        let held = &state.players[seat].hand;
        let proof =
            worlds::certain(state, seat).and_then(|card_type| held.of_type(card_type).first());
        let hand = if viewer.sees(seat) {
            Hand::Seen
        } else {
            Hand::Hidden { proof }
        };
        deal_anew(&mut other.players[seat], &hand, chance);
    }
    if !viewer.sees(state.turn.active) && state.options.strict_secrecy {
        swap_drawn(&mut other);
    }
    other
}

enum Hand {
    Seen,
    /// Public information shows that a card like this one is in hand (DOM-13.8).
    Hidden {
        proof: Option<Card>,
    },
}

fn deal_anew(player: &mut Player, hand: &Hand, chance: &mut Chance) {
    let top = player.discard_pile.top();
    let mut below = player.discard_pile.take_all();
    if let Some(top) = top {
        below.remove(top);
    }
    let (draw_pile, discard_pile) = (player.draw_pile.len(), below.len());
    let mut pool: Vec<Card> = below
        .each()
        .chain(player.draw_pile.take_all().each())
        .collect();
    if let Hand::Hidden { proof } = hand {
        let size = player.hand.len();
        let mut old = player.hand.take();
        if let &Some(card) = proof {
            old.remove(card);
            player.hand.add(card);
        }
        pool.extend(old.each());
        chance.shuffle("scramble", None, &mut pool);
        let kept = player.hand.len();
        let new: Cards = (kept..size).filter_map(|_| pool.pop()).collect();
        player.hand.add_all(&new);
    } else {
        chance.shuffle("scramble", None, &mut pool);
    }
    let below: Cards = (0..discard_pile).filter_map(|_| pool.pop()).collect();
    player.discard_pile.put_all(&below, top);
    if let Some(top) = top {
        player.discard_pile.put(top);
    }
    debug_assert_eq!(
        pool.len(),
        usize::from(draw_pile),
        "every card has its place"
    );
    for card in pool {
        player.draw_pile.put_on_top(card);
    }
}

/// Under strict secrecy the card that Library asks about may be any card.
fn swap_drawn(state: &mut State) {
    let seat = state.turn.active;
    if let Some(Frame::Library {
        drawn: Some(card), ..
    }) = state.stack.last_mut()
        && let Some(other) = state.players[seat].draw_pile.take_top()
    {
        state.players[seat].draw_pile.put_on_top(*card);
        *card = other;
    }
}

/// Changes cards and numbers of cards wherever the viewer may not know them.
pub(crate) fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
    let mut other = event.clone();
    match &mut other {
        Event::CardsDrawn { seat, cards, .. }
        | Event::HandDiscarded { seat, cards, .. }
        | Event::CleanedUp { seat, cards, .. }
            if !viewer.sees(*seat) =>
        {
            for card in cards.iter_mut().flatten() {
                *card = chance.pick("scramble", None, &Card::ALL).unwrap_or(*card);
            }
        }
        Event::ChancellorDecided { seat, count, .. } if !viewer.sees(*seat) => {
            *count = count.map(|count| count + 1);
        }
        _ => {}
    }
    other
}
