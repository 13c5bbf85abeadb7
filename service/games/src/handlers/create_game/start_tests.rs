//! Games that begin on another table than the set-up gives.

use gamekeeper_proto::gamekeeper::v1::{
    GameStart, ListEventsRequest, TableOptions, TakeBackPolicy,
};
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::ruleset::create;
use gamekeeper_rules::starts::{start_seed, warm_start};
use gamekeeper_rules::terra_mystica::TerraMystica;
use gamekeeper_store::GameStore;
use gamekeeper_wire::StartKind;
use uuid::Uuid;

use super::*;
use crate::handlers::table_commands::TableRequest;
use crate::test_server::{TestServer, store};

pub(super) const CALLER: Caller = Caller::UNAUTHENTICATED;

/// Builds a request for a game of two that begins there.
pub(super) fn call(start: GameStart) -> CreateGameRequest {
    let player = |name: &str| pb::Player {
        name: name.to_owned(),
        ..Default::default()
    };
    CreateGameRequest {
        players: vec![player("Ada"), player("Bob")],
        start: start.into(),
        show: Some(pb::Show {
            events: true,
            text: true,
            ..Default::default()
        }),
        ..Default::default()
    }
}

pub(super) fn id_of(info: &pb::GameInfo) -> Uuid {
    Uuid::try_parse(&info.game_id).unwrap()
}

/// Returns the sentences of a game after a version, as everybody sees them.
async fn sentences<W: Wire>(
    process: &TestServer<W>,
    info: &pb::GameInfo,
    after_version: u64,
) -> Vec<String> {
    let call = ListEventsRequest {
        game_id: info.game_id.clone(),
        after_version,
        show: call(GameStart::Unspecified).show,
        ..Default::default()
    };
    let page = process.games.list_events(&CALLER, call).await.unwrap();
    let events = page.entries.into_iter().flat_map(|entry| entry.events);
    events.map(|event| event.text).collect()
}

/// The table is the one that anybody can make again from the seed, and the luck of the game is untouched.
async fn begins_on_its_table<W: Wire>(
    store: &Arc<dyn GameStore>,
    start: GameStart,
) -> (TestServer<W>, pb::GameInfo) {
    let process = TestServer::<W>::new(store);
    let created = process
        .games
        .create_game(&CALLER, call(start))
        .await
        .unwrap();
    let info = created.table.unwrap().game.unwrap();
    assert_eq!((info.start(), info.version), (start, 1));
    let events = created.entry.unwrap().events;
    let [begun] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(
        (begun.kind.as_str(), begun.seat),
        ("begun_from_position", 0)
    );
    assert!(begun.text.starts_with("The game begins"), "{}", begun.text);

    let game = process.games.at_version(id_of(&info), 1).await.unwrap();
    let (options, seed) = (&game.genesis.options, Seed::new(game.genesis.seed));
    let Ok(StartKind::Named(start)) = gamekeeper_wire::start(info.start, "start") else {
        panic!("{start:?}");
    };
    assert_eq!(
        game.state,
        warm_start::<W>(options, start, &start_seed(&seed)).state
    );
    assert_ne!(
        game.state,
        create::<W>(options, Chance::from_seed(&seed)).state
    );
    assert_eq!(
        game.chance.position(),
        0,
        "the game's own luck begins with its first word"
    );
    assert_eq!(game.genesis.draws, []);
    (process, info)
}

async fn plays_like_any_game<W: Wire>(start: GameStart) {
    let store = store();
    let (process, begun) = begins_on_its_table::<W>(&store, start).await;
    plays_on(&store, &process, &begun).await;
}

/// Every process reads the same game, also the fork of it, and sentences do not depend on where a reader begins.
pub(super) async fn plays_on<W: Wire>(
    store: &Arc<dyn GameStore>,
    process: &TestServer<W>,
    begun: &pb::GameInfo,
) {
    let (start, dealt) = (begun.start(), begun.start_dealt);
    let first_view = process.view(begun).await;
    let mut game = begun.clone();
    for _ in 0..12 {
        if game.pending.is_empty() {
            break;
        }
        game = process.play_first_legal(&game).await;
    }
    let other = TestServer::<W>::new(store);
    assert_eq!(other.info(begun).await, game);
    assert_eq!(other.view(begun).await, process.view(begun).await);
    let all = sentences(&other, &game, 0).await;
    for after in 1..game.version {
        let rest = sentences(&other, &game, after).await;
        assert!(
            !rest.is_empty() && all.ends_with(&rest),
            "after {after}: {rest:?}"
        );
    }
    for at_version in [1, game.version / 2 + 1] {
        let request = pb::ForkGameRequest {
            game_id: game.game_id.clone(),
            at_version,
            ..Default::default()
        };
        let forked = process.games.fork_game(&CALLER, id_of(&game), &request);
        let forked = forked.await.unwrap().game.unwrap();
        let (forked_start, forked_dealt) = (forked.start(), forked.start_dealt);
        assert_eq!(
            (forked_start, forked_dealt, forked.version),
            (start, dealt, at_version)
        );
        if at_version == 1 {
            assert_eq!(process.view(&forked).await, first_view);
        }
        let next = process.play_first_legal(&forked).await;
        let reader = TestServer::<W>::new(store);
        assert_eq!(reader.info(&forked).await, next);
        assert_eq!(reader.view(&forked).await, process.view(&forked).await);
        let again = reader.games.at_version(id_of(&forked), next.version).await;
        assert_eq!(again.unwrap().version, next.version);
    }
}

macro_rules! of_rulesets {
    ($($name:ident: $Ruleset:ident),+ $(,)?) => {$(
        #[tokio::test]
        async fn $name() {
            for start in [GameStart::Rich, GameStart::Late] {
                plays_like_any_game::<$Ruleset>(start).await;
            }
        }
    )+};
}

of_rulesets! {
    caylus_begins_rich_and_late: Caylus,
    dominion_begins_rich_and_late: Dominion,
    kingsburg_begins_rich_and_late: Kingsburg,
    mythotopia_begins_rich_and_late: Mythotopia,
    terra_mystica_begins_rich_and_late: TerraMystica,
}

/// A ruleset in which nobody can have more does not pretend to begin with more.
#[tokio::test]
async fn what_is_no_start_is_refused() {
    let process = TestServer::<Goofspiel>::new(&store());
    let refused = |call: CreateGameRequest| async {
        match process.games.create_game(&CALLER, call).await {
            Err(ServiceError::Malformed(malformed)) => malformed.field,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(call(GameStart::Rich)).await, "start");
    let unknown = CreateGameRequest {
        start: 99,
        ..call(GameStart::SetUp)
    };
    assert_eq!(refused(unknown).await, "start");
    begins_on_its_table::<Goofspiel>(&store(), GameStart::Late).await;
    let plain = process
        .games
        .create_game(&CALLER, call(GameStart::SetUp))
        .await;
    let info = plain.unwrap().table.unwrap().game.unwrap();
    assert_eq!(
        info.start(),
        GameStart::Unspecified,
        "only other starts are named"
    );
}

/// A repeated request gets the same answer, and a request for another table is another request.
#[tokio::test]
async fn the_request_id_covers_the_start() {
    let process = TestServer::<Caylus>::new(&store());
    let named = |start| CreateGameRequest {
        request_id: String::from("once"),
        ..call(start)
    };
    let create = async |start| process.games.create_game(&CALLER, named(start)).await;
    let first = create(GameStart::Late).await.unwrap();
    assert_eq!(create(GameStart::Late).await.unwrap(), first);
    for other in [GameStart::Unspecified, GameStart::SetUp, GameStart::Rich] {
        let reused = create(other).await;
        assert!(
            matches!(reused, Err(ServiceError::RequestIdReused)),
            "{other:?}"
        );
    }
    let judged = CreateGameRequest {
        validate_only: true,
        ..call(GameStart::Late)
    };
    let judged = process.games.create_game(&CALLER, judged).await.unwrap();
    let start = judged.table.unwrap().game.unwrap().start();
    assert_eq!(start, GameStart::Late);
}

#[tokio::test]
async fn players_go_back_to_the_first_table() {
    let process = TestServer::<Caylus>::new(&store());
    let table = TableOptions {
        take_back: TakeBackPolicy::Agreed.into(),
        ..Default::default()
    };
    let request = CreateGameRequest {
        table: Some(table),
        ..call(GameStart::Late)
    };
    let created = process.games.create_game(&CALLER, request).await.unwrap();
    let mut game = created.table.unwrap().game.unwrap();
    let first = process.view(&game).await;
    for _ in 0..3 {
        game = process.play_first_legal(&game).await;
    }
    assert_ne!(process.view(&game).await, first);
    let back = TableRequest::TakeBack {
        seat: 1,
        to_version: 1,
    };
    let asked = process.change_table(&game, back).await.unwrap();
    let agreed = TableRequest::AnswerProposal {
        seat: 2,
        number: asked.proposal.unwrap().number,
        agrees: true,
    };
    process.change_table(&game, agreed).await.unwrap();
    assert_eq!(process.view(&game).await, first);
}
