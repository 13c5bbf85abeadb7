//! Thief (DOM-7.20).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::{Event, Source, Zone};
use crate::dominion::refusal::{No, Refusal, known};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::{all_known, answered};
use crate::dominion::rules::procedures::{
    chose_nothing, discard_held, reveal, take_top, trash_taken,
};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::stage::{Decision, Destination, Frame, Immune, Queue, Revealed, Trashed};
use crate::dominion::state::{Cards, Play};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit, broken};

/// A validated action of this theme.
#[derive(Debug)]
pub enum Deed {
    Trash(Card),
    Gain(Vec<Card>),
}

pub fn resolve(play: &mut Play<'_>, immune: Immune) {
    let queue = touched(play.state, &immune);
    go_on(play, queue, immune, Trashed::new());
}

/// Continues with the next opponent, whose cards are not revealed yet.
fn go_on(play: &mut Play<'_>, queue: Queue, immune: Immune, trashed: Trashed) {
    play.state.stack.push(Frame::Thief {
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
    play: &mut Play<'_>,
    mut queue: Queue,
    immune: Immune,
    trashed: Trashed,
) -> Option<Frame> {
    while let Some(&victim) = queue.first() {
        let revealed = reveal_two(play, victim);
        let treasures = treasures_of(&revealed);
        if let Some(card) = treasures.first() {
            let asking = Frame::Thief {
                queue,
                immune,
                revealed,
                trashed,
            };
            if treasures.kinds() > 1 {
                return Some(asking);
            }
            play.state.stack.push(asking);
            let (thief, only) = (
                play.state.turn.active,
                Action::ThiefTrash { card: Some(card) },
            );
            play.automatic(thief, only, |play| trash(play, card));
            return None;
        }
        discard_held(play, victim, revealed.to_vec());
        queue.remove(0);
    }
    play.state.stack.push(Frame::ThiefGain { trashed });
    None
}

fn reveal_two(play: &mut Play<'_>, victim: Seat) -> Revealed {
    let mut revealed = Revealed::new();
    while !revealed.is_full()
        && let Some(card) = take_top(play, victim)
    {
        revealed.push(card);
    }
    if !revealed.is_empty() {
        reveal(play, victim, Zone::DrawPile, revealed.to_vec());
    }
    revealed
}

/// The Treasures to choose from.
pub fn treasures_of(cards: &[Card]) -> Cards {
    let treasures = cards.iter().filter(|card| card.is(CardType::Treasure));
    treasures.copied().collect()
}

/// Trashes one of the revealed cards and discards the others.
fn rob(
    play: &mut Play<'_>,
    victim: Seat,
    mut revealed: Revealed,
    treasure: Card,
    trashed: &mut Trashed,
) {
    let place = revealed.iter().position(|&card| card == treasure);
    if let Some(place) = place {
        let card = revealed.remove(place);
        trashed.push(card);
        trash_taken(play, victim, Zone::Revealed, card);
    }
    discard_held(play, victim, revealed.to_vec());
}

pub fn candidates_trash(revealed: &[Card], list: &mut Lister<'_, Action>) -> Visit {
    let mut cards = treasures_of(revealed).iter();
    cards.try_for_each(|(card, _)| list.visit(Action::ThiefTrash { card: Some(card) }))
}

/// Checks that the card is one of the two revealed. Both are Treasures, so a third check is not needed (DOM-14.10).
///
/// # Rule DOM-7.20
pub fn check_trash(revealed: &[Card], card: Named<Card>) -> Result<Deed, No> {
    let (card, decision) = (known(card, "card")?, Decision::ThiefTrash);
    if revealed.contains(&card) {
        Ok(Deed::Trash(card))
    } else {
        Err(Refusal::CardNotEligible { card, decision }.at("DOM-7.20"))
    }
}

pub fn candidates_gain(trashed: &[Card], list: &mut Lister<'_, Action>) -> Visit {
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
pub fn check_gain(trashed: &[Card], cards: &[Named<Card>]) -> Result<Deed, No> {
    let (cards, decision) = (all_known(cards)?, Decision::ThiefGain);
    match treasures_of(trashed).missing(&cards) {
        None => Ok(Deed::Gain(cards)),
        Some(card) => Err(Refusal::CardNotEligible { card, decision }.at("DOM-7.20")),
    }
}

pub fn perform(play: &mut Play<'_>, deed: Deed) {
    match deed {
        Deed::Trash(card) => trash(play, card),
        Deed::Gain(cards) => gain(play, &cards),
    }
}

fn trash(play: &mut Play<'_>, card: Card) {
    let Frame::Thief {
        mut queue,
        immune,
        revealed,
        mut trashed,
    } = answered(play)
    else {
        broken("DOM-7.20", &play.state.stack)
    };
    let victim = queue.remove(0);
    rob(play, victim, revealed, card, &mut trashed);
    go_on(play, queue, immune, trashed);
}

/// Moves the cards from the trash to the thief's discard pile; the Supply is not touched (DOM-10.19).
fn gain(play: &mut Play<'_>, cards: &[Card]) {
    play.state.stack.pop();
    let seat = play.state.turn.active;
    if cards.is_empty() {
        chose_nothing(play, Card::Thief);
    }
    for &card in cards {
        if !play.state.trash.remove(card) {
            broken("DOM-14.8", card)
        }
        play.state.players[seat].discard_pile.put(card);
        play.tell(Event::CardGained {
            seat,
            card,
            source: Source::Trash,
            destination: Destination::DiscardPile,
            price: None,
        });
    }
}
