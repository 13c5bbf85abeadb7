//! Reads with meaningless parameters.

use gamekeeper_proto::gamekeeper::v1;

use super::{field, house};

#[tokio::test]
async fn meaningless_queries_name_their_field() {
    let house = house().await;
    let viewer = |kind, seat| Some(v1::Viewer { kind, seat });
    let looks = [
        ("viewer.kind", viewer(99, 0)),
        ("viewer.seat", viewer(v1::ViewerKind::Seat.into(), 0)),
        ("viewer.seat", viewer(v1::ViewerKind::Spectator.into(), 1)),
    ];
    for (expected, viewer) in looks {
        let ask = v1::GetGameRequest {
            viewer,
            ..house.table.ask()
        };
        assert_eq!(
            field(&house.client().get_game(ask).await.unwrap_err()),
            expected
        );
    }
}

#[tokio::test]
async fn boards_of_impossible_widths_are_refused() {
    let house = house().await;
    let game_id = house.table.game.game_id.clone();
    for columns in [1, 39, 401, u32::MAX] {
        let board = v1::BoardStyle {
            columns,
            colored: false,
        };
        let show = Some(v1::Show {
            board: Some(board),
            ..Default::default()
        });
        let look = v1::GetGameRequest {
            show: show.clone(),
            ..house.table.ask()
        };
        let watch = v1::WatchGameRequest {
            game_id: game_id.clone(),
            show: show.clone(),
            ..Default::default()
        };
        let act = house.action_but(|call| call.show = show);
        let mut client = house.client();
        let refusals = [
            client.get_game(look).await.unwrap_err(),
            client.watch_game(watch).await.unwrap_err(),
            client.apply_action(act).await.unwrap_err(),
        ];
        for refusal in refusals {
            assert_eq!(field(&refusal), "show.board.columns");
        }
    }
}

#[tokio::test]
async fn meaningless_lists_name_their_field() {
    let house = house().await;
    let game_id = house.table.game.game_id.clone();
    let legal = |page_token: &str, detail| v1::ListLegalActionsRequest {
        game_id: game_id.clone(),
        seat: 1,
        page_token: page_token.to_owned(),
        detail,
        ..Default::default()
    };
    let lists = [
        (
            "kinds[1]",
            v1::ListLegalActionsRequest {
                kinds: ["buy_card", "buyCard"].map(String::from).to_vec(),
                ..legal("", 0)
            },
        ),
        ("page_token", legal("nonsense", 0)),
        ("page_token", legal("0-0", 0)),
        ("detail", legal("", 99)),
        (
            "seat",
            v1::ListLegalActionsRequest {
                seat: 5,
                ..legal("", 0)
            },
        ),
    ];
    for (expected, ask) in lists {
        assert_eq!(
            field(&house.client().list_legal_actions(ask).await.unwrap_err()),
            expected
        );
    }
}

/// A page token continues only the list that it came from.
#[tokio::test]
async fn a_page_of_events_belongs_to_its_beginning() {
    let mut house = house().await;
    let mut client = house.client();
    house.table.play(&mut client, 6).await.unwrap();
    let first = v1::ListEventsRequest {
        game_id: house.table.game.game_id.clone(),
        after_version: 1,
        page_size: 2,
        ..Default::default()
    };
    let page = client
        .list_events(first.clone())
        .await
        .unwrap()
        .into_inner();
    let page_token = page.next_page_token;
    let next = v1::ListEventsRequest {
        page_token,
        ..first
    };
    let page = client.list_events(next.clone()).await.unwrap().into_inner();
    assert_eq!(page.entries[0].version, 4);
    let other = v1::ListEventsRequest {
        after_version: 2,
        ..next
    };
    let refused = client.list_events(other).await.unwrap_err();
    assert_eq!(field(&refused), "page_token");
}
