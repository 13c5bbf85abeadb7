//! `gamekeeper mcp` before both servers: its tools tell a seat the same about tables that look the same to it.

use std::process::Stdio;
use std::sync::Arc;

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::table::{Chance, Seat, Seed, Viewer};
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::disguise::{deceive, mistake};
use gamekeeper_tests::http;
use gamekeeper_wire::Wire;
use gamekeeperd::auth::{AuthConfig, Authenticator};
use gamekeeperd::grpc::{Endpoint, Services};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::Routes;
use tonic::transport;

use super::lines::Lines;
use super::pair::{Pair, Server};

/// The number of actions to play.
const ACTIONS: u64 = 30;

/// The interval of comparisons, in actions.
const EVERY: u64 = 10;

/// A process of `gamekeeper mcp` that calls one of the servers.
struct Tools {
    address: String,
    _cli: Cli,
    _process: Child,
}

impl Tools {
    /// Serves the games in this thread, to which the disguise of tables belongs, and starts the process.
    async fn before<V: Wire>(server: &Server<V>) -> Self {
        let authenticator = Arc::new(Authenticator::load(&AuthConfig::Open).unwrap());
        let endpoint = Endpoint::new(Arc::clone(&server.registry), authenticator, 1 << 20);
        let services = Services::new(endpoint, Routes::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let listener = TcpListenerStream::new(listener);
        tokio::spawn(transport::Server::builder().serve_with_incoming(services, listener));
        let cli = Cli::at(&address);
        let mut command = Command::from(cli.command("mcp --http 127.0.0.1:0"));
        command.stdin(Stdio::null()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next_line().await.unwrap().unwrap();
            if let Some((_, address)) = line.split_once("MCP listens on http://") {
                break address.trim_end_matches("/mcp").to_owned();
            }
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self {
            address,
            _cli: cli,
            _process: process,
        }
    }

    async fn call(&self, tool: &str, arguments: &Value) -> String {
        let parameters = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters});
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        let body = call.to_string();
        let answer = http::send(&self.address, "POST", "/mcp", &headers, &body).await;
        assert_eq!(answer.status, 200, "{tool}: {}", answer.body);
        answer.body
    }
}

/// The calls of all tools that tell something about a game, without those that change it.
fn calls(game: &str, seat: Seat) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    let mut add = |tool, more: Value| {
        let mut arguments = json!({"game": game, "seat": seat.number()});
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        calls.push((tool, arguments));
    };
    for form in ["board", "view", "picture"] {
        add("look_at_table", json!({"form": form}));
        add("look_at_table", json!({"form": form, "version": 1}));
    }
    add("list_actions", json!({}));
    add("list_actions", json!({"words": "e"}));
    add("what_happened", json!({}));
    add("wait", json!({"after_version": 0, "seconds": 0}));
    add("check_action", json!({"action": {}}));
    // Refused with the list of the newest version.
    add("play_action", json!({"version": 0, "number": 1}));
    calls
}

/// Asks everything about the game of a pair.
async fn told<W: Audit + Wire>(tools: &Tools, pair: &Pair<W>, seat: Seat) -> Vec<String> {
    let mut told = Vec::new();
    for (tool, arguments) in calls(&pair.game_id, seat) {
        told.push(tools.call(tool, &arguments).await);
    }
    told
}

/// Checks that no tool tells a seat more than it may know.
pub(super) async fn tell_nothing<W: Audit + Wire>(seats: usize) {
    let mut pair = Pair::<W>::begin(seats, 1, Lines::default()).await;
    let here = Tools::before(&pair.true_server).await;
    let there = Tools::before(&pair.other_server).await;
    let mut policy = Chance::from_seed(&Seed::from_number(7));
    loop {
        if pair.version % EVERY == 1 {
            for seat in Seat::all(seats) {
                deceive(Viewer::Seat(seat), pair.version);
                assert_eq!(
                    told(&here, &pair, seat).await,
                    told(&there, &pair, seat).await,
                    "{}, version {}, {seat:?}",
                    W::INFO.id,
                    pair.version
                );
            }
        }
        if pair.version > ACTIONS || !pair.step(&mut policy).await {
            return;
        }
    }
}

/// A seat that is mistaken for a spectator sees another hand than its own.
#[tokio::test]
async fn a_difference_is_noticed() {
    let pair = Pair::<Dominion>::begin(2, 1, Lines::default()).await;
    let here = Tools::before(&pair.true_server).await;
    let there = Tools::before(&pair.other_server).await;
    let mut different = 0;
    // Two hands of five of ten cards, seven of them Coppers, may be equal by chance, but not ten times.
    let view = json!({"game": pair.game_id, "seat": 1, "form": "view"});
    for seed in 1..=10 {
        mistake(Viewer::Seat(Seat::FIRST), Viewer::Spectator, seed);
        let [one, other] = [&here, &there].map(|tools| tools.call("look_at_table", &view));
        different += u32::from(one.await != other.await);
    }
    assert!(different > 0);
}
