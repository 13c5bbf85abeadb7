//! The sizes of a ruleset's data, in bytes. The null game is padded to them.

use gamekeeper_rules::ruleset::{Applied, apply, create, legal_actions};
use gamekeeper_rules::table::{Detail, Seat, Viewer, encode};
use gamekeeper_wire::{Wire, wrap_action, wrap_event, wrap_view};
use prost::Message;
use serde::Serialize;

use crate::play::Recording;

/// The median sizes of a ruleset's data.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Sizes {
    /// The stored state.
    pub state: usize,
    /// The stored snapshot: the state, the position in the random stream, time, version and checksum.
    pub snapshot: usize,
    /// The entry in the log.
    pub entry: usize,
    /// The stored action.
    pub stored_action: usize,
    /// The message of an action.
    pub action: usize,
    /// The messages of the events in an answer.
    pub events: usize,
    /// The number of events.
    pub event_count: usize,
    /// The message of a seat's view.
    pub view: usize,
    /// The number of legal actions.
    pub listed: usize,
    /// The number of actions of a game.
    pub moves: usize,
}

/// The bytes that an entry adds to its action: format and revision, time, the hash of a request id, the fingerprint,
/// the checksum.
const ENVELOPE: usize = 2 + 3 + 25 + 8 + 4;

/// The bytes that a snapshot adds to its state: format and revision, time, position in the random stream, checksum.
const SNAPSHOT: usize = 2 + 6 + 2 + 4;

impl Sizes {
    /// Returns the medians over these games.
    #[must_use]
    pub fn of<W: Wire>(recordings: &[Recording<W>]) -> Self {
        let mut all: Vec<Self> = Vec::new();
        for recording in recordings {
            let mut game = create::<W>(&recording.options, recording.luck());
            for (seat, action) in &recording.moves {
                let Ok(next) = apply::<W>(&game.state, &game.chance, *seat, action) else {
                    break;
                };
                all.push(Self::at::<W>(&game, *seat, action, &next));
                game = next;
            }
        }
        let median = |of: fn(&Self) -> usize| {
            let mut sizes: Vec<_> = all.iter().map(of).collect();
            sizes.sort_unstable();
            sizes.get(sizes.len() / 2).copied().unwrap_or_default()
        };
        Self {
            state: median(|sizes| sizes.state),
            snapshot: median(|sizes| sizes.snapshot),
            entry: median(|sizes| sizes.entry),
            stored_action: median(|sizes| sizes.stored_action),
            action: median(|sizes| sizes.action),
            events: median(|sizes| sizes.events),
            event_count: median(|sizes| sizes.event_count),
            view: median(|sizes| sizes.view),
            listed: median(|sizes| sizes.listed),
            moves: all.len() / recordings.len().max(1),
        }
    }

    fn at<W: Wire>(before: &Applied<W>, seat: Seat, action: &W::Action, next: &Applied<W>) -> Self {
        let viewer = Viewer::Seat(seat);
        let state = encode(&next.state).len();
        let parts = (seat, action, &next.automatic, &next.draws, &next.events);
        let events: Vec<_> = next
            .events
            .iter()
            .filter_map(|event| W::event_view(event, viewer))
            .collect();
        let message = |event: &W::Event| wrap_event::<W>(event, false, None).encoded_len() + 2;
        let view = W::view(&next.state, viewer);
        let listed = legal_actions::<W>(&before.state, seat, Detail::Moves).len();
        Self {
            state,
            snapshot: state + SNAPSHOT,
            entry: encode(&parts).len() + ENVELOPE,
            stored_action: encode(action).len(),
            action: wrap_action::<W>(action).encoded_len(),
            events: events.iter().map(message).sum(),
            event_count: events.len(),
            view: wrap_view::<W>(&view).encoded_len(),
            listed,
            moves: 0,
        }
    }
}
