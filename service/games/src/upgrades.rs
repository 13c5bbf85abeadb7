//! **Compatibility** of stored games between builds. A later build has one more option, action, event and field of the
//! state; both builds play over one store.

mod newer;

use std::sync::Arc;

use futures_util::StreamExt;
use gamekeeper_proto::gamekeeper::v1::{self as pb, ExportGameRequest, ListEventsRequest};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{
    ApplyActionRequest, CreateGameRequest, ExportGameResponse, ExportVersion, LogEntry,
};
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Viewer;
use gamekeeper_store::GameStore;
use gamekeeper_wire::{Wire, wrap_action, wrap_options, wrap_view};
use pb::{ClockOptions, TableOptions, TakeBackPolicy, TimeoutAction};
use uuid::Uuid;

use self::newer::{Action, Newer, Options};
use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::handlers::check_game::ReplayMismatch;
use crate::handlers::table_commands::TableRequest;
use crate::multi_game::check_games::ReplayTally;
use crate::registry::Registry;
use crate::test_server::{TestServer, store};

type Store = Arc<dyn GameStore>;

fn id(game: &pb::GameInfo) -> Uuid {
    Uuid::try_parse(&game.game_id).unwrap()
}

fn with_clocks(take_back: TakeBackPolicy) -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: 60,
            bank_seconds: 600,
            increment_seconds: 5,
            on_timeout: TimeoutAction::Resign.into(),
            ..ClockOptions::default()
        }),
        take_back: take_back.into(),
        ..TableOptions::default()
    }
}

fn sentences() -> Option<pb::Show> {
    Some(pb::Show {
        events: true,
        text: true,
        ..Default::default()
    })
}

/// Lists the events of a game in pages, as a new process of this build returns them.
async fn logged_entries<W: Wire>(store: &Store, game: &pb::GameInfo) -> Vec<LogEntry> {
    let process = TestServer::<W>::new(store);
    let (mut entries, mut page_token) = (Vec::new(), String::new());
    loop {
        let call = ListEventsRequest {
            game_id: game.game_id.clone(),
            show: sentences(),
            page_size: 17,
            page_token,
            ..Default::default()
        };
        let page = process
            .games
            .list_events(&Caller::UNAUTHENTICATED, call)
            .await
            .unwrap();
        entries.extend(page.entries);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return entries;
        }
    }
}

/// Exports a game, as a new process of this build does, without the fingerprints.
async fn exported<W: Wire>(store: &Store, game: &pb::GameInfo) -> Vec<ExportVersion> {
    let games = Arc::new(TestServer::<W>::new(store).games);
    let call = ExportGameRequest {
        game_id: game.game_id.clone(),
        with_states: true,
        ..Default::default()
    };
    let caller = Caller::UNAUTHENTICATED;
    let parts = games.export_game(&caller, call).await.unwrap();
    let version = async |part: Result<ExportGameResponse, ServiceError>| match part.unwrap().part {
        Some(Part::Version(mut version)) => {
            assert!(!std::mem::take(&mut version.fingerprint).is_empty());
            Some(version)
        }
        _ => None,
    };
    parts.filter_map(version).collect().await
}

/// Checks that two builds that load a game cold agree on all that they show of it.
async fn are_alike<A: Wire, B: Wire>(store: &Store, game: &pb::GameInfo) {
    let (a, b) = (TestServer::<A>::new(store), TestServer::<B>::new(store));
    assert_eq!(a.info(game).await, b.info(game).await);
    assert_eq!(a.view(game).await, b.view(game).await);
    assert_eq!(
        logged_entries::<A>(store, game).await,
        logged_entries::<B>(store, game).await
    );
    let exports = (
        exported::<A>(store, game).await,
        exported::<B>(store, game).await,
    );
    assert_eq!(exports.0, exports.1);
    assert!(a.games.check_game(id(game)).await.unwrap().unwrap().is_ok());
    assert!(b.games.check_game(id(game)).await.unwrap().unwrap().is_ok());
}

/// Plays up to this version, a second for each action.
async fn play<W: Wire>(process: &TestServer<W>, mut game: pb::GameInfo, to: u64) -> pb::GameInfo {
    while game.version < to && !game.pending.is_empty() {
        game = process
            .set_clock(game.version * 1_000)
            .play_first_legal(&game)
            .await;
    }
    game
}

async fn apply<W: Wire>(
    process: &TestServer<W>,
    game: &pb::GameInfo,
    action: gamekeeper_proto::raw::Action,
    request_id: &str,
) -> Result<(pb::GameInfo, Option<LogEntry>), ServiceError> {
    let call = ApplyActionRequest {
        game_id: game.game_id.clone(),
        seat: game.pending[0].seat,
        action: Some(action),
        request_id: request_id.to_owned(),
        show: sentences(),
        ..Default::default()
    };
    let applied = process
        .games
        .apply_action(&Caller::UNAUTHENTICATED, Box::new(call))
        .await?;
    Ok((applied.table.unwrap().game.unwrap(), applied.entry))
}

async fn games_go_on<W: Wire>() {
    let store = store();
    let old = TestServer::<W>::new(&store);
    let players = usize::from(W::INFO.min_seats);
    let game = old
        .create(players, with_clocks(TakeBackPolicy::Unseen))
        .await;
    // Play three fifths of a game, but not many actions of a long one; then another fifth, and the rest.
    let full_game = old.create(players, TableOptions::default()).await;
    let end = play(&old, full_game, 100).await.version;
    let game = play(&old, game, end * 3 / 5).await;
    are_alike::<W, Newer<W>>(&store, &game).await;

    let new = TestServer::<Newer<W>>::new(&store);
    let game = play(&new, game, end * 4 / 5).await;
    are_alike::<W, Newer<W>>(&store, &game).await;

    // From here on, the game needs the later build.
    let signal = wrap_action::<Newer<W>>(&Action::Signal);
    let (game, entry) = apply(&new, &game, signal, "").await.unwrap();
    let sentence = entry.unwrap().events[0].text.clone();
    assert!(sentence.ends_with(" gives a signal."), "{sentence}");
    let game = play(&new, game, end).await;
    are_alike::<Newer<W>, Newer<W>>(&store, &game).await;
    let cold = TestServer::<Newer<W>>::new(&store);
    let opened = cold
        .games
        .lock_current(&Caller::UNAUTHENTICATED, id(&game))
        .await;
    assert_eq!(opened.unwrap().state.signals, 1);
    for process in [old, TestServer::<W>::new(&store)] {
        let refused = process
            .games
            .info(&Caller::UNAUTHENTICATED, id(&game))
            .await;
        assert!(
            matches!(refused, Err(ServiceError::WrittenByNewerBuild)),
            "{refused:?}"
        );
    }
}

/// A game that begins on the table of another game, in the middle of it: each build makes the table again from the
/// message in the log, whichever wrote it, and the game goes on at both.
async fn described_games_go_on<W: Wire>() {
    let store = store();
    let (old, new) = (
        TestServer::<W>::new(&store),
        TestServer::<Newer<W>>::new(&store),
    );
    let players = usize::from(W::INFO.min_seats);
    let origin = old.create(players, TableOptions::default()).await;
    let origin = play(&old, origin, 12).await;
    let table = old.games.at_version(id(&origin), origin.version).await;
    let view = wrap_view::<W>(&W::view(&table.unwrap().state, Viewer::Operator));
    let call = CreateGameRequest {
        players: origin.players.clone(),
        position: Some(view),
        ..Default::default()
    };
    let caller = Caller::UNAUTHENTICATED;
    let created = [
        old.games.create_game(&caller, call.clone()).await,
        new.games.create_game(&caller, call).await,
    ];
    for created in created {
        let game = created.unwrap().table.unwrap().game.unwrap();
        assert_eq!(old.view(&game).await, old.view(&origin).await);
        are_alike::<W, Newer<W>>(&store, &game).await;
        let game = play(&old, game, 20).await;
        let game = play(&new, game, 40).await;
        are_alike::<W, Newer<W>>(&store, &game).await;
    }
}

/// Luck deals what the description leaves out: the same at every build.
#[tokio::test]
async fn what_luck_dealt_is_dealt_again() {
    let store = store();
    let (old, new) = (
        TestServer::<Dominion>::new(&store),
        TestServer::<Newer<Dominion>>::new(&store),
    );
    let origin = old.create(2, TableOptions::default()).await;
    let table = old.games.at_version(id(&origin), 1).await.unwrap();
    let mut view = Dominion::view(&table.state, Viewer::Operator);
    for player in &mut view.players {
        player.draw_pile = None;
    }
    let call = CreateGameRequest {
        players: origin.players.clone(),
        position: Some(wrap_view::<Dominion>(&view)),
        ..Default::default()
    };
    let created = old.games.create_game(&Caller::UNAUTHENTICATED, call).await;
    let game = created.unwrap().table.unwrap().game.unwrap();
    assert!(game.start_dealt);
    are_alike::<Dominion, Newer<Dominion>>(&store, &game).await;
    let game = play(&new, game, 20).await;
    are_alike::<Dominion, Newer<Dominion>>(&store, &game).await;
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            #[tokio::test]
            async fn games_go_on() {
                super::games_go_on::<gamekeeper_rules::$module::$Ruleset>().await;
            }

            #[tokio::test]
            async fn described_games_go_on() {
                super::described_games_go_on::<gamekeeper_rules::$module::$Ruleset>().await;
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(of_every_ruleset);

/// Plays an action of a seat, takes it back, and plays again.
async fn fumble<W: Wire>(process: &TestServer<W>, game: &pb::GameInfo) -> pb::GameInfo {
    let seat = game.pending[0].seat;
    let then = process.view(game).await;
    let acted = process
        .play_first_legal(&process.play_first_legal(game).await)
        .await;
    let back = TableRequest::TakeBack {
        seat,
        to_version: game.version,
    };
    let proposed = process.change_table(&acted, back).await.unwrap();
    let game = match &proposed.proposal {
        None => proposed,
        Some(proposal) => {
            let request = TableRequest::AnswerProposal {
                seat: 3 - seat,
                number: proposal.number,
                agrees: true,
            };
            process.change_table(&proposed, request).await.unwrap()
        }
    };
    assert_eq!(process.view(&game).await, then);
    process.play_first_legal(&game).await
}

/// Lets both builds play, cold and warm, and take back actions.
async fn take_backs_return<W: Wire>(policy: TakeBackPolicy) {
    let store = store();
    let (old, new) = (
        TestServer::<W>::new(&store),
        TestServer::<Newer<W>>::new(&store),
    );
    let mut game = old.create(2, with_clocks(policy)).await;
    for _ in 0..3 {
        game = fumble(&old, &old.play_first_legal(&game).await).await;
        are_alike::<W, Newer<W>>(&store, &game).await;
        game = fumble(&new, &new.play_first_legal(&game).await).await;
        are_alike::<W, Newer<W>>(&store, &game).await;
    }
    assert_eq!(old.info(&game).await, new.info(&game).await);
}

#[tokio::test]
async fn agreed_take_backs_return() {
    take_backs_return::<Dominion>(TakeBackPolicy::Agreed).await;
    take_backs_return::<Caylus>(TakeBackPolicy::Agreed).await;
}

#[tokio::test]
async fn a_seat_takes_back_what_another_build_played() {
    let store = store();
    let (old, new) = (
        TestServer::<Caylus>::new(&store),
        TestServer::<Newer<Caylus>>::new(&store),
    );
    let mut game = old.create(2, with_clocks(TakeBackPolicy::Unseen)).await;
    for _ in 0..6 {
        let seat = game.pending[0].seat;
        let back = TableRequest::TakeBack {
            seat,
            to_version: 0,
        };
        let then = old.view(&game).await;
        game = old.play_first_legal(&game).await;
        game = new.change_table(&game, back.clone()).await.unwrap();
        assert_eq!(new.view(&game).await, then);
        game = new.play_first_legal(&game).await;
        game = old.change_table(&game, back).await.unwrap();
        assert_eq!(old.view(&game).await, then);
        game = old.play_first_legal(&game).await;
        are_alike::<Caylus, Newer<Caylus>>(&store, &game).await;
    }
}

#[tokio::test]
async fn a_watch_follows_take_backs_of_another_build() {
    let store = store();
    let old = TestServer::<Caylus>::new(&store);
    let mut game = old.create(2, with_clocks(TakeBackPolicy::Agreed)).await;
    let begun = game.clone();
    game = fumble(&old, &game).await;
    let games = Arc::new(TestServer::<Newer<Caylus>>::new(&store).games);
    let call = pb::WatchGameRequest {
        game_id: game.game_id.clone(),
        after_version: begun.version,
        show: sentences(),
        ..Default::default()
    };
    let caller = Caller::UNAUTHENTICATED;
    let mut watch = games.watch_game(&caller, call).await.unwrap();
    game = fumble(&old, &game).await;
    let mut version = begun.version;
    while version < game.version {
        version = watch.next().await.unwrap().unwrap().version;
    }
}

#[tokio::test]
async fn forks_of_another_build_go_on() {
    let store = store();
    let (old, new) = (
        TestServer::<Dominion>::new(&store),
        TestServer::<Newer<Dominion>>::new(&store),
    );
    let game = old.create(2, with_clocks(TakeBackPolicy::Agreed)).await;
    let game = fumble(&old, &play(&old, game, 20).await).await;
    let call = |at_version| pb::ForkGameRequest {
        game_id: game.game_id.clone(),
        at_version,
        request_id: String::from("fork"),
        ..Default::default()
    };
    for at in [1, 15, game.version] {
        let forked = new
            .games
            .fork_game(&Caller::UNAUTHENTICATED, id(&game), &call(at))
            .await;
        let Ok(pb::ForkGameResponse {
            game: Some(fork), ..
        }) = forked
        else {
            assert!(at > 1, "{forked:?}");
            continue;
        };
        // Every build recognizes the repeated request.
        let again = old
            .games
            .fork_game(&Caller::UNAUTHENTICATED, id(&game), &call(at))
            .await;
        assert_eq!(again.unwrap().game.unwrap().game_id, fork.game_id);
        let fork = play(&old, fork, game.version + 10).await;
        let fork = play(&new, fork, game.version + 20).await;
        are_alike::<Dominion, Newer<Dominion>>(&store, &fork).await;
    }
}

#[tokio::test]
async fn every_build_recognizes_a_repeated_request() {
    let store = store();
    let (old, new) = (
        TestServer::<Dominion>::new(&store),
        TestServer::<Newer<Dominion>>::new(&store),
    );
    let call = || CreateGameRequest {
        players: ["Ada", "Bob"]
            .map(|name| pb::Player {
                name: name.to_owned(),
                ..Default::default()
            })
            .to_vec(),
        request_id: String::from("once"),
        show: sentences(),
        ..Default::default()
    };
    let created = old
        .games
        .create_game(&Caller::UNAUTHENTICATED, call())
        .await
        .unwrap();
    assert_eq!(
        new.games
            .create_game(&Caller::UNAUTHENTICATED, call())
            .await
            .unwrap(),
        created
    );
    let game = play(&old, created.table.unwrap().game.unwrap(), 30).await;
    let mut game = game;
    // The action may no longer be legal: its response is found by the request.
    let legal = old.games.list_legal_actions(
        &Caller::UNAUTHENTICATED,
        pb::ListLegalActionsRequest {
            game_id: game.game_id.clone(),
            seat: game.pending[0].seat,
            page_size: 2,
            ..Default::default()
        },
    );
    let mut legal = legal.await.unwrap().actions.into_iter();
    let mut next = || legal.next().unwrap().action.unwrap();
    let (legal, action) = (next(), next());
    let before = game.clone();
    let (acted, entry) = apply(&old, &before, legal.clone(), "act").await.unwrap();
    game = play(&old, acted.clone(), 40).await;
    for version in [game.version, game.version + 5] {
        play(&old, game.clone(), version).await;
        let again = apply(&new, &before, legal.clone(), "act").await.unwrap();
        assert_eq!(again, (acted.clone(), entry.clone()));
    }
    let reused = apply(&new, &before, action, "act").await;
    assert!(
        matches!(reused, Err(ServiceError::RequestIdReused)),
        "{reused:?}"
    );
}

#[tokio::test]
async fn an_option_that_a_build_does_not_know_is_never_ignored() {
    let store = store();
    let new = TestServer::<Newer<Dominion>>::new(&store);
    let plain = new.create(2, TableOptions::default()).await;
    are_alike::<Dominion, Newer<Dominion>>(&store, &plain).await;
    let current_game = new
        .games
        .lock_current(&Caller::UNAUTHENTICATED, id(&plain))
        .await;
    let inner = current_game.unwrap().genesis.options.inner.clone();
    let options = Options {
        signals: true,
        inner,
    };
    let call = CreateGameRequest {
        players: plain.players.clone(),
        options: Some(wrap_options::<Newer<Dominion>>(&options)),
        ..Default::default()
    };
    let created = new
        .games
        .create_game(&Caller::UNAUTHENTICATED, call)
        .await
        .unwrap();
    let game = play(&new, created.table.unwrap().game.unwrap(), 10).await;
    are_alike::<Newer<Dominion>, Newer<Dominion>>(&store, &game).await;
    let old = TestServer::<Dominion>::new(&store);
    let refused = old.games.info(&Caller::UNAUTHENTICATED, id(&game)).await;
    assert!(
        matches!(refused, Err(ServiceError::WrittenByNewerBuild)),
        "{refused:?}"
    );
}

/// Checks all games with a build of this ruleset.
async fn checked<W: Wire>(store: &Store) -> (Vec<(Uuid, ReplayMismatch)>, ReplayTally) {
    let process = TestServer::<W>::new(store);
    let registry = Registry::empty(Arc::clone(&process.games.context)).with_ruleset::<W>();
    let mut findings = Vec::new();
    let replayed = registry.check_games(|game, finding, _| {
        findings.extend(finding.map(|finding| (game.id, finding.clone())));
    });
    let tallies = replayed.await.unwrap();
    (
        findings,
        tallies.values().next().copied().unwrap_or_default(),
    )
}

#[tokio::test]
async fn a_check_lists_the_games_that_a_build_does_not_play() {
    let store = store();
    let (old, new) = (
        TestServer::<Dominion>::new(&store),
        TestServer::<Newer<Dominion>>::new(&store),
    );
    for _ in 0..70 {
        old.create(2, TableOptions::default()).await;
    }
    let game = play(&old, old.create(2, TableOptions::default()).await, 300).await;
    let games = 71;
    let none = ReplayTally {
        games,
        mismatches: 0,
    };
    assert_eq!(checked::<Dominion>(&store).await.1, none);
    assert_eq!(checked::<Newer<Dominion>>(&store).await.1, none);
    let (other, tally) = checked::<Newer<Dominion, true>>(&store).await;
    assert_eq!(
        tally,
        ReplayTally {
            games,
            mismatches: 71
        }
    );
    assert!(other.iter().all(|(_, finding)| finding.version == 1));

    let game = play(&new, game, 305).await;
    let signal = wrap_action::<Newer<Dominion>>(&Action::Signal);
    let (signaled, _) = apply(&new, &game, signal, "").await.unwrap();
    let (mismatches, tally) = checked::<Dominion>(&store).await;
    assert_eq!(
        tally,
        ReplayTally {
            games,
            mismatches: 1
        }
    );
    let [(damaged_game, ReplayMismatch { version, what })] = &mismatches[..] else {
        panic!("one finding");
    };
    assert_eq!((*damaged_game, *version), (id(&signaled), signaled.version));
    assert_eq!(*what, ServiceError::WrittenByNewerBuild.to_string());
    assert_eq!(checked::<Newer<Dominion>>(&store).await.1, none);
}
