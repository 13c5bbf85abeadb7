//! Permissions of leaving, filling seats, pausing and claiming.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, assert_reason, reason};
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing, seat_holder};
use tonic::{Code, Status};

use super::{Store, fill, game, resign};

fn not_allowed() -> (Code, String) {
    (Code::PermissionDenied, String::from("NOT_ALLOWED"))
}

async fn pause(games: &mut Client, token: &str, game: &v1::GameInfo) -> Result<(), Status> {
    let ask = v1::PauseGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    games.pause_game(bearing(token, ask)).await.map(drop)
}

async fn claim(games: &mut Client, token: &str, game: &v1::GameInfo) -> Result<(), Status> {
    let ask = v1::ClaimTimeoutRequest {
        game_id: game.game_id.clone(),
        seat: 1,
        request_id: String::new(),
    };
    games.claim_timeout(bearing(token, ask)).await.map(drop)
}

#[tokio::test]
async fn everybody_does_what_is_theirs() {
    let keys = KeyFiles::new();
    let server = Store::memory().server(&keys.flags());
    let mut games = server.games();
    let table = game(&server, RED, &["Ada", "Bob", "Cyd"], None).await;
    let of_seat = |seat| table.token(seat).to_owned();

    let foreign = resign(&mut games, BLUE, &table.game, 1, "")
        .await
        .unwrap_err();
    assert_reason(&foreign, Code::NotFound, "NO_SUCH_GAME");
    for token in [&of_seat(2), OPERATOR] {
        let refused = resign(&mut games, token, &table.game, 1, "")
            .await
            .unwrap_err();
        assert_eq!(reason(&refused), not_allowed());
    }
    for token in [&of_seat(1), &of_seat(2)] {
        // A seat proposes a pause, which this game does not let players agree to.
        let refused = pause(&mut games, token, &table.game).await.unwrap_err();
        assert_reason(&refused, Code::FailedPrecondition, "NOT_BY_AGREEMENT");
        let refused = fill(&mut games, token, &table.game, 1, "")
            .await
            .unwrap_err();
        assert_eq!(reason(&refused), not_allowed());
    }
    let refused = claim(&mut games, OPERATOR, &table.game).await.unwrap_err();
    assert_eq!(reason(&refused), not_allowed());
    for token in [&of_seat(2), RED] {
        let refused = claim(&mut games, token, &table.game).await.unwrap_err();
        assert_eq!(reason(&refused).1, "NO_CLOCK");
    }
    for seat in [0, 4, 9] {
        let nobody = resign(&mut games, RED, &table.game, seat, "")
            .await
            .unwrap_err();
        assert_reason(&nobody, Code::InvalidArgument, "NO_SUCH_SEAT");
    }
    resign(&mut games, &of_seat(1), &table.game, 1, "")
        .await
        .unwrap();
    resign(&mut games, RED, &table.game, 2, "").await.unwrap();
}

/// The tokens of the one who left end when the seat is filled; the new player gets one of their own.
#[tokio::test]
async fn whoever_fills_a_seat_needs_a_new_token() {
    let keys = KeyFiles::new();
    let server = Store::memory().server(&keys.flags());
    let mut games = server.games();
    let table = game(&server, RED, &["Ada", "Bob", "Cyd"], None).await;
    let old = table.token(2).to_owned();
    resign(&mut games, &old, &table.game, 2, "").await.unwrap();
    let fill = async |games: &mut Client| fill(games, RED, &table.game, 2, "fill").await;
    let filled = fill(&mut games).await.unwrap();
    assert!(filled.resigned.is_empty());
    let refused = resign(&mut games, &old, &table.game, 2, "")
        .await
        .unwrap_err();
    assert_eq!(reason(&refused).1, "TOKEN_REPLACED");
    let issue = v1::IssueTokenRequest {
        holder: Some(seat_holder(&table.game.game_id, 2)),
        expire_time: None,
    };
    let issued = server.access().issue_token(bearing(RED, issue)).await;
    let new = issued.unwrap().into_inner().token;
    // A repeated request gets the same answer, and leaves the new token alone.
    assert_eq!(fill(&mut games).await.unwrap(), filled);
    resign(&mut games, &new, &table.game, 2, "").await.unwrap();
}
