//! `CreateGame`.

mod requested_start;

use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::{CreateGameRequest, CreateGameResponse, Table};
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Chance, Seat, Seed, TextContext, Viewer};
use gamekeeper_rules::table_life::TableOptions;
use gamekeeper_store::{Created, GameId, NewGame};
use gamekeeper_telemetry::{child_span, traced};
use gamekeeper_wire::{
    Malformed, StartTable, Wire, player_names, start_value, table_options, table_options_message,
};
use prost::Message;

use self::requested_start::RequestedStart;
use crate::aggregate::commitments::creation_commitments;
use crate::aggregate::first_table::first_table;
use crate::aggregate::game::{Game, GenesisOf, decode_genesis_entry};
use crate::authz::Caller;
use crate::errors::{OptionRefusal, ServiceError};
use crate::index::index_keys::index_row;
use crate::log::{
    Effects, GenesisEntry, RequestFingerprint, decode_genesis_head, encode_genesis, encode_snapshot,
};
use crate::metadata::{Bot, GameMetadata, InitialNames, placeholder_name};
use crate::rendering::entry_view::render_genesis;
use crate::rendering::projection::Projection;
use crate::requests::ids::{check_request_id, id_of_request};
use crate::requests::ruleset_message::decode_options;
use crate::service::game_service::GameService;

impl<W: Wire> GameService<W> {
    /// Creates a game. The call is **idempotent**: requests with the same id and body get the same game.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the rules refuse the options, or the store fails.
    pub async fn create_game(
        &self,
        caller: &Caller,
        call: CreateGameRequest,
    ) -> Result<CreateGameResponse, ServiceError> {
        let tenant = caller.tenant_for_create()?.to_owned();
        check_request_id(&call.request_id)?;
        let players = player_names(&call.players)?;
        let access = GameMetadata::of_new_game::<W>(
            &call.players,
            &call.labels,
            &self.context.settings.policies,
        )?;
        let show = Projection::from_request(Viewer::Spectator, call.show.as_ref())?;
        let sent_options = decode_options::<W>(call.options.clone(), "options")?;
        let body = fingerprint_body::<W>(&call, sent_options.as_ref());
        let table = table_options(call.table.as_ref())?;
        let start = RequestedStart::of::<W>(&call)?;
        let seed = self.seed_or_random(&call.seed)?;
        let options = self.check_options(&players, sent_options.as_ref())?;
        let mut start = start.table(&seed);
        if call.validate_only && !matches!(start, Some(StartTable::Described(_))) {
            let game = planned_game::<W>((&players, &access), &table, start.as_ref());
            return Ok(dry_run_response(Table {
                game: Some(game),
                ..Table::default()
            }));
        }
        let id = game_id(&tenant, &call.request_id);
        let request = RequestFingerprint::new(&call.request_id, &body);
        let set_up = first_version::<W>(&options, &mut start, &seed);
        let mut applied = traced(child_span!("set up"), set_up).await?;
        let initial_names = InitialNames::new(&players, |seat| access.tags().user(seat));
        let mut genesis: GenesisOf<W> = GenesisEntry {
            ruleset: W::INFO.id.to_owned(),
            tenant,
            players: Seat::all(players.len()).map(placeholder_name).collect(),
            options,
            seed: *seed.as_bytes(),
            salt: rand::random(),
            time_ms: self.context.clock.now_ms(),
            request_fingerprint: request,
            draws: std::mem::take(&mut applied.draws),
            effects: Some(Effects::of(&mut applied)),
            table_options: table,
            fork: None,
            commitments: None,
            start,
        };
        genesis.commitments = Some(creation_commitments::<W>(id, &genesis, &initial_names));
        let entry = encode_genesis::<W>(&genesis);
        let mut game = Game::<W>::from_setup(id, Arc::new(genesis), applied, &entry);
        game.limits = self.context.settings.game_limits;
        game.metadata = access.with_initial_names(Some(initial_names));
        if call.validate_only {
            let (table, start) = (&game.genesis.table_options, game.genesis.start.as_ref());
            let info = planned_game::<W>((&players, &game.metadata), table, start);
            return Ok(dry_run_response(show.table(&game, info)));
        }
        self.store_creation(caller, (game, entry), (request, show))
            .await
    }

    /// Stores a new game. If the store already has the game of this request, repeats its response.
    async fn store_creation(
        &self,
        caller: &Caller,
        (game, entry): (Game<W>, Vec<u8>),
        (request, show): (RequestFingerprint, Projection),
    ) -> Result<CreateGameResponse, ServiceError> {
        let new_game = self.new_game(&game, entry.into(), Vec::new()).await?;
        let snapshot_bytes = new_game.snapshot.len();
        match self.context.store.create(new_game).await? {
            Created::Done => self.finish_creation(caller, game, (snapshot_bytes, &show)),
            Created::Exists => {
                let id_and_tenant = (game.id, game.genesis.tenant.as_str());
                self.find_created_game(caller, id_and_tenant, &game.metadata, (request, &show))
                    .await
            }
            Created::Full(limit) => Err(limit.into()),
        }
    }

    /// Counts a game that was stored, answers its request, and caches it.
    fn finish_creation(
        &self,
        caller: &Caller,
        game: Game<W>,
        (snapshot_bytes, show): (usize, &Projection),
    ) -> Result<CreateGameResponse, ServiceError> {
        self.announce(&game, snapshot_bytes);
        let response = self.create_game_response(caller, &game, show)?;
        self.cache_insert(game.drop_setup_events());
        Ok(response)
    }

    /// Counts a game that was stored, and tells those who wait for it: its users, and its bots.
    pub(crate) fn announce(&self, game: &Game<W>, snapshot_bytes: usize) {
        self.metrics.created();
        self.metrics.snapshot(snapshot_bytes);
        let users = game.metadata.tags().users().to_vec();
        self.context.wake_users(&game.genesis.tenant, users);
        self.context.due_queue.push(game.due_game());
    }

    /// Validates the options of a game by the rules.
    fn check_options(
        &self,
        players: &[String],
        sent_options: Option<&W::PbOptions>,
    ) -> Result<W::Options, ServiceError> {
        let draft = sent_options
            .cloned()
            .map(W::draft)
            .transpose()?
            .unwrap_or_default();
        let options = W::options(players, &draft)
            .inspect_err(|refusal| self.metrics.refused(refusal.code()))
            .map_err(|refusal| OptionRefusal::of::<W>(&refusal, players, sent_options, ""))?;
        Ok(options)
    }

    /// Repeats the response to a request that has already created its game.
    async fn find_created_game(
        &self,
        caller: &Caller,
        (id, tenant): (GameId, &str),
        metadata: &GameMetadata,
        (request, show): (RequestFingerprint, &Projection),
    ) -> Result<CreateGameResponse, ServiceError> {
        let entries = self.context.store.log(id, 0, 1).await?.unwrap_or_default();
        let Some(first) = entries.first() else {
            // The game existed a moment ago: it was deleted meanwhile, or a failover has lost it.
            return Err(ServiceError::TooManyConflicts);
        };
        if decode_genesis_head(&first.bytes)?.ruleset != W::INFO.id {
            return Err(ServiceError::RequestIdReused);
        }
        let genesis = decode_genesis_entry::<W>(first)?;
        // The response contains tokens, so only the tenant and request that created the game get it, even if others
        // lead to the same id.
        if genesis.request_fingerprint != request || genesis.tenant != tenant {
            return Err(ServiceError::RequestIdReused);
        }
        self.metrics.repeated();
        let mut as_created = Game::replay_genesis(id, first).await?;
        // The bodies are equal, so these are the users, bots and labels at creation, which the response shows even if
        // they have changed since.
        as_created.metadata = metadata.clone();
        self.create_game_response(caller, &as_created, show)
    }

    /// Builds the request to the store that creates a game.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn new_game(
        &self,
        game: &Game<W>,
        entry: Bytes,
        inherited_entries: Vec<Bytes>,
    ) -> Result<NewGame, ServiceError> {
        let tenant = &game.genesis.tenant;
        let parts = (game.time_ms, game.chance.position(), &game.state);
        let size = (game.version, game.log_bytes);
        let snapshot = encode_snapshot::<W>(size, parts, game.table_life.as_deref());
        Ok(NewGame {
            id: game.id,
            row: index_row(game),
            entry,
            history: inherited_entries,
            snapshot: snapshot.into(),
            access: game.metadata.to_bytes(),
            tenant_limit: self.context.max_games(tenant),
            tenant_bytes: self.context.max_bytes_of_games(tenant).await?,
        })
    }

    fn create_game_response(
        &self,
        caller: &Caller,
        game: &Game<W>,
        show: &Projection,
    ) -> Result<CreateGameResponse, ServiceError> {
        let mut scene = TextContext::default();
        let entry = || render_genesis::<W>(&game.genesis, (show, game.players(), &mut scene));
        Ok(CreateGameResponse {
            table: Some(show.table(game, game.info_for(caller))),
            entry: show.events.then(entry),
            tokens: self.initial_tokens(caller, game)?,
        })
    }

    /// Issues the first tokens of all seats and of spectators. Returns `None` if the server runs without tokens. If the
    /// caller has a token of a game themselves, the new tokens use the account of that token.
    pub(crate) fn initial_tokens(
        &self,
        caller: &Caller,
        game: &Game<W>,
    ) -> Result<Option<pb::GameTokens>, ServiceError> {
        // A repeated request must get the same tokens, so their expiry is derived from the time of creation.
        let expires_at = self.context.default_token_expiry(game.genesis.created_ms());
        let account = |seat| {
            if caller.has_game_token() {
                return caller.account;
            }
            game.account_of_token(seat)
        };
        let initial_token = |seat| self.sign_token(game, seat, 0, expires_at, account(seat));
        let spectator = initial_token(None)?;
        if spectator.is_empty() {
            return Ok(None);
        }
        let seat_token = |seat: Seat| {
            let token = initial_token(Some(seat))?;
            Ok(pb::SeatToken {
                seat: u32::from(seat.number()),
                token,
            })
        };
        let seats = Seat::all(W::seats(&game.genesis.options));
        let seats = seats.filter(|seat| game.metadata.bot(*seat).is_none());
        let seats = seats.map(seat_token);
        let seats = seats.collect::<Result<_, ServiceError>>()?;
        Ok(Some(pb::GameTokens { seats, spectator }))
    }

    /// Returns the requested seed, or a random one if none is requested.
    pub(crate) fn seed_or_random(&self, requested: &[u8]) -> Result<Seed, ServiceError> {
        if requested.is_empty() {
            return Ok(Seed::new(rand::random()));
        }
        if !self.context.settings.allow_seeds {
            return Err(ServiceError::PermissionDenied(
                "this server does not let creators give seeds",
            ));
        }
        let bytes = requested
            .try_into()
            .map_err(|_| Malformed::new("seed", "is not 32 bytes long"))?;
        Ok(Seed::new(bytes))
    }
}

/// Makes version 1 of a new game, and notes whether luck dealt what a described table leaves out.
async fn first_version<W: Wire>(
    options: &W::Options,
    start: &mut Option<StartTable>,
    seed: &Seed,
) -> Result<Applied<W>, ServiceError> {
    let first = first_table::<W>(options, start.as_ref(), Chance::from_seed(seed)).await;
    let applied = first.map_err(|fault| fault.within::<W>("position"))?;
    if let Some(StartTable::Described(position)) = start {
        position.is_dealt = !applied.draws.is_empty();
    }
    Ok(applied)
}

/// Builds the response to a dry run.
fn dry_run_response(table: Table) -> CreateGameResponse {
    CreateGameResponse {
        table: Some(table),
        ..CreateGameResponse::default()
    }
}

/// Builds the public facts of a game that a request asks for, as far as they depend neither on chance nor on the time.
fn planned_game<W: Wire>(
    (players, metadata): (&[String], &GameMetadata),
    table: &TableOptions,
    start: Option<&StartTable>,
) -> pb::GameInfo {
    let to_message = |(seat, name): (Seat, &String)| pb::Player {
        seat: seat.number().into(),
        user: metadata.tags().user(seat).to_owned(),
        name: name.clone(),
        bot: metadata.bot(seat).map(Bot::message),
    };
    pb::GameInfo {
        ruleset: W::INFO.id.to_owned(),
        rules_revision: W::INFO.revision,
        status: pb::GameStatus::Active.into(),
        players: Seat::all(players.len())
            .zip(players)
            .map(to_message)
            .collect(),
        labels: metadata.tags().labels().clone(),
        table: (*table != TableOptions::default()).then(|| table_options_message(table)),
        start: start_value(start).into(),
        start_dealt: start.is_some_and(StartTable::is_dealt),
        ..pb::GameInfo::default()
    }
}

/// Derives the id of a game from tenant and request id, so that a repeated request finds its game.
fn game_id(tenant: &str, request_id: &str) -> GameId {
    id_of_request(request_id, &[b"create", tenant.as_bytes()])
}

/// Returns the bytes that two requests must have in common to count as the same request.
fn fingerprint_body<W: Wire>(call: &CreateGameRequest, options: Option<&W::PbOptions>) -> Vec<u8> {
    let mut body = W::INFO.id.as_bytes().to_vec();
    for player in &call.players {
        body.push(0);
        body.extend_from_slice(player.name.as_bytes());
    }
    body.push(0);
    body.extend_from_slice(&options.map(Message::encode_to_vec).unwrap_or_default());
    body.push(0);
    body.extend_from_slice(&call.seed);
    if let Some(table) = &call.table {
        body.push(0);
        body.extend_from_slice(&table.encode_to_vec());
    }
    for (seat, player) in (0_u8..).zip(&call.players) {
        if !player.user.is_empty() {
            body.extend([0, b'u', seat]);
            body.extend_from_slice(player.user.as_bytes());
        }
    }
    for (seat, player) in (0_u8..).zip(&call.players) {
        if let Some(bot) = &player.bot {
            body.extend([0, b'b', seat]);
            body.extend(bot.encode_to_vec());
        }
    }
    for (key, value) in &call.labels {
        body.extend([0, b'l']);
        body.extend_from_slice(key.as_bytes());
        body.push(0);
        body.extend_from_slice(value.as_bytes());
    }
    if !matches!(
        call.start(),
        pb::GameStart::Unspecified | pb::GameStart::SetUp | pb::GameStart::Position
    ) {
        body.extend([0, b's']);
        body.extend(call.start.to_le_bytes());
    }
    if let Some(position) = &call.position {
        body.extend([0, b'p']);
        body.extend(position.encode_to_vec());
    }
    body
}

#[cfg(test)]
mod position_tests;
#[cfg(test)]
mod start_tests;

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_store::{ListFilter, MemoryStore};
    use uuid::Uuid;

    use super::*;
    use crate::authz::Account;
    use crate::scheduling;
    use crate::test_server::{TestServer, shared, store};

    /// The game disappears after the store reported that it exists, and before it is read.
    #[tokio::test]
    async fn a_game_that_has_just_gone_is_not_one_of_another_request() {
        let shared = shared(Arc::new(MemoryStore::new()));
        let games = GameService::<Dominion>::new(shared);
        let request = RequestFingerprint::new("once", b"body");
        let (id_and_tenant, access) = ((game_id("", "once"), ""), GameMetadata::default());
        let show = Projection::public_only(Viewer::Spectator);
        let result = games.find_created_game(
            &Caller::UNAUTHENTICATED,
            id_and_tenant,
            &access,
            (request, &show),
        );
        let result = result.await;
        assert!(matches!(result, Err(ServiceError::TooManyConflicts)));
    }

    /// A fork also stores the entries of its origin.
    #[tokio::test]
    async fn a_new_game_counts_with_all_that_is_stored_of_it() {
        let process = TestServer::<Dominion>::new(&store());
        let usage = scheduling::Usage::default();
        let counted = |name: &str| {
            let meter = usage.meter(Account::of_tenant(name));
            (scheduling::FairTask::unmetered(Arc::clone(&meter)), meter)
        };
        let stored = async |game: &pb::GameInfo| {
            let id = Uuid::try_parse(&game.game_id).unwrap();
            let store = &process.games.context.store;
            let loaded = store.load(id, None).await.unwrap().unwrap();
            let all = store.list(&ListFilter::default(), None, 10).await.unwrap();
            let listed = all.iter().find(|listed| listed.id == id).unwrap();
            let written = NewGame {
                id,
                row: listed.row.clone(),
                entry: loaded.entries[0].bytes.clone(),
                history: loaded.entries[1..]
                    .iter()
                    .map(|entry| entry.bytes.clone())
                    .collect(),
                snapshot: loaded.snapshot.unwrap().bytes,
                access: loaded.access,
                tenant_limit: None,
                tenant_bytes: None,
            };
            let values = written.entry.len() + written.snapshot.len() + written.access.len();
            assert!(written.stored_len() > values, "keys and rows count, too");
            u64::try_from(written.stored_len()).unwrap()
        };
        let (task, meter) = counted("creates");
        let create = process.create(2, pb::TableOptions::default());
        let game = scheduling::schedule(task, Box::pin(create)).await;
        assert_eq!(meter.consumption().stored, stored(&game).await);
        let mut newest = game;
        for _ in 0..5 {
            newest = process.play_first_legal(&newest).await;
        }
        let (task, meter) = counted("forks");
        let call = pb::ForkGameRequest {
            game_id: newest.game_id.clone(),
            ..Default::default()
        };
        let id = Uuid::try_parse(&newest.game_id).unwrap();
        let fork = process.games.fork_game(&Caller::UNAUTHENTICATED, id, &call);
        let fork = scheduling::schedule(task, Box::pin(fork)).await.unwrap();
        assert_eq!(
            meter.consumption().stored,
            stored(&fork.game.unwrap()).await
        );
    }

    /// The response shows the facts that depend neither on chance nor on the time.
    #[tokio::test]
    async fn a_request_that_is_only_judged_shows_the_game_that_it_would_create() {
        let process = TestServer::<Dominion>::new(&store());
        let player = |name: &str, user: &str| pb::Player {
            name: name.to_owned(),
            user: user.to_owned(),
            ..Default::default()
        };
        let call = CreateGameRequest {
            players: vec![player("Ada", "a-1"), player("Bob", "")],
            labels: [(String::from("room"), String::from("7"))].into(),
            table: Some(pb::TableOptions {
                take_back: pb::TakeBackPolicy::Agreed.into(),
                ..Default::default()
            }),
            ..Default::default()
        };
        let create = async |validate_only| {
            let call = CreateGameRequest {
                validate_only,
                ..call.clone()
            };
            let created = process
                .games
                .create_game(&Caller::UNAUTHENTICATED, call)
                .await
                .unwrap();
            created.table.unwrap().game.unwrap()
        };
        let (planned, created) = (create(true).await, create(false).await);
        let expected = pb::GameInfo {
            ruleset: created.ruleset,
            rules_revision: created.rules_revision,
            status: created.status,
            players: created.players,
            labels: created.labels,
            table: created.table,
            ..Default::default()
        };
        assert_eq!(planned, expected);
        assert_eq!((planned.players.len(), planned.labels.len()), (2, 1));
    }
}
