//! The client's end of the connection: plays recorded games in step, each one call at a time.

use std::net::SocketAddr;

use bytes::Bytes;
use futures_util::future::join_all;
use gamekeeper_bench::null::{Null, Options};
use gamekeeper_bench::play::Recording;
use gamekeeper_proto::gamekeeper::v1::{GetGameRequest, ListLegalActionsRequest, Player, Show};
use gamekeeper_proto::raw::{
    Action, ApplyActionRequest, ApplyActionResponse, CreateGameRequest, CreateGameResponse,
    GetGameResponse, ListLegalActionsResponse, Options as Joined,
};
use gamekeeper_proto::{BytesCodec, Codec, EncodedMessage, Pb};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Seed;
use gamekeeper_wire::{Wire, seat_number, wrap_action, wrap_options};
use tonic::Request;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};

use crate::service::{Call, Phases};

/// The number of games.
pub(crate) const GAMES: usize = 64;

/// The number of connections that the games share.
const CONNECTIONS: usize = 4;

/// The number of rounds that are not counted, in which caches fill and connections adjust their windows.
const WARM_UP: usize = 4;

/// The number of rounds that are counted.
const ROUNDS: usize = 96;

/// Requests the table's view.
const VIEW: Show = Show {
    view: true,
    events: false,
    text: false,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    numbers: 0,
    anonymous: false,
};

/// Requests the events.
const EVENTS: Show = Show {
    view: false,
    events: true,
    text: false,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    numbers: 0,
    anonymous: false,
};

/// The script of a game, as messages.
struct Script {
    ruleset: &'static str,
    seats: u8,
    options: Joined,
    seed: Seed,
    moves: Vec<(u32, Action)>,
}

/// A game on the server, with its connection and the actions to play.
struct Table {
    channel: Channel,
    game_id: String,
    moves: Vec<(u32, Action)>,
}

/// Plays random games of a ruleset.
pub(crate) async fn play<W: Wire>(server: SocketAddr, phases: &Phases) {
    let scripts = (1..).map(|seed| {
        let recording = Recording::<W>::new(seed, WARM_UP + ROUNDS);
        let moves = recording.moves.iter();
        let moves = moves.map(|(seat, action)| (seat_number(*seat), wrap_action::<W>(action)));
        Script::of::<W>(&recording.options, seed, moves.collect())
    });
    play_scripts(server, phases, scripts).await;
}

/// Plays null games, with the sizes of a real ruleset's messages.
pub(crate) async fn play_null(server: SocketAddr, phases: &Phases) {
    let options = Options {
        state: 250,
        view: 2_000,
        entry: 20,
        event: 40,
        action: 6,
        listed: 20,
        last: 1_000,
    };
    let seats = u32::from(Null::INFO.max_seats);
    let count = Action {
        ruleset: Some((Null::ONEOF_CODEC.action)(EncodedMessage::default())),
    };
    let moves = (0..1_000).map(|at| (at % seats + 1, count.clone()));
    let scripts = (1..).map(|seed| Script::of::<Null>(&options, seed, moves.clone().collect()));
    play_scripts(server, phases, scripts).await;
}

async fn play_scripts(server: SocketAddr, phases: &Phases, scripts: impl Iterator<Item = Script>) {
    let endpoint = Endpoint::from_shared(format!("http://{server}")).expect("an address");
    let channels: Vec<_> = (0..CONNECTIONS).map(|_| endpoint.connect_lazy()).collect();
    // Some seeds give games that end too soon.
    let long = scripts.filter(|script| script.moves.len() >= WARM_UP + ROUNDS);
    let tables = long.take(GAMES).zip(channels.iter().cycle());
    let tables = phases.pass(
        None,
        join_all(tables.map(|(script, channel)| script.begin(channel))),
    );
    let tables = tables.await;
    for round in 0..WARM_UP + ROUNDS {
        let counted = |call| (round >= WARM_UP).then_some(call);
        let at = |table: &Table| table.moves[round].clone();
        let looks = join_all(tables.iter().map(Table::look));
        phases.pass(counted(Call::Look), looks).await;
        let lists = join_all(tables.iter().map(|table| table.list(at(table).0)));
        phases.pass(counted(Call::List), lists).await;
        let (call, view) = if round % 2 == 0 {
            (Call::Apply, true)
        } else {
            (Call::ApplyWithoutView, false)
        };
        let show = Show { view, ..EVENTS };
        let actions = join_all(
            tables
                .iter()
                .map(|table| table.apply(at(table), show.clone())),
        );
        phases.pass(counted(call), actions).await;
    }
}

/// Calls the echo server.
pub(crate) async fn echo(server: SocketAddr, phases: &Phases) {
    let endpoint = Endpoint::from_shared(format!("http://{server}")).expect("an address");
    let channels: Vec<_> = (0..CONNECTIONS).map(|_| endpoint.connect_lazy()).collect();
    let call = |channel: Channel| async move {
        let path = format!("/{}/ApplyAction", gamekeeper_bench::echo::SERVICE);
        let mut grpc = Grpc::new(channel);
        grpc.ready().await.expect("a connection");
        let path = path.parse().expect("a path");
        let answer = grpc.unary(Request::new(Bytes::from_static(&[0; 50])), path, BytesCodec);
        answer.await.expect("an answer");
    };
    for round in 0..WARM_UP + ROUNDS {
        let calls = join_all(channels.iter().cycle().take(GAMES).cloned().map(call));
        phases
            .pass((round >= WARM_UP).then_some(Call::Apply), calls)
            .await;
    }
}

impl Script {
    fn of<W: Wire>(options: &W::Options, seed: u64, moves: Vec<(u32, Action)>) -> Self {
        Self {
            ruleset: W::INFO.id,
            seats: W::INFO.max_seats.min(4),
            options: wrap_options::<W>(options),
            seed: Seed::from_number(seed),
            moves,
        }
    }

    async fn begin(self, channel: &Channel) -> Table {
        let player = |name| Player {
            name,
            ..Player::default()
        };
        let players = gamekeeper_bench::play::names(self.seats).into_iter();
        let call = CreateGameRequest {
            ruleset: self.ruleset.to_owned(),
            players: players.map(player).collect(),
            options: Some(self.options),
            seed: self.seed.as_bytes().to_vec(),
            show: Some(VIEW),
            ..Default::default()
        };
        let created: CreateGameResponse = ask(channel, "CreateGame", call).await;
        let game = created.table.and_then(|table| table.game);
        Table {
            channel: channel.clone(),
            game_id: game.expect("a game").game_id,
            moves: self.moves,
        }
    }
}

impl Table {
    async fn look(&self) {
        let call = GetGameRequest {
            game_id: self.game_id.clone(),
            show: Some(VIEW),
            ..Default::default()
        };
        let _: GetGameResponse = ask(&self.channel, "GetGame", call).await;
    }

    async fn list(&self, seat: u32) {
        let call = ListLegalActionsRequest {
            game_id: self.game_id.clone(),
            seat,
            ..Default::default()
        };
        let _: ListLegalActionsResponse = ask(&self.channel, "ListLegalActions", call).await;
    }

    async fn apply(&self, (seat, action): (u32, Action), show: Show) {
        let call = ApplyActionRequest {
            game_id: self.game_id.clone(),
            seat,
            action: Some(action),
            show: Some(show),
            ..Default::default()
        };
        let _: ApplyActionResponse = ask(&self.channel, "ApplyAction", call).await;
    }
}

async fn ask<Q: Pb, A: Pb>(channel: &Channel, method: &str, call: Q) -> A {
    let path = format!("/gamekeeper.v1.GameService/{method}");
    let path = path.parse().expect("a path");
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.expect("a connection");
    let answer = grpc.unary(Request::new(call), path, Codec::default());
    answer.await.expect("an answer").into_inner()
}
