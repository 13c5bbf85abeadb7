//! Log lines: the filter can be changed at runtime, and no secret is logged.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::tokens::{RED, bearing};
use gamekeeper_tests::waiting::eventually;

use super::{Scene, WATCH};

#[tokio::test]
async fn what_is_logged_can_be_changed_while_the_server_runs() {
    let scene = Scene::set(&["--log=warn"], &[]).await;
    let admin = scene.server.admin();
    let lines = |text: &str| {
        let log = scene.server.log();
        log.iter().filter(|line| line.contains(text)).count()
    };
    scene.legal().await;
    assert_eq!(lines("answered"), 0);
    assert_eq!(
        ask(admin, "GET", "/log", "").await,
        (200, String::from("warn\n"))
    );

    let (status, why) = ask(admin, "PUT", "/log", "gamekeeperd=nonsense").await;
    assert!(status == 400 && !why.is_empty());
    // Even at the finest level of all libraries, no secret is logged.
    assert_eq!(ask(admin, "PUT", "/log", "trace").await.0, 204);
    scene.legal().await;
    eventually("a finer line", || async {
        (lines("answered") > 0).then_some(())
    })
    .await;
    let watched = pb::WatchGameRequest {
        game_id: scene.table.game.game_id.clone(),
        ..Default::default()
    };
    let watch = scene.server.games().watch_game(bearing(RED, watched)).await;
    drop(watch.unwrap());
    eventually("the end of the watch", || async {
        let log = scene.server.log();
        let mut ends = log.iter().filter(|line| line.contains("stream ended"));
        ends.any(|line| line.contains("CLIENT_GONE") && line.contains(WATCH))
            .then_some(())
    })
    .await;
    scene.assert_discreet(&scene.server.log().join("\n"));

    assert_eq!(ask(admin, "PUT", "/log", "error").await.0, 204);
    let before = lines("answered");
    scene.legal().await;
    assert_eq!(lines("answered"), before);
}
