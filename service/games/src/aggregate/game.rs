//! A **replica in memory** of one game, which the entries of its log advance.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{
    Chance, Names, PendingList, Seat, Seed, SeedCommitment, Viewer, encode,
};
use gamekeeper_rules::table_life::{
    self, ActionError, EntryStamp, Table, TableLife, fork_times_at,
};
use gamekeeper_store::{GameId, Head, StoredEntry, StoredSnapshot, Version};
pub(crate) use gamekeeper_wire::timestamp;
use gamekeeper_wire::{
    StartTable, Wire, add_table_life, end_reason, ended, pending_with_due_times, standings,
    start_value,
};
use pb::table_event;
use uuid::Uuid;

use crate::aggregate::due::{BotTask, DueGame, next_bot_task};
use crate::aggregate::first_table::first_table;
use crate::aggregate::game_limits::{GameLimits, byte_len};
use crate::aggregate::idempotency::{IdempotencyKey, IdempotencyWindow};
use crate::aggregate::recent_events::RecentEvents;
use crate::aggregate::undo_states::{ReplayError, UndoStates};
use crate::authz::{AccessTarget, Account};
use crate::errors::ServiceError;
use crate::log::{
    ActionEntry, Ancestor, EntryKind, Fork, GenesisEntry, RequestFingerprint, Snapshot, TableEntry,
    decode_entry, decode_genesis, decode_snapshot,
};
pub(crate) use crate::log::{EntryOf, GenesisOf};
use crate::metadata::{Bot, GameMetadata};

/// A game at one version.
pub(crate) struct Game<W: Wire> {
    pub(crate) id: GameId,
    pub(crate) genesis: Arc<GenesisOf<W>>,
    /// The commitment to seed and salt. Every response contains it, so it is computed once.
    pub(crate) commitment: SeedCommitment,
    pub(crate) version: Version,
    /// The hash of the entry of this version, by which the store detects a conflict.
    pub(crate) entry_hash: u32,
    pub(crate) time_ms: u64,
    pub(crate) state: W::State,
    pub(crate) chance: Chance,
    /// The state of table life. Is `None` for a plain game.
    pub(crate) table_life: Option<Box<TableLife>>,
    pub(crate) idempotency_window: IdempotencyWindow,
    pub(crate) metadata: GameMetadata,
    /// Whether this is a fork of a game that may still be in progress. The two games share hidden information.
    pub(crate) shares_hidden_info: bool,
    /// Whether the store has no snapshot that this build can decode. The next entry then stores one.
    pub(crate) lacks_snapshot: bool,
    /// The size of the log, in bytes. A log that an earlier build began may be larger.
    pub(crate) log_bytes: u64,
    /// The limits of the log.
    pub(crate) limits: GameLimits,
    /// The earlier states that take-backs of another layout restore. Is kept only while such a log is replayed.
    pub(crate) undo_states: Option<Box<UndoStates<W::State>>>,
    /// The events since the last decisions of seats. Is `None` until somebody asks for them, and after a take-back.
    pub(crate) recent: Option<Box<RecentEvents>>,
}

impl<W: Wire> Game<W> {
    /// Returns what permissions are checked against.
    pub(crate) fn access_target(&self) -> AccessTarget<'_> {
        AccessTarget {
            id: self.id,
            tenant: &self.genesis.tenant,
            incarnation: self.incarnation(),
            metadata: &self.metadata,
            // A fork that is over must not disclose hidden information of an origin that is still being played.
            is_over: self.is_over() && !self.shares_hidden_info,
        }
    }

    /// Creates a game that was just set up. `entry` is the first entry of its log.
    pub(crate) fn from_setup(
        id: GameId,
        genesis: Arc<GenesisOf<W>>,
        applied: Applied<W>,
        entry: &[u8],
    ) -> Self {
        let mut idempotency_window = IdempotencyWindow::default();
        idempotency_window.record(1, creation_key(&genesis), genesis.time_ms);
        let (seats, pending) = (W::seats(&genesis.options), W::pending(&applied.state));
        let mut game = Self {
            table_life: TableLife::new_if_needed(genesis.table_options, seats, &pending),
            shares_hidden_info: began_sharing_hidden_info(&genesis),
            id,
            version: 1,
            entry_hash: Head::of(1, entry).entry_hash,
            time_ms: genesis.time_ms,
            state: applied.state,
            chance: applied.chance,
            idempotency_window,
            metadata: GameMetadata::default(),
            commitment: seed_commitment_of(&genesis),
            genesis,
            lacks_snapshot: false,
            log_bytes: byte_len(entry),
            limits: GameLimits::default(),
            undo_states: None,
            recent: None,
        };
        game.switch_to_own_rng();
        game
    }

    /// Turns a copy of the origin into a fork. `newest_entry` is the last entry of the fork's log.
    pub(crate) fn fork_from(self, id: GameId, genesis: GenesisOf<W>, newest_entry: &[u8]) -> Self {
        let mut idempotency_window = IdempotencyWindow::default();
        idempotency_window.record(1, creation_key(&genesis), genesis.time_ms);
        let mut game = Self {
            id,
            entry_hash: Head::of(self.version, newest_entry).entry_hash,
            idempotency_window,
            metadata: GameMetadata::default(),
            shares_hidden_info: began_sharing_hidden_info(&genesis),
            commitment: seed_commitment_of(&genesis),
            genesis: Arc::new(genesis),
            undo_states: None,
            recent: None,
            ..self
        };
        game.switch_to_own_rng();
        game
    }

    /// Rebuilds a game at version 1 from its first entry, by setting it up again.
    pub(crate) async fn replay_genesis(
        id: GameId,
        first: &StoredEntry,
    ) -> Result<Self, ServiceError> {
        let mut genesis = decode_genesis_entry::<W>(first)?;
        let chance = match &genesis.fork {
            None => Chance::from_seed(&Seed::new(genesis.seed)),
            Some(_) => Chance::scripted(genesis.draws.iter().cloned()),
        };
        let applied = first_table::<W>(&genesis.options, genesis.start.as_ref(), chance).await;
        let mut applied = applied.map_err(|fault| {
            ServiceError::Damaged(format!("version 1: the table on which it began: {fault}"))
        })?;
        check_scripted_draws(1, &applied.chance)?;
        genesis.verify_replay(&mut applied)?;
        Ok(Self::from_setup(
            id,
            Arc::new(genesis),
            applied,
            &first.bytes,
        ))
    }

    /// Rebuilds a game from its first entry, a snapshot, and the entry of the snapshot's version. Returns `None` if the
    /// snapshot is of another layout.
    pub(crate) fn from_snapshot(
        id: GameId,
        first: &StoredEntry,
        snapshot: &StoredSnapshot,
        last: &StoredEntry,
    ) -> Result<Option<Self>, ServiceError> {
        let mut genesis = decode_genesis_entry::<W>(first)?;
        genesis.drop_setup_events();
        let genesis = Arc::new(genesis);
        let Some(snapshot_message) = decode_snapshot::<W>(snapshot.version, &snapshot.bytes)?
        else {
            return Ok(None);
        };
        let Snapshot {
            time_ms,
            chance_position,
            log_bytes,
            state,
            table_life,
        } = snapshot_message;
        let chance = Chance::resume(&Seed::new(genesis.seed), chance_position);
        Ok(Some(Self {
            id,
            version: snapshot.version,
            entry_hash: Head::of(last.version, &last.bytes).entry_hash,
            time_ms,
            state,
            chance,
            table_life,
            idempotency_window: IdempotencyWindow::default(),
            metadata: GameMetadata::default(),
            shares_hidden_info: began_sharing_hidden_info(&genesis),
            commitment: seed_commitment_of(&genesis),
            genesis,
            lacks_snapshot: false,
            log_bytes,
            limits: GameLimits::default(),
            undo_states: None,
            recent: None,
        }))
    }

    /// Copies the game, without its recent requests.
    pub(crate) fn clone_for_read(&self) -> Self {
        Self {
            id: self.id,
            genesis: Arc::clone(&self.genesis),
            commitment: self.commitment,
            version: self.version,
            entry_hash: self.entry_hash,
            time_ms: self.time_ms,
            state: self.state.clone(),
            chance: self.chance.clone(),
            table_life: self.table_life.clone(),
            idempotency_window: IdempotencyWindow::default(),
            metadata: self.metadata.clone(),
            shares_hidden_info: self.shares_hidden_info,
            lacks_snapshot: self.lacks_snapshot,
            log_bytes: self.log_bytes,
            limits: self.limits,
            undo_states: None,
            recent: None,
        }
    }

    /// Replaces the metadata record by another one, but keeps the names at creation.
    pub(crate) fn with_metadata_of(mut self, metadata: &GameMetadata) -> Self {
        let initial_names = self.metadata.initial_names().cloned();
        self.metadata = metadata.with_initial_names(initial_names);
        self
    }

    /// Drops what the cache does not need: the events of the set-up and the states of earlier versions.
    pub(crate) fn drop_setup_events(mut self) -> Self {
        self.undo_states = None;
        if let Some(genesis) = Arc::get_mut(&mut self.genesis) {
            genesis.drop_setup_events();
        }
        self
    }

    /// Decodes an entry after the first.
    pub(crate) fn read_entry(entry: &StoredEntry) -> Result<EntryOf<W>, ServiceError> {
        decode_entry::<W>(entry.version, &entry.bytes)
    }

    /// Returns the table that the next entry is validated on.
    pub(crate) fn table(&self) -> Table<'_, W> {
        Table {
            state: &self.state,
            chance: &self.chance,
            seats: W::seats(&self.genesis.options),
            table_life: self.table_life.as_deref(),
        }
    }

    /// Returns the version and time of an entry that would be appended at this time, which is in milliseconds since the
    /// Unix epoch.
    pub(crate) fn next_stamp(&self, time_ms: u64) -> EntryStamp {
        EntryStamp {
            version: self.version + 1,
            at_ms: time_ms.saturating_sub(self.genesis.time_ms),
        }
    }

    /// Advances the game by the next entry: applies it again, and checks the outcome against the stored one. Fills in
    /// what the entry stores in another layout.
    pub(crate) fn replay_entry(&mut self, entry: &StoredEntry) -> Result<EntryOf<W>, ReplayError> {
        if entry.version != self.version + 1 {
            return Err(ReplayError::Service(ServiceError::Damaged(format!(
                "version {} follows version {}",
                entry.version, self.version
            ))));
        }
        let mut decoded = Self::read_entry(entry)?;
        self.load_undo_state(&mut decoded)?;
        let (mut applied, table_life) = self.apply_again(&decoded)?;
        check_scripted_draws(entry.version, &applied.chance)?;
        decoded.record.verify_replay(entry.version, &mut applied)?;
        self.apply_committed(applied, table_life, &decoded, &entry.bytes);
        Ok(decoded)
    }

    /// Fills in the state that a take-back restores, if the entry holds it in another layout.
    fn load_undo_state(&self, entry: &mut EntryOf<W>) -> Result<(), ReplayError> {
        if let Some(version) = entry.undo_target()
            && let EntryKind::Table(table_entry) = &mut entry.kind
        {
            let undo_states = self.undo_states.as_ref();
            let state = undo_states.and_then(|undo_states| undo_states.state(version));
            table_entry.undo_state = encode(&state.ok_or(ReplayError::NeedsUndoState)?);
        }
        Ok(())
    }

    /// Computes the outcome of an entry at this table.
    fn apply_again(
        &self,
        entry: &EntryOf<W>,
    ) -> Result<table_life::AppliedAtTable<W>, ServiceError> {
        let stamp = EntryStamp {
            version: self.version + 1,
            at_ms: entry.record.after_ms,
        };
        let rejected_on_replay = |refusal: &dyn std::fmt::Display| {
            ServiceError::Damaged(format!("version {}: {refusal}", stamp.version))
        };
        let recorded_chance;
        let mut table = self.table();
        if stamp.version <= self.genesis.inherited_versions() {
            // The past of a fork was played with the random stream of another game, so the recorded draws are repeated.
            recorded_chance = Chance::scripted(entry.record.draws.iter().cloned());
            table.chance = &recorded_chance;
        }
        match &entry.kind {
            EntryKind::Action(ActionEntry { seat, action }) => {
                table_life::apply_action(table, *seat, action, stamp).map_err(|denied| match denied
                {
                    ActionError::Rules(refusal) => rejected_on_replay(&refusal),
                    ActionError::Table(refusal) => rejected_on_replay(&refusal),
                })
            }
            EntryKind::Table(TableEntry { event: deed, .. }) => {
                let back = entry.decode_undo_state(stamp.version)?;
                table_life::apply_table_event(table, deed, back, stamp)
                    .map_err(|refusal| rejected_on_replay(&refusal))
            }
        }
    }

    /// Replaces the state of the game by that of the next version.
    pub(crate) fn apply_committed(
        &mut self,
        applied: Applied<W>,
        table_life: Option<Box<TableLife>>,
        entry: &EntryOf<W>,
        stored_bytes: &[u8],
    ) {
        let Applied { state, chance, .. } = applied;
        self.version += 1;
        let recent = self.recent.take();
        self.recent = recent.and_then(|recent| recent.after::<W>(self.version, &self.state, entry));
        self.entry_hash = Head::of(self.version, stored_bytes).entry_hash;
        self.log_bytes += byte_len(stored_bytes);
        self.state = state;
        self.chance = chance;
        self.table_life = table_life;
        self.time_ms = self.genesis.time_ms + entry.record.after_ms;
        let key = self.idempotency_key_of(self.version, entry);
        self.idempotency_window
            .record(self.version, key, self.time_ms);
        if let Some(undo_states) = &mut self.undo_states {
            undo_states.record(self.version, &self.state);
        }
        self.switch_to_own_rng();
    }

    /// Returns the request that caused an entry. A fork does not recognize requests that were sent to its origin.
    pub(crate) fn idempotency_key_of(
        &self,
        version: Version,
        entry: &EntryOf<W>,
    ) -> IdempotencyKey {
        if version <= self.genesis.inherited_versions() {
            return KEY_OF_PARENT;
        }
        IdempotencyKey {
            actor: entry.actor(),
            fingerprint: entry.record.request_fingerprint,
        }
    }

    /// Starts the forks of the game's ancestors and of the game itself that begin at this version. From its own
    /// fork on, it draws from its own random stream.
    fn switch_to_own_rng(&mut self) {
        let Some(fork) = &self.genesis.fork else {
            return;
        };
        if let Some(table_life) = &mut self.table_life {
            for at_ms in fork_times_at(&fork.fork_points(), self.version) {
                table_life.fork::<W>(&self.state, at_ms);
            }
        }
        if self.version == self.genesis.inherited_versions() {
            self.chance = Chance::from_seed(&Seed::new(self.genesis.seed));
        }
    }

    /// Returns the head of the log, which the next commit must follow.
    pub(crate) fn head(&self) -> Head {
        let Self {
            version,
            entry_hash,
            ..
        } = *self;
        Head {
            version,
            entry_hash,
        }
    }

    /// Checks that the game has reached a version that a caller named.
    pub(crate) fn ensure_has_version(&self, requested: Version) -> Result<(), ServiceError> {
        let current = self.version;
        if requested > current {
            return Err(ServiceError::NoSuchVersion { requested, current });
        }
        Ok(())
    }

    /// Checks that the log may have another entry.
    ///
    /// # Errors
    /// If the log has reached a limit. The owner may still end the game.
    pub(crate) fn ensure_not_full(&self) -> Result<(), ServiceError> {
        self.limits.check(self.version, self.log_bytes)
    }

    /// Returns the pending decisions.
    pub(crate) fn pending(&self) -> PendingList {
        table_life::pending::<W>(&self.state, self.table_life.as_deref())
    }

    /// Returns the next task of a bot; bots decide only if `can_decide` says so. Returns `None` if no bot has anything to
    /// do.
    pub(crate) fn next_bot_task(&self, can_decide: impl Fn(&Bot) -> bool) -> Option<BotTask> {
        let table_life = self.table_life.as_deref();
        next_bot_task(&self.metadata, table_life, &self.pending(), can_decide)
    }

    /// Returns an entry for [`DueQueue`](super::due::DueQueue) if a bot has something to do.
    pub(crate) fn due_game(&self) -> Option<DueGame> {
        self.next_bot_task(|_| true).map(|_| DueGame {
            id: self.id,
            ruleset: W::INFO.id.to_owned(),
            tenant: self.genesis.tenant.clone(),
        })
    }

    /// Returns the time at which the service must act next in a game with this table life and these decisions, in
    /// milliseconds since the Unix epoch. Returns `None` if it need not act.
    pub(crate) fn due_ms(
        &self,
        (table_life, pending): (Option<&TableLife>, &PendingList),
        now_ms: u64,
    ) -> Option<u64> {
        if next_bot_task(&self.metadata, table_life, pending, |_| true).is_some() {
            // A bot acts at once.
            return Some(now_ms);
        }
        let due_ms = table_life?.next_due_ms(pending)?;
        Some(self.genesis.time_ms.saturating_add(due_ms))
    }

    /// Returns the next time at which a seat runs out of time, whether the service or a player enforces it, in
    /// milliseconds since the Unix epoch. Returns `None` if no clock is running.
    pub(crate) fn clock_ms(
        &self,
        (table_life, pending): (Option<&TableLife>, &PendingList),
    ) -> Option<u64> {
        let clock = table_life?.clock()?;
        let due_times = pending
            .iter()
            .filter_map(|decision| clock.due_ms(decision.seat));
        Some(self.genesis.time_ms.saturating_add(due_times.min()?))
    }

    /// Encodes the pending decisions as messages.
    pub(crate) fn decisions(&self) -> Vec<pb::PendingDecision> {
        pending_with_due_times(
            &self.pending(),
            self.table_life.as_deref(),
            self.genesis.time_ms,
        )
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.pending().is_empty()
    }

    /// Encodes the public facts of the game, without users and labels.
    pub(crate) fn info(&self) -> pb::GameInfo {
        let to_message = |(seat, name): (Seat, &String)| pb::Player {
            seat: seat.number().into(),
            name: name.clone(),
            user: String::new(),
            bot: self.metadata.bot(seat).map(Bot::message),
        };
        let pending = self.decisions();
        let (status, end_reason) = if pending.is_empty() {
            (pb::GameStatus::Finished, self.end_reason_message())
        } else {
            (pb::GameStatus::Active, pb::EndReason::Unspecified)
        };
        let ranking = table_life::ranking::<W>(&self.state, self.table_life.as_deref());
        let mut digits = Uuid::encode_buffer();
        let mut info = pb::GameInfo {
            game_id: self.id.hyphenated().encode_lower(&mut digits).to_owned(),
            ruleset: W::INFO.id.to_owned(),
            rules_revision: W::INFO.revision,
            version: self.version,
            status: status.into(),
            players: Seat::all(self.players().len())
                .zip(self.players())
                .map(to_message)
                .collect(),
            pending,
            standings: ranking.map_or_else(Vec::new, |ranking| standings(&ranking)),
            create_time: Some(timestamp(self.genesis.created_ms())),
            forked_from: self
                .genesis
                .fork
                .as_ref()
                .and_then(|fork| forked_from(fork)),
            update_time: Some(timestamp(self.time_ms)),
            seed_commitment: self.commitment.to_vec(),
            end_reason: end_reason.into(),
            start: start_value(self.genesis.start.as_ref()).into(),
            start_dealt: self
                .genesis
                .start
                .as_ref()
                .is_some_and(StartTable::is_dealt),
            imported_versions: self.genesis.imported_versions(),
            ..pb::GameInfo::default()
        };
        if !info.pending.is_empty() {
            info.entries_left = self.limits.entries_left(self.version, self.log_bytes);
        }
        if let Some(commitments) = &self.genesis.commitments {
            info.record_commitment = commitments.record_commitment.to_vec();
        }
        if let Some(table_life) = &self.table_life {
            add_table_life(&mut info, table_life);
        }
        info
    }

    /// Returns the reason for the end of a game that is over.
    pub(crate) fn end_reason_message(&self) -> pb::EndReason {
        end_reason(self.table_life.as_deref().and_then(TableLife::end))
    }

    /// Encodes the way in which the game ended as a message.
    pub(crate) fn end_message(&self) -> table_event::Ended {
        ended(self.table_life.as_deref().and_then(TableLife::end))
    }

    /// Returns a sentence on how the game ended and who won.
    pub(crate) fn outcome(&self, names: Names<'_>) -> String {
        table_life::outcome::<W>(&self.state, self.table_life.as_deref(), names)
    }

    /// Returns the current names of the players, in seat order.
    pub(crate) fn players(&self) -> &[String] {
        match (self.metadata.names(), self.metadata.initial_names()) {
            ([], None) => &self.genesis.players,
            ([], Some(initial_names)) => initial_names.names(),
            (names, _) => names,
        }
    }

    /// Returns the view of the table that a viewer may see.
    pub(crate) fn view(&self, viewer: Viewer) -> W::View {
        table_life::view::<W>(&self.state, self.table_life.as_deref(), viewer)
    }

    /// Returns the account whose budget the calls with a token of this game use. Forks share the account of the oldest
    /// ancestor.
    pub(crate) fn account_of_token(&self, seat: Option<Seat>) -> Account {
        let tenant = Account::of_tenant(&self.genesis.tenant);
        Account::of_token_holder(tenant, self.root_game().unwrap_or(self.id), seat)
    }

    /// Returns the oldest ancestor of a fork. Returns `None` if the game is not a fork.
    pub(crate) fn root_game(&self) -> Option<GameId> {
        let fork = self.genesis.fork.as_ref()?;
        fork.ancestors.first().map(|ancestor| ancestor.game)
    }

    /// Returns the incarnation, a number that tells this game from earlier ones with the same id: an id is derived from
    /// its request, which can be sent again after the game was deleted.
    pub(crate) fn incarnation(&self) -> u32 {
        let [one, two, three, four, ..] = self.commitment;
        u32::from_be_bytes([one, two, three, four])
    }

    /// Returns salt and seed. Returns `None` while the game is being played.
    pub(crate) fn seed_reveal(&self) -> Option<pb::SeedReveal> {
        let GenesisEntry { salt, seed, .. } = &*self.genesis;
        self.is_over().then(|| pb::SeedReveal {
            salt: salt.to_vec(),
            seed: seed.to_vec(),
        })
    }
}

fn seed_commitment_of<O, E>(genesis: &GenesisEntry<O, E>) -> SeedCommitment {
    Seed::new(genesis.seed).commitment(&genesis.salt)
}

/// A placeholder for requests that were sent to the origin of a fork.
const KEY_OF_PARENT: IdempotencyKey = IdempotencyKey {
    actor: None,
    fingerprint: RequestFingerprint::Unnamed([0; 8]),
};

/// Returns the request that created a game.
pub(crate) fn creation_key<O, E>(genesis: &GenesisEntry<O, E>) -> IdempotencyKey {
    if genesis.fork.is_some() {
        return KEY_OF_PARENT;
    }
    IdempotencyKey {
        actor: None,
        fingerprint: genesis.request_fingerprint,
    }
}

/// Decodes the first entry of a game of this ruleset.
pub(crate) fn decode_genesis_entry<W: Wire>(
    first: &StoredEntry,
) -> Result<GenesisOf<W>, ServiceError> {
    decode_genesis::<W>(&first.bytes)
}

/// Returns whether the game began as a fork that shares hidden information with a game still being played.
pub(crate) fn began_sharing_hidden_info<O, E>(genesis: &GenesisEntry<O, E>) -> bool {
    genesis
        .fork
        .as_ref()
        .is_some_and(|fork| fork.shares_hidden_info)
}

/// Encodes the game that was forked as a message.
fn forked_from(fork: &Fork) -> Option<pb::ForkedFrom> {
    fork.origin().map(Ancestor::message)
}

impl Ancestor {
    /// Encodes the ancestor, and the version at which it was forked, as a message.
    pub(crate) fn message(&self) -> pb::ForkedFrom {
        pb::ForkedFrom {
            game_id: self.game.to_string(),
            version: self.fork_point.version,
        }
    }
}

/// Checks that the recorded draws of a fork's past were all used.
fn check_scripted_draws(version: Version, chance: &Chance) -> Result<(), ServiceError> {
    let finished = chance.clone().finish();
    finished.map_err(|fault| ServiceError::Damaged(format!("version {version}: {fault}")))
}
