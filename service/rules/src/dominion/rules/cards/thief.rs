//! Thief (DOM-7.20).

use arrayvec::ArrayVec;

use crate::dominion::action::Action;
use crate::dominion::cards::Cards;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::event::{Event, Source, Zone};
use crate::dominion::pending::{Destination, Frame, Immune, Queue};
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::dominion::subsets::subsets;
use crate::table::{Seat, Visit};

/// Up to two cards from the top of a draw pile, in the order of revealing.
type Revealed = ArrayVec<Card, 2>;
/// At most one Treasure of each opponent.
type Trashed = ArrayVec<Card, 3>;

pub(crate) fn resolve(table: &mut Table<'_>, immune: &Immune) {
    table.push(Frame::Thief {
        queue: touched(table.state, immune),
        immune: immune.clone(),
        revealed: Revealed::new(),
        trashed: Trashed::new(),
    });
}

/// # Rule DOM-7.20
/// Opponent by opponent two cards are revealed. Two different Treasures are a question; a single
/// kind is trashed at once. After the last opponent the trashed Treasures may be gained.
pub(crate) fn advance(
    table: &mut Table<'_>,
    mut queue: Queue,
    immune: Immune,
    mut trashed: Trashed,
) -> Option<Frame> {
    while let Some(&victim) = queue.first() {
        let revealed = reveal_two(table, victim);
        let treasures = treasures_of(&revealed);
        if treasures.kinds() > 1 {
            return Some(Frame::Thief {
                queue,
                immune,
                revealed,
                trashed,
            });
        }
        if let Some(card) = treasures.first() {
            let card = Some(card);
            let thief = table.active();
            table.journal.automatic(thief, Action::ThiefTrash { card });
        }
        rob(table, victim, revealed, treasures.first(), &mut trashed);
        queue.remove(0);
    }
    table.push(Frame::ThiefGain { trashed });
    None
}

fn reveal_two(table: &mut Table<'_>, victim: Seat) -> Revealed {
    let mut revealed = Revealed::new();
    while !revealed.is_full()
        && let Some(card) = table.take_top(victim)
    {
        revealed.push(card);
    }
    if !revealed.is_empty() {
        table.reveal(victim, Zone::DrawPile, revealed.to_vec());
    }
    revealed
}

fn treasures_of(revealed: &[Card]) -> Cards {
    let treasures = revealed.iter().filter(|card| card.is(CardType::Treasure));
    treasures.copied().collect()
}

/// Trashes one of the revealed cards, if there is one to trash, and discards the others.
fn rob(
    table: &mut Table<'_>,
    victim: Seat,
    mut revealed: Revealed,
    treasure: Option<Card>,
    trashed: &mut Trashed,
) {
    let place = treasure.and_then(|card| revealed.iter().position(|&shown| shown == card));
    if let Some(card) = place.and_then(|place| revealed.pop_at(place)) {
        trashed.push(card);
        table.trash_taken(victim, Zone::Revealed, card);
    }
    table.discard_held(victim, revealed.to_vec());
}

/// # Rule DOM-7.20
/// The card is one of the two revealed. Both are Treasures, so a third test is not needed
/// (DOM-14.10).
pub(crate) fn check_trash(state: &State, card: Card) -> Result<(), Refusal> {
    if shown(state).has(card) {
        Ok(())
    } else {
        let decision = Decision::ThiefTrash;
        Err(Refusal::CardNotEligible { card, decision })
    }
}

/// The Treasures to choose from: the two revealed ones, or those that this play has trashed.
pub(crate) fn shown(state: &State) -> Cards {
    match state.stack.last() {
        Some(Frame::Thief { revealed, .. }) => treasures_of(revealed),
        Some(Frame::ThiefGain { trashed }) => treasures_of(trashed),
        Some(_) | None => Cards::none(),
    }
}

pub(crate) fn candidates_trash(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let mut cards = shown(state).iter();
    cards.try_for_each(|(card, _)| visit(Action::ThiefTrash { card: Some(card) }))
}

pub(crate) fn perform_trash(table: &mut Table<'_>, card: Card) {
    let Some(Frame::Thief {
        mut queue,
        immune,
        revealed,
        mut trashed,
    }) = table.state.stack.pop()
    else {
        return;
    };
    if let Some(victim) = queue.pop_at(0) {
        rob(table, victim, revealed, Some(card), &mut trashed);
    }
    table.push(Frame::Thief {
        queue,
        immune,
        revealed: Revealed::new(),
        trashed,
    });
}

/// # Rule DOM-7.20
/// All cards were trashed by this play.
pub(crate) fn check_gain(state: &State, cards: &[Card]) -> Result<(), Refusal> {
    match shown(state).missing(cards) {
        None => Ok(()),
        Some(card) => Err(Refusal::CardNotEligible {
            card,
            decision: Decision::ThiefGain,
        }),
    }
}

pub(crate) fn candidates_gain(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let trashed = shown(state);
    subsets(&trashed, 0, trashed.len(), &mut |cards| {
        visit(Action::ThiefGain { cards })
    })
}

/// The cards move from the trash to the thief's discard pile; the Supply is not touched (DOM-10.19).
pub(crate) fn perform_gain(table: &mut Table<'_>, cards: &[Card]) {
    table.state.stack.pop();
    let seat = table.active();
    if cards.is_empty() {
        table.chose_nothing(Card::Thief);
    }
    for &card in cards {
        if table.state.trash.remove(card) {
            table.player(seat).discard_pile.put(card);
            table.event(Event::CardGained {
                seat,
                card,
                from: Source::Trash,
                to: Destination::DiscardPile,
                price: None,
            });
        }
    }
}
