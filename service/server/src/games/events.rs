//! What happened, read from the log.

use std::sync::Arc;

use gamekeeper_proto::envelope::{ListEventsRequest, ListEventsResponse, LoggedVersion};
use gamekeeper_rules::table::Scene;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use super::allowed::may_read;
use super::breath::Breath;
use super::game::{BirthOf, Game, MoveOf, read_birth, timestamp};
use super::load::LOG_PAGE;
use super::page::{Page, token};
use super::query::viewer;
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
        let (birth, now) = {
            let game = self.open_fresh(caller, id).await?;
            may_read(caller, &game, Wish::Look(viewer), "list_events")?;
            if after > game.version {
                return Err(Problem::NoSuchVersion {
                    asked: after,
                    current: game.version,
                });
            }
            let now = call.with_text.then(|| W::scene(&game.state)).flatten();
            (Arc::clone(&game.birth), now)
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
        let mut scene = self.scene_after(id, after, now).await?;
        let (mut versions, mut breath) = (Vec::with_capacity(entries.len()), Breath::new());
        for entry in &entries {
            versions.push(logged_entry::<W>(entry, &birth, show, &mut scene)?);
            breath.take().await;
        }
        Ok(ListEventsResponse {
            versions,
            next_page_token,
        })
    }

    /// The scene after a version, made of the events up to it. `now` is the scene of a later table;
    /// nothing: sentences need none. As soon as the two are the same, nothing has changed since.
    pub(super) async fn scene_after(
        &self,
        id: Uuid,
        version: Version,
        now: Option<Scene>,
    ) -> Result<Scene, Problem> {
        let (mut scene, mut read, mut breath) = (Scene::default(), 0, Breath::new());
        let Some(now) = now else {
            return Ok(scene);
        };
        while read < version && scene != now {
            let left = usize::try_from(version - read).unwrap_or(usize::MAX);
            let entries = self.entries(id, read, left.min(LOG_PAGE)).await?;
            let Some(last) = entries.last() else {
                break;
            };
            read = last.version;
            for entry in &entries {
                for event in &events_of::<W>(entry)? {
                    W::changes(&mut scene, event);
                }
                breath.take().await;
            }
        }
        Ok(scene)
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

/// What happened in a version.
fn events_of<W: Wire>(entry: &StoredEntry) -> Result<Vec<W::Event>, Problem> {
    if entry.version == 1 {
        return Ok(read_birth::<W>(entry)?.events);
    }
    Ok(Game::<W>::read_move(entry)?.events)
}

fn logged_entry<W: Wire>(
    entry: &StoredEntry,
    birth: &BirthOf<W>,
    show: Show,
    scene: &mut Scene,
) -> Result<LoggedVersion<W::Messages>, Problem> {
    if entry.version == 1 {
        let birth = read_birth::<W>(entry)?;
        return Ok(logged_birth::<W>(&birth, show, scene));
    }
    let played = Game::<W>::read_move(entry)?;
    Ok(logged_move::<W>(entry.version, &played, birth, show, scene))
}

/// The set-up, as a viewer may know it.
pub(super) fn logged_birth<W: Wire>(
    birth: &BirthOf<W>,
    show: Show,
    scene: &mut Scene,
) -> LoggedVersion<W::Messages> {
    LoggedVersion {
        version: 1,
        seat: 0,
        events: show.events::<W>(&birth.events, &birth.players, scene),
        play_time: Some(timestamp(birth.time_ms)),
    }
}

/// A version, as a viewer may know it.
pub(super) fn logged_move<W: Wire>(
    version: Version,
    played: &MoveOf<W>,
    birth: &BirthOf<W>,
    show: Show,
    scene: &mut Scene,
) -> LoggedVersion<W::Messages> {
    LoggedVersion {
        version,
        seat: u32::from(played.seat.number()),
        events: show.events::<W>(&played.events, &birth.players, scene),
        play_time: Some(timestamp(birth.time_ms + played.after_ms)),
    }
}
