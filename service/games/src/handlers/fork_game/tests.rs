//! Forks. The tests set the clocks of their processes.

use std::sync::Arc;

use futures_util::StreamExt;
use gamekeeper_proto::gamekeeper::v1::ExportGameRequest;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameStore;
use pb::{ClockOptions, TableOptions, TakeBackPolicy};
use uuid::Uuid;

use super::*;
use crate::aggregate::game_limits::MAX_ANCESTORS;
use crate::authz::{Caller, Role};
use crate::handlers::table_commands::TableRequest;
use crate::test_server::{START_MS, TestServer, store};

fn call(game: &pb::GameInfo, at_version: u64) -> pb::ForkGameRequest {
    pb::ForkGameRequest {
        game_id: game.game_id.clone(),
        at_version,
        ..Default::default()
    }
}

fn id(game: &pb::GameInfo) -> Uuid {
    Uuid::try_parse(&game.game_id).unwrap()
}

async fn forked<W: Wire>(
    process: &TestServer<W>,
    caller: &Caller,
    call: &pb::ForkGameRequest,
) -> Result<pb::ForkGameResponse, ServiceError> {
    let id = Uuid::try_parse(&call.game_id).unwrap();
    process.games.fork_game(caller, id, call).await
}

async fn fork<W: Wire>(process: &TestServer<W>, game: &pb::GameInfo, at: u64) -> pb::GameInfo {
    let forked = forked(process, &Caller::UNAUTHENTICATED, &call(game, at)).await;
    forked.unwrap().game.unwrap()
}

/// Plays a game up to this version.
async fn played<W: Wire>(process: &TestServer<W>, table: TableOptions, to: u64) -> pb::GameInfo {
    let mut game = process.create(2, table).await;
    while game.version < to {
        game = process.play_first_legal(&game).await;
    }
    game
}

fn resign(seat: u32) -> TableRequest {
    TableRequest::Resign { seat }
}

#[tokio::test]
async fn a_fork_has_the_past_and_goes_on_elsewhere() {
    let store = store();
    let (here, there) = (
        TestServer::<Dominion>::new(&store),
        TestServer::<Dominion>::new(&store),
    );
    let mut game = here.create(2, TableOptions::default()).await;
    let mut views = vec![here.view(&game).await];
    for _ in 0..40 {
        game = here.play_first_legal(&game).await;
        views.push(here.view(&game).await);
    }
    for at in [1, 2, 17, 40, 41] {
        let branch = fork(&there, &game, at).await;
        assert_eq!(branch.version, at);
        assert_ne!(branch.game_id, game.game_id);
        assert_ne!(branch.seed_commitment, game.seed_commitment);
        let (game_id, version) = (game.game_id.clone(), at);
        assert_eq!(
            branch.forked_from,
            Some(pb::ForkedFrom { game_id, version })
        );
        let seen = &views[usize::try_from(at).unwrap() - 1];
        assert_eq!(&here.view(&branch).await, seen, "version {at}");
        // The fork now diverges from its origin, and every process reads the same.
        let mut next = branch.clone();
        for _ in 0..30 {
            next = there.play_first_legal(&next).await;
        }
        assert_eq!(here.info(&branch).await, next);
        assert_eq!(here.view(&branch).await, there.view(&branch).await);
        let again = TestServer::<Dominion>::new(&store);
        assert_eq!(again.info(&branch).await, next);
        let then = again.games.at_version(id(&branch), at + 20).await;
        assert_eq!(then.unwrap().version, at + 20);
    }
    assert_eq!(there.info(&game).await, game, "the origin stays as it was");
    let newest = fork(&here, &game, 0).await;
    assert_eq!(newest.version, game.version);
    let beyond = forked(&here, &Caller::UNAUTHENTICATED, &call(&game, 42)).await;
    assert!(matches!(
        beyond,
        Err(ServiceError::NoSuchVersion {
            requested: 42,
            current: 41
        })
    ));
}

/// A repeated request gets the same fork whatever has become of the origin, and a fork does not recognize requests that
/// were sent to its origin.
#[tokio::test]
async fn requests_are_recognized_where_they_were_sent() {
    let process = TestServer::<Caylus>::new(&store());
    let other = process.create(3, TableOptions::default()).await;
    let left = process
        .change_table_with_id(&other, resign(1), "leave")
        .await
        .unwrap();
    let back = TableRequest::FillSeat { seat: 1, bot: None };
    process
        .change_table_with_id(&other, back, "return")
        .await
        .unwrap();
    let named = pb::ForkGameRequest {
        request_id: String::from("fork"),
        ..call(&other, 0)
    };
    let first = forked(&process, &Caller::UNAUTHENTICATED, &named)
        .await
        .unwrap();
    process.change_table(&other, resign(2)).await.unwrap();
    let again = forked(&process, &Caller::UNAUTHENTICATED, &named)
        .await
        .unwrap();
    assert_eq!(again, first);
    let at_two = pb::ForkGameRequest {
        at_version: 2,
        ..named
    };
    let reused = forked(&process, &Caller::UNAUTHENTICATED, &at_two).await;
    assert!(matches!(reused, Err(ServiceError::RequestIdReused)));
    let branch = first.game.unwrap();
    assert_eq!((branch.version, left.version), (3, 2));
    let leaves = process
        .change_table_with_id(&branch, resign(1), "leave")
        .await
        .unwrap();
    assert_eq!((leaves.version, &leaves.resigned[..]), (4, &[1][..]));
    let same = process
        .change_table_with_id(&branch, resign(1), "leave")
        .await
        .unwrap();
    assert_eq!(same, leaves);
}

/// A fork can also branch off at an entry of table life. Players who have left are still gone, and may return.
#[tokio::test]
async fn a_fork_begins_with_the_seats_that_have_left() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process.create(3, TableOptions::default()).await;
    let left = process.change_table(&game, resign(2)).await.unwrap();
    let over = process.change_table(&game, resign(1)).await.unwrap();
    assert_eq!((left.version, over.version), (2, 3));
    let branch = fork(&process, &game, 2).await;
    assert_eq!(branch.resigned, [2]);
    assert_eq!(branch.status(), pb::GameStatus::Active);
    let back = TableRequest::FillSeat { seat: 2, bot: None };
    let back = process.change_table(&branch, back).await.unwrap();
    assert!(back.resigned.is_empty());
    for at in [0, 3] {
        let refused = forked(&process, &Caller::UNAUTHENTICATED, &call(&game, at)).await;
        assert!(matches!(
            refused,
            Err(ServiceError::RefusedByTable(TableRefusal::GameOver))
        ));
    }
}

/// Returns options with a small time bank, and with the take-backs that need no agreement.
fn clock_and_take_back() -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: 2,
            bank_seconds: 60,
            ..Default::default()
        }),
        take_back: TakeBackPolicy::Unseen.into(),
        ..Default::default()
    }
}

/// Asserts that a process with an empty cache and another clock reads the same game.
async fn assert_others_read_alike(store: &Arc<dyn GameStore>, game: &pb::GameInfo) {
    let other = TestServer::<Caylus>::new(store);
    assert_eq!(other.set_clock(0).info(game).await, *game);
}

/// Time banks are those of the forked version, and the clocks of open decisions start when the fork begins, whether or
/// not the origin was paused.
#[tokio::test]
async fn clocks_go_on_when_the_fork_begins() {
    let store = store();
    let process = TestServer::<Caylus>::new(&store);
    let game = process.create(2, clock_and_take_back()).await;
    let seat = game.pending[0].seat;
    // Use three seconds of the bank.
    let game = process.set_clock(5_000).play_first_legal(&game).await;
    process
        .set_clock(6_000)
        .change_table(&game, TableRequest::Pause { seat: 0 })
        .await
        .unwrap();
    let paused = process.info(&game).await;
    assert!(paused.paused && paused.version == 3);
    let branch = fork(process.set_clock(600_000), &paused, 3).await;
    assert!(!branch.paused);
    let at = |ms: u64| Some(crate::aggregate::game::timestamp(START_MS + ms));
    assert_eq!(branch.create_time, at(600_000));
    assert_eq!(branch.pending[0].since, at(600_000));
    assert_eq!(branch.pending[0].due, at(662_000));
    let clock = branch.clocks.iter().find(|clock| clock.seat == seat);
    assert_eq!(clock.unwrap().bank_ms, 57_000);
    // Actions of the origin cannot be taken back in the fork without the other players' agreement.
    let back = TableRequest::TakeBack {
        seat,
        to_version: 1,
    };
    let refused = process.change_table_refused(&branch, back).await;
    assert!(
        matches!(refused, TableRefusal::NothingToTakeBack),
        "{refused}"
    );
    // Another process reads the same clocks, and a fork of the fork has them too.
    let other = TestServer::<Caylus>::new(&store);
    assert_eq!(other.info(&branch).await, branch);
    let claim = TableRequest::ClaimTimeout {
        seat: branch.pending[0].seat,
    };
    let early = other
        .set_clock(661_999)
        .change_table_refused(&branch, claim.clone())
        .await;
    assert!(
        matches!(early, TableRefusal::NotOverdue { left_ms: 1, .. }),
        "{early}"
    );
    let late = other
        .set_clock(662_000)
        .change_table(&branch, claim)
        .await
        .unwrap();
    assert_eq!(late.version, 4);
    let second = fork(process.set_clock(900_000), &branch, 3).await;
    assert_eq!(second.pending[0].due, at(962_000));
    assert_others_read_alike(&store, &second).await;
    let third = fork(process.set_clock(1_000_000), &late, 4).await;
    assert_others_read_alike(&store, &third).await;
}

/// A chain of forks has a maximum length.
#[tokio::test]
async fn forks_of_forks_come_to_an_end() {
    let process = TestServer::<Caylus>::new(&store());
    let mut game = played(&process, TableOptions::default(), 3).await;
    for generation in 0..MAX_ANCESTORS as u64 {
        game = fork(&process, &game, 0).await;
        if generation % 8 == 0 {
            game = process.play_first_legal(&game).await;
        }
    }
    let refused = forked(&process, &Caller::UNAUTHENTICATED, &call(&game, 0)).await;
    assert!(matches!(
        refused,
        Err(ServiceError::TooManyForks { max: 64 })
    ));
}

/// Selects a view of the whole table.
fn everything() -> (Option<&'static pb::Viewer>, Option<&'static pb::Show>) {
    const OPERATOR: pb::Viewer = pb::Viewer {
        kind: pb::ViewerKind::Operator as i32,
        seat: 0,
    };
    (Some(&OPERATOR), None)
}

fn owner() -> Caller {
    // Games that were created without tokens belong to the tenant with the empty name.
    Caller::new(Role::Tenant(String::new()))
}

async fn record<W: Wire>(
    process: &TestServer<W>,
    game: &pb::GameInfo,
) -> Result<usize, ServiceError> {
    let games = Arc::new(GameService::<W>::new(Arc::clone(&process.games.context)));
    let call = ExportGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let parts = games.export_game(&owner(), call).await?;
    Ok(parts.map(|part| part.map(drop).unwrap()).count().await)
}

/// A fork discloses nothing about a game that is still being played: it has no tokens, and no record even when it is
/// over itself. This holds along the whole chain of forks.
#[tokio::test]
async fn a_fork_keeps_the_secrets_of_its_origins() {
    let process = TestServer::<Dominion>::new(&store());
    let game = played(&process, TableOptions::default(), 9).await;
    let owner = owner();
    let child = forked(&process, &owner, &call(&game, 5)).await.unwrap();
    assert_eq!(child.tokens, None);
    let child = child.game.unwrap();
    let grandchild = forked(&process, &owner, &call(&child, 3)).await.unwrap();
    assert_eq!(grandchild.tokens, None);
    let grandchild = grandchild.game.unwrap();
    for secret in [&child, &grandchild] {
        process.change_table(secret, resign(1)).await.unwrap();
        let token = process.games.issue_token(&owner, id(secret), Some(1), None);
        assert!(matches!(token.await, Err(ServiceError::OriginNotOver)));
        let response = process.games.table(&owner, id(secret), everything());
        assert!(matches!(
            response.await,
            Err(ServiceError::PermissionDenied(_))
        ));
        let record = record(&process, secret).await;
        assert!(matches!(record, Err(ServiceError::GameNotOver)));
        // Not even a player of the fork may fork it again.
        let player = Caller::new(Role::Seat {
            game: id(secret),
            seat: Seat::FIRST,
            generation: 0,
            incarnation: None,
        });
        let on = forked(&process, &player, &call(secret, 2)).await;
        assert!(matches!(on, Err(ServiceError::GameNotOver)));
    }
    process.change_table(&game, resign(1)).await.unwrap();
    for open in [&child, &grandchild] {
        let token = process.games.issue_token(&owner, id(open), Some(1), None);
        assert!(token.await.is_ok());
        let response = process.games.table(&owner, id(open), everything());
        assert!(response.await.is_ok());
        // A record has a line for the header, for each version, and for the seed.
        let versions = usize::try_from(process.info(open).await.version).unwrap();
        assert_eq!(record(&process, open).await.unwrap(), versions + 2);
    }
}

/// A log of more than a thousand entries is copied in small steps.
#[tokio::test]
async fn a_long_game_is_forked_without_holding_its_thread() {
    let process = TestServer::<Caylus>::new(&store());
    let table = TableOptions {
        clock: Some(ClockOptions {
            bank_seconds: 3_600,
            ..Default::default()
        }),
        ..Default::default()
    };
    let game = played(&process, table, 60).await;
    for _ in 0..700 {
        process
            .change_table(&game, TableRequest::Pause { seat: 0 })
            .await
            .unwrap();
        process
            .change_table(&game, TableRequest::Resume { seat: 0 })
            .await
            .unwrap();
    }
    let mut turns = 0_u32;
    let others = async {
        loop {
            tokio::task::yield_now().await;
            turns += 1;
        }
    };
    let branch = tokio::select! {
        biased;
        branch = fork(&process, &game, 0) => branch,
        () = others => unreachable!("it never ends"),
    };
    assert_eq!(branch.version, 60 + 1_400);
    assert!(turns > 0, "others had no turn");
}

/// Forks of forks count against the limit of their oldest ancestor. The tenant, who can delete forks, has no such
/// limit.
#[tokio::test]
async fn players_make_a_bounded_number_of_forks() {
    let process = TestServer::<Dominion>::new(&store());
    let game = played(&process, TableOptions::default(), 3).await;
    process.change_table(&game, resign(1)).await.unwrap();
    let player = |game: &pb::GameInfo| {
        Caller::new(Role::Seat {
            game: id(game),
            seat: Seat::FIRST,
            generation: 0,
            incarnation: None,
        })
    };
    let first = forked(&process, &player(&game), &call(&game, 2)).await;
    let child = first.unwrap().game.unwrap();
    process.change_table(&child, resign(1)).await.unwrap();
    let mut made = 1;
    let refused = loop {
        // Some are forks of the fork.
        let of = if made % 2 == 0 { &game } else { &child };
        match forked(&process, &player(of), &call(of, 1)).await {
            Ok(_) => made += 1,
            Err(problem) => break problem,
        }
        assert!(made < 200, "there is a limit");
    };
    assert!(matches!(refused, ServiceError::QuotaUsed), "{refused}");
    assert_eq!(made, 100);
    let owned = forked(&process, &owner(), &call(&game, 1)).await;
    assert!(owned.is_ok());
}

#[test]
fn a_fork_takes_ten_thousand_versions_at_most() {
    assert!(check_inherited_length(10_000, "at_version").is_ok());
    let max = 10_000;
    let long = check_inherited_length(10_001, "at_version");
    assert!(matches!(long, Err(ServiceError::OutOfBounds { max: m, .. }) if m == max));
}

/// Each origin discloses its seed once it is over.
#[tokio::test]
async fn the_record_of_a_fork_says_where_it_comes_from() {
    let process = TestServer::<Caylus>::new(&store());
    let game = played(&process, TableOptions::default(), 3).await;
    let child = fork(process.set_clock(5_000), &game, 3).await;
    let grandchild = fork(process.set_clock(9_000), &child, 2).await;
    let origins = async || {
        let opened = process
            .games
            .lock_cached(&Caller::UNAUTHENTICATED, id(&grandchild))
            .await;
        process.games.fork_origins(&opened.unwrap()).await.unwrap()
    };
    let at = |ms: u64| Some(crate::aggregate::game::timestamp(START_MS + ms));
    let forked = |game: &pb::GameInfo, version, ms| pb::ForkOrigin {
        forked_from: Some(pb::ForkedFrom {
            game_id: game.game_id.clone(),
            version,
        }),
        fork_time: at(ms),
        seed_commitment: game.seed_commitment.clone(),
        ..Default::default()
    };
    let [mut of_game, of_child] = [forked(&game, 3, 5_000), forked(&child, 2, 9_000)];
    assert_eq!(origins().await, [of_game.clone(), of_child.clone()]);
    process.change_table(&game, resign(1)).await.unwrap();
    let over = process
        .games
        .lock_cached(&Caller::UNAUTHENTICATED, id(&game))
        .await
        .unwrap();
    of_game.seed_reveal = over.seed_reveal();
    assert!(of_game.seed_reveal.is_some());
    assert_eq!(origins().await, [of_game, of_child]);
    let home = process
        .games
        .context
        .cached_location(id(&grandchild))
        .unwrap();
    assert_eq!(home.root_game, id(&game));
}

/// If the state of an origin cannot be determined now, a fork is neither unsealed nor considered secret permanently.
#[tokio::test]
async fn only_a_damaged_origin_counts_as_still_played() {
    let store = store();
    let process = TestServer::<Dominion>::new(&store);
    let elsewhere = TestServer::<Caylus>::new(&store);
    let game = process.create(2, TableOptions::default()).await;
    let other = elsewhere.create(2, TableOptions::default()).await;
    let is_played = async |game, commitment| {
        let fork_point = ForkPoint {
            version: 1,
            at_ms: 0,
        };
        let ancestor = Ancestor {
            game,
            commitment,
            fork_point,
            record: AncestorRecord::default(),
        };
        process.games.is_in_progress(&ancestor).await
    };
    let commitment = game.seed_commitment[..].try_into().unwrap();
    assert!(is_played(id(&game), commitment).await.unwrap());
    assert!(
        !is_played(id(&game), [0; 32]).await.unwrap(),
        "another game"
    );
    assert!(!is_played(Uuid::from_u128(1), commitment).await.unwrap());
    // The id was reused for a game of another ruleset, which a retry finds.
    let contended = is_played(id(&other), commitment).await;
    assert!(
        matches!(contended, Err(ServiceError::TooManyConflicts)),
        "{contended:?}"
    );
}
