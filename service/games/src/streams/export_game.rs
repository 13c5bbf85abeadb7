//! `ExportGame`: **exports** the full record of a game.

use std::sync::Arc;

use futures_util::stream;
use gamekeeper_proto::gamekeeper::v1::{ExportEnd, ExportGameRequest};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{
    AutomaticAction, ExportGameResponse, ExportHeader, ExportVersion, LogEntry,
};
use gamekeeper_rules::table::{Automatic, TextContext, Viewer};
use gamekeeper_store::{StoredEntry, Version};
use gamekeeper_wire::{
    RecordDigest, Wire, draw, seat_number, wrap_action, wrap_options, wrap_view,
};

use super::limits::StreamLimits;
use crate::admission::ConcurrencyPermit;
use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::log::{Effects, EntryKind};
use crate::rendering::entry_view::{render_entry, render_genesis};
use crate::rendering::projection::Projection;
use crate::requests::ids::parse_id;
use crate::service::game_service::{GameService, ResponseStream};
use crate::service::load::LOG_PAGE;
use crate::timing::yielder::Yielder;

const EVERYTHING: Projection = Projection {
    viewer: Viewer::Operator,
    view: true,
    events: true,
    text: false,
    components: false,
    board: None,
    picture: None,
    numbers: None,
    anonymous: false,
};

/// The state of an export.
struct ExportReader<W: Wire> {
    games: Arc<GameService<W>>,
    caller: Caller,
    limits: StreamLimits,
    game: Game<W>,
    /// The newest version when the export started, which is the last one exported.
    end: Version,
    /// The entries that were read ahead, the next one last.
    prefetched: Vec<StoredEntry>,
    with_states: bool,
    /// The version up to which parts are not sent, since the client has them. They are read only to compute the
    /// signature.
    resume_after: Version,
    /// The running digest of the record. Is `None` if records are not signed.
    digest: Option<RecordDigest>,
    next_part: NextPart,
    yielder: Yielder,
    _share: ConcurrencyPermit,
}

enum NextPart {
    Genesis,
    Versions,
    Done,
}

impl NextPart {
    /// Returns the first part to read of a record after this version.
    fn after_version(version: Version) -> Self {
        match version {
            0 => Self::Genesis,
            _ => Self::Versions,
        }
    }
}

impl<W: Wire> GameService<W> {
    /// Builds the first part of a record.
    async fn export_header(
        &self,
        game: &Game<W>,
        caller: &Caller,
        with_states: bool,
    ) -> Result<ExportHeader, ServiceError> {
        let (start_position, start_salt) = game.start_position().unzip();
        Ok(ExportHeader {
            game: Some(game.info_for(caller)),
            options: Some(wrap_options::<W>(&game.genesis.options)),
            origins: Box::pin(self.fork_origins(game)).await?,
            first_names: game.initial_names(),
            with_states,
            start_seed: game.start_seed(),
            start_position,
            start_salt: start_salt.unwrap_or_default(),
        })
    }

    /// Streams the full record, including hidden information, version by version.
    ///
    /// # Errors
    /// If the caller lacks permission, there are too many streams, or the store fails. The stream ends with
    /// [`ServiceError::GoingAway`] if it is too old, and when the server shuts down.
    pub async fn export_game(
        self: &Arc<Self>,
        caller: &Caller,
        call: ExportGameRequest,
    ) -> Result<ResponseStream<ExportGameResponse>, ServiceError> {
        let id = parse_id(&call.game_id)?;
        let resume_after = call.after_version;
        let is_signed = self.context.tokens.signs_records();
        // A signature covers the whole record.
        let replay_from = if is_signed { 0 } else { resume_after };
        let share = self.context.watch_permits.try_acquire(caller.account)?;
        let (header, end, log) = {
            let (game, log) = self
                .lock_current_with_log(caller, id, Permission::Export, (0, LOG_PAGE))
                .await?;
            game.ensure_has_version(resume_after)?;
            let header = self.export_header(&game, caller, call.with_states).await?;
            (Part::Header(header), game.version, log)
        };
        let first = log.first().ok_or_else(|| ServiceError::no_such_game(id))?;
        let mut game = Game::<W>::replay_genesis(id, first).await?;
        let (replayed_entries, mut prefetched): (Vec<_>, Vec<_>) = log
            .into_iter()
            .partition(|entry| entry.version <= replay_from.max(1));
        self.replay_page(&mut game, &replayed_entries, &mut Yielder::new())
            .await?;
        Box::pin(self.replay_to(&mut game, replay_from.max(1))).await?;
        prefetched.reverse();
        let games = Arc::clone(self);
        let digest = is_signed.then(|| {
            let commitments = game.genesis.commitments.as_ref();
            RecordDigest::begin(
                commitments.map_or(&[][..], |commitments| &commitments.record_commitment),
            )
        });
        let reader = ExportReader {
            games,
            caller: caller.clone(),
            limits: StreamLimits::new(&self.context, caller).with_max_age(&self.context),
            game,
            end,
            prefetched,
            with_states: call.with_states,
            resume_after,
            digest,
            next_part: NextPart::after_version(replay_from),
            yielder: Yielder::new(),
            _share: share,
        };
        Ok(Box::pin(stream::try_unfold(
            (reader, Some(header)),
            |(mut reader, header)| async move {
                let part = reader.next(header).await?;
                Ok(part.map(|part| (ExportGameResponse { part: Some(part) }, (reader, None))))
            },
        )))
    }
}

impl<W: Wire> ExportReader<W> {
    async fn next(&mut self, header: Option<Part>) -> Result<Option<Part>, ServiceError> {
        if header.is_some() {
            return Ok(header);
        }
        loop {
            let exported = match self.next_part {
                NextPart::Genesis => {
                    self.next_part = NextPart::Versions;
                    self.export_genesis()
                }
                NextPart::Versions if self.game.version < self.end => {
                    self.export_next_version().await?
                }
                NextPart::Versions => {
                    self.next_part = NextPart::Done;
                    return Ok(self.end_part().map(Part::End));
                }
                NextPart::Done => return Ok(None),
            };
            // Versions of an imported record are bound by their digest, and not signed.
            let is_own = self.game.version > self.game.genesis.imported_versions();
            if let Some(digest) = self.digest.filter(|_| is_own) {
                let updated = digest.update(&exported);
                self.digest =
                    Some(updated.map_err(|error| ServiceError::Fault(error.to_string()))?);
            }
            if self.game.version > self.resume_after {
                return Ok(Some(Part::Version(exported)));
            }
        }
    }

    /// Builds the last part. Returns `None` if the game is not over.
    fn end_part(&self) -> Option<ExportEnd> {
        let reveal = self.game.seed_reveal()?;
        let digest = self.digest.map(|digest| digest.finish(&reveal));
        let signature =
            digest.and_then(|digest| self.games.context.tokens.record_signature(&digest));
        Some(ExportEnd {
            seed_reveal: Some(reveal),
            signature,
        })
    }

    fn export_genesis(&self) -> ExportVersion {
        let genesis = &self.game.genesis;
        let entry = render_genesis::<W>(
            genesis,
            (&EVERYTHING, &genesis.players, &mut TextContext::default()),
        );
        ExportVersion {
            draws: genesis.draws.iter().map(draw::<W>).collect(),
            fingerprint: fingerprint_hex(genesis.effects.as_ref()),
            ..self.with_table(entry)
        }
    }

    async fn export_next_version(&mut self) -> Result<ExportVersion, ServiceError> {
        self.yielder.yield_if_due().await;
        self.limits.ensure_within_limits(self.game.version)?;
        if self.prefetched.is_empty() {
            self.games
                .reauthorize(&self.caller, self.game.id, Permission::Export, None)
                .await?;
            self.prefetched = self
                .games
                .entries(self.game.id, self.game.version, LOG_PAGE)
                .await?;
            self.prefetched.reverse();
        }
        let missing =
            || ServiceError::Damaged(format!("version {} is gone", self.game.version + 1));
        let entry = self.prefetched.pop().ok_or_else(missing)?;
        let decoded = self.games.replay_next(&mut self.game, &entry).await?;
        let automatic = |automatic: &Automatic<W::Action>| AutomaticAction {
            seat: seat_number(automatic.seat),
            action: Some(wrap_action::<W>(&automatic.action)),
        };
        let action = match &decoded.kind {
            EntryKind::Action(action_entry) => Some(wrap_action::<W>(&action_entry.action)),
            EntryKind::Table(_) => None,
        };
        let (genesis, mut no_scene) = (&self.game.genesis, TextContext::default());
        let rendered = render_entry::<W>(
            entry.version,
            &decoded,
            genesis,
            (&EVERYTHING, &genesis.players, &mut no_scene),
            EVERYTHING.end_event(&self.game),
        )?;
        let record = &decoded.record;
        Ok(ExportVersion {
            action,
            automatic: record.automatic.iter().map(automatic).collect(),
            draws: record.draws.iter().map(draw::<W>).collect(),
            fingerprint: fingerprint_hex(record.effects.as_ref()),
            ..self.with_table(rendered)
        })
    }

    /// Builds the part of a log entry and the table after it.
    fn with_table(&self, entry: LogEntry) -> ExportVersion {
        let view = || wrap_view::<W>(&self.game.view(Viewer::Operator));
        ExportVersion {
            entry: Some(entry),
            pending: self.game.decisions(),
            state: self.with_states.then(view),
            ..ExportVersion::default()
        }
    }
}

/// Encodes the fingerprint of a state, as exports show it.
fn fingerprint_hex<E>(effects: Option<&Effects<E>>) -> String {
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
    use crate::authz::Caller;
    use crate::errors::EndCause;
    use crate::handlers::table_commands::TableRequest;
    use crate::test_server::{TestServer, store};

    #[tokio::test]
    async fn an_export_ends_with_its_version_when_the_server_closes() {
        let process = TestServer::<Dominion>::new(&store());
        let mut game = process.create(2, TableOptions::default()).await;
        for _ in 0..5 {
            game = process.play_first_legal(&game).await;
        }
        let call = ExportGameRequest {
            game_id: game.game_id,
            ..ExportGameRequest::default()
        };
        let caller = Caller::UNAUTHENTICATED;
        let games = Arc::new(process.games);
        let mut parts = games.export_game(&caller, call).await.unwrap();
        // Read the header, the set-up and version 2.
        for _ in 0..3 {
            parts.next().await.unwrap().unwrap();
        }
        games.context.shutdown.cancel();
        let ended = parts.next().await.unwrap();
        let Err(ServiceError::GoingAway { cause, version }) = ended else {
            panic!("{ended:?}");
        };
        assert_eq!((cause, version), (EndCause::Shutdown, 2));
        assert!(parts.next().await.is_none());
    }

    async fn parts(
        games: &Arc<GameService<Dominion>>,
        call: ExportGameRequest,
    ) -> Result<Vec<Part>, ServiceError> {
        let parts = games.export_game(&Caller::UNAUTHENTICATED, call).await?;
        let part = |part: Result<ExportGameResponse, ServiceError>| part.unwrap().part.unwrap();
        Ok(parts.map(part).collect().await)
    }

    /// Draws of the set-up are part of the record, and states only if they are requested.
    #[tokio::test]
    async fn a_record_has_every_version_after_the_one_that_is_named() {
        let process = TestServer::<Dominion>::new(&store());
        let mut game = process
            .create_with_users(&Caller::UNAUTHENTICATED, &["ada", "bob"])
            .await;
        for _ in 0..5 {
            game = process.play_first_legal(&game).await;
        }
        let over = process
            .change_table(&game, TableRequest::Resign { seat: 1 })
            .await;
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
            matches!(beyond, Err(ServiceError::NoSuchVersion { current, .. }) if current == newest);
        assert!(is_refused, "{beyond:?}");
    }
}
