//! Descriptions of actions and events, and tables as text, are sent only on request.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Table, action};
use gamekeeper_tests::server::Gamekeeperd;
use v1::{BoardStyle, Show, Viewer, ViewerKind};

const STYLE: BoardStyle = BoardStyle {
    columns: 60,
    colored: false,
};

/// Requests a board alone.
fn drawn() -> Option<Show> {
    Some(Show {
        board: Some(STYLE),
        ..Default::default()
    })
}

fn seat(seat: u32) -> Option<Viewer> {
    let kind = ViewerKind::Seat.into();
    Some(Viewer { kind, seat })
}

/// Returns the board of a seat at a version.
async fn board(server: &Gamekeeperd, table: &Table, by: u32, at_version: u64) -> String {
    let ask = v1::GetGameRequest {
        game_id: table.game.game_id.clone(),
        viewer: seat(by),
        at_version,
        show: drawn(),
    };
    let answer = server.games().get_game(ask).await.unwrap();
    answer.into_inner().table.unwrap().board
}

async fn end_turn(
    server: &Gamekeeperd,
    table: &Table,
    show: Option<Show>,
) -> v1::ApplyActionResponse {
    let act = v1::ApplyActionRequest {
        game_id: table.game.game_id.clone(),
        seat: table.game.pending[0].seat,
        action: Some(action(pb::action::Kind::EndTurn(pb::EndTurn::default()))),
        request_id: String::from("once"),
        show,
        ..Default::default()
    };
    let answer = server.games().apply_action(act).await.unwrap();
    answer.into_inner()
}

#[tokio::test]
async fn an_action_is_answered_with_the_board_of_its_seat() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = Table::begin(&mut server.games()).await;
    let by = table.game.pending[0].seat;
    let answer = end_turn(&server, &table, drawn()).await;
    // A repeated request gets the same response, with or without a board.
    assert_eq!(end_turn(&server, &table, drawn()).await, answer);
    let mut shown = answer.table.unwrap();
    assert_eq!((&shown.view, answer.entry), (&None, None));
    assert_eq!(shown.board, board(&server, &table, by, 2).await);
    shown.board.clear();
    assert_eq!(end_turn(&server, &table, None).await.table, Some(shown));
}

#[tokio::test]
async fn a_watch_draws_every_table_if_asked() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut table = Table::begin(&mut server.games()).await;
    let by = table.game.pending[0].seat;
    let ask = |show| v1::WatchGameRequest {
        game_id: table.game.game_id.clone(),
        viewer: seat(by),
        show,
        ..Default::default()
    };
    let (drawn, plain) = (ask(drawn()), ask(None));
    let open = async |ask| server.games().watch_game(ask).await.unwrap().into_inner();
    let (mut drawn, mut plain) = (open(drawn).await, open(plain).await);
    let first = board(&server, &table, by, 1).await;
    let second = {
        table.pass(&mut server.games(), 1).await.unwrap();
        board(&server, &table, by, 2).await
    };
    for (watch, boards) in [
        (&mut drawn, [first, second]),
        (&mut plain, Default::default()),
    ] {
        let mut received = Vec::new();
        while received.len() < 2 {
            let message = watch.message().await.unwrap().unwrap();
            let Some(table) = message.table else {
                continue;
            };
            assert_eq!((table.view, message.entry), (None, None));
            received.push(table.board);
        }
        assert_eq!(received, boards);
    }
}

#[tokio::test]
async fn without_being_asked_nothing_is_said() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = Table::begin(&mut server.games()).await;
    let ask = v1::ListLegalActionsRequest {
        game_id: table.game.game_id.clone(),
        seat: table.game.pending[0].seat,
        ..Default::default()
    };
    let listed = server.games().list_legal_actions(ask).await.unwrap();
    let listed = listed.into_inner();
    assert!(!listed.actions.is_empty());
    assert!(listed.actions.iter().all(|action| action.text.is_empty()));
    let ask = table.ask();
    let response = server.games().get_game(ask).await.unwrap().into_inner();
    let shown = response.table.unwrap();
    assert_eq!((shown.view, &*shown.board), (None, ""));
}
