//! Forks. The tests set the clocks of their processes.

use futures_util::StreamExt;
use gamekeeper_proto::gamekeeper::v1::ExportGameRequest;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::table::Seat;
use pb::{ClockOptions, TableOptions, TakeBackPolicy};
use uuid::Uuid;

use super::*;
use crate::heart::access::{Caller, Role};
use crate::process::{BEGUN, Process, store};
use crate::verbs::table_life::TableRequest;

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
    process: &Process<W>,
    caller: &Caller,
    call: &pb::ForkGameRequest,
) -> Result<pb::ForkGameResponse, Problem> {
    let id = Uuid::try_parse(&call.game_id).unwrap();
    process.games.fork(caller, id, call).await
}

async fn fork<W: Wire>(process: &Process<W>, game: &pb::GameInfo, at: u64) -> pb::GameInfo {
    let forked = forked(process, &Caller::OPEN, &call(game, at)).await;
    forked.unwrap().game.unwrap()
}

/// Plays a game up to this version.
async fn played<W: Wire>(process: &Process<W>, table: TableOptions, to: u64) -> pb::GameInfo {
    let mut game = process.create(2, table).await;
    while game.version < to {
        game = process.act(&game).await;
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
        Process::<Dominion>::over(&store),
        Process::<Dominion>::over(&store),
    );
    let mut game = here.create(2, TableOptions::default()).await;
    let mut views = vec![here.view(&game).await];
    for _ in 0..40 {
        game = here.act(&game).await;
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
            next = there.act(&next).await;
        }
        assert_eq!(here.info(&branch).await, next);
        assert_eq!(here.view(&branch).await, there.view(&branch).await);
        let again = Process::<Dominion>::over(&store);
        assert_eq!(again.info(&branch).await, next);
        let then = again.games.at_version(id(&branch), at + 20).await;
        assert_eq!(then.unwrap().version, at + 20);
    }
    assert_eq!(there.info(&game).await, game, "the origin stays as it was");
    let newest = fork(&here, &game, 0).await;
    assert_eq!(newest.version, game.version);
    let beyond = forked(&here, &Caller::OPEN, &call(&game, 42)).await;
    assert!(matches!(
        beyond,
        Err(Problem::NoSuchVersion {
            asked: 42,
            current: 41
        })
    ));
}

/// A repeated request gets the same fork whatever has become of the origin, and a fork does not recognize requests that
/// were sent to its origin.
#[tokio::test]
async fn requests_are_recognized_where_they_were_sent() {
    let process = Process::<Caylus>::over(&store());
    let other = process.create(3, TableOptions::default()).await;
    let left = process.named(&other, resign(1), "leave").await.unwrap();
    let back = TableRequest::FillSeat { seat: 1, bot: None };
    process.named(&other, back, "return").await.unwrap();
    let named = pb::ForkGameRequest {
        request_id: String::from("fork"),
        ..call(&other, 0)
    };
    let first = forked(&process, &Caller::OPEN, &named).await.unwrap();
    process.ask(&other, resign(2)).await.unwrap();
    let again = forked(&process, &Caller::OPEN, &named).await.unwrap();
    assert_eq!(again, first);
    let at_two = pb::ForkGameRequest {
        at_version: 2,
        ..named
    };
    let reused = forked(&process, &Caller::OPEN, &at_two).await;
    assert!(matches!(reused, Err(Problem::RequestIdReused)));
    let branch = first.game.unwrap();
    assert_eq!((branch.version, left.version), (3, 2));
    let leaves = process.named(&branch, resign(1), "leave").await.unwrap();
    assert_eq!((leaves.version, &leaves.resigned[..]), (4, &[1][..]));
    let same = process.named(&branch, resign(1), "leave").await.unwrap();
    assert_eq!(same, leaves);
}

/// A fork can also branch off at an entry of table life. Players who have left are still gone, and may return.
#[tokio::test]
async fn a_fork_begins_with_the_seats_that_have_left() {
    let process = Process::<Caylus>::over(&store());
    let game = process.create(3, TableOptions::default()).await;
    let left = process.ask(&game, resign(2)).await.unwrap();
    let over = process.ask(&game, resign(1)).await.unwrap();
    assert_eq!((left.version, over.version), (2, 3));
    let branch = fork(&process, &game, 2).await;
    assert_eq!(branch.resigned, [2]);
    assert_eq!(branch.status(), pb::GameStatus::Active);
    let back = TableRequest::FillSeat { seat: 2, bot: None };
    let back = process.ask(&branch, back).await.unwrap();
    assert!(back.resigned.is_empty());
    for at in [0, 3] {
        let refused = forked(&process, &Caller::OPEN, &call(&game, at)).await;
        assert!(matches!(refused, Err(Problem::Table(No::GameOver))));
    }
}

/// Time banks are those of the forked version, and the clocks of open decisions start when the fork begins, whether or
/// not the origin was paused.
#[tokio::test]
async fn clocks_go_on_when_the_fork_begins() {
    let store = store();
    let process = Process::<Caylus>::over(&store);
    let table = TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: 2,
            bank_seconds: 60,
            ..Default::default()
        }),
        take_back: TakeBackPolicy::Unseen.into(),
        ..Default::default()
    };
    let game = process.create(2, table).await;
    let seat = game.pending[0].seat;
    // Use three seconds of the bank.
    let game = process.at(5_000).act(&game).await;
    process
        .at(6_000)
        .ask(&game, TableRequest::Pause { seat: 0 })
        .await
        .unwrap();
    let paused = process.info(&game).await;
    assert!(paused.paused && paused.version == 3);
    let branch = fork(process.at(600_000), &paused, 3).await;
    assert!(!branch.paused);
    let at = |ms: u64| Some(crate::heart::game::timestamp(BEGUN + ms));
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
    let refused = process.refused(&branch, back).await;
    assert!(matches!(refused, No::NothingToTakeBack), "{refused}");
    // Another process reads the same clocks, and a fork of the fork has them too.
    let other = Process::<Caylus>::over(&store);
    assert_eq!(other.info(&branch).await, branch);
    let claim = TableRequest::ClaimTimeout {
        seat: branch.pending[0].seat,
    };
    let early = other.at(661_999).refused(&branch, claim.clone()).await;
    assert!(matches!(early, No::NotDue { left_ms: 1, .. }), "{early}");
    let late = other.at(662_000).ask(&branch, claim).await.unwrap();
    assert_eq!(late.version, 4);
    let second = fork(process.at(900_000), &branch, 3).await;
    assert_eq!(second.pending[0].due, at(962_000));
    assert_eq!(
        Process::<Caylus>::over(&store).at(0).info(&second).await,
        second
    );
    let third = fork(process.at(1_000_000), &late, 4).await;
    assert_eq!(
        Process::<Caylus>::over(&store).at(0).info(&third).await,
        third
    );
}

/// A chain of forks has a maximum length.
#[tokio::test]
async fn forks_of_forks_come_to_an_end() {
    let process = Process::<Caylus>::over(&store());
    let mut game = played(&process, TableOptions::default(), 3).await;
    for generation in 0..MAX_ANCESTORS as u64 {
        game = fork(&process, &game, 0).await;
        if generation % 8 == 0 {
            game = process.act(&game).await;
        }
    }
    let refused = forked(&process, &Caller::OPEN, &call(&game, 0)).await;
    assert!(matches!(refused, Err(Problem::TooManyForks { max: 64 })));
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

async fn record<W: Wire>(process: &Process<W>, game: &pb::GameInfo) -> Result<usize, Problem> {
    let games = std::sync::Arc::new(Games::<W>::new(std::sync::Arc::clone(
        &process.games.shared,
    )));
    let call = ExportGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let parts = games.export(&owner(), call).await?;
    Ok(parts.map(|part| part.map(drop).unwrap()).count().await)
}

/// A fork discloses nothing about a game that is still being played: it has no tokens, and no record even when it is
/// over itself. This holds along the whole chain of forks.
#[tokio::test]
async fn a_fork_keeps_the_secrets_of_its_origins() {
    let process = Process::<Dominion>::over(&store());
    let game = played(&process, TableOptions::default(), 9).await;
    let owner = owner();
    let child = forked(&process, &owner, &call(&game, 5)).await.unwrap();
    assert_eq!(child.tokens, None);
    let child = child.game.unwrap();
    let grandchild = forked(&process, &owner, &call(&child, 3)).await.unwrap();
    assert_eq!(grandchild.tokens, None);
    let grandchild = grandchild.game.unwrap();
    for secret in [&child, &grandchild] {
        process.ask(secret, resign(1)).await.unwrap();
        let token = process.games.issue_token(&owner, id(secret), Some(1), None);
        assert!(matches!(token.await, Err(Problem::OriginNotOver)));
        let found = process.games.table(&owner, id(secret), everything());
        assert!(matches!(found.await, Err(Problem::PermissionDenied(_))));
        let record = record(&process, secret).await;
        assert!(matches!(record, Err(Problem::GameNotOver)));
        // Not even a player of the fork may fork it again.
        let player = Caller::new(Role::Seat {
            game: id(secret),
            seat: Seat::FIRST,
            generation: 0,
            birth: None,
        });
        let on = forked(&process, &player, &call(secret, 2)).await;
        assert!(matches!(on, Err(Problem::GameNotOver)));
    }
    process.ask(&game, resign(1)).await.unwrap();
    for open in [&child, &grandchild] {
        let token = process.games.issue_token(&owner, id(open), Some(1), None);
        assert!(token.await.is_ok());
        let found = process.games.table(&owner, id(open), everything());
        assert!(found.await.is_ok());
        // A record has a line for the header, for each version, and for the seed.
        let versions = usize::try_from(process.info(open).await.version).unwrap();
        assert_eq!(record(&process, open).await.unwrap(), versions + 2);
    }
}

/// A log of more than a thousand entries is copied in small steps.
#[tokio::test]
async fn a_long_game_is_forked_without_holding_its_thread() {
    let process = Process::<Caylus>::over(&store());
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
            .ask(&game, TableRequest::Pause { seat: 0 })
            .await
            .unwrap();
        process
            .ask(&game, TableRequest::Resume { seat: 0 })
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
    let process = Process::<Dominion>::over(&store());
    let game = played(&process, TableOptions::default(), 3).await;
    process.ask(&game, resign(1)).await.unwrap();
    let player = |game: &pb::GameInfo| {
        Caller::new(Role::Seat {
            game: id(game),
            seat: Seat::FIRST,
            generation: 0,
            birth: None,
        })
    };
    let first = forked(&process, &player(&game), &call(&game, 2)).await;
    let child = first.unwrap().game.unwrap();
    process.ask(&child, resign(1)).await.unwrap();
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
    assert!(matches!(refused, Problem::QuotaUsed), "{refused}");
    assert_eq!(made, 100);
    let owned = forked(&process, &owner(), &call(&game, 1)).await;
    assert!(owned.is_ok());
}

#[test]
fn a_fork_takes_ten_thousand_versions_at_most() {
    assert!(check_length(10_000).is_ok());
    let max = 10_000;
    let long = check_length(10_001);
    assert!(matches!(long, Err(Problem::OutOfBounds { max: m, .. }) if m == max));
}

/// Each origin discloses its seed once it is over.
#[tokio::test]
async fn the_record_of_a_fork_says_where_it_comes_from() {
    let process = Process::<Caylus>::over(&store());
    let game = played(&process, TableOptions::default(), 3).await;
    let child = fork(process.at(5_000), &game, 3).await;
    let grandchild = fork(process.at(9_000), &child, 2).await;
    let origins = async || {
        let opened = process.games.open(&Caller::OPEN, id(&grandchild)).await;
        process.games.origins(&opened.unwrap()).await.unwrap()
    };
    let at = |ms: u64| Some(crate::heart::game::timestamp(BEGUN + ms));
    let forked = |game: &pb::GameInfo, version, ms| pb::ForkOrigin {
        forked_from: Some(pb::ForkedFrom {
            game_id: game.game_id.clone(),
            version,
        }),
        fork_time: at(ms),
        seed_commitment: game.seed_commitment.clone(),
        seed_reveal: None,
    };
    let [mut of_game, of_child] = [forked(&game, 3, 5_000), forked(&child, 2, 9_000)];
    assert_eq!(origins().await, [of_game.clone(), of_child.clone()]);
    process.ask(&game, resign(1)).await.unwrap();
    let over = process.games.open(&Caller::OPEN, id(&game)).await.unwrap();
    of_game.seed_reveal = over.seed_reveal();
    assert!(of_game.seed_reveal.is_some());
    assert_eq!(origins().await, [of_game, of_child]);
    let home = process.games.shared.home_if_met(id(&grandchild)).unwrap();
    assert_eq!(home.first_game, id(&game));
}

/// If the state of an origin cannot be determined now, a fork is neither unsealed nor considered secret permanently.
#[tokio::test]
async fn only_a_damaged_origin_counts_as_still_played() {
    let store = store();
    let process = Process::<Dominion>::over(&store);
    let elsewhere = Process::<Caylus>::over(&store);
    let game = process.create(2, TableOptions::default()).await;
    let other = elsewhere.create(2, TableOptions::default()).await;
    let is_played = async |game, commitment| {
        let branching = Branching {
            version: 1,
            at_ms: 0,
        };
        let ancestor = Ancestor {
            game,
            commitment,
            branching,
        };
        process.games.is_played(&ancestor).await
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
        matches!(contended, Err(Problem::Contended)),
        "{contended:?}"
    );
}
