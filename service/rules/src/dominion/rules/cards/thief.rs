//! Thief (DOM-7.20).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::{Event, Source, Zone};
use crate::dominion::refusal::{Refusal, RefusedAction, require_known};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::{all_known, answered};
use crate::dominion::rules::procedures::{
    chose_nothing, discard_held, reveal_top, shuffles_next, take_top, trash_taken,
};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::stage::{
    Decision, Destination, EffectFrame, Immune, Queue, Revealed, Trashed,
};
use crate::dominion::state::{Cards, ExecContext};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// A validated action of this theme.
#[derive(Debug)]
pub enum ValidAction {
    Trash(Card),
    Gain(Vec<Card>),
}

pub fn resolve(ctx: &mut ExecContext<'_>, immune: Immune) {
    let queue = touched(ctx.state, &immune);
    go_on(ctx, queue, immune, Trashed::new());
}

/// Continues with the next opponent, whose cards are not revealed yet.
fn go_on(ctx: &mut ExecContext<'_>, queue: Queue, immune: Immune, trashed: Trashed) {
    ctx.state.stack.push(EffectFrame::Thief {
        queue,
        immune,
        revealed: Revealed::new(),
        trashed,
    });
}

/// Reveals two cards of each opponent in turn. With two different Treasures the player is asked; a single kind is
/// trashed at once. After the last opponent the trashed Treasures may be gained.
///
/// # Rule DOM-7.20
pub fn advance(
    ctx: &mut ExecContext<'_>,
    mut queue: Queue,
    immune: Immune,
    trashed: Trashed,
) -> Option<EffectFrame> {
    while let Some(&victim) = queue.first() {
        let revealed = reveal_two(ctx, victim);
        let treasures = treasures_of(&revealed);
        if let Some(card) = treasures.first() {
            let asking = EffectFrame::Thief {
                queue,
                immune,
                revealed,
                trashed,
            };
            if treasures.kinds() > 1 {
                return Some(asking);
            }
            ctx.state.stack.push(asking);
            let (thief, only) = (
                ctx.state.turn.active,
                Action::ThiefTrash { card: Some(card) },
            );
            ctx.execute_forced(thief, only, |ctx| trash(ctx, card));
            return None;
        }
        discard_held(ctx, victim, revealed.to_vec());
        queue.remove(0);
    }
    ctx.state.stack.push(EffectFrame::ThiefGain { trashed });
    None
}

fn reveal_two(ctx: &mut ExecContext<'_>, victim: Seat) -> Revealed {
    let (mut revealed, mut unreported) = (Revealed::new(), Vec::new());
    while !revealed.is_full() {
        if shuffles_next(ctx, victim) {
            reveal_top(ctx, victim, std::mem::take(&mut unreported));
        }
        let Some(card) = take_top(ctx, victim) else {
            break;
        };
        revealed.push(card);
        unreported.push(card);
    }
    reveal_top(ctx, victim, unreported);
    revealed
}

/// The Treasures to choose from.
pub fn treasures_of(cards: &[Card]) -> Cards {
    let treasures = cards.iter().filter(|card| card.is(CardType::Treasure));
    treasures.copied().collect()
}

/// Trashes one of the revealed cards and discards the others.
fn rob(
    ctx: &mut ExecContext<'_>,
    victim: Seat,
    mut revealed: Revealed,
    treasure: Card,
    trashed: &mut Trashed,
) {
    let place = revealed.iter().position(|&card| card == treasure);
    if let Some(place) = place {
        let card = revealed.remove(place);
        trashed.push(card);
        trash_taken(ctx, victim, Zone::Revealed, card);
    }
    discard_held(ctx, victim, revealed.to_vec());
}

pub fn candidates_trash(revealed: &[Card], list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let mut cards = treasures_of(revealed).iter();
    cards.try_for_each(|(card, _)| list.visit(Action::ThiefTrash { card: Some(card) }))
}

/// Checks that the card is one of the two revealed. Both are Treasures, so a third check is not needed (DOM-14.10).
///
/// # Rule DOM-7.20
pub fn check_trash(
    revealed: &[Card],
    card: MaybeKnown<Card>,
) -> Result<ValidAction, RefusedAction> {
    let (card, decision) = (require_known(card, "card")?, Decision::ThiefTrash);
    if revealed.contains(&card) {
        Ok(ValidAction::Trash(card))
    } else {
        Err(Refusal::CardNotEligible { card, decision }.citing("DOM-7.20"))
    }
}

pub fn candidates_gain(trashed: &[Card], list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let trashed = treasures_of(trashed);
    list.kind("thief_gain", |list| {
        subsets(list, &trashed, 0, trashed.len(), |cards| {
            Action::ThiefGain { cards }
        })
    })
}

/// Checks that all cards were trashed by this play.
///
/// # Rule DOM-7.20
pub fn check_gain(
    trashed: &[Card],
    cards: &[MaybeKnown<Card>],
) -> Result<ValidAction, RefusedAction> {
    let (cards, decision) = (all_known(cards)?, Decision::ThiefGain);
    match treasures_of(trashed).missing(&cards) {
        None => Ok(ValidAction::Gain(cards)),
        Some(card) => Err(Refusal::CardNotEligible { card, decision }.citing("DOM-7.20")),
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Trash(card) => trash(ctx, card),
        ValidAction::Gain(cards) => gain(ctx, &cards),
    }
}

fn trash(ctx: &mut ExecContext<'_>, card: Card) {
    let EffectFrame::Thief {
        mut queue,
        immune,
        revealed,
        mut trashed,
    } = answered(ctx)
    else {
        invariant_violated("DOM-7.20", &ctx.state.stack)
    };
    let victim = queue.remove(0);
    rob(ctx, victim, revealed, card, &mut trashed);
    go_on(ctx, queue, immune, trashed);
}

/// Moves the cards from the trash to the thief's discard pile; the Supply is not touched (DOM-10.19).
fn gain(ctx: &mut ExecContext<'_>, cards: &[Card]) {
    ctx.state.stack.pop();
    let seat = ctx.state.turn.active;
    if cards.is_empty() {
        chose_nothing(ctx, Card::Thief);
    }
    for &card in cards {
        if !ctx.state.trash.remove(card) {
            invariant_violated("DOM-14.8", card)
        }
        ctx.state.players[seat].discard_pile.put(card);
        ctx.emit(Event::CardGained {
            seat,
            card,
            source: Source::Trash,
            destination: Destination::DiscardPile,
            price: None,
        });
    }
}
