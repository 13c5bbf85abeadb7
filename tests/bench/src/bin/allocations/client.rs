//! The other side of the connection: plays recorded games, all of them one call further at a time.

use std::net::SocketAddr;

use bytes::Bytes;
use futures_util::future::join_all;
use gamekeeper_bench::null::{Null, Options};
use gamekeeper_bench::play::Recording;
use gamekeeper_proto::envelope::{
    ApplyActionRequest, ApplyActionResponse, CreateGameRequest, CreateGameResponse, GetGameRequest,
    GetGameResponse, ListLegalActionsRequest, ListLegalActionsResponse, Package, Pb,
};
use gamekeeper_proto::gamekeeper::v1::{Player, ViewMode};
use gamekeeper_proto::{BytesCodec, Codec};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Seed;
use gamekeeper_wire::{PbAction, PbOptions, Wire, seat_number};
use tonic::Request;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};

use crate::service::{Call, Phases};

/// Games at once.
pub(crate) const GAMES: usize = 64;

/// Connections that the games share.
const CONNECTIONS: usize = 4;

/// Rounds of calls that are not counted: caches fill, connections learn their windows.
const WARM_UP: usize = 4;

/// Rounds that are counted.
const ROUNDS: usize = 96;

/// A game as messages.
struct Script<W: Wire> {
    options: PbOptions<W>,
    seed: Seed,
    moves: Vec<(u32, PbAction<W>)>,
}

/// A game on the server.
struct Table<W: Wire> {
    channel: Channel,
    game_id: String,
    moves: Vec<(u32, PbAction<W>)>,
}

/// Plays random games of a ruleset.
pub(crate) async fn play<W: Wire>(server: SocketAddr, phases: &Phases) {
    let scripts = (1..).map(|seed| {
        let recording = Recording::<W>::new(seed, WARM_UP + ROUNDS);
        let moves = recording.moves.iter();
        Script::<W> {
            options: W::options_message(&recording.options),
            seed: Seed::from_number(seed),
            moves: moves
                .map(|(seat, action)| (seat_number(*seat), W::action_message(action)))
                .collect(),
        }
    });
    play_scripts(server, phases, scripts).await;
}

/// Plays null games, of the sizes that rulesets have.
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
    let seats = u32::from(Null::SHEET.max_seats);
    let moves = (0..1_000).map(|at| (at % seats + 1, PbAction::<Null>::default()));
    let scripts = (1..).map(|seed| Script::<Null> {
        options: Null::options_message(&options),
        seed: Seed::from_number(seed),
        moves: moves.clone().collect(),
    });
    play_scripts(server, phases, scripts).await;
}

async fn play_scripts<W: Wire>(
    server: SocketAddr,
    phases: &Phases,
    scripts: impl Iterator<Item = Script<W>>,
) {
    let endpoint = Endpoint::from_shared(format!("http://{server}")).expect("an address");
    let channels: Vec<_> = (0..CONNECTIONS).map(|_| endpoint.connect_lazy()).collect();
    // Games of some seeds are over too soon.
    let long = scripts.filter(|script| script.moves.len() >= WARM_UP + ROUNDS);
    let tables = long.take(GAMES).zip(channels.iter().cycle());
    let tables = phases.pass(
        None,
        join_all(tables.map(|(script, channel)| script.begin(channel))),
    );
    let tables = tables.await;
    for round in 0..WARM_UP + ROUNDS {
        let counted = |call| (round >= WARM_UP).then_some(call);
        let at = |table: &Table<W>| table.moves[round].clone();
        let looks = join_all(tables.iter().map(Table::look));
        phases.pass(counted(Call::Look), looks).await;
        let lists = join_all(tables.iter().map(|table| table.list(at(table).0)));
        phases.pass(counted(Call::List), lists).await;
        let (call, view) = if round % 2 == 0 {
            (Call::Apply, ViewMode::Seat)
        } else {
            (Call::ApplyWithoutView, ViewMode::None)
        };
        let actions = join_all(tables.iter().map(|table| table.apply(at(table), view)));
        phases.pass(counted(call), actions).await;
    }
}

/// Calls the echo.
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

impl<W: Wire> Script<W> {
    async fn begin(self, channel: &Channel) -> Table<W> {
        let seats = W::SHEET.max_seats.min(4);
        let player = |name| Player {
            name,
            ..Player::default()
        };
        let call = CreateGameRequest::<W::Messages> {
            players: gamekeeper_bench::play::names(seats)
                .into_iter()
                .map(player)
                .collect(),
            options: Some(self.options),
            seed: self.seed.as_bytes().to_vec(),
            ..Default::default()
        };
        let created: CreateGameResponse<W::Messages> =
            ask::<W, _, _>(channel, "CreateGame", call).await;
        Table {
            channel: channel.clone(),
            game_id: created.game.expect("a game").game_id,
            moves: self.moves,
        }
    }
}

impl<W: Wire> Table<W> {
    async fn look(&self) {
        let call = GetGameRequest {
            game_id: self.game_id.clone(),
            ..Default::default()
        };
        let _: GetGameResponse<W::Messages> = ask::<W, _, _>(&self.channel, "GetGame", call).await;
    }

    async fn list(&self, seat: u32) {
        let call = ListLegalActionsRequest {
            game_id: self.game_id.clone(),
            seat,
            ..Default::default()
        };
        let _: ListLegalActionsResponse<W::Messages> =
            ask::<W, _, _>(&self.channel, "ListLegalActions", call).await;
    }

    async fn apply(&self, (seat, action): (u32, PbAction<W>), view: ViewMode) {
        let call = ApplyActionRequest::<W::Messages> {
            game_id: self.game_id.clone(),
            seat,
            action: Some(action),
            view_mode: view.into(),
            ..Default::default()
        };
        let _: ApplyActionResponse<W::Messages> =
            ask::<W, _, _>(&self.channel, "ApplyAction", call).await;
    }
}

async fn ask<W: Wire, Q: Pb, A: Pb>(channel: &Channel, method: &str, call: Q) -> A {
    let service = <W::Messages as Package>::SERVICE;
    let path = format!("/{service}/{method}").parse().expect("a path");
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.expect("a connection");
    let answer = grpc.unary(Request::new(call), path, Codec::default());
    answer.await.expect("an answer").into_inner()
}
