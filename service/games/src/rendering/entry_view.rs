//! Log entries as messages of the contract, as a viewer may see them.

use gamekeeper_proto::raw::{self, LogEntry};
use gamekeeper_rules::table::{Kind, TextContext, events_with_forced};
use gamekeeper_rules::table_life::TableEvent;
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, begun_from_position, seat_number, table_event};

use crate::aggregate::game::{EntryOf, GenesisOf, timestamp};
use crate::errors::ServiceError;
use crate::log::EntryKind;
use crate::rendering::projection::Projection;

/// Replaces the scene by that of the restored state, if the entry is a take-back.
pub(crate) fn restore_scene<W: Wire>(
    scene: &mut TextContext,
    version: Version,
    entry: &EntryOf<W>,
) -> Result<(), ServiceError> {
    if let Some(state) = entry.decode_undo_state::<W::State>(version)? {
        *scene = W::text_context(&state).unwrap_or_default();
    }
    Ok(())
}

/// The context for encoding events: the parts shown, the names of the players, and the scene before the events.
pub(crate) type RenderContext<'a> = (&'a Projection, &'a [String], &'a mut TextContext);

/// Encodes the first entry, as a viewer may see it.
pub(crate) fn render_genesis<W: Wire>(
    genesis: &GenesisOf<W>,
    (show, players, scene): RenderContext<'_>,
) -> LogEntry {
    // The set-up forces no actions; the suite checks that.
    let events = events_with_forced::<W::Action, _>(genesis.events(), &[]);
    let begun = genesis.start.as_ref();
    let begun = begun.map(|point| begun_from_position(point, show.text));
    let further = show.events::<W>(events, players, scene);
    LogEntry {
        version: 1,
        seat: 0,
        play_time: Some(timestamp(genesis.time_ms)),
        events: begun.into_iter().chain(further).collect(),
    }
}

/// Encodes an entry after the first, as a viewer may see it. `end_event` is the event of the end, if this version ended
/// the game.
pub(crate) fn render_entry<W: Wire>(
    version: Version,
    entry: &EntryOf<W>,
    genesis: &GenesisOf<W>,
    (show, players, scene): RenderContext<'_>,
    end_event: Option<raw::Event>,
) -> Result<LogEntry, ServiceError> {
    restore_scene::<W>(scene, version, entry)?;
    let table_event = match &entry.kind {
        EntryKind::Action(_) => None,
        EntryKind::Table(table_entry) => render_table_event(&table_entry.event, players, show),
    };
    let mut events = show.events::<W>(entry.record.events_with_forced(), players, scene);
    if let Some(table_event) = table_event {
        events.insert(0, table_event);
    }
    events.extend(end_event);
    Ok(LogEntry {
        version,
        seat: entry.actor().map_or(0, seat_number),
        play_time: Some(timestamp(genesis.time_ms + entry.record.after_ms)),
        events,
    })
}

/// Encodes something that happened outside the rules, which everybody may see. Returns `None` for the end of the game,
/// whose event is added last.
fn render_table_event(
    event: &TableEvent,
    players: &[String],
    show: &Projection,
) -> Option<raw::Event> {
    if matches!(event, TableEvent::Ended { .. }) {
        return None;
    }
    let text = if show.text {
        event.sentence(show.names(players))
    } else {
        String::new()
    };
    Some(raw::Event {
        kind: event.kind().to_owned(),
        seat: event.seat().map_or(0, seat_number),
        text,
        table: Some(table_event(event)),
        ..raw::Event::default()
    })
}
