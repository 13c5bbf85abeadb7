//! The components that actions and events touch. `picture` draws them under the same names.

use std::collections::BTreeSet;

use super::action::Action;
use super::data::{Card, CardType};
use super::event::{Event, Source};
use super::stage::{Destination, EffectFrame};
use super::state::Cards;
use super::view::View;
use crate::table::{Component, MaybeKnown, Seat};

/// A kind of card: its pile in the Supply.
pub fn card(card: Card) -> Component {
    Component::new("card", card.id())
}

/// The cards of a kind in a hand.
pub fn in_hand(seat: Seat, card: Card) -> Component {
    Component::of(seat, "hand", card.id())
}

/// The cards of a kind that the active player has played.
pub fn in_play(seat: Seat, card: Card) -> Component {
    Component::of(seat, "in_play", card.id())
}

/// Cards of a kind that an effect shows from a draw pile, or has set aside.
pub fn shown(seat: Seat, card: Card) -> Component {
    Component::of(seat, "shown", card.id())
}

pub fn hand(seat: Seat) -> Component {
    Component::only("hand", seat)
}

pub fn draw_pile(seat: Seat) -> Component {
    Component::only("draw_pile", seat)
}

pub fn discard_pile(seat: Seat) -> Component {
    Component::only("discard_pile", seat)
}

pub fn trash() -> Component {
    Component::new("pile", "trash")
}

/// Lists the components that an action touches. A pass touches only the player.
pub fn action(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let one = |card: &MaybeKnown<Card>| each(seat, std::slice::from_ref(card));
    match action {
        Action::PlayAction { card }
        | Action::RevealReaction { card }
        | Action::RemodelTrash { card }
        | Action::BureaucratTopdeck { card }
        | Action::MineTrash { card: Some(card) }
        | Action::ThroneRoomChoose { card: Some(card) } => one(card),
        Action::PlayTreasures { cards }
        | Action::CellarDiscard { cards }
        | Action::ChapelTrash { cards }
        | Action::MilitiaDiscard { cards } => each(seat, cards),
        Action::PlayAllTreasures => treasures(view, seat),
        Action::BuyCard { card } | Action::GainCard { card } => {
            card.map(self::card).into_iter().collect()
        }
        Action::EndTurn {
            discard_top: Some(top),
        } => {
            let top = top.map(|top| place_of(view, seat, top));
            [discard_pile(seat)].into_iter().chain(top).collect()
        }
        Action::ChancellorDecide { discard_deck } => {
            let onto = discard_deck.then(|| discard_pile(seat));
            [draw_pile(seat)].into_iter().chain(onto).collect()
        }
        Action::LibraryDecide { .. } | Action::SpyDecide { .. } => {
            let component = in_question(view).unwrap_or_else(|| Component::seat(seat));
            vec![component]
        }
        Action::ThiefTrash { card } => {
            let card = card.and_then(|card| Some(shown(revealed_of(view)?, card)));
            card.into_iter().collect()
        }
        Action::ThiefGain { cards } if cards.is_empty() => vec![Component::seat(seat)],
        Action::ThiefGain { .. } => vec![trash()],
        Action::EndActionPhase
        | Action::EndTurn { discard_top: None }
        | Action::DeclineReaction
        | Action::MineTrash { card: None }
        | Action::ThroneRoomChoose { card: None } => vec![Component::seat(seat)],
    }
}

/// Lists cards of the hand, each kind once. Lists the player if no card is named.
fn each(seat: Seat, cards: &[MaybeKnown<Card>]) -> Vec<Component> {
    let kinds: BTreeSet<Card> = cards.iter().copied().flatten().collect();
    if kinds.is_empty() {
        return vec![Component::seat(seat)];
    }
    kinds.into_iter().map(|card| in_hand(seat, card)).collect()
}

fn treasures(view: &View, seat: Seat) -> Vec<Component> {
    let player = view.players.iter().find(|player| player.seat == seat);
    let hand = player.and_then(|player| player.hand);
    let hand = hand.map(|hand| hand.of_type(CardType::Treasure));
    let kinds = hand.iter().flat_map(Cards::iter);
    kinds.map(|(card, _)| in_hand(seat, card)).collect()
}

/// The component of a card: in the hand, or in play.
fn place_of(view: &View, seat: Seat, card: Card) -> Component {
    let player = view.players.iter().find(|player| player.seat == seat);
    let holds = player.and_then(|player| player.hand);
    if holds.is_some_and(|hand| hand.has(card)) {
        in_hand(seat, card)
    } else {
        in_play(seat, card)
    }
}

/// The card about which Library or Spy asks.
fn in_question(view: &View) -> Option<Component> {
    let frame = view.stack.last()?;
    if let EffectFrame::Library {
        drawn: Some(card), ..
    } = frame
    {
        return Some(shown(view.active_player, *card));
    }
    if let EffectFrame::Spy {
        queue,
        revealed: Some(card),
        ..
    } = frame
    {
        return Some(shown(*queue.first()?, *card));
    }
    None
}

/// The player whose cards the Thief has revealed.
fn revealed_of(view: &View) -> Option<Seat> {
    if let Some(EffectFrame::Thief { queue, .. }) = view.stack.last() {
        return queue.first().copied();
    }
    None
}

/// Lists the components that an event touches: kinds of cards, and the piles between which they move.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Component> {
    let kinds = |cards: &[Card]| -> Vec<Component> {
        let kinds: BTreeSet<Card> = cards.iter().copied().collect();
        kinds.into_iter().map(card).collect()
    };
    let with = |mut places: Vec<Component>, cards: &[Card]| {
        places.extend(kinds(cards));
        places
    };
    let visible_cards = |cards: &Option<Vec<Card>>| cards.clone().unwrap_or_default();
    match event {
        Event::GameCreated { kingdom, .. } => kinds(kingdom),
        Event::TurnStarted { seat, .. }
        | Event::PhaseChanged { seat, .. }
        | Event::ReactionDeclined { seat } => vec![Component::seat(*seat)],
        Event::CardsDrawn { seat, cards, .. } => {
            with(vec![draw_pile(*seat), hand(*seat)], &visible_cards(cards))
        }
        Event::Shuffled { seat } => vec![discard_pile(*seat), draw_pile(*seat)],
        Event::ActionPlayed { seat, card, .. } | Event::ReactionShown { seat, card } => {
            with(vec![hand(*seat)], &[*card])
        }
        Event::Bonuses { seat, card, .. } | Event::NothingChosen { seat, card } => {
            with(vec![Component::seat(*seat)], &[*card])
        }
        Event::TreasuresPlayed { seat, cards, .. } => with(vec![hand(*seat)], cards),
        Event::CardGained {
            seat,
            card,
            source,
            destination,
            ..
        } => {
            let to = match destination {
                Destination::DiscardPile => discard_pile(*seat),
                Destination::Hand => hand(*seat),
                Destination::DrawPile => draw_pile(*seat),
            };
            let from = match source {
                Source::Supply => None,
                Source::Trash => Some(trash()),
            };
            with(from.into_iter().chain([to]).collect(), &[*card])
        }
        Event::HandDiscarded { seat, cards, .. } | Event::CleanedUp { seat, cards, .. } => with(
            vec![hand(*seat), discard_pile(*seat)],
            &visible_cards(cards),
        ),
        Event::CardsDiscarded { seat, cards } => with(vec![discard_pile(*seat)], cards),
        Event::CardsTrashed { cards, .. } => with(vec![trash()], cards),
        Event::CardsRevealed { seat, cards, .. } => with(vec![Component::seat(*seat)], cards),
        Event::RevealedTaken { seat, cards } => with(vec![hand(*seat)], cards),
        Event::CardTopdecked { seat, card, .. } => with(vec![draw_pile(*seat)], &[*card]),
        Event::ChancellorDecided {
            seat, discarded, ..
        } => {
            let onto = discarded.then(|| discard_pile(*seat));
            [draw_pile(*seat)].into_iter().chain(onto).collect()
        }
        Event::CardSetAside { seat, card } => with(vec![Component::seat(*seat)], &[*card]),
        Event::Stalemate => Vec::new(),
        Event::SpyDecided { owner, card, .. } => with(vec![draw_pile(*owner)], &[*card]),
    }
}
