//! Log entries as messages of the contract, as a viewer may see them.

use gamekeeper_proto::raw::{self, LogEntry};
use gamekeeper_rules::life::Deed;
use gamekeeper_rules::table::{Kind, Names, Scene, told};
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, seat_number, table_event};

use crate::heart::game::{BirthOf, EntryOf, timestamp};
use crate::heart::problem::Problem;
use crate::heart::record::Done;
use crate::heart::show::Show;

/// Replaces the scene by that of the restored state, if the entry is a take-back.
pub(crate) fn go_back<W: Wire>(
    scene: &mut Scene,
    version: Version,
    played: &EntryOf<W>,
) -> Result<(), Problem> {
    if let Some(state) = played.restored::<W::State>(version)? {
        *scene = W::scene(&state).unwrap_or_default();
    }
    Ok(())
}

/// The context for encoding events: the parts shown, the names of the players, and the scene before the events.
pub(crate) type Told<'a> = (Show, &'a [String], &'a mut Scene);

/// Encodes the first entry, as a viewer may see it.
pub(crate) fn logged_birth<W: Wire>(
    birth: &BirthOf<W>,
    (show, players, scene): Told<'_>,
) -> LogEntry {
    // The set-up forces no actions; the suite checks that.
    let told = told::<W::Action, _>(birth.events(), &[]);
    LogEntry {
        version: 1,
        seat: 0,
        play_time: Some(timestamp(birth.time_ms)),
        events: show.events::<W>(told, players, scene),
    }
}

/// Encodes an entry after the first, as a viewer may see it. `ended` is the event of the end, if this version ended the
/// game.
pub(crate) fn logged_version<W: Wire>(
    version: Version,
    played: &EntryOf<W>,
    birth: &BirthOf<W>,
    (show, players, scene): Told<'_>,
    ended: Option<raw::Event>,
) -> Result<LogEntry, Problem> {
    go_back::<W>(scene, version, played)?;
    let deed = match &played.done {
        Done::Act(_) => None,
        Done::Beside(beside) => deed_event(&beside.deed, players, show),
    };
    let mut events = show.events::<W>(played.story.told(), players, scene);
    if let Some(deed) = deed {
        events.insert(0, deed);
    }
    events.extend(ended);
    Ok(LogEntry {
        version,
        seat: played.actor().map_or(0, seat_number),
        play_time: Some(timestamp(birth.time_ms + played.story.after_ms)),
        events,
    })
}

/// Encodes something that happened outside the rules, which everybody may see. Returns `None` for the end of the game,
/// whose event is added last.
fn deed_event(deed: &Deed, players: &[String], show: Show) -> Option<raw::Event> {
    if matches!(deed, Deed::Ended { .. }) {
        return None;
    }
    let text = if show.text {
        deed.sentence(Names::new(players))
    } else {
        String::new()
    };
    Some(raw::Event {
        kind: deed.kind().to_owned(),
        seat: deed.seat().map_or(0, seat_number),
        text,
        table: Some(table_event(deed)),
        ..raw::Event::default()
    })
}
