//! `ExportGame`: **exports** the full record of a game.

use std::sync::Arc;

use futures_util::stream;
use gamekeeper_proto::gamekeeper::v1::{ExportEnd, ExportGameRequest};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{
    AutomaticAction, ExportGameResponse, ExportHeader, ExportVersion, LogEntry,
};
use gamekeeper_rules::table::{Automatic, Scene, Viewer};
use gamekeeper_store::{StoredEntry, Version};
use gamekeeper_wire::{
    RecordDigest, Wire, draw, joined_action, joined_options, joined_view, seat_number,
};

use super::bounded::Bounds;
use crate::heart::access::{Caller, Share, Wish};
use crate::heart::game::Game;
use crate::heart::games::{Answers, Games};
use crate::heart::load::LOG_PAGE;
use crate::heart::problem::Problem;
use crate::heart::record::{Done, Effects};
use crate::heart::requests::parse_id;
use crate::heart::show::Show;
use crate::heart::telling::{logged_birth, logged_version};
use crate::heart::yielding::Yielder;

const EVERYTHING: Show = Show {
    viewer: Viewer::Operator,
    view: true,
    events: true,
    text: false,
    components: false,
    board: None,
    drawing: None,
};

/// The state of an export.
struct Reader<W: Wire> {
    games: Arc<Games<W>>,
    caller: Caller,
    bounds: Bounds,
    game: Game<W>,
    /// The newest version when the export started, which is the last one exported.
    end: Version,
    /// The entries that were read ahead, the next one last.
    ahead: Vec<StoredEntry>,
    with_states: bool,
    /// The version up to which parts are not sent, since the client has them. They are read only to compute the
    /// signature.
    skipped: Version,
    /// The running digest of the record. Is `None` if records are not signed.
    digest: Option<RecordDigest>,
    next: Next,
    yielder: Yielder,
    _share: Share,
}

enum Next {
    SetUp,
    Versions,
    Over,
}

impl Next {
    /// Returns the first part to read of a record after this version.
    fn after(version: Version) -> Self {
        match version {
            0 => Self::SetUp,
            _ => Self::Versions,
        }
    }
}

impl<W: Wire> Games<W> {
    /// Streams the full record, including hidden information, version by version.
    ///
    /// # Errors
    /// If the caller lacks permission, there are too many streams, or the store fails. The stream ends with
    /// [`Problem::GoingAway`] if it is too old, and when the server shuts down.
    pub async fn export(
        self: &Arc<Self>,
        caller: &Caller,
        call: ExportGameRequest,
    ) -> Result<Answers<ExportGameResponse>, Problem> {
        let id = parse_id(&call.game_id)?;
        let skipped = call.after_version;
        let is_signed = self.shared.tokens.signs_records();
        // A signature covers the whole record.
        let after = if is_signed { 0 } else { skipped };
        let share = self.shared.watches.take(caller.account)?;
        let (header, end, log) = {
            let (game, log) = self
                .open_with_log(caller, id, Wish::Export, (0, LOG_PAGE))
                .await?;
            if skipped > game.version {
                let (asked, current) = (skipped, game.version);
                return Err(Problem::NoSuchVersion { asked, current });
            }
            let header = ExportHeader {
                game: Some(game.info_for(caller)),
                options: Some(joined_options::<W>(&game.birth.options)),
                origins: Box::pin(self.origins(&game)).await?,
                first_names: game.first_names(),
                with_states: call.with_states,
            };
            (Part::Header(header), game.version, log)
        };
        let first = log.first().ok_or_else(|| Problem::no_such_game(id))?;
        let mut game = Game::<W>::reborn(id, first)?;
        let (past, mut ahead): (Vec<_>, Vec<_>) = log
            .into_iter()
            .partition(|entry| entry.version <= after.max(1));
        self.step_on(&mut game, &past, &mut Yielder::new()).await?;
        Box::pin(self.forward(&mut game, after.max(1))).await?;
        ahead.reverse();
        let games = Arc::clone(self);
        let digest = is_signed.then(|| {
            let bound = game.birth.bound.as_ref();
            RecordDigest::begin(bound.map_or(&[][..], |bound| &bound.commitment))
        });
        let reader = Reader {
            games,
            caller: caller.clone(),
            bounds: Bounds::new(&self.shared, caller).aging(&self.shared),
            game,
            end,
            ahead,
            with_states: call.with_states,
            skipped,
            digest,
            next: Next::after(after),
            yielder: Yielder::new(),
            _share: share,
        };
        Ok(Box::pin(stream::try_unfold(
            (reader, Some(header)),
            |(mut reader, header)| async move {
                let next = reader.next(header).await?;
                Ok(next.map(|part| (ExportGameResponse { part: Some(part) }, (reader, None))))
            },
        )))
    }
}

impl<W: Wire> Reader<W> {
    async fn next(&mut self, header: Option<Part>) -> Result<Option<Part>, Problem> {
        if header.is_some() {
            return Ok(header);
        }
        loop {
            let version = match self.next {
                Next::SetUp => {
                    self.next = Next::Versions;
                    self.set_up()
                }
                Next::Versions if self.game.version < self.end => self.version().await?,
                Next::Versions => {
                    self.next = Next::Over;
                    return Ok(self.over().map(Part::End));
                }
                Next::Over => return Ok(None),
            };
            if let Some(digest) = self.digest {
                let next = digest.then(&version);
                self.digest = Some(next.map_err(|error| Problem::Fault(error.to_string()))?);
            }
            if self.game.version > self.skipped {
                return Ok(Some(Part::Version(version)));
            }
        }
    }

    /// Builds the last part. Returns `None` if the game is not over.
    fn over(&self) -> Option<ExportEnd> {
        let reveal = self.game.seed_reveal()?;
        let digest = self.digest.map(|digest| digest.end(&reveal));
        let signature =
            digest.and_then(|digest| self.games.shared.tokens.record_signature(&digest));
        Some(ExportEnd {
            seed_reveal: Some(reveal),
            signature,
        })
    }

    fn set_up(&self) -> ExportVersion {
        let birth = &self.game.birth;
        let logged = logged_birth::<W>(birth, (EVERYTHING, &birth.players, &mut Scene::default()));
        ExportVersion {
            draws: birth.draws.iter().map(draw::<W>).collect(),
            fingerprint: print(birth.effects.as_ref()),
            ..self.exported(logged)
        }
    }

    async fn version(&mut self) -> Result<ExportVersion, Problem> {
        self.yielder.yield_if_due().await;
        self.bounds.check(self.game.version)?;
        if self.ahead.is_empty() {
            self.games
                .still_may(&self.caller, self.game.id, Wish::Export, None)
                .await?;
            self.ahead = self
                .games
                .entries(self.game.id, self.game.version, LOG_PAGE)
                .await?;
            self.ahead.reverse();
        }
        let gone = || Problem::Damaged(format!("version {} is gone", self.game.version + 1));
        let entry = self.ahead.pop().ok_or_else(gone)?;
        let played = self.games.step(&mut self.game, &entry).await?;
        let automatic = |automatic: &Automatic<W::Action>| AutomaticAction {
            seat: seat_number(automatic.seat),
            action: Some(joined_action::<W>(&automatic.action)),
        };
        let action = match &played.done {
            Done::Act(act) => Some(joined_action::<W>(&act.action)),
            Done::Beside(_) => None,
        };
        let (birth, mut no_scene) = (&self.game.birth, Scene::default());
        let logged = logged_version::<W>(
            entry.version,
            &played,
            birth,
            (EVERYTHING, &birth.players, &mut no_scene),
            EVERYTHING.ended(&self.game),
        )?;
        let story = &played.story;
        Ok(ExportVersion {
            action,
            automatic: story.automatic.iter().map(automatic).collect(),
            draws: story.draws.iter().map(draw::<W>).collect(),
            fingerprint: print(story.effects.as_ref()),
            ..self.exported(logged)
        })
    }

    /// Builds the part of a log entry and the table after it.
    fn exported(&self, logged: LogEntry) -> ExportVersion {
        let view = || joined_view::<W>(&self.game.view(Viewer::Operator));
        ExportVersion {
            entry: Some(logged),
            pending: self.game.decisions(),
            state: self.with_states.then(view),
            ..ExportVersion::default()
        }
    }
}

/// Encodes the fingerprint of a state, as exports show it.
fn print<E>(effects: Option<&Effects<E>>) -> String {
    effects.map_or_else(String::new, |effects| {
        const_hex::encode(effects.fingerprint)
    })
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use gamekeeper_proto::gamekeeper::v1::TableOptions;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::heart::access::Caller;
    use crate::heart::problem::EndCause;
    use crate::process::{Process, store};
    use crate::verbs::table_life::TableRequest;

    #[tokio::test]
    async fn an_export_ends_with_its_version_when_the_server_closes() {
        let process = Process::<Dominion>::over(&store());
        let mut game = process.create(2, TableOptions::default()).await;
        for _ in 0..5 {
            game = process.act(&game).await;
        }
        let call = ExportGameRequest {
            game_id: game.game_id,
            ..ExportGameRequest::default()
        };
        let caller = Caller::OPEN;
        let games = Arc::new(process.games);
        let mut parts = games.export(&caller, call).await.unwrap();
        // Read the header, the set-up and version 2.
        for _ in 0..3 {
            parts.next().await.unwrap().unwrap();
        }
        games.shared.closing.cancel();
        let ended = parts.next().await.unwrap();
        let Err(Problem::GoingAway { cause, version }) = ended else {
            panic!("{ended:?}");
        };
        assert_eq!((cause, version), (EndCause::Shutdown, 2));
        assert!(parts.next().await.is_none());
    }

    async fn parts(
        games: &Arc<Games<Dominion>>,
        call: ExportGameRequest,
    ) -> Result<Vec<Part>, Problem> {
        let parts = games.export(&Caller::OPEN, call).await?;
        let part = |part: Result<ExportGameResponse, Problem>| part.unwrap().part.unwrap();
        Ok(parts.map(part).collect().await)
    }

    /// Draws of the set-up are part of the record, and states only if they are requested.
    #[tokio::test]
    async fn a_record_has_every_version_after_the_one_that_is_named() {
        let process = Process::<Dominion>::over(&store());
        let mut game = process.create_of(&Caller::OPEN, &["ada", "bob"]).await;
        for _ in 0..5 {
            game = process.act(&game).await;
        }
        let over = process.ask(&game, TableRequest::Resign { seat: 1 }).await;
        let (newest, games) = (over.unwrap().version, Arc::new(process.games));
        for (with_states, after_version) in [false, true]
            .into_iter()
            .flat_map(|with_states| (0..=newest).map(move |after| (with_states, after)))
        {
            let call = ExportGameRequest {
                game_id: game.game_id.clone(),
                after_version,
                with_states,
            };
            let parts = parts(&games, call).await.unwrap();
            let [Part::Header(header), versions @ .., Part::End(end)] = &parts[..] else {
                panic!("{parts:?}");
            };
            let names = header.first_names.iter().map(|first| first.name.as_str());
            assert_eq!(names.collect::<Vec<_>>(), ["ada", "bob"]);
            assert!(end.seed_reveal.is_some());
            for (part, version) in versions.iter().zip(after_version + 1..) {
                let Part::Version(part) = part else {
                    panic!("{part:?}");
                };
                assert_eq!(part.entry.as_ref().unwrap().version, version);
                assert_eq!(part.state.is_some(), with_states);
                assert!(version > 1 || !part.draws.is_empty(), "decks are shuffled");
            }
            assert_eq!(versions.len() as u64, newest - after_version);
        }
        let beyond = ExportGameRequest {
            game_id: game.game_id.clone(),
            after_version: newest + 1,
            ..ExportGameRequest::default()
        };
        let beyond = parts(&games, beyond).await;
        let is_refused =
            matches!(beyond, Err(Problem::NoSuchVersion { current, .. }) if current == newest);
        assert!(is_refused, "{beyond:?}");
    }
}
