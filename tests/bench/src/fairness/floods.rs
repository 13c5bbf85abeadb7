//! Requests of attackers that cost the server more than they cost the attacker.

use gamekeeper_proto::gamekeeper::v1 as pb;
use http_body_util::{BodyExt, Full};
use pb::ruleset_service_client::RulesetServiceClient;
use serde_json::json;
use tonic::Status;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::codegen::Service;
use tonic::codegen::http::Request;
use tonic::transport::Channel;

use super::tenants::two_players;

/// Asks for the drawing of a game in JSON, and reads it. Returns whether that was refused.
pub(super) async fn drawing_in_json(
    connection: &mut Channel,
    (key, game_id): (&str, &str),
) -> bool {
    let body = json!({"gameId": game_id, "show": {"view": true, "drawing": {}}});
    let request = Request::post("/gamekeeper.v1.GameService/GetGame")
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {key}"))
        .body(Body::new(Full::from(body.to_string())))
        .expect("a request");
    let ready = std::future::poll_fn(|context| connection.poll_ready(context));
    if ready.await.is_err() {
        return true;
    }
    let Ok(answer) = connection.call(request).await else {
        return true;
    };
    let is_refused = !answer.status().is_success();
    answer.into_body().collect().await.is_err() || is_refused
}

/// Reads a catalogue, compressed.
pub(super) async fn compressed_catalogue(
    rulesets: RulesetServiceClient<Channel>,
) -> Result<(), Status> {
    let read = pb::GetCatalogueRequest {
        ruleset: String::from("terra_mystica"),
        known_revision: 0,
    };
    let mut rulesets = rulesets.accept_compressed(CompressionEncoding::Gzip);
    rulesets.get_catalogue(read).await.map(drop)
}

/// Requests the actions of a seat, with what each gives and costs.
pub(super) fn amounts(game_id: &str, seat: u32) -> pb::ListLegalActionsRequest {
    pb::ListLegalActionsRequest {
        game_id: game_id.to_owned(),
        seat,
        show: Some(pb::Show {
            text: true,
            amounts: true,
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Requests a game that bots play to its end.
pub(super) fn of_bots() -> pb::CreateGameRequest {
    let mut create = two_players();
    for player in &mut create.players {
        player.bot = Some(pb::Bot {
            policy: String::from("random"),
            max_think_time: None,
        });
    }
    create
}

/// Requests a game whose decisions end after a second, whoever is there.
pub(super) fn with_a_clock() -> pb::CreateGameRequest {
    let clock = pb::ClockOptions {
        decision_seconds: 1,
        claim: pb::TimeoutClaim::Automatic.into(),
        ..Default::default()
    };
    pb::CreateGameRequest {
        table: Some(pb::TableOptions {
            clock: Some(clock),
            ..Default::default()
        }),
        ..two_players()
    }
}
