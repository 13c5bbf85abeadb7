//! Plans and callers that are refused.

use gamekeeper_tests::dominion::{ada_and_bob, assert_reason, facts, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing, seat_holder, user_holder};
use tonic::Code;
use tonic_types::StatusExt;

use super::pb::self_play_move::Choice;
use super::pb::self_play_request::Step;
use super::{Line, choose, pb, plan};

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a row for each field of a plan")]
async fn what_a_plan_may_not_ask_ends_the_stream_with_its_reason() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-self-play-games=8"]);
    let wrong = [
        (plan(0), Code::InvalidArgument, "MALFORMED"),
        (plan(9), Code::InvalidArgument, "OUT_OF_BOUNDS"),
        (
            pb::SelfPlayPlan {
                ruleset: String::new(),
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                seats: 1,
                ..plan(1)
            },
            Code::InvalidArgument,
            "INVALID_PLAYER_COUNT",
        ),
        (
            pb::SelfPlayPlan {
                seats: u32::MAX,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                seed: vec![1],
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                detail: 77,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                max_versions: 1,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
        (
            pb::SelfPlayPlan {
                max_actions: 10_001,
                ..plan(1)
            },
            Code::InvalidArgument,
            "MALFORMED",
        ),
    ];
    for (plan, code, name) in wrong {
        let mut line = Line::open(server.channel(), None).await.unwrap();
        let status = line.ask(Step::Plan(plan.clone())).await.unwrap_err();
        assert_eq!(reason(&status), (code, name.to_owned()), "{plan:?}");
    }
}

#[tokio::test]
async fn what_belongs_elsewhere_ends_the_stream_with_its_reason() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    let status = line.moves(Vec::new()).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let status = line.ask(Step::Plan(plan(1))).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let many = vec![choose(0, 0, Some(Choice::Index(0))); 20_000];
    let status = line.moves(many).await.unwrap_err();
    assert_reason(&status, Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
}

#[tokio::test]
async fn only_tenants_play_against_themselves_and_seeds_need_leave() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let create = bearing(RED, ada_and_bob());
    let created = server.games().create_game(create).await;
    let created = created.unwrap().into_inner();
    let refused = async |token: Option<&str>| match Line::open(server.channel(), token).await {
        Ok(_) => panic!("{token:?} may not"),
        Err(status) => reason(&status),
    };
    let not_allowed = (Code::PermissionDenied, "NOT_ALLOWED".to_owned());
    assert_eq!(
        refused(None).await,
        (Code::Unauthenticated, "NO_TOKEN".to_owned())
    );
    assert_eq!(refused(Some(OPERATOR)).await, not_allowed);
    let tokens = created.tokens.unwrap();
    assert_eq!(refused(Some(&tokens.spectator)).await, not_allowed);
    let mut access = server.access();
    let issue = pb::IssueTokenRequest {
        holder: Some(user_holder("ada")),
        expire_time: None,
    };
    let user = access.issue_token(bearing(RED, issue)).await.unwrap();
    let user = user.into_inner().token;
    assert_eq!(refused(Some(&user)).await, not_allowed);
    let revoke = pb::RevokeTokensRequest {
        holder: Some(seat_holder(&facts(created.table).game_id, 2)),
    };
    access.revoke_tokens(bearing(RED, revoke)).await.unwrap();
    assert_eq!(
        refused(Some(&tokens.seats[1].token)).await,
        (Code::Unauthenticated, "TOKEN_REPLACED".to_owned())
    );
    // A seat may play only in worlds of its own game, so its plan is read.
    let of_seat = Some(&*tokens.seats[0].token);
    let mut line = Line::open(server.channel(), of_seat).await.unwrap();
    let ended = line.ask(Step::Plan(plan(1))).await.unwrap_err();
    assert_eq!(reason(&ended), not_allowed);
    let mut line = Line::open(server.channel(), Some(RED)).await.unwrap();
    assert_eq!(
        line.ask(Step::Plan(plan(1)))
            .await
            .unwrap()
            .observations
            .len(),
        1
    );
    let mut line = Line::open(server.channel(), Some(RED)).await.unwrap();
    let seeded = pb::SelfPlayPlan {
        seed: vec![1; 32],
        ..plan(1)
    };
    assert_eq!(
        reason(&line.ask(Step::Plan(seeded)).await.unwrap_err()),
        not_allowed
    );
}

#[tokio::test]
async fn a_client_that_goes_away_makes_room_for_the_next() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-self-plays=1"]);
    let mut line = Line::open(server.channel(), None).await.unwrap();
    line.ask(Step::Plan(plan(1))).await.unwrap();
    let full = Line::open(server.channel(), None).await.err().unwrap();
    assert_reason(&full, Code::ResourceExhausted, "LIMIT_EXCEEDED");
    drop(line);
    let mut next = until_open(&server, None).await;
    assert_eq!(
        next.ask(Step::Plan(plan(1)))
            .await
            .unwrap()
            .observations
            .len(),
        1
    );
}

#[tokio::test]
async fn one_tenant_leaves_room_for_others() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--max-self-plays=4", "--store=memory"]);
    let open = async |token| Line::open(server.channel(), Some(token)).await;
    let first = open(RED).await.unwrap();
    let _second = open(RED).await.unwrap();
    let full = open(RED).await.err().unwrap();
    let metadata = full
        .get_error_details()
        .error_info()
        .unwrap()
        .metadata
        .clone();
    assert_eq!(metadata["limit"], "max_self_plays");
    assert_eq!(full.code(), Code::ResourceExhausted);
    let _other = open(BLUE).await.unwrap();
    drop(first);
    drop(until_open(&server, Some(RED)).await);
}

/// Retries until there is room again.
async fn until_open(server: &Gamekeeperd, token: Option<&str>) -> Line {
    loop {
        match Line::open(server.channel(), token).await {
            Ok(line) => return line,
            Err(status) => assert_eq!(status.code(), Code::ResourceExhausted),
        }
        tokio::task::yield_now().await;
    }
}
