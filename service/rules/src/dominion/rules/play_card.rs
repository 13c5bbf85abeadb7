//! Playing a card (DOM-6.17).

use super::common::require_in_hand;
use super::procedures::draw;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::Event;
use crate::dominion::refusal::{Refusal, RefusedAction};
use crate::dominion::stage::{EffectFrame, Immune, Playing};
use crate::dominion::state::{ExecContext, State};
use crate::table::{MaybeKnown, Refusal as _, Seat};

/// Checks that the card is in hand and an Action card.
///
/// # Rule DOM-6.5, DOM-7.21
pub fn action_card(
    state: &State,
    seat: Seat,
    card: MaybeKnown<Card>,
    rule: &'static str,
) -> Result<Card, RefusedAction> {
    let card = require_in_hand(state, seat, card, rule)?;
    if card.is(CardType::Action) {
        Ok(card)
    } else {
        Err(Refusal::NotAnAction { card }.citing(rule))
    }
}

/// Moves a card from the hand into play.
pub fn lay_out(ctx: &mut ExecContext<'_>, card: Card) {
    let active = ctx.state.turn.active;
    ctx.state.players[active].give_away(card);
    ctx.state.turn.in_play.push(card);
}

/// Plays a card that is in play, or in the trash in the case of a Feast played again: Reactions
/// to an Attack come before everything else.
///
/// # Rule DOM-6.17
pub fn play_card(ctx: &mut ExecContext<'_>, card: Card, playing: Playing) {
    ctx.emit(Event::ActionPlayed {
        seat: ctx.state.turn.active,
        card,
        play: playing,
        counters: ctx.state.turn.counters,
    });
    let immune = Immune::new();
    ctx.state.stack.push(if card.is(CardType::Attack) {
        let queue = ctx.state.opponents().collect();
        EffectFrame::Reactions {
            card,
            queue,
            immune,
        }
    } else {
        EffectFrame::Resolve { card, immune }
    });
}

/// Gives the bonuses of a card: cards, actions, buys and coins, in the printed order.
///
/// # Rule DOM-6.17
pub fn bonuses(ctx: &mut ExecContext<'_>, card: Card) {
    let active = ctx.state.turn.active;
    let plus = card.sheet().plus;
    draw(ctx, active, u16::from(plus.cards));
    if !plus.counts() {
        return;
    }
    let counters = &mut ctx.state.turn.counters;
    counters.actions += u16::from(plus.actions);
    counters.buys += u16::from(plus.buys);
    counters.coins += u16::from(plus.coins);
    report_counters(ctx, card);
}

/// Reports the remaining actions, buys and coins of the turn after a card's bonuses (DOM-14.9).
pub fn report_counters(ctx: &mut ExecContext<'_>, card: Card) {
    ctx.emit(Event::Bonuses {
        seat: ctx.state.turn.active,
        card,
        counters: ctx.state.turn.counters,
    });
}
