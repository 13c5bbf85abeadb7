//! Real balancers in front of the server: answers before the body has arrived, connections that carry many calls, gRPC
//! with streams.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::game_service_client::GameServiceClient;
use gamekeeper_tests::balancer::{Balancer, Kind};
use gamekeeper_tests::http1::Http1;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use tonic::transport::Endpoint;

use crate::http1::{JSON, LIST, call};
use crate::webhooks::{created, game_at, play, short_game};

#[tokio::test(flavor = "multi_thread")]
async fn they_pass_every_answer_on() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let long = format!("{{\"x\": \"{}\"}}", "a".repeat(30_000));
    let token = format!("{JSON}authorization: Bearer {RED}\r\n");
    for kind in Kind::ALL {
        let balancer = Balancer::before(server.address(), kind);
        let mut client = Http1::connect(balancer.address()).await.unwrap();
        for number in 0..40 {
            for (headers, body, status) in [
                (JSON, &*long, 401),
                ("content-type: text/plain\r\n", &*long, 415),
                (&*token, "{}", 200),
            ] {
                let answer = call(&mut client, LIST, headers, body).await;
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
        while let Some(message) = watch.message().await.unwrap() {
            seen = message.version;
        }
        assert_eq!(seen, last, "{kind:?}");
    }
}
