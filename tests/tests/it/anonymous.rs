//! Where players go by their seats (`Show.anonymous`), no text has a name: boards, drawings, events and legal actions.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Client, facts, players};
use gamekeeper_tests::server::Gamekeeperd;
use prost::Message;

/// The names of the players. No ruleset has such words.
const NAMES: [&str; 3] = ["Zaphod", "Trillian", "Slartibartfast"];

/// Requests all texts.
fn texts(anonymous: bool) -> Option<pb::Show> {
    Some(pb::Show {
        events: true,
        text: true,
        board: Some(pb::BoardStyle::default()),
        drawing: Some(pb::DrawingStyle::default()),
        amounts: true,
        anonymous,
        ..Default::default()
    })
}

/// Returns whether an answer has a name outside of its public facts.
fn has_name(answer: &impl Message) -> bool {
    let bytes = answer.encode_to_vec();
    let has = |name: &&str| {
        bytes
            .windows(name.len())
            .any(|part| part == name.as_bytes())
    };
    NAMES.iter().any(has)
}

/// Removes the public facts, which always have the names.
fn without_facts(mut table: pb::Table) -> pb::Table {
    table.game = None;
    table
}

/// Returns the answers that show texts at this moment, without public facts; then the legal actions.
async fn answers(
    client: &mut Client,
    game: &pb::GameInfo,
    seat: u32,
    anonymous: bool,
) -> (pb::Table, Vec<pb::LogEntry>, Vec<pb::LegalAction>) {
    let viewer = Some(pb::Viewer {
        kind: pb::ViewerKind::Seat.into(),
        seat,
    });
    let look = pb::GetGameRequest {
        game_id: game.game_id.clone(),
        viewer,
        show: texts(anonymous),
        ..Default::default()
    };
    let log = pb::ListEventsRequest {
        game_id: game.game_id.clone(),
        viewer,
        show: texts(anonymous),
        page_size: 1_000,
        ..Default::default()
    };
    let legal = pb::ListLegalActionsRequest {
        game_id: game.game_id.clone(),
        seat,
        show: texts(anonymous),
        ..Default::default()
    };
    let table = client.get_game(look).await.unwrap().into_inner().table;
    let entries = client.list_events(log).await.unwrap().into_inner().entries;
    let legal = client.list_legal_actions(legal).await.unwrap();
    let actions = legal.into_inner().actions;
    (without_facts(table.unwrap()), entries, actions)
}

async fn play(ruleset: &str) {
    let server = Gamekeeperd::start(&["--store=memory", "--serve-examples"]);
    let mut client = server.games();
    let request = pb::CreateGameRequest {
        ruleset: ruleset.to_owned(),
        players: players(&NAMES),
        seed: vec![3; 32],
        ..Default::default()
    };
    let created = client.create_game(request).await.unwrap().into_inner();
    let mut game = facts(created.table);
    for turn in 0..40_usize {
        let Some(seat) = game.pending.first().map(|pending| pending.seat) else {
            break;
        };
        let (table, entries, legal) = answers(&mut client, &game, seat, true).await;
        assert!(!has_name(&table), "{ruleset}: {}", table.board);
        let mut parts = entries.iter().map(has_name);
        assert!(!parts.any(|has_name| has_name), "{ruleset}: {entries:?}");
        let mut parts = legal.iter().map(has_name);
        assert!(!parts.any(|has_name| has_name), "{ruleset}: {legal:?}");
        let act = pb::ApplyActionRequest {
            game_id: game.game_id.clone(),
            seat,
            action: legal[turn * 7 % legal.len()].action.clone(),
            show: texts(true),
            ..Default::default()
        };
        let mut answer = client.apply_action(act).await.unwrap().into_inner();
        let table = answer.table.take().unwrap();
        game = table.game.clone().unwrap();
        assert!(!has_name(&without_facts(table)), "{ruleset}");
        assert!(!has_name(&answer), "{ruleset}: {answer:?}");
    }
    // Otherwise the names are there, so this test would find them.
    let (table, entries, _) = answers(&mut client, &game, 1, false).await;
    assert!(
        has_name(&table) && entries.iter().any(has_name),
        "{ruleset}"
    );
}

macro_rules! every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(
            #[tokio::test]
            async fn $module() {
                play(stringify!($module)).await;
            }
        )*
    };
}

gamekeeper_wire::for_each_ruleset!(every_ruleset);
