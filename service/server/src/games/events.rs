//! What happened, read from the log.

use gamekeeper_proto::envelope::{ListEventsRequest, ListEventsResponse, LoggedVersion};
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use super::apply::{event_messages, subject};
use super::game::{Game, MoveOf, read_birth, timestamp};
use super::page::{Page, token};
use super::query::viewer;
use super::{Games, parse_id};
use crate::auth::{Caller, Wish};
use crate::problem::Problem;
use crate::store::{StoredEntry, Version};

/// How many versions a page has when nothing was asked for.
const USUAL_PAGE: usize = 100;

/// How versions are shown to one viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Show {
    pub(super) viewer: Viewer,
    pub(super) text: bool,
}

impl<W: Wire> Games<W> {
    /// What happened after a version, as one viewer may know it.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, or the store fails.
    pub async fn events(
        &self,
        caller: &Caller,
        call: ListEventsRequest,
    ) -> Result<ListEventsResponse<W::Messages>, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = viewer(caller, call.viewer.as_ref())?;
        let page = Page::new(call.page_size, call.page_token);
        let limit = page.limit(USUAL_PAGE)?;
        let list = format!("events {id} {viewer:?}");
        let after = page
            .start::<1>(&list)?
            .map_or(call.after_version, |[after]| after);
        let birth_ms = {
            let game = self.open_fresh(caller, id).await?;
            caller.may(subject(&game), Wish::Look(viewer))?;
            if after > game.version {
                return Err(Problem::NoSuchVersion {
                    asked: after,
                    current: game.version,
                });
            }
            game.birth.time_ms
        };
        let mut entries = self.entries(id, after, limit + 1).await?;
        let next_page_token = if entries.len() > limit {
            entries.truncate(limit);
            token(&list, [entries.last().map_or(after, |last| last.version)])
        } else {
            String::new()
        };
        let show = Show {
            viewer,
            text: call.with_text,
        };
        let versions = entries
            .iter()
            .map(|entry| logged_entry::<W>(entry, birth_ms, show))
            .collect::<Result<_, _>>()?;
        Ok(ListEventsResponse {
            versions,
            next_page_token,
        })
    }

    /// Entries of a log after a version.
    pub(super) async fn entries(
        &self,
        id: Uuid,
        after: Version,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, Problem> {
        let entries = self.house.store.log(id, after, limit).await?;
        entries.ok_or_else(|| Problem::no_such_game(id))
    }
}

fn logged_entry<W: Wire>(
    entry: &StoredEntry,
    birth_ms: u64,
    show: Show,
) -> Result<LoggedVersion<W::Messages>, Problem> {
    if entry.version == 1 {
        let birth = read_birth::<W>(entry)?;
        return Ok(logged_birth::<W>(&birth.events, birth_ms, show));
    }
    let played = Game::<W>::read_move(entry)?;
    Ok(logged_move::<W>(entry.version, &played, birth_ms, show))
}

/// The set-up, as a viewer may know it.
pub(super) fn logged_birth<W: Wire>(
    events: &[W::Event],
    birth_ms: u64,
    show: Show,
) -> LoggedVersion<W::Messages> {
    LoggedVersion {
        version: 1,
        seat: 0,
        events: event_messages::<W>(events, show.viewer, show.text),
        time: Some(timestamp(birth_ms)),
    }
}

/// A version, as a viewer may know it.
pub(super) fn logged_move<W: Wire>(
    version: Version,
    played: &MoveOf<W>,
    birth_ms: u64,
    show: Show,
) -> LoggedVersion<W::Messages> {
    LoggedVersion {
        version,
        seat: u32::from(played.seat.number()),
        events: event_messages::<W>(&played.events, show.viewer, show.text),
        time: Some(timestamp(birth_ms + played.after_ms)),
    }
}
