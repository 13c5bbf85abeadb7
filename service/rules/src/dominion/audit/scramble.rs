//! Changes everything that a viewer cannot know, and nothing else, to find leaks of hidden information.

use crate::dominion::data::Card;
use crate::dominion::event::Event;
use crate::dominion::stage::EffectFrame;
use crate::dominion::state::{Player, State};
use crate::dominion::worlds;
use crate::table::{Chance, Viewer};

/// Deals the hidden cards of each player anew to their places in the zones that this viewer cannot see. The owner of a
/// card is public, since gains are. The place of a card is hidden, unless it was seen and the card cannot have moved
/// since.
pub fn scramble(state: &State, viewer: Viewer, chance: &mut Chance) -> State {
    let mut other = state.clone();
    for seat in state.players.seats() {
        let player = &mut other.players[seat];
        if viewer.sees(seat) {
            let mut pile: Vec<Card> = player.draw_pile.unseen().collect();
            chance.shuffle("scramble", None, &mut pile);
            player.draw_pile.replace_unseen(pile.into_iter());
        } else {
            let proof = worlds::certain(state, seat)
                .filter(|&card_type| !player.shown().has_type(card_type))
                .and_then(|card_type| player.hand.of_type(card_type).first());
            deal_anew(player, proof, chance);
        }
    }
    if !viewer.sees(state.turn.active) && state.options.strict_secrecy {
        swap_drawn(&mut other);
    }
    other
}

/// Deals the cards that only their owner knows. Public information may show that a card like `proof` is in hand
/// (DOM-13.8).
fn deal_anew(player: &mut Player, proof: Option<Card>, chance: &mut Chance) {
    let mut visible_hand = *player.shown();
    let mut hidden_hand = player.unshown();
    if let Some(card) = proof {
        hidden_hand.remove(card);
        visible_hand.add(card);
    }
    let (hand, discard_pile) = (hidden_hand.len(), player.discard_pile.unseen().len());
    let hidden = hidden_hand
        .each()
        .chain(player.discard_pile.unseen().each());
    let mut pool: Vec<Card> = hidden.chain(player.draw_pile.unseen()).collect();
    chance.shuffle("scramble", None, &mut pool);
    let mut pool = pool.into_iter();
    pool.by_ref()
        .take(usize::from(hand))
        .for_each(|card| visible_hand.add(card));
    player.hand = visible_hand;
    let discarded = pool.by_ref().take(usize::from(discard_pile)).collect();
    player.discard_pile.replace_unseen(&discarded);
    player.draw_pile.replace_unseen(pool);
}

/// Exchanges the card that Library asks about: under strict secrecy it may be any card, unless it lay on the pile in
/// public.
fn swap_drawn(state: &mut State) {
    let pile = &mut state.players[state.turn.active].draw_pile;
    if let Some(EffectFrame::Library {
        drawn: Some(card), ..
    }) = state.stack.last_mut()
        && !state.turn.asked_is_seen
    {
        let mut cards: Vec<Card> = pile.unseen().collect();
        if let Some(top) = cards.last_mut() {
            std::mem::swap(top, card);
        }
        pile.replace_unseen(cards.into_iter());
    }
}

/// Changes cards and numbers of cards wherever the viewer may not know them.
pub fn scramble_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
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
