//! Real balancers in front of the server: answers before the body has arrived, connections that carry many calls, gRPC
//! with streams.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::game_service_client::GameServiceClient;
use gamekeeper_tests::balancer::{Balancer, Kind};
use gamekeeper_tests::http::send;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use tokio::time::timeout;
use tonic::transport::Endpoint;

use crate::http1::{LIST, SOON};
use crate::webhooks::{created, game_at, play, short_game};

#[tokio::test(flavor = "multi_thread")]
async fn they_pass_every_answer_on() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let long = format!("{{\"x\": \"{}\"}}", "a".repeat(30_000));
    let json = ("content-type", "application/json");
    let bearer = format!("Bearer {RED}");
    for kind in Kind::ALL {
        let balancer = Balancer::before(server.address(), kind);
        for number in 0..40 {
            // The connections of balancers to the server carry many calls, those of clients need not.
            for (headers, body, status) in [
                (vec![json], &*long, 401),
                (vec![("content-type", "text/plain")], &*long, 415),
                (vec![json, ("authorization", &*bearer)], "{}", 200),
            ] {
                let answer = send(balancer.address(), "POST", LIST, &headers, body).await;
                assert_eq!(answer.status, status, "{kind:?}, {number}: {answer:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_played_and_watched_through_them() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    for kind in Kind::ALL {
        let balancer = Balancer::before(server.address(), kind);
        let endpoint = Endpoint::from_shared(format!("http://{}", balancer.http2_address()));
        let channel = server.noted(endpoint.unwrap().connect_lazy());
        let mut client = GameServiceClient::new(channel);
        let game = created(&mut client, short_game(&["ada", "bob"])).await;
        let game_id = game.unwrap_or_else(|refused| panic!("{kind:?}: {refused}"));
        let call = pb::WatchGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        let mut watch = client
            .watch_game(bearing(RED, call))
            .await
            .unwrap()
            .into_inner();
        play(&mut client, &game_id).await;
        let last = game_at(&mut client, &game_id, 0).await.unwrap().version;
        let mut seen = 0;
        while seen < last {
            let message = timeout(SOON, watch.message()).await;
            let message = message.unwrap_or_else(|_| panic!("{kind:?}: {seen} of {last}"));
            seen = message.unwrap().unwrap().version;
        }
    }
}
