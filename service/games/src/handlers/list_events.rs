//! `ListEvents`: **pages** of the log, as one viewer may see it.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1::ListEventsRequest;
use gamekeeper_proto::raw::{ListEventsResponse, LogEntry};
use gamekeeper_store::{StoredEntry, Version};
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::aggregate::game::{Game, GenesisOf, decode_genesis_entry};
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::rendering::entry_view::{RenderContext, render_entry, render_genesis};
use crate::rendering::projection::Projection;
use crate::requests::ids::parse_id;
use crate::requests::page::{PageRequest, encode_cursor};
use crate::service::event_reader::EventReader;
use crate::service::game_service::GameService;
use crate::service::target_context::{TargetContext, scene_of_start};
use crate::service::viewer::{implicit_user, resolve_implicit_seat, resolve_viewer};
use crate::timing::yielder::Yielder;

/// The default number of versions on a page.
const DEFAULT_PAGE_SIZE: usize = 100;

impl<W: Wire> GameService<W> {
    /// Returns the events after a version, as one viewer may see them.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn list_events(
        &self,
        caller: &Caller,
        call: ListEventsRequest,
    ) -> Result<ListEventsResponse, ServiceError> {
        let id = parse_id(&call.game_id)?;
        let viewer = match resolve_viewer(caller, call.viewer.as_ref()) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let page = PageRequest::new(call.page_size, call.page_token);
        let limit = page.limit(DEFAULT_PAGE_SIZE)?;
        let list = format!("events {id} {viewer:?} after {}", call.after_version);
        let start = page.decode_cursor::<1>(&list)?;
        let after_version = start.map_or(call.after_version, |[cursor_version]| cursor_version);
        let mut show = Projection {
            events: true,
            ..Projection::from_request(viewer, call.show.as_ref())?
        };
        if implicit_user(caller, call.viewer.as_ref()).is_some() {
            let game = self.lock_current(caller, id).await?;
            resolve_implicit_seat(caller, call.viewer.as_ref(), &game, &mut show);
        }
        let permission = Permission::View(show.viewer);
        let (genesis, players, target, newest, mut entries) = {
            let locked =
                self.lock_current_with_log(caller, id, permission, (after_version, limit + 1));
            let (game, entries) = locked.await?;
            game.ensure_has_version(after_version)?;
            let target = show
                .wants_text()
                .then(|| TargetContext::of_game(&game))
                .flatten();
            let newest = (game.version, show.end_event(&game));
            let players = game.players().to_vec();
            (Arc::clone(&game.genesis), players, target, newest, entries)
        };
        let next_page_token = cut_page(&mut entries, limit, &list, after_version);
        let mut scene = self.rebuild_scene(id, after_version, target).await?;
        let (mut rendered, mut yielder) = (Vec::with_capacity(entries.len()), Yielder::new());
        let mut reader = EventReader::new(self, id);
        for entry in &entries {
            let (newest_version, end_event) = &newest;
            let end_event = end_event
                .clone()
                .filter(|_| entry.version == *newest_version);
            let render_context = (&show, &players[..], &mut scene);
            rendered.push(if entry.version == 1 {
                render_first::<W>(id, entry, render_context).await?
            } else {
                let decoded = reader.read(entry).await?;
                render_entry::<W>(entry.version, &decoded, &genesis, render_context, end_event)?
            });
            yielder.yield_if_due().await;
        }
        Ok(ListEventsResponse {
            entries: rendered,
            next_page_token,
        })
    }
}

/// Encodes the first entry, and leaves the scene as it is after it.
async fn render_first<W: Wire>(
    id: Uuid,
    entry: &StoredEntry,
    (show, players, scene): RenderContext<'_>,
) -> Result<LogEntry, ServiceError> {
    let genesis = genesis_with_events::<W>(id, entry).await?;
    let first = render_genesis::<W>(&genesis, (show, players, &mut *scene));
    if show.wants_text()
        && let Some(begun) = scene_of_start::<W>(id, entry).await?
    {
        *scene = begun;
    }
    Ok(first)
}

/// Removes the entries beyond the page. Returns the token of the next page, which is empty if there is none.
fn cut_page(
    entries: &mut Vec<StoredEntry>,
    limit: usize,
    list: &str,
    after_version: Version,
) -> String {
    if entries.len() <= limit {
        return String::new();
    }
    entries.truncate(limit);
    let last_version = entries.last().map_or(after_version, |last| last.version);
    encode_cursor(list, &[last_version])
}

/// Decodes the first entry, and sets the game up again if its events are stored in another layout.
async fn genesis_with_events<W: Wire>(
    id: Uuid,
    entry: &StoredEntry,
) -> Result<Arc<GenesisOf<W>>, ServiceError> {
    let genesis = decode_genesis_entry::<W>(entry)?;
    if genesis.effects.is_some() {
        return Ok(Arc::new(genesis));
    }
    Ok(Game::<W>::replay_genesis(id, entry).await?.genesis)
}
