//! Games that begin on a table that somebody describes.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::gamekeeper::goofspiel::v1 as goofspiel;
use gamekeeper_proto::gamekeeper::v1::GameStart;
use gamekeeper_proto::raw;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::terra_mystica::TerraMystica;
use gamekeeper_wire::wrap_view;

use super::start_tests::{CALLER, call, id_of, plays_on};
use super::*;
use crate::test_server::{TestServer, store};

/// Builds a request for a game that begins on a table of Goofspiel with five cards.
fn request(view: &goofspiel::View) -> CreateGameRequest {
    let options = goofspiel::Options {
        cards: Some(5),
        ..Default::default()
    };
    let options = raw::options::Ruleset::Goofspiel(EncodedMessage::from_message(&options));
    CreateGameRequest {
        options: Some(raw::Options {
            ruleset: Some(options),
        }),
        position: Some(wrapped(view)),
        request_id: String::from("once"),
        ..call(GameStart::Unspecified)
    }
}

fn wrapped(view: &goofspiel::View) -> raw::View {
    let view = raw::view::Ruleset::Goofspiel(EncodedMessage::from_message(view));
    raw::View {
        ruleset: Some(view),
    }
}

/// Describes the second of five turns by the hands and what is won and offered.
fn second_turn() -> goofspiel::View {
    let player = |(seat, hand, won): (u32, [i32; 4], &[i32])| goofspiel::PlayerView {
        seat,
        hand: hand.to_vec(),
        won: won.to_vec(),
        ..Default::default()
    };
    goofspiel::View {
        offered: vec![2],
        players: [(1, [1, 2, 3, 4], &[5][..]), (2, [2, 3, 4, 5], &[])]
            .map(player)
            .into(),
        ..Default::default()
    }
}

fn changed(change: impl FnOnce(&mut goofspiel::View)) -> CreateGameRequest {
    let mut view = second_turn();
    change(&mut view);
    request(&view)
}

async fn create(
    process: &TestServer<Goofspiel>,
    call: CreateGameRequest,
) -> Result<CreateGameResponse, ServiceError> {
    process.games.create_game(&CALLER, call).await
}

fn info_of(response: CreateGameResponse) -> pb::GameInfo {
    response.table.unwrap().game.unwrap()
}

/// A table of a game, as operators see it, begins another game, which goes on as any game does. Rulesets without
/// positions refuse it.
async fn begins_on_the_table_of_another_game<W: Wire>() {
    let store = store();
    let process = TestServer::<W>::new(&store);
    let mut game = process.create(2, pb::TableOptions::default()).await;
    for _ in 0..7 {
        game = process.play_first_legal(&game).await;
    }
    let origin = process.games.at_version(id_of(&game), game.version).await;
    let origin = origin.unwrap();
    let view = W::view(&origin.state, Viewer::Operator);
    let call = CreateGameRequest {
        position: Some(wrap_view::<W>(&view)),
        ..call(GameStart::Position)
    };
    let created = process.games.create_game(&CALLER, call).await;
    if !W::HAS_POSITIONS {
        assert!(matches!(created, Err(ServiceError::Malformed(of)) if of.field == "position"));
        return;
    }
    let created = created.unwrap();
    let events: Vec<_> = created
        .entry
        .iter()
        .flat_map(|entry| &entry.events)
        .collect();
    let kinds: Vec<&str> = events.iter().map(|event| &*event.kind).collect();
    assert_eq!(kinds, ["begun_from_position"]);
    let begun = info_of(created);
    assert_eq!(
        (begun.start(), begun.start_dealt),
        (GameStart::Position, false)
    );
    assert_eq!(begun.pending, game.pending);
    let first = process.games.at_version(id_of(&begun), 1).await.unwrap();
    assert_eq!(first.state, origin.state);
    assert_eq!(
        (first.chance.position(), &first.genesis.draws[..]),
        (0, &[][..])
    );
    plays_on(&store, &process, &begun).await;
}

macro_rules! of_rulesets {
    ($($name:ident: $Ruleset:ident),+ $(,)?) => {$(
        #[tokio::test]
        async fn $name() {
            begins_on_the_table_of_another_game::<$Ruleset>().await;
        }
    )+};
}

of_rulesets! {
    caylus_begins_on_tables: Caylus,
    dominion_begins_on_tables: Dominion,
    goofspiel_begins_on_tables: Goofspiel,
    kingsburg_begins_on_tables: Kingsburg,
    mythotopia_begins_on_tables: Mythotopia,
    terra_mystica_begins_on_tables: TerraMystica,
}

/// Luck deals the order that a description leaves out, and everybody learns that it did.
#[tokio::test]
async fn luck_deals_what_is_left_out() {
    let store = store();
    let process = TestServer::<Goofspiel>::new(&store);
    let dealt = create(&process, request(&second_turn())).await.unwrap();
    let begun = dealt.entry.clone().unwrap().events;
    let sentence = &begun[0].text;
    assert!(
        sentence.ends_with("luck has dealt what was left out."),
        "{sentence}"
    );
    let info = info_of(dealt.clone());
    assert!(info.start_dealt);
    let game = process.games.at_version(id_of(&info), 1).await.unwrap();
    let names: Vec<_> = game.genesis.draws.iter().map(|draw| &*draw.name).collect();
    assert_eq!(names, ["prizes"]);
    assert!(game.chance.position() > 0);
    plays_on(&store, &process, &info).await;

    let given = changed(|view| view.order = vec![4, 1, 3]);
    let given = CreateGameRequest {
        request_id: String::new(),
        ..given
    };
    let given = info_of(create(&process, given).await.unwrap());
    assert!(!given.start_dealt);
    let game = process.games.at_version(id_of(&given), 1).await.unwrap();
    assert_eq!(game.state.order[2..].len(), 3);
    assert_eq!(game.state.order[2].value(), 4);
}

/// A repeated request gets the same game with the same deal, and one for another table is another request.
#[tokio::test]
async fn the_request_id_covers_the_table() {
    let process = TestServer::<Goofspiel>::new(&store());
    let first = create(&process, request(&second_turn())).await.unwrap();
    let again = create(&process, request(&second_turn())).await.unwrap();
    assert_eq!(again, first);
    let spelled_out = CreateGameRequest {
        start: GameStart::Position.into(),
        ..request(&second_turn())
    };
    assert_eq!(create(&process, spelled_out).await.unwrap(), first);
    let other = changed(|view| view.turn = 2);
    let reused = create(&process, other).await;
    assert!(matches!(reused, Err(ServiceError::RequestIdReused)));
}

/// A table is drawn without a game, and nothing is stored.
#[tokio::test]
async fn a_table_is_drawn_without_a_game() {
    let process = TestServer::<Goofspiel>::new(&store());
    let judged = CreateGameRequest {
        validate_only: true,
        show: Some(pb::Show {
            view: true,
            board: Some(pb::BoardStyle::default()),
            ..Default::default()
        }),
        ..request(&second_turn())
    };
    let table = create(&process, judged).await.unwrap().table.unwrap();
    let game = table.game.unwrap();
    assert_eq!(
        (game.start(), game.start_dealt),
        (GameStart::Position, true)
    );
    assert_eq!((&*game.game_id, game.create_time), ("", None));
    assert!(game.seed_commitment.is_empty() && game.record_commitment.is_empty());
    assert!(table.board.contains("Ada"), "{}", table.board);
    let Some(raw::view::Ruleset::Goofspiel(view)) = table.view.unwrap().ruleset else {
        panic!("another ruleset");
    };
    let view: goofspiel::View = view.decode_as().unwrap();
    assert_eq!((view.turn, view.players[0].points), (2, 5));
    assert!(view.order.is_empty(), "spectators do not know the order");
    assert!(view.turned_up.is_empty());
    let wrong = CreateGameRequest {
        validate_only: true,
        ..changed(|view| view.offered.clear())
    };
    let refused = create(&process, wrong).await;
    assert!(matches!(refused, Err(ServiceError::PositionRefused(_))));
}

/// Refusals name the field, what was found there and what is allowed; nothing is created.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a row for each broken table")]
async fn tables_that_no_game_has_are_refused() {
    type Change = fn(&mut goofspiel::View);
    let process = TestServer::<Goofspiel>::new(&store());
    let refused: [(Change, &str, &str, &str); 9] = [
        (|view| view.turn = 3, "", "position.goofspiel.turn", "2"),
        (
            |view| view.to_come = vec![1, 3],
            "GOO-15.4",
            "position.goofspiel.to_come",
            "3 of",
        ),
        (
            |view| view.players[0].points = 6,
            "",
            "position.goofspiel.players[0].points",
            "5",
        ),
        (
            |view| view.players[1].has_bid = true,
            "",
            "position.goofspiel.players[1].has_bid",
            "no",
        ),
        (
            |view| {
                view.options = Some(goofspiel::Options {
                    cards: Some(6),
                    ..Default::default()
                });
            },
            "",
            "position.goofspiel.options.cards",
            "5",
        ),
        (
            |view| view.offered = vec![2, 3],
            "GOO-15.4",
            "position.goofspiel.to_come",
            "3 of",
        ),
        (
            |view| view.players[1].bid = Some(1),
            "GOO-15.3",
            "position.goofspiel.players[1].bid",
            "2, 3, 4 and 5",
        ),
        (
            |view| view.players[0].won.clear(),
            "GOO-15.4",
            "position.goofspiel.to_come",
            "3 of",
        ),
        (
            |view| drop(view.players.pop()),
            "GOO-15.2",
            "position.goofspiel.players",
            "2 players",
        ),
    ];
    for (change, rule, path, allowed) in refused {
        match create(&process, changed(change)).await {
            Err(ServiceError::PositionRefused(error)) => {
                assert_eq!((error.rule, &*error.path), (rule, path), "{error}");
                assert!(error.allowed.starts_with(allowed), "{error}");
            }
            other => panic!("{path}: {other:?}"),
        }
    }
    let malformed: [(Change, &str); 4] = [
        (
            |view| view.offered = vec![99],
            "position.goofspiel.offered[0]",
        ),
        (
            |view| view.players[1].seat = 9,
            "position.goofspiel.players[1].seat",
        ),
        (
            |view| view.players[0].hand = vec![1, 1],
            "position.goofspiel.players[0].hand[1]",
        ),
        (|view| view.turn = 256, "position.goofspiel.turn"),
    ];
    for (change, path) in malformed {
        is_malformed(&process, changed(change), path).await;
    }
    let all = gamekeeper_store::ListFilter::default();
    let listed = process.games.context.store.list(&all, None, 10);
    assert!(listed.await.unwrap().is_empty());
}

async fn is_malformed(process: &TestServer<Goofspiel>, call: CreateGameRequest, path: &str) {
    match create(process, call).await {
        Err(ServiceError::Malformed(malformed)) => assert_eq!(malformed.field, path, "{malformed}"),
        other => panic!("{path}: {other:?}"),
    }
}

/// The start and the table must agree, and the table is one of this ruleset.
#[tokio::test]
async fn the_start_and_the_table_must_agree() {
    let process = TestServer::<Goofspiel>::new(&store());
    is_malformed(&process, call(GameStart::Position), "position").await;
    for start in [GameStart::SetUp, GameStart::Late] {
        let both = CreateGameRequest {
            start: start.into(),
            ..request(&second_turn())
        };
        is_malformed(&process, both, "start").await;
    }
    let of_another = raw::view::Ruleset::Dominion(EncodedMessage::default());
    for ruleset in [None, Some(of_another)] {
        let other = CreateGameRequest {
            position: Some(raw::View { ruleset }),
            ..request(&second_turn())
        };
        is_malformed(&process, other, "position").await;
    }
    let long = changed(|view| view.order = vec![1; 70_000]);
    is_malformed(&process, long, "position").await;
}
