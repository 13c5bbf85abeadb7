//! **Forks**: games that branch off from another game, and use a random stream of their own from there on.
//!
//! A fork of a game that is still being played shares its hidden information. Until every such ancestor is over, the
//! fork has no tokens, so only its owner can play it, and its record stays secret even when the fork itself is over.

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{Seat, SeedCommitment};
use gamekeeper_rules::table_life::{ForkPoint, TableRefusal};
use gamekeeper_store::{Created, GameId, ListFilter, StoredEntry, Version};
use gamekeeper_telemetry::TableEventLabel;
use gamekeeper_wire::Wire;

use crate::aggregate::commitments::creation_commitments;
use crate::aggregate::game::{Game, GenesisOf, began_sharing_hidden_info, decode_genesis_entry};
use crate::aggregate::game_limits::{check_ancestors, check_inherited_length};
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::index::index_keys::forks_key;
use crate::log::{
    Ancestor, AncestorRecord, Fork, GenesisEntry, RequestFingerprint, encode_genesis,
};
use crate::metadata::{GameMetadata, InitialNames, placeholder_name};
use crate::requests::ids::{check_request_id, id_of_request};
use crate::service::game_service::GameService;
use crate::service::load::LOG_PAGE;
use crate::timing::yielder::Yielder;

/// The maximum number of forks of a game, forks of forks included, beyond which players cannot fork it.
const MAX_FORKS: usize = 100;

/// The inputs of a fork, once its request has been validated.
struct ForkPlan {
    tenant: String,
    /// The current names of the players, with their users.
    initial_names: InitialNames,
    version: Version,
    fork: Fork,
    /// The seed commitment of the game that is forked, which tells it from others with the same id.
    commitment: SeedCommitment,
}

impl<W: Wire> GameService<W> {
    /// Creates a fork of a game. The call is idempotent: requests with the same id and body get the same fork.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the game is over at that version, or the store fails.
    pub async fn fork_game(
        &self,
        caller: &Caller,
        id: GameId,
        call: &pb::ForkGameRequest,
    ) -> Result<pb::ForkGameResponse, ServiceError> {
        check_request_id(&call.request_id)?;
        let seed = self.seed_or_random(&call.seed)?;
        let plan = self.plan_fork(caller, id, call.at_version).await?;
        let request = fingerprint_of(id, call);
        let fork_id = fork_id(caller, &plan.tenant, id, &call.request_id);
        if let Some(existing) = self
            .find_existing_fork(fork_id, &plan.tenant, request)
            .await?
        {
            return self.fork_response(caller, &existing);
        }
        if caller.has_game_token() {
            self.check_fork_count(id, &plan).await?;
        }
        let (source, inherited_log) = self.inherited_part(id, &plan).await?;
        let mut genesis: GenesisOf<W> = GenesisEntry {
            tenant: plan.tenant.clone(),
            seed: *seed.as_bytes(),
            salt: rand::random(),
            request_fingerprint: request,
            players: Seat::all(plan.initial_names.names().len())
                .map(placeholder_name)
                .collect(),
            fork: Some(Box::new(plan.fork)),
            ..GenesisOf::<W>::clone(&source.genesis)
        };
        genesis.commitments = Some(creation_commitments::<W>(
            fork_id,
            &genesis,
            &plan.initial_names,
        ));
        let entry = Bytes::from(encode_genesis::<W>(&genesis));
        let inherited_entries: Vec<Bytes> = inherited_log
            .into_iter()
            .skip(1)
            .map(|entry| entry.bytes)
            .collect();
        let mut game =
            source.fork_from(fork_id, genesis, inherited_entries.last().unwrap_or(&entry));
        game.limits = self.context.settings.game_limits;
        game.metadata = GameMetadata::default().with_initial_names(Some(plan.initial_names));
        let new_game = self.new_game(&game, entry, inherited_entries).await?;
        let snapshot_bytes = new_game.snapshot.len();
        match self.context.store.create(new_game).await? {
            Created::Done => self.finish_fork(caller, game, snapshot_bytes),
            Created::Exists => {
                let existing = self
                    .find_existing_fork(fork_id, &plan.tenant, request)
                    .await?;
                // The fork existed a moment ago: it was deleted meanwhile, or a failover has lost it.
                self.fork_response(caller, &existing.ok_or(ServiceError::TooManyConflicts)?)
            }
            Created::Full(limit) => Err(limit.into()),
        }
    }

    /// Validates the request on the newest version of the game.
    async fn plan_fork(
        &self,
        caller: &Caller,
        id: GameId,
        requested_version: Version,
    ) -> Result<ForkPlan, ServiceError> {
        let mut game = self.lock_current(caller, id).await?;
        caller.authorize(game.access_target(), Permission::Fork)?;
        self.check_ancestors_finished(&mut game).await?;
        let version = match requested_version {
            0 => game.version,
            version => version,
        };
        game.ensure_has_version(version)?;
        check_inherited_length(version, "at_version")?;
        let parent_fork = game.genesis.fork.as_ref();
        let mut ancestors = parent_fork.map_or_else(Vec::new, |fork| fork.ancestors.clone());
        check_ancestors(ancestors.len())?;
        let at_ms = self
            .next_time_ms(&game)
            .saturating_sub(game.genesis.time_ms);
        ancestors.push(Ancestor {
            game: id,
            commitment: game.commitment,
            fork_point: ForkPoint { version, at_ms },
            record: AncestorRecord::default(),
        });
        Ok(ForkPlan {
            tenant: game.genesis.tenant.clone(),
            initial_names: current_names(&game),
            version,
            commitment: game.commitment,
            fork: Fork {
                ancestors,
                shares_hidden_info: game.shares_hidden_info || !game.is_over(),
            },
        })
    }

    /// Checks the limit of forks by players. They cannot delete forks, which count against the quota of the tenant.
    async fn check_fork_count(&self, id: GameId, plan: &ForkPlan) -> Result<(), ServiceError> {
        let root_game = plan.fork.ancestors.first().map_or(id, |first| first.game);
        let filter = ListFilter {
            lists: vec![forks_key(root_game)],
            tenant: Some(plan.tenant.clone()),
            ..ListFilter::default()
        };
        let forks = self.context.store.page(&filter, None, MAX_FORKS).await?;
        if forks.games.len() < MAX_FORKS {
            return Ok(());
        }
        Err(ServiceError::QuotaUsed)
    }

    /// Returns the game as it was at the forked version, with its log up to then.
    async fn inherited_part(
        &self,
        id: GameId,
        plan: &ForkPlan,
    ) -> Result<(Game<W>, Vec<StoredEntry>), ServiceError> {
        let first = self.first_entry(id).await?;
        let mut game = Game::<W>::replay_genesis(id, &first).await?;
        if game.commitment != plan.commitment {
            // The game was deleted meanwhile, and its id reused for another one.
            return Err(ServiceError::TooManyConflicts);
        }
        let (mut log, mut yielder) = (vec![first], Yielder::new());
        while game.version < plan.version {
            let count = usize::try_from(plan.version - game.version).unwrap_or(usize::MAX);
            let page = self.entries(id, game.version, count.min(LOG_PAGE)).await?;
            if page.is_empty() {
                return Err(ServiceError::TooManyConflicts);
            }
            self.replay_page(&mut game, &page, &mut yielder).await?;
            log.extend(page);
        }
        if game.is_over() {
            return Err(ServiceError::RefusedByTable(TableRefusal::GameOver));
        }
        Ok((game, log))
    }

    /// Returns the fork that this request has already created. Returns `None` if there is none.
    pub(crate) async fn find_existing_fork(
        &self,
        id: GameId,
        tenant: &str,
        request: RequestFingerprint,
    ) -> Result<Option<Game<W>>, ServiceError> {
        if matches!(request, RequestFingerprint::Unnamed(_)) {
            return Ok(None);
        }
        let entries = self.context.store.log(id, 0, 1).await?.unwrap_or_default();
        let Some(first) = entries.first() else {
            return Ok(None);
        };
        let genesis = decode_genesis_entry::<W>(first)?;
        if genesis.request_fingerprint != request || genesis.tenant != tenant {
            return Err(ServiceError::RequestIdReused);
        }
        self.metrics.repeated();
        let mut game = self.at_version(id, genesis.inherited_versions()).await?;
        // Use the names at creation of the fork, unless they were erased.
        let loaded = self.context.store.load(id, None).await?;
        let access =
            GameMetadata::from_bytes(&loaded.ok_or(ServiceError::TooManyConflicts)?.access)?;
        game.metadata = GameMetadata::default().with_initial_names(access.initial_names().cloned());
        Ok(Some(game))
    }

    /// Counts a fork that was stored, answers its request, and caches it.
    fn finish_fork(
        &self,
        caller: &Caller,
        game: Game<W>,
        snapshot_bytes: usize,
    ) -> Result<pb::ForkGameResponse, ServiceError> {
        self.metrics.created();
        self.metrics.happened(TableEventLabel::Forked);
        self.metrics.snapshot(snapshot_bytes);
        let response = self.fork_response(caller, &game)?;
        self.cache_insert(game.drop_setup_events());
        Ok(response)
    }

    /// Builds the response to the request, the same for every repetition.
    fn fork_response(
        &self,
        caller: &Caller,
        game: &Game<W>,
    ) -> Result<pb::ForkGameResponse, ServiceError> {
        // Repetitions must get the same response, even if the fork has been unsealed since then.
        let tokens = if began_sharing_hidden_info(&game.genesis) {
            None
        } else {
            self.initial_tokens(caller, game)?
        };
        Ok(pb::ForkGameResponse {
            game: Some(game.info_for(caller)),
            tokens,
        })
    }

    /// Ends the secrecy of a fork if none of its ancestors is still being played.
    pub(crate) async fn check_ancestors_finished(
        &self,
        game: &mut Game<W>,
    ) -> Result<(), ServiceError> {
        if !game.shares_hidden_info {
            return Ok(());
        }
        let Some(fork) = game.genesis.fork.clone() else {
            return Ok(());
        };
        // A single ancestor in progress decides, and the nearest one is the most likely.
        for ancestor in fork.ancestors.iter().rev() {
            if self.is_in_progress(ancestor).await? {
                return Ok(());
            }
        }
        game.shares_hidden_info = false;
        Ok(())
    }

    /// Returns whether an ancestor is still being played. A deleted game is not.
    pub(crate) async fn is_in_progress(&self, ancestor: &Ancestor) -> Result<bool, ServiceError> {
        match self.load_ancestor(ancestor).await {
            Ok(game) => Ok(game.is_some_and(|game| !game.is_over())),
            // A record that cannot be read may be that of a game in progress.
            Err(problem) if problem.is_storage_corruption() => Ok(true),
            Err(problem) => Err(problem),
        }
    }

    /// Loads an ancestor at its newest version. Returns `None` if it was deleted.
    async fn load_ancestor(&self, ancestor: &Ancestor) -> Result<Option<Game<W>>, ServiceError> {
        match self.load(ancestor.game).await {
            Ok(game) => Ok(Some(game).filter(|game| game.commitment == ancestor.commitment)),
            Err(ServiceError::NoSuchGame { .. }) => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// Builds the ancestors of a game for its record, with the seeds of those that are over.
    pub(crate) async fn fork_origins(
        &self,
        game: &Game<W>,
    ) -> Result<Vec<pb::ForkOrigin>, ServiceError> {
        let Some(fork) = &game.genesis.fork else {
            return Ok(Vec::new());
        };
        let mut origins = Vec::with_capacity(fork.ancestors.len());
        for ancestor in &fork.ancestors {
            let seed_reveal = match ancestor.revealed_by_record() {
                Some(reveal) => Some(reveal),
                None => {
                    let ancestor_game = self.load_ancestor(ancestor).await?;
                    ancestor_game.and_then(|ancestor_game| ancestor_game.seed_reveal())
                }
            };
            origins.push(pb::ForkOrigin {
                seed_reveal,
                ..ancestor.fork_origin(game.genesis.time_ms)
            });
        }
        Ok(origins)
    }
}

/// Returns the current names of the players, with the users that they belong to.
fn current_names<W: Wire>(game: &Game<W>) -> InitialNames {
    let (tags, initial_names) = (game.metadata.tags(), game.metadata.initial_names());
    InitialNames::new(game.players(), |seat| {
        match (tags.user(seat), initial_names) {
            ("", Some(first)) => first.user(seat),
            (user, _) => user,
        }
    })
}

/// Computes the fingerprint of a request to fork this game.
fn fingerprint_of(id: GameId, call: &pb::ForkGameRequest) -> RequestFingerprint {
    let body = [
        &call.at_version.to_be_bytes()[..],
        id.as_bytes(),
        &call.seed,
    ]
    .concat();
    RequestFingerprint::new(&call.request_id, &body)
}

/// Derives the id of a fork. Seats choose their request ids independently, so the seat is hashed as well.
fn fork_id(caller: &Caller, tenant: &str, game: GameId, request_id: &str) -> GameId {
    let by = caller.seat().map_or(0, Seat::number);
    let parts: [&[u8]; 4] = [b"fork", tenant.as_bytes(), game.as_bytes(), &[by]];
    id_of_request(request_id, &parts)
}

#[cfg(test)]
mod tests;
