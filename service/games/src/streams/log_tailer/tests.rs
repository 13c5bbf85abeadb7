//! Many watchers of one game in one process.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use gamekeeper_proto::gamekeeper::v1::{self as pb, WatchGameRequest};
use gamekeeper_proto::raw::WatchGameResponse;
use gamekeeper_rules::dominion::Dominion;
use prost::Message as _;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::*;
use crate::authz::Caller;
use crate::broadcast::update::Message;
use crate::service::game_service::ResponseStream;
use crate::streams::watched_game::{VersionChange, VersionChanges, ViewerSelector, WatchedGame};
use crate::test_server::{TestServer, store};

/// The timeout for anything that must happen.
const SOON: Duration = Duration::from_secs(20);

/// A game, the process that plays it, and the process in which it is watched.
struct Scene {
    player: TestServer<Dominion>,
    game: pb::GameInfo,
    games: Arc<GameService<Dominion>>,
}

impl Scene {
    async fn set() -> Self {
        let store = store();
        let player = TestServer::<Dominion>::new(&store);
        let game = player.create(2, pb::TableOptions::default()).await;
        let watching = TestServer::<Dominion>::new(&store);
        let games = Arc::new(GameService::new(Arc::clone(&watching.games.context)));
        Self {
            player,
            game,
            games,
        }
    }

    async fn play(&mut self, actions: usize) {
        for _ in 0..actions {
            self.game = self.player.play_first_legal(&self.game).await;
        }
    }

    fn id(&self) -> GameId {
        Uuid::try_parse(&self.game.game_id).unwrap()
    }

    /// Watches everything after a version, with or without sentences.
    async fn watch(&self, after_version: u64, with_text: bool) -> ResponseStream<Message> {
        let call = WatchGameRequest {
            game_id: self.game.game_id.clone(),
            after_version,
            show: Some(pb::Show {
                events: true,
                text: with_text,
                ..Default::default()
            }),
            ..Default::default()
        };
        let caller = Caller::UNAUTHENTICATED;
        self.games.watch_game(&caller, call).await.unwrap()
    }

    /// Waits until there are no broadcasts.
    async fn ends(&self) {
        let ended = async {
            while self.games.broadcasts.count() > 0 {
                sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(SOON, ended).await.expect("the feed is forgotten");
    }
}

async fn next(watch: &mut ResponseStream<Message>) -> Result<Message, ServiceError> {
    let message = timeout(SOON, watch.next()).await.expect("in time");
    message.expect("a message or a reason")
}

/// Returns the version that a message shows.
fn version(message: &Message) -> u64 {
    let read = WatchGameResponse::decode(&*message.bytes).unwrap();
    let version = read.version;
    let table = read.table.map(|table| table.game.unwrap().version);
    assert_eq!(table.unwrap_or(version), version);
    assert_eq!(message.version, version);
    version
}

async fn read(watch: &mut ResponseStream<Message>, versions: impl IntoIterator<Item = u64>) {
    for expected in versions {
        assert_eq!(version(&next(watch).await.unwrap()), expected);
    }
}

#[tokio::test]
async fn watchers_of_one_kind_get_the_same_bytes() {
    let mut scene = Scene::set().await;
    let mut watches = Vec::new();
    for with_text in [false, true, false, true] {
        let mut watch = scene.watch(0, with_text).await;
        read(&mut watch, [1]).await;
        watches.push(watch);
    }
    assert_eq!(scene.games.broadcasts.count(), 1);
    for played in 2..=40 {
        scene.play(1).await;
        let mut messages = Vec::new();
        for watch in &mut watches {
            messages.push(next(watch).await.unwrap());
        }
        let address = |at: usize| messages[at].bytes.as_ptr();
        assert!(messages.iter().all(|message| version(message) == played));
        assert_eq!((address(0), address(1)), (address(2), address(3)));
        assert_ne!(messages[0].bytes, messages[1].bytes);
    }
}

#[tokio::test]
async fn a_feed_is_forgotten_with_its_last_watcher() {
    let mut scene = Scene::set().await;
    let (mut one, mut other) = (scene.watch(0, false).await, scene.watch(1, true).await);
    scene.play(3).await;
    read(&mut one, 1..=4).await;
    read(&mut other, 2..=4).await;
    let feed = scene.games.broadcasts.find(scene.id()).unwrap();
    let news = Arc::downgrade(&feed.subscribe().borrow());
    drop(feed);
    drop(one);
    scene.play(1).await;
    read(&mut other, [5]).await;
    assert_eq!(scene.games.broadcasts.count(), 1);
    assert_eq!(news.strong_count(), 0, "everybody has read it");
    let feed = scene.games.broadcasts.find(scene.id()).unwrap();
    let news = Arc::downgrade(&feed.subscribe().borrow());
    drop(feed);
    drop(other);
    scene.ends().await;
    let freed = async {
        while news.strong_count() > 0 || Arc::strong_count(&scene.games) > 1 {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(SOON, freed).await.expect("its task ends");
}

#[tokio::test]
async fn a_slow_watcher_misses_nothing_and_holds_up_nobody() {
    let mut scene = Scene::set().await;
    let (mut quick, mut slow) = (scene.watch(1, true).await, scene.watch(1, true).await);
    let most = u64::try_from(MAX_UPDATES).unwrap();
    for played in 2..=3 * most {
        scene.play(1).await;
        read(&mut quick, [played]).await;
    }
    read(&mut slow, 2..=3 * most).await;
    // Once it has caught up, the watcher shares messages again.
    scene.play(1).await;
    read(&mut quick, [3 * most + 1]).await;
    read(&mut slow, [3 * most + 1]).await;
    scene.play(1).await;
    let messages = [next(&mut quick).await, next(&mut slow).await];
    let [quick, slow] = messages.map(|message| message.unwrap().bytes.as_ptr());
    assert_eq!(quick, slow);
}

#[tokio::test]
async fn a_watch_from_an_old_version_reads_alone_until_it_has_caught_up() {
    let mut scene = Scene::set().await;
    scene.play(300).await;
    let mut newest = scene.watch(301, false).await;
    let mut old = scene.watch(7, false).await;
    read(&mut old, 8..=301).await;
    for played in 302..=310 {
        scene.play(1).await;
        let messages = [next(&mut newest).await, next(&mut old).await];
        let [newest, old] = messages.map(Result::unwrap);
        assert_eq!((version(&newest), version(&old)), (played, played));
        assert_eq!(newest.bytes.as_ptr(), old.bytes.as_ptr());
    }
}

#[tokio::test]
async fn each_watcher_hears_why_there_is_nothing_more() {
    let mut scene = Scene::set().await;
    let mut watches = [scene.watch(0, false).await, scene.watch(0, true).await];
    scene.play(1).await;
    for watch in &mut watches {
        read(watch, 1..=2).await;
    }
    assert!(scene.games.context.store.delete(scene.id()).await.unwrap());
    for watch in &mut watches {
        let problem = next(watch).await.unwrap_err();
        assert!(
            matches!(problem, ServiceError::NoSuchGame { .. }),
            "{problem}"
        );
        assert!(watch.next().await.is_none());
    }
    scene.ends().await;
}

/// Only the broadcast reads the metadata, so the broadcast reports the error.
#[tokio::test]
async fn an_unreadable_access_record_ends_a_watch() {
    let scene = Scene::set().await;
    let mut watch = scene.watch(0, false).await;
    read(&mut watch, [1]).await;
    let (store, id) = (&scene.games.context.store, scene.id());
    let garbage = Bytes::from_static(&[0xff]);
    let access = store.load(id, None).await.unwrap().unwrap().access;
    let set = store.set_access(id, access, garbage, None, None);
    assert!(set.await.unwrap());
    store.wake(id).await.unwrap();
    let problem = next(&mut watch).await.unwrap_err();
    let is_damage = matches!(problem, ServiceError::Store(StoreError::Damaged(_)));
    assert!(is_damage, "{problem}");
}

async fn change(changes: &mut VersionChanges) -> VersionChange {
    let change = timeout(SOON, changes.next()).await.expect("in time");
    change.expect("a change").unwrap()
}

#[tokio::test]
async fn a_view_is_that_of_the_users_present_seat() {
    let scene = Scene::set().await;
    let update = async |users: [&str; 2]| {
        let user = |(user, seat): (&str, u32)| pb::PlayerUpdate {
            seat,
            user: Some(user.to_owned()),
            name: None,
        };
        let call = pb::UpdateGameRequest {
            players: users.into_iter().zip(1..).map(user).collect(),
            ..Default::default()
        };
        let id = Uuid::try_parse(&scene.game.game_id).unwrap();
        let updated = scene
            .games
            .update_game(&Caller::UNAUTHENTICATED, id, &call)
            .await;
        updated.unwrap();
    };
    let follow = async |viewer, user: Option<&str>| {
        let followed = WatchedGame {
            id: Uuid::try_parse(&scene.game.game_id).unwrap(),
            after_version: 0,
            after_time: None,
            viewer,
            show: Some(pb::Show {
                view: true,
                ..Default::default()
            }),
            user: user.map(str::to_owned),
            place: String::new(),
        };
        let caller = Caller::UNAUTHENTICATED;
        scene.games.follow_game(&caller, followed).await.unwrap()
    };
    let of_seat = |seat| {
        let kind = pb::ViewerKind::Seat.into();
        ViewerSelector::Requested(Some(pb::Viewer { kind, seat }))
    };
    update(["ada", "bob"]).await;
    let mut first = follow(of_seat(1), None).await;
    let mut second = follow(of_seat(2), None).await;
    let mut ada = follow(ViewerSelector::SeatOfUser("ada".into()), Some("ada")).await;
    let mut three = async || {
        let first = change(&mut first).await.message;
        let second = change(&mut second).await.message;
        assert_ne!(first, second, "hands differ");
        (first, second, change(&mut ada).await)
    };
    let (seen, _, of_ada) = three().await;
    assert_eq!(of_ada.message, seen);
    update(["bob", "ada"]).await;
    let (_, seen, of_ada) = three().await;
    assert_eq!(of_ada.message, seen);
    update(["bob", "cyd"]).await;
    let (first, second, of_ada) = three().await;
    assert!(!of_ada.user_has_seat);
    assert!(![first, second].contains(&of_ada.message));
}

/// Later items are not kept for a watcher that is slower than the latest items, which reads the log instead.
#[tokio::test]
async fn a_feed_keeps_a_bounded_number_of_items() {
    let mut scene = Scene::set().await;
    let mut quick = scene.watch(1, false).await;
    scene.play(1).await;
    read(&mut quick, [2]).await;
    let feed = scene.games.broadcasts.find(scene.id()).unwrap();
    let mut newest = feed.subscribe();
    // The watcher may have read the log before the broadcast did.
    let read_too = newest.wait_for(|news| news.game.version == 2);
    let slow = timeout(SOON, read_too).await.expect("in time");
    let slow = Arc::clone(&slow.unwrap());
    let last = 1 + u64::try_from(MAX_UPDATES).unwrap();
    for played in 3..=last {
        scene.play(1).await;
        read(&mut quick, [played]).await;
    }
    assert!(matches!(slow.next(), Next::Update(_)), "as many are kept");
    scene.play(1).await;
    read(&mut quick, [last + 1]).await;
    assert!(matches!(slow.next(), Next::Lagged), "and no more");
}

#[tokio::test]
async fn a_feed_keeps_a_bounded_number_of_bytes() {
    let mut scene = Scene::set().await;
    let mut watches = Vec::new();
    for (width, color_scheme) in [1200, 390].into_iter().zip([1, 2]) {
        let call = WatchGameRequest {
            game_id: scene.game.game_id.clone(),
            after_version: 1,
            show: Some(pb::Show {
                drawing: Some(pb::DrawingStyle {
                    width,
                    color_scheme,
                    ..Default::default()
                }),
                ..Default::default()
            }),
            ..Default::default()
        };
        let watch = scene.games.watch_game(&Caller::UNAUTHENTICATED, call).await;
        watches.push(watch.unwrap());
    }
    let (mut slow, mut sent) = (None, 0);
    for _ in 0..MAX_UPDATES - 4 {
        scene.play(1).await;
        for watch in &mut watches {
            sent += next(watch).await.unwrap().bytes.len();
        }
        let feed = scene.games.broadcasts.find(scene.id()).unwrap();
        slow.get_or_insert_with(|| Arc::clone(&feed.subscribe().borrow()));
    }
    assert!(sent > 5 * MAX_BYTES / 4, "{sent}");
    let next = slow.unwrap().next();
    assert!(matches!(next, Next::Lagged), "although the items are few");
}

/// A watch of drawings: the drawing and the size of the next message. Changes are applied to the drawing before.
async fn next_drawing(watch: &mut ResponseStream<Message>, before: &str) -> (String, usize) {
    let bytes = next(watch).await.unwrap().bytes;
    let size = bytes.len();
    let table = WatchGameResponse::decode(bytes).unwrap().table.unwrap();
    let Some(changes) = table.drawing_changes else {
        return (table.drawing, size);
    };
    assert_eq!(table.drawing, "");
    let lines: Vec<&str> = before.split('\n').collect();
    let parts = changes.parts.iter().map(|part| {
        let [first, count] = [part.first, part.count].map(|one| usize::try_from(one).unwrap());
        match count {
            0 => part.lines.clone(),
            count => lines[first..first + count].join("\n"),
        }
    });
    (parts.collect::<Vec<_>>().join("\n"), size)
}

/// A watcher that begins later, and thus reads a whole drawing first, gets the changes that the others get.
#[tokio::test]
async fn changes_of_drawings_add_up_to_the_drawings() {
    let mut scene = Scene::set().await;
    let watch = |changes| WatchGameRequest {
        game_id: scene.game.game_id.clone(),
        show: Some(pb::Show {
            drawing: Some(pb::DrawingStyle {
                changes,
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    };
    let calls = [false, true, true].map(watch);
    let mut watches = Vec::new();
    for call in calls {
        let watch = scene.games.watch_game(&Caller::UNAUTHENTICATED, call).await;
        watches.push((watch.unwrap(), String::new(), 0));
    }
    for turn in 0..12 {
        for (watch, drawing, sent) in &mut watches {
            let size;
            (*drawing, size) = next_drawing(watch, drawing).await;
            *sent += if turn > 0 { size } else { 0 };
        }
        let [(_, whole, _), others @ ..] = &watches[..] else {
            panic!("no watches");
        };
        assert!(whole.starts_with("<svg ") && others.iter().all(|(_, other, _)| other == whole));
        scene.play(1).await;
    }
    let sent: Vec<usize> = watches.iter().map(|(.., sent)| *sent).collect();
    assert!(3 * sent[1] < sent[0] && sent[1] == sent[2], "{sent:?}");
}

/// Watchers see the drawings in the themes that they asked for, and those with the same theme share them.
#[tokio::test]
async fn watchers_have_themes_of_their_own() {
    let mut scene = Scene::set().await;
    let mut watches = Vec::new();
    for paper in ["", "#101820", "#101820", "#f7efdc"] {
        let colors = [(String::from("paper"), paper.to_owned())];
        let theme = pb::DrawingTheme {
            colors: colors.into(),
            ..Default::default()
        };
        let call = WatchGameRequest {
            game_id: scene.game.game_id.clone(),
            show: Some(pb::Show {
                drawing: Some(pb::DrawingStyle {
                    theme: (!paper.is_empty()).then_some(Box::new(theme)),
                    ..Default::default()
                }),
                ..Default::default()
            }),
            ..Default::default()
        };
        let watch = scene.games.watch_game(&Caller::UNAUTHENTICATED, call).await;
        watches.push((paper, watch.unwrap()));
    }
    for _ in 0..3 {
        let mut sent = Vec::new();
        for (paper, watch) in &mut watches {
            let bytes = next(watch).await.unwrap().bytes;
            let response = WatchGameResponse::decode(bytes.clone()).unwrap();
            let drawing = response.table.unwrap().drawing;
            assert!(
                drawing.contains(&format!("var(--gk-paper,{paper}")),
                "{drawing}"
            );
            sent.push(bytes);
        }
        assert_ne!(sent[0], sent[1]);
        assert_ne!(sent[1], sent[3]);
        scene.play(1).await;
    }
    // The messages are the same object, not just equal.
    let mut after = Vec::new();
    for (_, watch) in &mut watches[1..3] {
        after.push(next(watch).await.unwrap().bytes.as_ptr());
    }
    assert_eq!(after[0], after[1]);
}
