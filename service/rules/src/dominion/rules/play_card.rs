//! Playing a card (DOM-6.17).

use super::common::held;
use super::procedures::draw;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::Event;
use crate::dominion::refusal::{No, Refusal};
use crate::dominion::stage::{Frame, Immune, Playing};
use crate::dominion::state::{Play, State};
use crate::table::{Named, Refusal as _, Seat};

/// Checks that the card is in hand and an Action card.
///
/// # Rule DOM-6.5, DOM-7.21
pub fn action_card(
    state: &State,
    seat: Seat,
    card: Named<Card>,
    rule: &'static str,
) -> Result<Card, No> {
    let card = held(state, seat, card, rule)?;
    if card.is(CardType::Action) {
        Ok(card)
    } else {
        Err(Refusal::NotAnAction { card }.at(rule))
    }
}

/// Moves a card from the hand into play.
pub fn lay_out(play: &mut Play<'_>, card: Card) {
    let active = play.state.turn.active;
    play.state.players[active].give_away(card);
    play.state.turn.in_play.push(card);
}

/// Plays a card that is in play, or in the trash in the case of a Feast played again: Reactions
/// to an Attack come before everything else.
///
/// # Rule DOM-6.17
pub fn play_card(play: &mut Play<'_>, card: Card, playing: Playing) {
    play.tell(Event::ActionPlayed {
        seat: play.state.turn.active,
        card,
        play: playing,
        counters: play.state.turn.counters,
    });
    let immune = Immune::new();
    play.state.stack.push(if card.is(CardType::Attack) {
        let queue = play.state.opponents().collect();
        Frame::Reactions {
            card,
            queue,
            immune,
        }
    } else {
        Frame::Resolve { card, immune }
    });
}

/// Gives the bonuses of a card: cards, actions, buys and coins, in the printed order.
///
/// # Rule DOM-6.17
pub fn bonuses(play: &mut Play<'_>, card: Card) {
    let active = play.state.turn.active;
    let plus = card.sheet().plus;
    draw(play, active, u16::from(plus.cards));
    if !plus.counts() {
        return;
    }
    let counters = &mut play.state.turn.counters;
    counters.actions += u16::from(plus.actions);
    counters.buys += u16::from(plus.buys);
    counters.coins += u16::from(plus.coins);
    report_counters(play, card);
}

/// Reports the remaining actions, buys and coins of the turn after a card's bonuses (DOM-14.9).
pub fn report_counters(play: &mut Play<'_>, card: Card) {
    play.tell(Event::Bonuses {
        seat: play.state.turn.active,
        card,
        counters: play.state.turn.counters,
    });
}
