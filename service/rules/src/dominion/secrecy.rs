//! Who may know what of an event (DOM-13.7).

use super::event::Event;
use crate::table::Viewer;

/// The event as this viewer may know it; nothing, if he may not know that it happened.
#[expect(
    clippy::too_many_lines,
    reason = "one plain table: what of each event is secret"
)]
pub(super) fn event_view(event: &Event, viewer: Viewer) -> Option<Event> {
    match *event {
        Event::CardsDrawn { seat, count, .. } if !viewer.sees(seat) => Some(Event::CardsDrawn {
            seat,
            count,
            cards: None,
        }),
        Event::HandDiscarded {
            seat,
            count,
            discard_top,
            ..
        } if !viewer.sees(seat) => Some(Event::HandDiscarded {
            seat,
            count,
            discard_top,
            cards: None,
        }),
        Event::CleanedUp {
            seat,
            count,
            discard_top,
            ..
        } if !viewer.sees(seat) => Some(Event::CleanedUp {
            seat,
            count,
            discard_top,
            cards: None,
        }),
        Event::ChancellorDecided {
            seat,
            discarded,
            discard_top,
            ..
        } if !viewer.sees(seat) => Some(Event::ChancellorDecided {
            seat,
            discarded,
            discard_top,
            count: None,
        }),
        Event::ReactionDeclined { seat } if !viewer.sees(seat) => None,
        // Public, or the viewer's own.
        Event::GameCreated { .. }
        | Event::TurnStarted { .. }
        | Event::PhaseChanged { .. }
        | Event::CardsDrawn { .. }
        | Event::Shuffled { .. }
        | Event::ActionPlayed { .. }
        | Event::Bonuses { .. }
        | Event::TreasuresPlayed { .. }
        | Event::CardGained { .. }
        | Event::HandDiscarded { .. }
        | Event::CleanedUp { .. }
        | Event::CardsDiscarded { .. }
        | Event::CardsTrashed { .. }
        | Event::CardsRevealed { .. }
        | Event::RevealedTaken { .. }
        | Event::CardTopdecked { .. }
        | Event::ChancellorDecided { .. }
        | Event::ReactionShown { .. }
        | Event::ReactionDeclined { .. }
        | Event::CardSetAside { .. }
        | Event::NothingChosen { .. }
        | Event::Stalemate
        | Event::GameOver { .. } => Some(event.clone()),
    }
}
