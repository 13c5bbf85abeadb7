//! Reads of current and earlier versions by a seat, a spectator and the operator, and legal actions page by page.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{SEEN, Table, game_of, legal_kind, view_of};
use gamekeeper_tests::server::Gamekeeperd;
use v1::ViewerKind;

async fn create(server: &Gamekeeperd, names: &[&str]) -> Table {
    let created = server.games().create_game(game_of(names)).await;
    Table::of(created.unwrap().into_inner())
}

async fn look(
    server: &Gamekeeperd,
    table: &Table,
    viewer: v1::Viewer,
    at_version: u64,
) -> v1::GetGameResponse {
    let game_id = table.game.game_id.clone();
    let ask = v1::GetGameRequest {
        game_id,
        viewer: Some(viewer),
        at_version,
        show: Some(SEEN),
    };
    server.games().get_game(ask).await.unwrap().into_inner()
}

fn seat(seat: u32) -> v1::Viewer {
    v1::Viewer {
        kind: ViewerKind::Seat.into(),
        seat,
    }
}

fn kind(kind: ViewerKind) -> v1::Viewer {
    v1::Viewer {
        kind: kind.into(),
        seat: 0,
    }
}

#[tokio::test]
async fn every_version_can_be_looked_at_again() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut table = create(&server, &["Ada", "Bob", "Cyd"]).await;
    let mut then = Vec::new();
    for _ in 0..40 {
        then.push(look(&server, &table, seat(2), 0).await);
        table.play(&mut server.games(), 1).await.unwrap();
    }
    for (version, then) in (1..).zip(then) {
        assert_eq!(
            look(&server, &table, seat(2), version).await,
            then,
            "version {version}"
        );
    }
}

#[tokio::test]
async fn a_hand_is_seen_by_its_owner_and_the_operator_alone() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = create(&server, &["Ada", "Bob"]).await;
    let hands = async |viewer| {
        let table = look(&server, &table, viewer, 0).await.table.unwrap();
        assert_eq!(table.viewer, Some(viewer));
        let hand = |player: &pb::PlayerView| (player.hand.is_some(), player.draw_pile.is_some());
        view_of(&table).players.iter().map(hand).collect::<Vec<_>>()
    };
    assert_eq!(hands(seat(1)).await, [(true, false), (false, false)]);
    assert_eq!(hands(seat(2)).await, [(false, false), (true, false)]);
    assert_eq!(
        hands(kind(ViewerKind::Spectator)).await,
        [(false, false); 2]
    );
    assert_eq!(hands(kind(ViewerKind::Operator)).await, [(true, true); 2]);
}

#[tokio::test]
async fn legal_actions_come_page_by_page_and_by_kind() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = create(&server, &["Ada", "Bob"]).await;
    let ask = v1::ListLegalActionsRequest {
        game_id: table.game.game_id.clone(),
        seat: table.game.pending[0].seat,
        show: Some(v1::Show {
            text: true,
            ..Default::default()
        }),
        ..Default::default()
    };
    let list = async |ask: &v1::ListLegalActionsRequest| {
        server
            .games()
            .list_legal_actions(ask.clone())
            .await
            .unwrap()
            .into_inner()
    };
    let whole = list(&ask).await;
    assert!(whole.exhaustive && whole.next_page_token.is_empty() && whole.actions.len() > 5);
    assert!(whole.actions.iter().all(|action| !action.text.is_empty()));
    let mut paged = Vec::new();
    let mut small = v1::ListLegalActionsRequest {
        page_size: 2,
        ..ask.clone()
    };
    loop {
        let page = list(&small).await;
        assert!(page.actions.len() <= 2);
        paged.extend(page.actions);
        if page.next_page_token.is_empty() {
            break;
        }
        small.page_token = page.next_page_token;
    }
    assert_eq!(paged, whole.actions);
    let kinds = vec![String::from("buy_card")];
    let buys = list(&v1::ListLegalActionsRequest {
        kinds,
        ..ask.clone()
    })
    .await
    .actions;
    assert!(!buys.is_empty());
    for buy in &buys {
        assert_eq!(buy.kind, "buy_card");
        let kind = legal_kind(buy);
        assert!(matches!(kind, Some(pb::action::Kind::BuyCard(_))));
    }
    let other = v1::ListLegalActionsRequest {
        seat: 3 - ask.seat,
        ..ask
    };
    assert_eq!(
        list(&other).await.actions,
        [],
        "who owes nothing has no legal action"
    );
}
