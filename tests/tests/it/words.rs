//! Descriptions of actions and events, and tables as text, are sent only on request.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::Table;
use gamekeeper_tests::server::Gamekeeperd;
use v1::watch_game_response::Update;
use v1::{BoardStyle, ViewMode, Viewer, ViewerKind};

const STYLE: BoardStyle = BoardStyle {
    columns: 60,
    colored: false,
};

fn seat(seat: u32) -> Option<Viewer> {
    let kind = ViewerKind::Seat.into();
    Some(Viewer { kind, seat })
}

/// The board of a seat at a version.
async fn board(server: &Gamekeeperd, table: &Table, by: u32, at_version: u64) -> String {
    let ask = v1::GetGameRequest {
        game_id: table.game.game_id.clone(),
        viewer: seat(by),
        at_version,
        with_board: Some(STYLE),
    };
    let answer = server.games().get_game(ask).await.unwrap();
    answer.into_inner().board
}

async fn end_turn(
    server: &Gamekeeperd,
    table: &Table,
    with_board: Option<BoardStyle>,
) -> v1::ApplyActionResponse {
    let act = v1::ApplyActionRequest {
        game_id: table.game.game_id.clone(),
        seat: table.game.pending[0].seat,
        action: Some(pb::Action {
            kind: Some(pb::action::Kind::EndTurn(pb::EndTurn::default())),
        }),
        request_id: String::from("once"),
        view_mode: ViewMode::None.into(),
        with_board,
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
    let answer = end_turn(&server, &table, Some(STYLE)).await;
    assert_eq!(answer.view, None);
    assert_eq!(answer.board, board(&server, &table, by, 2).await);
    // A repeated request gets the same answer, with or without a board.
    assert_eq!(end_turn(&server, &table, Some(STYLE)).await, answer);
    assert_eq!(end_turn(&server, &table, None).await.board, "");
}

#[tokio::test]
async fn a_watch_draws_every_table_if_asked() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut table = Table::begin(&mut server.games()).await;
    let by = table.game.pending[0].seat;
    let ask = |with_board| v1::WatchGameRequest {
        game_id: table.game.game_id.clone(),
        viewer: seat(by),
        with_board,
        ..Default::default()
    };
    let (drawn, plain) = (ask(Some(STYLE)), ask(None));
    let open = async |ask| {
        server
            .games()
            .watch_game(ask)
            .await
            .unwrap()
            .into_inner()
    };
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
        let mut seen = Vec::new();
        while seen.len() < 2 {
            match watch.message().await.unwrap().unwrap().update.unwrap() {
                Update::Start(start) => seen.push(start.board),
                Update::Version(version) => {
                    assert_eq!(version.view, None);
                    seen.push(version.board);
                }
                Update::Bookmark(_) => {}
            }
        }
        assert_eq!(seen, boards);
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
    assert!(!listed.actions.is_empty() && listed.texts.is_empty());
    let ask = table.ask();
    let seen = server.games().get_game(ask).await.unwrap().into_inner();
    assert_eq!(seen.board, "");
}

#[tokio::test]
async fn pages_of_actions_have_pages_of_words() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = Table::begin(&mut server.games()).await;
    let ask = |page_size, page_token| v1::ListLegalActionsRequest {
        game_id: table.game.game_id.clone(),
        seat: table.game.pending[0].seat,
        page_size,
        page_token,
        with_text: true,
        ..Default::default()
    };
    let list = async |ask| {
        let listed = server.games().list_legal_actions(ask).await.unwrap();
        listed.into_inner()
    };
    let whole = list(ask(0, String::new())).await;
    assert_eq!(whole.texts.len(), whole.actions.len());
    let (mut texts, mut token) = (Vec::new(), String::new());
    while texts.len() < whole.texts.len() {
        let page = list(ask(2, token)).await;
        assert_eq!(page.texts.len(), page.actions.len());
        texts.extend(page.texts);
        token = page.next_page_token;
    }
    assert_eq!(texts, whole.texts);
}
