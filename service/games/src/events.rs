//! `ListEvents`: what happened, read from the log.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1::ListEventsRequest;
use gamekeeper_proto::raw::{self, ListEventsResponse, LogEntry};
use gamekeeper_rules::life::Deed;
use gamekeeper_rules::table::{Kind, Names, Scene, told};
use gamekeeper_store::{StoredEntry, Version};
use gamekeeper_wire::{Wire, seat_number, table_event};
use uuid::Uuid;

use super::game::{BirthOf, EntryOf, Game, read_birth, timestamp};
use super::load::LOG_PAGE;
use super::page::{Page, token};
use super::query::viewer;
use super::record::Done;
use super::retold::Retold;
use super::show::Show;
use super::yielding::Yielder;
use super::{Games, parse_id};
use crate::access::{Caller, Wish};
use crate::problem::Problem;

/// The default number of versions on a page.
const USUAL_PAGE: usize = 100;

impl<W: Wire> Games<W> {
    /// What happened after a version, as one viewer may know it.
    ///
    /// # Errors
    /// When the caller lacks permission, the request is malformed, or the store fails.
    pub async fn events(
        &self,
        caller: &Caller,
        call: ListEventsRequest,
    ) -> Result<ListEventsResponse, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = viewer(caller, call.viewer.as_ref())?;
        let page = Page::new(call.page_size, call.page_token);
        let limit = page.limit(USUAL_PAGE)?;
        let list = format!("events {id} {viewer:?}");
        let after = page
            .start::<1>(&list)?
            .map_or(call.after_version, |[after]| after);
        let show = Show {
            events: true,
            ..Show::read(viewer, call.show.as_ref())?
        };
        let wish = (Wish::Look(viewer), "list_events");
        let (birth, now, last, mut entries) = {
            let opened = self.open_with_log(caller, id, wish, (after, limit + 1));
            let (game, entries) = opened.await?;
            if after > game.version {
                return Err(Problem::NoSuchVersion {
                    asked: after,
                    current: game.version,
                });
            }
            let now = show.tells().then(|| Later::of(&game)).flatten();
            let last = (game.version, show.ended(&game));
            (Arc::clone(&game.birth), now, last, entries)
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
            let told = (show, &mut scene);
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

    /// The scene after a version, built from the entries up to it. Without `now`, sentences need no scene, and
    /// it is empty.
    pub(super) async fn scene_after(
        &self,
        id: Uuid,
        version: Version,
        now: Option<Later>,
    ) -> Result<Scene, Problem> {
        let (mut scene, mut read, mut yielder) = (Scene::default(), 0, Yielder::new());
        let Some(now) = now else {
            return Ok(scene);
        };
        while read < version && !now.is(&scene) {
            let left = usize::try_from(version - read).unwrap_or(usize::MAX);
            let entries = self.entries(id, read, left.min(LOG_PAGE)).await?;
            let Some(last) = entries.last() else {
                break;
            };
            read = last.version;
            for entry in &entries {
                if !pass::<W>(&mut scene, entry)? {
                    // Only a replay tells what happened, and gives the scene too.
                    let then = Box::pin(self.at_version(id, version)).await?;
                    return Ok(W::scene(&then.state).unwrap_or_default());
                }
                yielder.yield_if_due().await;
            }
        }
        Ok(scene)
    }

    /// At most `limit` entries of a log after a version.
    pub(super) async fn entries(
        &self,
        id: Uuid,
        after: Version,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, Problem> {
        let entries = self.shared.store.log(id, after, limit).await?;
        entries.ok_or_else(|| Problem::no_such_game(id))
    }
}

/// The scene of a later table. A scene that equals it needs no further entries.
pub(super) struct Later {
    scene: Scene,
    /// Does the game have table life? It may then contain take-backs, after which a scene can change and
    /// return: equal scenes prove nothing.
    is_fickle: bool,
}

impl Later {
    /// The scene of a table; `None` if sentences of the ruleset need none.
    pub(super) fn of<W: Wire>(game: &Game<W>) -> Option<Self> {
        let is_fickle = game.life.is_some();
        W::scene(&game.state).map(|scene| Self { scene, is_fickle })
    }

    /// Does this scene stay unchanged up to the later table?
    fn is(&self, scene: &Scene) -> bool {
        !self.is_fickle && *scene == self.scene
    }
}

/// Applies an entry to the scene. False: the entry is of another layout.
fn pass<W: Wire>(scene: &mut Scene, entry: &StoredEntry) -> Result<bool, Problem> {
    if entry.version == 1 {
        let birth = read_birth::<W>(entry)?;
        for event in birth.events() {
            W::changes(scene, event);
        }
        return Ok(birth.effects.is_some());
    }
    let played = Game::<W>::read_entry(entry)?;
    go_back::<W>(scene, entry.version, &played)?;
    for event in played.story.events() {
        W::changes(scene, event);
    }
    Ok(played.is_told())
}

/// An entry that takes something back restores the scene of the state it holds.
fn go_back<W: Wire>(
    scene: &mut Scene,
    version: Version,
    played: &EntryOf<W>,
) -> Result<(), Problem> {
    if let Some(state) = played.restored::<W::State>(version)? {
        *scene = W::scene(&state).unwrap_or_default();
    }
    Ok(())
}

/// What is said of events: what is shown, and the scene before them.
pub(super) type Told<'a> = (Show, &'a mut Scene);

/// The first entry, with what happened.
fn told_birth<W: Wire>(id: Uuid, entry: &StoredEntry) -> Result<Arc<BirthOf<W>>, Problem> {
    let birth = read_birth::<W>(entry)?;
    if birth.effects.is_some() {
        return Ok(Arc::new(birth));
    }
    Ok(Game::<W>::reborn(id, entry)?.birth)
}

/// The set-up, as a viewer may know it.
pub(super) fn logged_birth<W: Wire>(birth: &BirthOf<W>, (show, scene): Told<'_>) -> LogEntry {
    // A set-up decides nothing for anybody; the suite checks it.
    let told = told::<W::Action, _>(birth.events(), &[]);
    LogEntry {
        version: 1,
        seat: 0,
        play_time: Some(timestamp(birth.time_ms)),
        events: show.events::<W>(told, &birth.players, scene),
    }
}

/// A version, as a viewer may know it. `ended` is the event of the end, if the version ended the game.
pub(super) fn logged_version<W: Wire>(
    version: Version,
    played: &EntryOf<W>,
    birth: &BirthOf<W>,
    (show, scene): Told<'_>,
    ended: Option<raw::Event>,
) -> Result<LogEntry, Problem> {
    go_back::<W>(scene, version, played)?;
    let deed = match &played.done {
        Done::Act(_) => None,
        Done::Beside(beside) => Some(deed_event(&beside.deed, &birth.players, show)),
    };
    let mut events = show.events::<W>(played.story.told(), &birth.players, scene);
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

/// Something that happened beside the rules, as everybody may know it.
fn deed_event(deed: &Deed, players: &[String], show: Show) -> raw::Event {
    let text = if show.text {
        deed.sentence(Names::new(players))
    } else {
        String::new()
    };
    raw::Event {
        kind: deed.kind().to_owned(),
        seat: deed.seat().map_or(0, seat_number),
        text,
        table: Some(table_event(deed)),
        ..raw::Event::default()
    }
}
