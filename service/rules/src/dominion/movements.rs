//! The movements of events: cards. Cards in play, and those that an effect shows or has set aside, lie in the area of their
//! player.

use std::collections::BTreeMap;

use super::components::{card, discard_pile, draw_pile, hand, trash};
use super::data::Card;
use super::event::{Event, Source, Zone};
use super::stage::{Destination, Playing};
use crate::table::{Component, Movement, Seat};

/// Lists what an event moves, each kind of card once.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Movement> {
    let area = Component::seat;
    match event {
        Event::CardsDrawn { seat, count, cards } => from_to(
            known(cards.as_deref(), *count),
            draw_pile(*seat),
            hand(*seat),
        ),
        Event::Shuffled { seat } => from_to(
            vec![Movement::unnamed(0_u8)],
            discard_pile(*seat),
            draw_pile(*seat),
        ),
        Event::ActionPlayed {
            seat,
            card,
            play: Playing::First,
            ..
        } => from_to(named(&[*card]), hand(*seat), area(*seat)),
        Event::TreasuresPlayed { seat, cards, .. } => {
            from_to(named(cards), hand(*seat), area(*seat))
        }
        Event::CardGained {
            seat,
            card,
            source,
            destination,
            ..
        } => {
            let from = match source {
                Source::Supply => self::card(*card),
                Source::Trash => trash(),
            };
            let to = match destination {
                Destination::DiscardPile => discard_pile(*seat),
                Destination::Hand => hand(*seat),
                Destination::DrawPile => draw_pile(*seat),
            };
            from_to(named(&[*card]), from, to)
        }
        Event::HandDiscarded {
            seat, count, cards, ..
        }
        | Event::CleanedUp {
            seat, count, cards, ..
        } => from_to(
            known(cards.as_deref(), *count),
            hand(*seat),
            discard_pile(*seat),
        ),
        Event::CardsDiscarded { seat, cards } => {
            from_to(named(cards), area(*seat), discard_pile(*seat))
        }
        Event::CardsTrashed { seat, zone, cards } => {
            from_to(named(cards), place(*seat, *zone), trash())
        }
        Event::CardsRevealed { seat, zone, cards } => match zone {
            // Cards of the hand stay there.
            Zone::Hand | Zone::InPlay | Zone::Revealed => Vec::new(),
            Zone::DrawPile => from_to(named(cards), draw_pile(*seat), area(*seat)),
        },
        Event::RevealedTaken { seat, cards } => from_to(named(cards), area(*seat), hand(*seat)),
        Event::CardTopdecked { seat, zone, card } => {
            let from = match zone {
                Zone::Hand | Zone::InPlay => place(*seat, *zone),
                // It was revealed from there.
                Zone::DrawPile | Zone::Revealed => area(*seat),
            };
            from_to(named(&[*card]), from, draw_pile(*seat))
        }
        Event::ChancellorDecided {
            seat,
            discarded: true,
            count,
            ..
        } => {
            let turned = vec![Movement::unnamed(count.unwrap_or_default())];
            from_to(turned, draw_pile(*seat), discard_pile(*seat))
        }
        Event::CardSetAside { seat, card } => {
            from_to(named(&[*card]), draw_pile(*seat), area(*seat))
        }
        Event::GameCreated { .. }
        | Event::TurnStarted { .. }
        | Event::PhaseChanged { .. }
        | Event::ActionPlayed {
            play: Playing::Repeated,
            ..
        }
        | Event::Bonuses { .. }
        | Event::ChancellorDecided {
            discarded: false, ..
        }
        | Event::ReactionShown { .. }
        | Event::ReactionDeclined { .. }
        | Event::Stalemate
        | Event::NothingChosen { .. }
        | Event::SpyDecided { .. } => Vec::new(),
    }
}

fn place(seat: Seat, zone: Zone) -> Component {
    match zone {
        Zone::Hand => hand(seat),
        Zone::DrawPile => draw_pile(seat),
        Zone::InPlay | Zone::Revealed => Component::seat(seat),
    }
}

fn from_to(cards: Vec<Movement>, from: Component, to: Component) -> Vec<Movement> {
    let moved = cards.into_iter();
    moved
        .map(|cards| cards.leaving(from).reaching(to))
        .collect()
}

fn named(cards: &[Card]) -> Vec<Movement> {
    let mut kinds: BTreeMap<Card, u32> = BTreeMap::new();
    for card in cards {
        *kinds.entry(*card).or_default() += 1;
    }
    let kinds = kinds.into_iter();
    kinds
        .map(|(kind, count)| Movement::of(card(kind), count))
        .collect()
}

/// Lists the cards of a hand or draw pile that the viewer knows, or their number.
fn known(cards: Option<&[Card]>, count: u16) -> Vec<Movement> {
    match cards {
        Some(cards) => named(cards),
        None if count == 0 => Vec::new(),
        None => vec![Movement::unnamed(count)],
    }
}
