//! Imports, from one store into another and into the same one.

use std::sync::Arc;

use futures_util::StreamExt;
use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::gamekeeper::goofspiel::v1 as goofspiel;
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{self, CreateGameRequest, ExportGameResponse};
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_store::GameStore;
use gamekeeper_wire::record::{Checked, DrawProof, RecordReader};
use pb::{GameStart, TakeBackPolicy};

use super::*;
use crate::handlers::table_commands::TableRequest;
use crate::test_server::{TestServer, store};

const CALLER: Caller = Caller::UNAUTHENTICATED;

fn id_of(game: &pb::GameInfo) -> GameId {
    Uuid::try_parse(&game.game_id).unwrap()
}

/// Returns the record of a game, as an export sends it.
async fn exported<W: Wire>(store: &Arc<dyn GameStore>, game: &pb::GameInfo) -> Vec<Part> {
    let games = Arc::new(TestServer::<W>::new(store).games);
    let call = pb::ExportGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let parts = games.export_game(&CALLER, call).await.unwrap();
    let part = |part: Result<ExportGameResponse, ServiceError>| part.unwrap().part.unwrap();
    parts.map(part).collect().await
}

fn record_of(parts: Vec<Part>) -> Record {
    let mut reader = RecordReader::default();
    for part in parts {
        reader.push(part).unwrap();
    }
    reader.finish().unwrap()
}

/// Checks a record as `gamekeeper verify` does.
fn verified<W: Wire>(record: &Record) -> Checked {
    let beginning = Beginning::<W>::of(record).unwrap();
    let first = beginning.first_table().unwrap();
    let mut check = RecordCheck::begin(record, beginning, first).unwrap();
    while check.step().unwrap() {}
    check.finish().unwrap()
}

async fn import<W: Wire>(
    process: &TestServer<W>,
    caller: &Caller,
    plan: &pb::ImportPlan,
    parts: &[Part],
) -> Result<pb::GameInfo, ServiceError> {
    let is_open = matches!(caller.role, Role::AuthDisabled);
    let tenant = if is_open { "" } else { "red" };
    let request = ImportRequest {
        tenant: tenant.to_owned(),
        plan: plan.clone(),
        record: record_of(parts.to_vec()),
    };
    let imported = process.games.import_game(caller, request).await?;
    Ok(imported.game.unwrap())
}

fn at(at_version: Version) -> pb::ImportPlan {
    pb::ImportPlan {
        at_version,
        ..Default::default()
    }
}

/// Creates a game with take-backs by agreement that begins there.
async fn created<W: Wire>(process: &TestServer<W>, start: GameStart) -> pb::GameInfo {
    let created = process.games.create_game(&CALLER, request(start)).await;
    created.unwrap().table.unwrap().game.unwrap()
}

fn request(start: GameStart) -> CreateGameRequest {
    let player = |name: &str| pb::Player {
        name: name.to_owned(),
        ..Default::default()
    };
    CreateGameRequest {
        players: vec![player("Ada"), player("Bob")],
        table: Some(pb::TableOptions {
            take_back: TakeBackPolicy::Agreed.into(),
            clock: Some(pb::ClockOptions {
                bank_seconds: 600,
                ..Default::default()
            }),
            ..Default::default()
        }),
        start: start.into(),
        ..Default::default()
    }
}

/// Plays some actions of a new game and takes some of them back, as the clock runs.
async fn played<W: Wire>(process: &TestServer<W>, start: GameStart) -> pb::GameInfo {
    let game = created(process, start).await;
    plays_some(process, game).await
}

async fn plays_some<W: Wire>(process: &TestServer<W>, mut game: pb::GameInfo) -> pb::GameInfo {
    for second in 1..=8 {
        process.set_clock(second * 1_000);
        game = process.play_first_legal(&game).await;
    }
    let back = TableRequest::TakeBack {
        seat: 1,
        to_version: 4,
    };
    let asked = process.change_table(&game, back).await.unwrap();
    let agreed = TableRequest::AnswerProposal {
        seat: 2,
        number: asked.proposal.unwrap().number,
        agrees: true,
    };
    game = process.change_table(&game, agreed).await.unwrap();
    for _ in 0..4 {
        game = process.play_first_legal(&game).await;
    }
    game
}

/// A game is imported at each of some versions, and goes on there; every process reads it alike, and its record
/// verifies.
async fn goes_on<W: Wire>(start: GameStart) {
    let here = store();
    let game = played(&TestServer::<W>::new(&here), start).await;
    is_imported::<W>(&here, &game).await;
}

async fn is_imported<W: Wire>(here: &Arc<dyn GameStore>, game: &pb::GameInfo) {
    let there = store();
    let parts = exported::<W>(here, game).await;
    for version in [1, 5, 11, game.version] {
        let process = TestServer::<W>::new(&there);
        process.set_clock(60_000);
        let imported = import(&process, &CALLER, &at(version), &parts)
            .await
            .unwrap();
        let home = TestServer::<W>::new(here);
        let origin = home.games.at_version(id_of(game), version);
        let origin = origin.await.unwrap();
        assert_eq!(
            (imported.version, imported.imported_versions),
            (version, version)
        );
        assert_eq!(imported.forked_from.as_ref().unwrap().game_id, game.game_id);
        assert_ne!(imported.seed_commitment, game.seed_commitment);
        assert_eq!(
            (imported.start, imported.start_dealt),
            (game.start, game.start_dealt)
        );
        let names = imported.players.iter().map(|player| &*player.name);
        assert_eq!(names.collect::<Vec<_>>(), ["Ada", "Bob"]);
        let copy = process
            .games
            .at_version(id_of(&imported), version)
            .await
            .unwrap();
        assert_eq!(copy.state, origin.state, "version {version}");
        assert_eq!(copy.chance.position(), 0, "its luck begins");
        let mut next = imported.clone();
        for _ in 0..5 {
            next = process.play_first_legal(&next).await;
        }
        let reader = TestServer::<W>::new(&there);
        assert_eq!(reader.info(&imported).await, next);
        let record = record_of(exported::<W>(&there, &next).await);
        let checked = verified::<W>(&record);
        assert_eq!(checked.luck, DrawProof::Repeated, "both seeds are secret");
        assert_eq!(Version::try_from(checked.versions).unwrap(), next.version);
    }
}

#[tokio::test]
async fn a_record_goes_on_as_a_game() {
    goes_on::<Dominion>(GameStart::SetUp).await;
    goes_on::<Caylus>(GameStart::Late).await;
}

/// Begins a game of Goofspiel on a table that a client describes, with what is hidden or without.
async fn described(process: &TestServer<Goofspiel>, order: &[i32]) -> pb::GameInfo {
    let player = |seat: u32| goofspiel::PlayerView {
        seat,
        hand: (2..=13).collect(),
        won: if seat == 1 { vec![1] } else { Vec::new() },
        ..Default::default()
    };
    let view = goofspiel::View {
        offered: vec![2],
        order: order.to_vec(),
        players: [1, 2].map(player).into(),
        ..Default::default()
    };
    let view = raw::view::Ruleset::Goofspiel(EncodedMessage::from_message(&view));
    let call = CreateGameRequest {
        position: Some(raw::View {
            ruleset: Some(view),
        }),
        ..request(GameStart::Position)
    };
    let created = process.games.create_game(&CALLER, call).await.unwrap();
    created.table.unwrap().game.unwrap()
}

/// The record of a game that began on a described table has the table with a salt, and is bound to both.
#[tokio::test]
async fn a_described_table_goes_on_as_a_game() {
    let here = store();
    let process = TestServer::<Goofspiel>::new(&here);
    let order: Vec<i32> = (3..=13).rev().collect();
    for order in [&order[..], &[]] {
        let begun = described(&process, order).await;
        let game = plays_some(&process, begun).await;
        assert_eq!(game.start_dealt, order.is_empty());
        is_imported::<Goofspiel>(&here, &game).await;
        let parts = exported::<Goofspiel>(&here, &game).await;
        let whole = record_of(parts.clone());
        assert_eq!(whole.start_salt.len(), 16);
        assert!(whole.start_position.is_some());
        for harm in 0..4 {
            let mut harmed = record_of(parts.clone());
            match harm {
                0 => harmed.start_salt[3] ^= 1,
                1 => harmed.start_salt.clear(),
                2 => harmed.start_position = None,
                _ => harmed.game.start_dealt ^= true,
            }
            assert!(is_refused::<Goofspiel>(&harmed), "{harm}");
        }
    }
}

/// Returns whether `gamekeeper verify` would refuse a record for its first version.
fn is_refused<W: Wire>(record: &Record) -> bool {
    let check = Beginning::<W>::of(record).and_then(|beginning| {
        let first = beginning.first_table()?;
        RecordCheck::begin(record, beginning, first).map(drop)
    });
    check.is_err()
}

/// A finished game is imported as a whole, and its luck stays proved.
#[tokio::test]
async fn a_finished_game_comes_with_its_result_and_its_seed() {
    let (here, there) = (store(), store());
    let process = TestServer::<Dominion>::new(&here);
    let game = played(&process, GameStart::SetUp).await;
    let resign = TableRequest::Resign { seat: 1 };
    let over = process.change_table(&game, resign).await.unwrap();
    let parts = exported::<Dominion>(&here, &over).await;
    let red = Caller::new(Role::Tenant(String::from("red")));
    let other = TestServer::<Dominion>::new(&there);
    let whole = import(&other, &red, &at(0), &parts).await.unwrap();
    assert_eq!(
        (whole.status, &whole.standings),
        (over.status, &over.standings)
    );
    assert_eq!(
        (whole.version, whole.end_reason),
        (over.version, over.end_reason)
    );
    let record = record_of(exported::<Dominion>(&there, &whole).await);
    assert_eq!(verified::<Dominion>(&record).luck, DrawProof::Recomputed);

    let branch = import(&other, &red, &at(6), &parts).await.unwrap();
    let next = other.play_first_legal(&branch).await;
    let resign = TableRequest::Resign { seat: 2 };
    let next = other.change_table(&next, resign).await.unwrap();
    let again = exported::<Dominion>(&there, &next).await;
    assert_eq!(
        verified::<Dominion>(&record_of(again.clone())).luck,
        DrawProof::Recomputed
    );

    // What was imported can be exported and imported again, and forked.
    let third = store();
    let last = TestServer::<Dominion>::new(&third);
    let twice = import(&last, &red, &at(7), &again).await.unwrap();
    assert_eq!(twice.imported_versions, 7);
    let record = record_of(exported::<Dominion>(&third, &twice).await);
    assert_eq!(record.origins.len(), 2);
    verified::<Dominion>(&record);
    let fork = pb::ForkGameRequest {
        game_id: whole.game_id.clone(),
        at_version: 3,
        ..Default::default()
    };
    let fork = other.games.fork_game(&CALLER, id_of(&whole), &fork).await;
    let fork = fork.unwrap().game.unwrap();
    assert_eq!((fork.version, fork.imported_versions), (3, 3));
    verified::<Dominion>(&record_of(exported::<Dominion>(&there, &fork).await));
}

/// The record of a running game tells what lies hidden in it.
#[tokio::test]
async fn only_operators_import_a_game_that_is_not_over() {
    let (here, there) = (store(), store());
    let game = played(&TestServer::<Dominion>::new(&here), GameStart::SetUp).await;
    let parts = exported::<Dominion>(&here, &game).await;
    let other = TestServer::<Dominion>::new(&there);
    let red = Caller::new(Role::Tenant(String::from("red")));
    let refused = import(&other, &red, &at(3), &parts).await;
    assert!(
        matches!(refused, Err(ServiceError::PermissionDenied(_))),
        "{refused:?}"
    );
    let imported = import(&other, &Caller::new(Role::Operator), &at(3), &parts)
        .await
        .unwrap();
    let games = &other.games;
    let is_open = async |games: &GameService<Dominion>, info: &pb::GameInfo| {
        let game = games.lock_cached(&CALLER, id_of(info)).await.unwrap();
        assert_eq!(game.genesis.tenant, "red");
        !game.shares_hidden_info
    };
    assert!(
        is_open(games, &imported).await,
        "nobody plays the game in this store"
    );
    let at_home = TestServer::<Dominion>::new(&here);
    let copy = import(&at_home, &Caller::new(Role::Operator), &at(3), &parts)
        .await
        .unwrap();
    assert!(
        !is_open(&at_home.games, &copy).await,
        "the game is still played here"
    );
}

#[tokio::test]
async fn what_does_not_verify_leaves_nothing() {
    let (here, there) = (store(), store());
    let game = played(&TestServer::<Dominion>::new(&here), GameStart::SetUp).await;
    let parts = exported::<Dominion>(&here, &game).await;
    let other = TestServer::<Dominion>::new(&there);
    let refused = async |plan: pb::ImportPlan, parts: &[Part]| {
        import(&other, &CALLER, &plan, parts).await.unwrap_err()
    };
    let mut damaged = parts.clone();
    let Part::Version(version) = &mut damaged[9] else {
        panic!("{:?}", damaged[9]);
    };
    version.fingerprint = String::from("0000000000000000");
    // The whole record is checked, whatever is taken of it.
    let ServiceError::RecordRefused { what } = refused(at(2), &damaged).await else {
        panic!("the record is not refused");
    };
    assert!(what.starts_with("version 9: "), "{what}");
    let missing = refused(at(0), &parts[..5]).await;
    assert!(
        matches!(missing, ServiceError::RecordRefused { .. }),
        "{missing}"
    );
    let beyond = refused(at(99), &parts).await;
    assert!(
        matches!(beyond, ServiceError::NoSuchVersion { requested: 99, .. }),
        "{beyond}"
    );
    let players = pb::ImportPlan {
        players: vec![pb::Player::default()],
        ..at(0)
    };
    let ServiceError::Malformed(malformed) = refused(players, &parts).await else {
        panic!("the players are not refused");
    };
    assert_eq!(malformed.field, "plan.players");
    let ahead = TestServer::<Dominion>::new(&here);
    ahead.set_clock(3_600_000).play_first_legal(&game).await;
    let later = exported::<Dominion>(&here, &game).await;
    let early = refused(at(0), &later).await.to_string();
    assert!(early.contains("in the future"), "{early}");
    let games = there.list(&Default::default(), None, 10).await.unwrap();
    assert!(games.is_empty(), "{games:?}");
}

/// A request that is sent again gets the same game, with the users, bots and labels of the request.
#[tokio::test]
async fn a_retry_makes_one_game() {
    let (here, there) = (store(), store());
    let process = TestServer::<Dominion>::new(&here);
    let mut game = played(&process, GameStart::SetUp).await;
    let parts = exported::<Dominion>(&here, &game).await;
    let player = |name: &str, user: &str, bot: Option<pb::Bot>| pb::Player {
        name: name.to_owned(),
        user: user.to_owned(),
        bot,
        ..Default::default()
    };
    let bot = pb::Bot {
        policy: String::from("random"),
        ..Default::default()
    };
    let plan = pb::ImportPlan {
        players: vec![player("Cyd", "c-1", None), player("Dan", "", Some(bot))],
        labels: [(String::from("room"), String::from("7"))].into(),
        request_id: String::from("once"),
        ..at(4)
    };
    let first = TestServer::<Dominion>::new(&there);
    let imported = import(&first, &CALLER, &plan, &parts).await.unwrap();
    assert_eq!(
        (&*imported.players[0].user, imported.labels.len()),
        ("c-1", 1)
    );
    assert_eq!(imported.players[1].bot.as_ref().unwrap().policy, "random");
    let again = TestServer::<Dominion>::new(&there);
    assert_eq!(
        import(&again, &CALLER, &plan, &parts).await.unwrap(),
        imported
    );
    game = process.play_first_legal(&game).await;
    let longer = exported::<Dominion>(&here, &game).await;
    let other = import(&again, &CALLER, &plan, &longer).await;
    assert!(
        matches!(other, Err(ServiceError::RequestIdReused)),
        "{other:?}"
    );
    let games = there.list(&Default::default(), None, 10).await.unwrap();
    assert_eq!(games.len(), 1);
}
