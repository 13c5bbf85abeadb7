//! `ListEvents`: **pages** of the log, as one viewer may see it.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1::ListEventsRequest;
use gamekeeper_proto::raw::ListEventsResponse;
use gamekeeper_store::StoredEntry;
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::heart::access::{Caller, Wish};
use crate::heart::game::{BirthOf, Game, read_birth};
use crate::heart::games::Games;
use crate::heart::looking::{from_seat, seated, viewer};
use crate::heart::page::{Page, token};
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::retold::Retold;
use crate::heart::scenes::Later;
use crate::heart::show::Show;
use crate::heart::telling::{logged_birth, logged_version};
use crate::heart::yielding::Yielder;

/// The default number of versions on a page.
const USUAL_PAGE: usize = 100;

impl<W: Wire> Games<W> {
    /// Returns the events after a version, as one viewer may see them.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn events(
        &self,
        caller: &Caller,
        call: ListEventsRequest,
    ) -> Result<ListEventsResponse, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = match viewer(caller, call.viewer.as_ref()) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let page = Page::new(call.page_size, call.page_token);
        let limit = page.limit(USUAL_PAGE)?;
        let list = format!("events {id} {viewer:?} after {}", call.after_version);
        let start = page.start::<1>(&list)?;
        let after = start.map_or(call.after_version, |[after]| after);
        let mut show = Show {
            events: true,
            ..Show::read(viewer, call.show.as_ref())?
        };
        if seated(caller, call.viewer.as_ref()).is_some() {
            let game = self.open_fresh(caller, id).await?;
            show = from_seat(caller, call.viewer.as_ref(), &game, show);
        }
        let wish = Wish::Look(show.viewer);
        let (birth, players, now, last, mut entries) = {
            let opened = self.open_with_log(caller, id, wish, (after, limit + 1));
            let (game, entries) = opened.await?;
            let (asked, current) = (after, game.version);
            if asked > current {
                return Err(Problem::NoSuchVersion { asked, current });
            }
            let now = show.tells().then(|| Later::of(&game)).flatten();
            let last = (game.version, show.ended(&game));
            let players = game.players().to_vec();
            (Arc::clone(&game.birth), players, now, last, entries)
        };
        let next_page_token = if entries.len() > limit {
            entries.truncate(limit);
            token(&list, &[entries.last().map_or(after, |last| last.version)])
        } else {
            String::new()
        };
        let mut scene = self.scene_after(id, after, now).await?;
        let (mut logged, mut yielder) = (Vec::with_capacity(entries.len()), Yielder::new());
        let mut retold = Retold::new(self, id);
        for entry in &entries {
            let (newest, ended) = &last;
            let ended = ended.clone().filter(|_| entry.version == *newest);
            let told = (show, &players[..], &mut scene);
            logged.push(if entry.version == 1 {
                let birth = told_birth::<W>(id, entry)?;
                logged_birth::<W>(&birth, told)
            } else {
                let played = retold.read(entry).await?;
                logged_version::<W>(entry.version, &played, &birth, told, ended)?
            });
            yielder.yield_if_due().await;
        }
        Ok(ListEventsResponse {
            entries: logged,
            next_page_token,
        })
    }
}

/// Decodes the first entry, and sets the game up again if its events are stored in another layout.
fn told_birth<W: Wire>(id: Uuid, entry: &StoredEntry) -> Result<Arc<BirthOf<W>>, Problem> {
    let birth = read_birth::<W>(entry)?;
    if birth.effects.is_some() {
        return Ok(Arc::new(birth));
    }
    Ok(Game::<W>::reborn(id, entry)?.birth)
}
