//! What happened, read from the log.

use std::sync::Arc;

use gamekeeper_proto::envelope::{ListEventsRequest, ListEventsResponse, LoggedVersion};
use gamekeeper_rules::table::Names;
use gamekeeper_wire::{Wire, seat_number, table_entry};
use uuid::Uuid;

use super::allowed::may_read;
use super::breath::Breath;
use super::game::{BirthOf, EntryOf, Game, read_birth, timestamp};
use super::page::{Page, token};
use super::query::viewer;
use super::record::Done;
use super::show::Show;
use super::{Games, parse_id};
use crate::auth::{Caller, Wish};
use crate::problem::Problem;
use crate::store::{StoredEntry, Version};

/// How many versions a page has when nothing was asked for.
const USUAL_PAGE: usize = 100;

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
        let birth = {
            let game = self.open_fresh(caller, id).await?;
            may_read(caller, &game, Wish::Look(viewer), "list_events")?;
            if after > game.version {
                return Err(Problem::NoSuchVersion {
                    asked: after,
                    current: game.version,
                });
            }
            Arc::clone(&game.birth)
        };
        let mut entries = self.entries(id, after, limit + 1).await?;
        let next_page_token = if entries.len() > limit {
            entries.truncate(limit);
            token(&list, &[entries.last().map_or(after, |last| last.version)])
        } else {
            String::new()
        };
        let show = Show {
            viewer,
            view: false,
            board: None,
            text: call.with_text,
        };
        let (mut versions, mut breath) = (Vec::with_capacity(entries.len()), Breath::new());
        for entry in &entries {
            versions.push(logged_entry::<W>(entry, &birth, show)?);
            breath.take().await;
        }
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
    birth: &BirthOf<W>,
    show: Show,
) -> Result<LoggedVersion<W::Messages>, Problem> {
    if entry.version == 1 {
        let birth = read_birth::<W>(entry)?;
        return Ok(logged_birth::<W>(&birth, show));
    }
    let played = Game::<W>::read_entry(entry)?;
    Ok(logged_version::<W>(entry.version, &played, birth, show))
}

/// The set-up, as a viewer may know it.
pub(super) fn logged_birth<W: Wire>(birth: &BirthOf<W>, show: Show) -> LoggedVersion<W::Messages> {
    LoggedVersion {
        version: 1,
        seat: 0,
        events: show.events::<W>(&birth.events, Names::new(&birth.players)),
        play_time: Some(timestamp(birth.time_ms)),
        table: None,
    }
}

/// A version, as a viewer may know it.
pub(super) fn logged_version<W: Wire>(
    version: Version,
    played: &EntryOf<W>,
    birth: &BirthOf<W>,
    show: Show,
) -> LoggedVersion<W::Messages> {
    let table = match &played.done {
        Done::Act(_) => None,
        Done::Beside(beside) => Some(table_entry(&beside.deed)),
    };
    LoggedVersion {
        version,
        seat: played.actor().map_or(0, seat_number),
        events: show.events::<W>(&played.story.events, Names::new(&birth.players)),
        play_time: Some(timestamp(birth.time_ms + played.story.after_ms)),
        table,
    }
}
