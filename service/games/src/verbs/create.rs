//! `CreateGame`.

use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::{CreateGameRequest, CreateGameResponse, Table};
use gamekeeper_rules::life::TableOptions;
use gamekeeper_rules::ruleset::create;
use gamekeeper_rules::table::{Chance, Scene, Seat, Seed, Viewer};
use gamekeeper_store::{Created, GameId, NewGame};
use gamekeeper_telemetry::step;
use gamekeeper_wire::{Malformed, Wire, player_names, table_options, table_options_message};
use prost::Message;

use crate::heart::access::{Access, Bot, Caller, FirstNames, Tags, nameless};
use crate::heart::binding::bound;
use crate::heart::fair;
use crate::heart::game::{BirthOf, Game, read_birth};
use crate::heart::games::Games;
use crate::heart::own::own_options;
use crate::heart::problem::{OptionRefused, Problem};
use crate::heart::record::{
    Birth, Effects, RequestMark, open_birth_head, seal_birth, seal_snapshot,
};
use crate::heart::requests::{check_request_id, named_id};
use crate::heart::show::Show;
use crate::heart::tags::row;
use crate::heart::telling::logged_birth;

impl<W: Wire> Games<W> {
    /// Creates a game. The call is **idempotent**: requests with the same id and body get the same game.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, the rules refuse the options, or the store fails.
    pub async fn create(
        &self,
        caller: &Caller,
        call: CreateGameRequest,
    ) -> Result<CreateGameResponse, Problem> {
        let tenant = caller.creates_for()?.to_owned();
        check_request_id(&call.request_id)?;
        let players = player_names(&call.players)?;
        let access = access_of::<W>(&call)?;
        let show = Show::read(Viewer::Spectator, call.show.as_ref())?;
        let sent = own_options::<W>(call.options.clone(), "options")?;
        let body = body_of::<W>(&call, sent.as_ref());
        let table = table_options(call.table.as_ref())?;
        let seed = self.seed(&call.seed)?;
        let options = self.options(&players, sent.as_ref())?;

        if call.validate_only {
            return Ok(planned::<W>(players, &access, &table));
        }
        let id = game_id(&tenant, &call.request_id);
        let request = RequestMark::new(&call.request_id, &body);
        let mut applied =
            step!("set up").in_scope(|| create::<W>(&options, Chance::from_seed(&seed)));
        let first = FirstNames::new(&players, |seat| access.tags().user(seat));
        let mut birth: BirthOf<W> = Birth {
            ruleset: W::SHEET.id.to_owned(),
            tenant,
            players: Seat::all(players.len()).map(nameless).collect(),
            options,
            seed: *seed.as_bytes(),
            salt: rand::random(),
            time_ms: self.shared.clock.now_ms(),
            request,
            draws: std::mem::take(&mut applied.draws),
            effects: Some(Effects::of(&mut applied)),
            table,
            fork: None,
            bound: None,
        };
        birth.bound = Some(bound::<W>(id, &birth, &first));
        let entry = seal_birth::<W>(&birth);
        let mut game = Game::<W>::born(id, Arc::new(birth), applied, &entry);
        game.access = access.begun(Some(first));
        let new = self.new_game(&game, entry.into(), Vec::new());
        let snapshot_bytes = new.snapshot.len();
        match self.shared.store.create(new).await? {
            Created::Done => {
                self.metrics.created();
                self.metrics.snapshot(snapshot_bytes);
                let users = game.access.tags().users().to_vec();
                self.shared.wake_users(&game.birth.tenant, users);
                self.shared.due_now.note(game.due_now());
                let answer = self.created(caller, &game, show)?;
                self.keep(game.without_story());
                Ok(answer)
            }
            Created::Exists => {
                let known = (id, game.birth.tenant.as_str());
                self.created_before(caller, known, &game.access, (request, show))
                    .await
            }
            Created::Full => Err(Problem::QuotaUsed),
        }
    }

    /// Validates the options of a game by the rules.
    fn options(
        &self,
        players: &[String],
        sent: Option<&W::PbOptions>,
    ) -> Result<W::Options, Problem> {
        let draft = sent.cloned().map(W::draft).transpose()?.unwrap_or_default();
        let options = W::options(players, &draft)
            .inspect_err(|refusal| self.metrics.refused(refusal.code()))
            .map_err(|refusal| OptionRefused::beside::<W>(&refusal, players, sent))?;
        Ok(options)
    }

    /// Repeats the response to a request that has already created its game.
    async fn created_before(
        &self,
        caller: &Caller,
        (id, tenant): (GameId, &str),
        access: &Access,
        (request, show): (RequestMark, Show),
    ) -> Result<CreateGameResponse, Problem> {
        let entries = self.shared.store.log(id, 0, 1).await?.unwrap_or_default();
        let Some(first) = entries.first() else {
            // The game existed a moment ago: it was deleted meanwhile, or a failover has lost it.
            return Err(Problem::Contended);
        };
        if open_birth_head(&first.bytes)?.ruleset != W::SHEET.id {
            return Err(Problem::RequestIdReused);
        }
        let birth = read_birth::<W>(first)?;
        // The response contains tokens, so only the tenant and request that created the game get it, even if others
        // lead to the same id.
        if birth.request != request || birth.tenant != tenant {
            return Err(Problem::RequestIdReused);
        }
        self.metrics.repeated();
        let mut before = Game::reborn(id, first)?;
        // The bodies are equal, so these are the users, bots and labels at creation, which the response shows even if
        // they have changed since.
        before.access = access.clone();
        self.created(caller, &before, show)
    }

    /// Builds the request to the store that creates a game.
    pub(crate) fn new_game(&self, game: &Game<W>, entry: Bytes, past: Vec<Bytes>) -> NewGame {
        let pieces = (game.time_ms, game.chance.position(), &game.state);
        let snapshot = seal_snapshot::<W>(game.version, pieces, game.life.as_deref());
        let past_bytes: usize = past.iter().map(Bytes::len).sum();
        fair::stored(entry.len() + past_bytes + snapshot.len());
        NewGame {
            id: game.id,
            row: row(game),
            entry,
            past,
            snapshot: snapshot.into(),
            access: game.access.to_bytes(),
            max_of_tenant: self.shared.max_games(&game.birth.tenant),
        }
    }

    fn created(
        &self,
        caller: &Caller,
        game: &Game<W>,
        show: Show,
    ) -> Result<CreateGameResponse, Problem> {
        let mut scene = Scene::default();
        let entry = || logged_birth::<W>(&game.birth, (show, game.players(), &mut scene));
        Ok(CreateGameResponse {
            table: Some(show.table(game, game.info_for(caller))),
            entry: show.events.then(entry),
            tokens: self.first_tokens(caller, game)?,
        })
    }

    /// Issues the first tokens of all seats and of spectators. Returns `None` if the server runs without tokens. If the
    /// caller has a token of a game themselves, the new tokens use the account of that token.
    pub(crate) fn first_tokens(
        &self,
        caller: &Caller,
        game: &Game<W>,
    ) -> Result<Option<pb::GameTokens>, Problem> {
        // A repeated request must get the same tokens, so their expiry is derived from the time of creation.
        let until = self.shared.end_of_tokens(game.birth.created_ms());
        let account = |seat| {
            if caller.is_of_one_game() {
                return caller.account;
            }
            game.account_of(seat)
        };
        let first = |seat| self.token(game, seat, 0, until, account(seat));
        let spectator = first(None)?;
        if spectator.is_empty() {
            return Ok(None);
        }
        let seat_token = |seat: Seat| {
            let token = first(Some(seat))?;
            Ok(pb::SeatToken {
                seat: u32::from(seat.number()),
                token,
            })
        };
        let seats = Seat::all(W::seats(&game.birth.options));
        let seats = seats.filter(|seat| game.access.bot(*seat).is_none());
        let seats = seats.map(seat_token);
        let seats = seats.collect::<Result<_, Problem>>()?;
        Ok(Some(pb::GameTokens { seats, spectator }))
    }

    /// Returns the requested seed, or a random one if none is requested.
    pub(crate) fn seed(&self, asked: &[u8]) -> Result<Seed, Problem> {
        if asked.is_empty() {
            return Ok(Seed::new(rand::random()));
        }
        if !self.shared.settings.allow_seeds {
            return Err(Problem::PermissionDenied(
                "this server does not let creators give seeds",
            ));
        }
        let bytes = asked
            .try_into()
            .map_err(|_| Malformed::new("seed", "is not 32 bytes long"))?;
        Ok(Seed::new(bytes))
    }
}

/// Builds the response to a dry run: the facts that depend neither on chance nor on the time.
fn planned<W: Wire>(
    players: Vec<String>,
    access: &Access,
    table: &TableOptions,
) -> CreateGameResponse {
    let player = |(seat, name): (Seat, String)| pb::Player {
        seat: seat.number().into(),
        user: access.tags().user(seat).to_owned(),
        name,
        bot: access.bot(seat).map(Bot::message),
    };
    let game = pb::GameInfo {
        ruleset: W::SHEET.id.to_owned(),
        rules_revision: W::SHEET.revision,
        status: pb::GameStatus::Active.into(),
        players: Seat::all(players.len()).zip(players).map(player).collect(),
        labels: access.tags().labels().clone(),
        table: (*table != TableOptions::default()).then(|| table_options_message(table)),
        ..pb::GameInfo::default()
    };
    CreateGameResponse {
        table: Some(Table {
            game: Some(game),
            ..Table::default()
        }),
        ..CreateGameResponse::default()
    }
}

/// Derives the id of a game from tenant and request id, so that a repeated request finds its game.
fn game_id(tenant: &str, request_id: &str) -> GameId {
    named_id(request_id, &[b"create", tenant.as_bytes()])
}

/// Builds the access record of a new game from the users, bots and labels of the request.
fn access_of<W: Wire>(call: &CreateGameRequest) -> Result<Access, Malformed> {
    let users = call.players.iter().map(|player| player.user.as_str());
    let tags = Tags::read(users, &call.labels)?;
    let mut access = Access::default().tagged(tags);
    for (index, player) in call.players.iter().enumerate() {
        if let Some(bot) = &player.bot {
            let bot = Bot::read::<W>(bot, &format!("players[{index}].bot"))?;
            access = access.played_by(Seat::at(index), Some(bot));
        }
    }
    Ok(access)
}

/// Returns the bytes that two requests must have in common to count as the same request.
fn body_of<W: Wire>(call: &CreateGameRequest, options: Option<&W::PbOptions>) -> Vec<u8> {
    let mut body = W::SHEET.id.as_bytes().to_vec();
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
    body
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_store::MemoryStore;
    use uuid::Uuid;

    use super::*;
    use crate::heart::access::Account;
    use crate::process::{Process, shared, store};

    /// The game disappears after the store reported that it exists, and before it is read.
    #[tokio::test]
    async fn a_game_that_has_just_gone_is_not_one_of_another_request() {
        let shared = shared(Arc::new(MemoryStore::new()));
        let games = Games::<Dominion>::new(shared);
        let request = RequestMark::new("once", b"body");
        let (known, access) = ((game_id("", "once"), ""), Access::default());
        let found = games.created_before(
            &Caller::OPEN,
            known,
            &access,
            (request, Show::facts(Viewer::Spectator)),
        );
        let found = found.await;
        assert!(matches!(found, Err(Problem::Contended)));
    }

    /// A fork also stores the entries of its origin.
    #[tokio::test]
    async fn a_new_game_counts_with_all_that_is_stored_of_it() {
        let process = Process::<Dominion>::over(&store());
        let usage = fair::Usage::default();
        let counted = |name: &str| {
            let meter = usage.meter(Account::of_tenant(name));
            (fair::Turn::unpaid(Arc::clone(&meter)), meter)
        };
        let stored = async |game: &pb::GameInfo| {
            let id = Uuid::try_parse(&game.game_id).unwrap();
            let loaded = process.games.shared.store.load(id, None).await;
            let loaded = loaded.unwrap().unwrap();
            let entries: usize = loaded.entries.iter().map(|entry| entry.bytes.len()).sum();
            entries as u64 + loaded.snapshot.unwrap().bytes.len() as u64
        };
        let (turn, meter) = counted("creates");
        let create = process.create(2, pb::TableOptions::default());
        let game = fair::fairly(turn, Box::pin(create)).await;
        assert_eq!(meter.used().stored, stored(&game).await);
        let mut newest = game;
        for _ in 0..5 {
            newest = process.act(&newest).await;
        }
        let (turn, meter) = counted("forks");
        let call = pb::ForkGameRequest {
            game_id: newest.game_id.clone(),
            ..Default::default()
        };
        let id = Uuid::try_parse(&newest.game_id).unwrap();
        let fork = process.games.fork(&Caller::OPEN, id, &call);
        let fork = fair::fairly(turn, Box::pin(fork)).await.unwrap();
        assert_eq!(meter.used().stored, stored(&fork.game.unwrap()).await);
    }

    /// The response shows the facts that depend neither on chance nor on the time.
    #[tokio::test]
    async fn a_request_that_is_only_judged_shows_the_game_that_it_would_create() {
        let process = Process::<Dominion>::over(&store());
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
            let created = process.games.create(&Caller::OPEN, call).await.unwrap();
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
