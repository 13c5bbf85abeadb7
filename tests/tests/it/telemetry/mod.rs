//! The telemetry of calls for operators: traces, metrics, log lines, and what these must not reveal.

mod logs;
mod metrics;
mod traces;
mod unread;

use gamekeeper_proto::gamekeeper::dominion::v1::{BuyCard, Card, action::Kind};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, action, ada_and_bob, choose, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use tonic::metadata::MetadataMap;
use tonic::{Request, Response};

const APPLY: &str = "gamekeeper.v1.GameService/ApplyAction";
const WATCH: &str = "gamekeeper.v1.GameService/WatchGame";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// Builds a request with a trace context.
fn traced<T>(token: &str, message: T) -> Request<T> {
    let mut request = bearing(token, message);
    let parent = format!("00-{TRACE}-{CALLER}-01");
    request
        .metadata_mut()
        .insert("traceparent", parent.parse().unwrap());
    request
}

fn trace_of(metadata: &MetadataMap) -> &str {
    let text = metadata.get("traceresponse").expect("a trace").to_str();
    text.unwrap().split('-').nth(1).expect("an id")
}

/// A game of a tenant, created with a secret seed, and its server.
struct Scene {
    server: Gamekeeperd,
    table: Table,
    _keys: KeyFiles,
}

const SEED: [u8; 32] = [0xa5; 32];

impl Scene {
    async fn set(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let keys = KeyFiles::new();
        let key_flags = keys.flags();
        let mut all: Vec<&str> = key_flags.iter().map(String::as_str).collect();
        all.extend([
            "--store=memory",
            "--admin-listen=127.0.0.1:0",
            "--allow-seeds",
        ]);
        all.extend(flags);
        let server = Gamekeeperd::start_with(&all, variables);
        let create = pb::CreateGameRequest {
            seed: SEED.to_vec(),
            ..ada_and_bob()
        };
        let mut client = server.games();
        let created = client.create_game(bearing(RED, create)).await.unwrap();
        Self {
            table: Table::of(created.into_inner()),
            server,
            _keys: keys,
        }
    }

    async fn legal(&self) -> Response<pb::ListLegalActionsResponse> {
        let seat = self.table.game.pending[0].seat;
        let ask = pb::ListLegalActionsRequest {
            game_id: self.table.game.game_id.clone(),
            seat,
            ..Default::default()
        };
        let mut client = self.server.games();
        let request = traced(self.table.token(seat), ask);
        client.list_legal_actions(request).await.unwrap()
    }

    fn apply(&self, action: pb::Action) -> pb::ApplyActionRequest {
        pb::ApplyActionRequest {
            game_id: self.table.game.game_id.clone(),
            seat: self.table.game.pending[0].seat,
            action: Some(action),
            request_id: String::from("once"),
            ..Default::default()
        }
    }

    /// Plays one action, sends it again, and tries one that is refused.
    async fn play(&self) {
        let legal = self.legal().await.into_inner();
        let token = self.table.token(self.table.game.pending[0].seat);
        let mut client = self.server.games();
        let apply = self.apply(choose(&legal.actions));
        let played = client.apply_action(traced(token, apply.clone())).await;
        assert_eq!(trace_of(played.unwrap().metadata()), TRACE);
        client.apply_action(bearing(token, apply)).await.unwrap();
        let card = Card::Gold.into();
        let mut wrong = self.apply(action(Kind::BuyCard(BuyCard { card })));
        wrong.request_id = String::from("wrong");
        let refused = client.apply_action(traced(token, wrong)).await.unwrap_err();
        assert_eq!(reason(&refused).1, "CANNOT_AFFORD");
    }

    /// Checks that telemetry contains neither secrets nor games.
    fn assert_discreet(&self, text: &str) {
        let game = &self.table.game.game_id;
        let tokens = self.table.tokens.iter().map(String::as_str);
        let seed = const_hex::encode(SEED);
        let seed_as_numbers = "165, 165, 165";
        let secrets = [
            RED,
            OPERATOR,
            game,
            &seed,
            seed_as_numbers,
            "a secret of the tests",
        ];
        for secret in secrets.into_iter().chain(tokens) {
            assert!(
                !secret.is_empty() && !text.contains(secret),
                "{secret} in {text}"
            );
        }
    }
}
