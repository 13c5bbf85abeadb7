//! `ImportGame`: a **record** becomes a game again.
//!
//! The past of an imported game is stored as that of a fork, whose origin is the game of the record: its entries are made
//! again by the rules, with the recorded luck, and the game has luck of its own from there. The seed of a record is
//! public once the game is over, so it never goes on.

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Seat, encode, fingerprint};
use gamekeeper_rules::table_life::{ForkPoint, TableEvent, TableOptions};
use gamekeeper_store::{Created, GameId, StoredEntry, Version};
use gamekeeper_telemetry::TableEventLabel;
use gamekeeper_wire::record::{Beginning, Played, Record, RecordCheck, RecordFault, Replay};
use gamekeeper_wire::{Malformed, StartTable, Wire, player_names, table_options};
use prost::Message;
use uuid::Uuid;

use crate::aggregate::commitments::creation_commitments;
use crate::aggregate::first_table::first_table;
use crate::aggregate::game::{Game, GenesisOf, began_sharing_hidden_info};
use crate::aggregate::game_limits::{check_ancestors, check_inherited_length};
use crate::authz::{Caller, Role};
use crate::errors::ServiceError;
use crate::log::{
    ActionEntry, Ancestor, AncestorRecord, Effects, EntryKind, EntryOf, EntryRecord, Fork,
    GenesisEntry, RequestFingerprint, TableEntry, encode_entry, encode_genesis,
};
use crate::metadata::{GameMetadata, InitialNames, placeholder_name};
use crate::requests::ids::{check_request_id, id_of_request};
use crate::service::game_service::GameService;
use crate::timing::yielder::Yielder;

/// The time by which the clock of another server may be ahead, in milliseconds.
const MAX_CLOCK_SKEW_MS: u64 = 10 * 60 * 1_000;

/// A request to import a game, completely read.
#[derive(Debug)]
pub struct ImportRequest {
    /// The owner of the new game.
    pub tenant: String,
    /// The new game.
    pub plan: pb::ImportPlan,
    /// The record, not checked yet.
    pub record: Record,
}

/// The past of a record that was checked: all that is stored of it.
struct ImportedPast<W: Wire> {
    options: W::Options,
    table_options: TableOptions,
    start: Option<StartTable>,
    /// Version 1.
    first: EntryRecord<W::Action, W::Event>,
    /// The entries after it, encoded.
    entries: Vec<Bytes>,
    /// The time at which the log begins, in milliseconds since the Unix epoch.
    begun_ms: u64,
    /// The time of the last entry, in milliseconds after that.
    last_ms: u64,
}

impl<W: Wire> GameService<W> {
    /// Creates a game from a record. The call is idempotent: requests with the same id and body get the same game.
    ///
    /// # Errors
    /// If the caller may not import this record, the request is malformed, the record does not verify, or the store
    /// fails.
    pub async fn import_game(
        &self,
        caller: &Caller,
        import: ImportRequest,
    ) -> Result<pb::ImportGameResponse, ServiceError> {
        let ImportRequest {
            tenant,
            plan,
            record,
        } = &import;
        check_request_id(&plan.request_id).map_err(|problem| problem.within("plan"))?;
        let seed = self.seed_or_random(&plan.seed)?;
        let names = names_of(plan, record).map_err(|malformed| malformed.with_prefix("plan"))?;
        let learned = &self.context.settings.policies;
        let metadata = GameMetadata::of_new_game::<W>(&plan.players, &plan.labels, learned)
            .map_err(|malformed| malformed.with_prefix("plan"))?;
        let version = self.imported_version(caller, plan, record)?;
        let request = fingerprint_of::<W>(plan, record);
        let parts: [&[u8]; 2] = [b"import", tenant.as_bytes()];
        let id = id_of_request(&plan.request_id, &parts);
        if let Some(existing) = self.find_existing_fork(id, tenant, request).await? {
            return self.import_response(caller, &existing.with_metadata_of(&metadata));
        }
        let past = self.checked_past(record, version).await?;
        let fork = Box::pin(self.fork_of_record(record, version, &past)).await?;
        let initial_names = InitialNames::new(&names, |seat| metadata.tags().user(seat));
        let mut genesis: GenesisOf<W> = GenesisEntry {
            ruleset: W::INFO.id.to_owned(),
            tenant: tenant.clone(),
            players: Seat::all(names.len()).map(placeholder_name).collect(),
            options: past.options,
            seed: *seed.as_bytes(),
            salt: rand::random(),
            time_ms: past.begun_ms,
            request_fingerprint: request,
            draws: past.first.draws,
            effects: past.first.effects,
            table_options: past.table_options,
            fork: Some(Box::new(fork)),
            commitments: None,
            start: past.start,
        };
        genesis.commitments = Some(creation_commitments::<W>(id, &genesis, &initial_names));
        let entry = Bytes::from(encode_genesis::<W>(&genesis));
        let mut game = self.replay_import(id, &entry, &past.entries).await?;
        game.metadata = metadata.with_initial_names(Some(initial_names));
        let new_game = self.new_game(&game, entry, past.entries).await?;
        let snapshot_bytes = new_game.snapshot.len();
        match self.context.store.create(new_game).await? {
            Created::Done => {
                self.announce(&game, snapshot_bytes);
                self.metrics.happened(TableEventLabel::Imported);
                let response = self.import_response(caller, &game)?;
                self.cache_insert(game.drop_setup_events());
                Ok(response)
            }
            Created::Exists => {
                let existing = self.find_existing_fork(id, tenant, request).await?;
                // The game existed a moment ago: it was deleted meanwhile, or a failover has lost it.
                let existing = existing.ok_or(ServiceError::TooManyConflicts)?;
                self.import_response(caller, &existing.with_metadata_of(&game.metadata))
            }
            Created::Full(limit) => Err(limit.into()),
        }
    }

    /// Returns the last version that the game takes from the record, if the caller may import it.
    fn imported_version(
        &self,
        caller: &Caller,
        plan: &pb::ImportPlan,
        record: &Record,
    ) -> Result<Version, ServiceError> {
        let is_over = record.game.status() == pb::GameStatus::Finished;
        if !is_over && !matches!(caller.role, Role::Operator | Role::AuthDisabled) {
            return Err(ServiceError::PermissionDenied(
                "the game of this record is not over; only operators import it",
            ));
        }
        let newest = Version::try_from(record.versions.len()).unwrap_or(Version::MAX);
        // A full game has one version more, by which its owner has ended it.
        check_inherited_length(newest.saturating_sub(1), "version")?;
        let version = match plan.at_version {
            0 => newest,
            version if version > newest => {
                return Err(ServiceError::NoSuchVersion {
                    requested: version,
                    current: newest,
                });
            }
            version => version,
        };
        check_inherited_length(version, "plan.at_version")?;
        check_ancestors(record.origins.len())?;
        let last = record.versions.last();
        let last = last.and_then(|version| version.entry.play_time.as_ref());
        let last_s = last.map_or(0, |time| time.seconds);
        let latest_ms = self.context.clock.now_ms() + MAX_CLOCK_SKEW_MS;
        if u64::try_from(last_s).is_ok_and(|seconds| seconds > latest_ms / 1_000) {
            let what = String::from("its last version was played in the future");
            return Err(ServiceError::RecordRefused { what });
        }
        Ok(version)
    }

    /// Checks the whole record by the rules, and encodes what is stored of it up to a version.
    async fn checked_past(
        &self,
        record: &Record,
        version: Version,
    ) -> Result<ImportedPast<W>, ServiceError> {
        let beginning = Beginning::<W>::of(record)?;
        let (options, start) = (beginning.options.clone(), beginning.start.clone());
        let chance = beginning.chance.clone();
        let first = first_table::<W>(&options, start.as_ref(), chance).await;
        let first = first.map_err(RecordFault::from)?;
        let mut check = RecordCheck::begin(record, beginning, first)?;
        let begun_ms = check.table().begun_ms();
        let mut past = ImportedPast {
            options,
            start,
            table_options: table_options(record.game.table.as_ref())?,
            first: entry_record(&check.table().now, 0),
            entries: Vec::new(),
            begun_ms,
            last_ms: 0,
        };
        let mut yielder = Yielder::new();
        while check.step()? {
            yielder.yield_if_due().await;
            let table = check.table();
            if table.version() > version {
                continue;
            }
            past.last_ms = table.after_ms();
            let entry = entry_of(table)?;
            let bytes = encode_entry::<W>(table.version(), &entry);
            past.entries.push(bytes.into());
        }
        check.finish()?;
        Ok(past)
    }

    /// Builds the ancestry of the game: the game of the record, and those that it was forked from.
    async fn fork_of_record(
        &self,
        record: &Record,
        version: Version,
        past: &ImportedPast<W>,
    ) -> Result<Fork, ServiceError> {
        let mut ancestors = Vec::with_capacity(record.origins.len() + 1);
        for origin in &record.origins {
            let forked_from = origin.forked_from.clone().unwrap_or_default();
            let forked_ms = milliseconds(origin.fork_time.as_ref());
            ancestors.push(Ancestor {
                game: uuid_of(&forked_from.game_id)?,
                commitment: bytes_of(&origin.seed_commitment, "an origin's seed commitment")?,
                fork_point: ForkPoint {
                    version: forked_from.version,
                    at_ms: forked_ms.saturating_sub(past.begun_ms),
                },
                record: AncestorRecord {
                    commitment: optional(&origin.record_commitment, "an origin's commitment")?,
                    versions_digest: optional(&origin.versions_digest, "an origin's digest")?,
                    reveal: reveal_of(origin.seed_reveal.as_ref())?,
                },
            });
        }
        let game = &record.game;
        let created_ms = milliseconds(game.create_time.as_ref());
        let now_ms = self.context.clock.now_ms().max(created_ms);
        let count = usize::try_from(version).unwrap_or(usize::MAX);
        ancestors.push(Ancestor {
            game: uuid_of(&game.game_id)?,
            commitment: bytes_of(&game.seed_commitment, "the seed commitment")?,
            fork_point: ForkPoint {
                version,
                at_ms: now_ms.saturating_sub(past.begun_ms).max(past.last_ms),
            },
            record: AncestorRecord {
                commitment: optional(&game.record_commitment, "the commitment")?,
                versions_digest: Some(record.versions_digest(&game.record_commitment, count)),
                reveal: reveal_of(record.reveal.as_ref())?,
            },
        });
        let mut shares_hidden_info = false;
        for ancestor in &ancestors {
            shares_hidden_info |= self.is_in_progress(ancestor).await?;
        }
        Ok(Fork {
            ancestors,
            shares_hidden_info,
        })
    }

    /// Builds the game from the entries that are stored, as every process will.
    async fn replay_import(
        &self,
        id: GameId,
        entry: &Bytes,
        entries: &[Bytes],
    ) -> Result<Game<W>, ServiceError> {
        let stored = |(version, bytes): (Version, &Bytes)| StoredEntry {
            version,
            bytes: bytes.clone(),
        };
        let mut game = Game::<W>::replay_genesis(id, &stored((1, entry))).await?;
        game.limits = self.context.settings.game_limits;
        let entries: Vec<StoredEntry> = (2..).zip(entries).map(stored).collect();
        self.replay_page(&mut game, &entries, &mut Yielder::new())
            .await?;
        game.undo_states = None;
        game.ensure_not_full()?;
        Ok(game)
    }

    /// Builds the response to the request, the same for every repetition.
    fn import_response(
        &self,
        caller: &Caller,
        game: &Game<W>,
    ) -> Result<pb::ImportGameResponse, ServiceError> {
        let tokens = if began_sharing_hidden_info(&game.genesis) {
            None
        } else {
            self.initial_tokens(caller, game)?
        };
        Ok(pb::ImportGameResponse {
            game: Some(game.info_for(caller)),
            tokens,
        })
    }
}

/// Returns the names of the players of the new game.
fn names_of(plan: &pb::ImportPlan, record: &Record) -> Result<Vec<String>, Malformed> {
    let (asked, recorded) = (plan.players.len(), record.game.players.len());
    match asked {
        0 => player_names(&record.game.players),
        _ if asked == recorded => player_names(&plan.players),
        _ => {
            let text = format!("has {asked} players; the record has {recorded}");
            Err(Malformed::new("players", text))
        }
    }
}

/// Computes the fingerprint of a request, to which the record belongs.
fn fingerprint_of<W: Wire>(plan: &pb::ImportPlan, record: &Record) -> RequestFingerprint {
    let mut body = W::INFO.id.as_bytes().to_vec();
    body.extend(plan.encode_to_vec());
    body.extend(record.versions_digest(&record.game.record_commitment, usize::MAX));
    RequestFingerprint::new(&plan.request_id, &body)
}

/// Builds the entry that made the table.
fn entry_of<W: Wire>(table: &Replay<W>) -> Result<EntryOf<W>, ServiceError> {
    let kind = match table.played() {
        Some(Played::Action(seat, action)) => EntryKind::Action(ActionEntry {
            seat: *seat,
            action: action.clone(),
        }),
        Some(Played::Table(event)) => {
            let is_taken_back = matches!(event, TableEvent::TakenBack { .. });
            let undo_state = is_taken_back.then(|| encode(&table.now.state));
            EntryKind::Table(TableEntry {
                event: event.clone(),
                undo_state: undo_state.unwrap_or_default(),
            })
        }
        None => return Err(refused("a version has no cause")),
    };
    Ok(EntryOf::<W> {
        kind,
        record: entry_record(&table.now, table.after_ms()),
    })
}

/// Builds the outcome of a version, for which no request of this service asked.
fn entry_record<W: Wire>(now: &Applied<W>, after_ms: u64) -> EntryRecord<W::Action, W::Event> {
    EntryRecord {
        automatic: now.automatic.clone(),
        draws: now.draws.clone(),
        effects: Some(Effects {
            events: now.events.clone(),
            fingerprint: fingerprint(&now.state).to_be_bytes(),
        }),
        after_ms,
        request_fingerprint: RequestFingerprint::Unnamed([0; 8]),
    }
}

fn refused(what: &str) -> ServiceError {
    RecordFault::Difference(what.to_owned()).into()
}

fn uuid_of(game_id: &str) -> Result<GameId, ServiceError> {
    Uuid::try_parse(game_id).map_err(|_| refused("it names a game by what is no id"))
}

fn bytes_of<const N: usize>(bytes: &[u8], what: &str) -> Result<[u8; N], ServiceError> {
    let wrong = |_| refused(&format!("{what} has {} bytes, not {N}", bytes.len()));
    bytes.try_into().map_err(wrong)
}

/// Reads bytes that may be missing.
fn optional<const N: usize>(bytes: &[u8], what: &str) -> Result<Option<[u8; N]>, ServiceError> {
    (!bytes.is_empty())
        .then(|| bytes_of(bytes, what))
        .transpose()
}

/// Reads salt and seed, one after the other. The check of the record has compared them with their commitment.
fn reveal_of(reveal: Option<&pb::SeedReveal>) -> Result<Option<[u8; 64]>, ServiceError> {
    let joined =
        |reveal: &pb::SeedReveal| bytes_of(&[&*reveal.salt, &reveal.seed].concat(), "a seed");
    reveal.map(joined).transpose()
}

/// Converts a time of a record to milliseconds since the Unix epoch. The check of the record has seen that it is set.
fn milliseconds(time: Option<&prost_types::Timestamp>) -> u64 {
    let ms = time.map_or(0, |time| {
        time.seconds * 1_000 + i64::from(time.nanos) / 1_000_000
    });
    u64::try_from(ms).unwrap_or_default()
}

#[cfg(test)]
mod tests;
