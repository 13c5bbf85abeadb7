//! Whole games of Caylus through gRPC, with every number of players, and their records.

use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::{self, GameInfo, GameStatus};
use gamekeeper_tests::dominion::{Client, SEEN, players, reason};
use gamekeeper_tests::server::Gamekeeperd;
use pb::action::Kind;
use pb::target::Place;
use tonic::Code;
use v1::export_game_response::Part;

const NAMES: [&str; 5] = ["Ada", "Bob", "Cid", "Dee", "Eve"];

fn game_of(seats: usize, options: pb::Options) -> v1::CreateGameRequest {
    v1::CreateGameRequest {
        ruleset: String::from("caylus"),
        players: players(&NAMES[..seats]),
        options: Some(v1::Options {
            ruleset: Some(v1::options::Ruleset::Caylus(options)),
        }),
        ..Default::default()
    }
}

/// A view of Caylus.
fn view_of(view: Option<v1::View>) -> pb::View {
    match view.and_then(|view| view.ruleset) {
        Some(v1::view::Ruleset::Caylus(view)) => view,
        other => panic!("a view of Caylus: {other:?}"),
    }
}

struct Table {
    client: Client,
    game: GameInfo,
    view: pb::View,
}

impl Table {
    async fn new(server: &Gamekeeperd, seats: usize, options: pb::Options) -> Self {
        let mut client = server.games();
        let create = v1::CreateGameRequest {
            show: Some(SEEN),
            ..game_of(seats, options)
        };
        let created = client.create_game(create).await.unwrap().into_inner();
        let table = created.table.unwrap();
        Self {
            client,
            view: view_of(table.view),
            game: table.game.unwrap(),
        }
    }

    async fn legal(&mut self, seat: u32) -> Vec<v1::LegalAction> {
        let ask = v1::ListLegalActionsRequest {
            game_id: self.game.game_id.clone(),
            seat,
            ..Default::default()
        };
        let answer = self.client.list_legal_actions(ask).await.unwrap();
        let answer = answer.into_inner();
        assert!(answer.exhaustive && answer.version == self.game.version);
        answer.actions
    }

    async fn play(&mut self, seat: u32, action: v1::Action) -> Result<(), tonic::Status> {
        let call = v1::ApplyActionRequest {
            game_id: self.game.game_id.clone(),
            seat,
            action: Some(action),
            expected_version: self.game.version,
            show: Some(SEEN),
            ..Default::default()
        };
        let played = self.client.apply_action(call).await?.into_inner();
        let table = played.table.unwrap();
        self.view = view_of(table.view);
        self.game = table.game.unwrap();
        Ok(())
    }

    /// Plays to the end; the version determines which legal action is taken.
    async fn play_out(&mut self) {
        while let Some(owed) = self.game.pending.first().cloned() {
            let mut legal = self.legal(owed.seat).await;
            assert!(legal.len() >= 2, "forced decisions are not asked");
            let chosen = usize::try_from(self.game.version * 7 % 1_009).unwrap() % legal.len();
            let action = legal.swap_remove(chosen).action.unwrap();
            self.play(owed.seat, action).await.unwrap();
        }
    }

    async fn record(&mut self) -> Vec<Part> {
        let ask = v1::ExportGameRequest {
            game_id: self.game.game_id.clone(),
            with_states: true,
            ..Default::default()
        };
        let mut stream = self.client.export_game(ask).await.unwrap().into_inner();
        let mut parts = Vec::new();
        while let Some(response) = stream.message().await.unwrap() {
            parts.extend(response.part);
        }
        parts
    }
}

#[tokio::test]
async fn caylus_is_played_to_the_end_by_two_to_five() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    for seats in 2..=5 {
        let mut table = Table::new(&server, seats, pb::Options::default()).await;
        table.play_out().await;
        assert_eq!(table.game.status(), GameStatus::Finished);
        assert_eq!(table.game.standings.len(), seats);
        for standing in &table.game.standings {
            let points: i32 = standing.breakdown.iter().map(|item| item.points).sum();
            assert_eq!(points, standing.score, "seat {}", standing.seat);
        }
        check_record(&table.record().await, &table);
    }
}

/// A header, every version with its table and at least one event, and the seed; the set-up has the
/// two draws.
fn check_record(record: &[Part], table: &Table) {
    let [Part::Header(_), versions @ .., Part::End(_)] = record else {
        panic!("{} parts", record.len());
    };
    assert_eq!(versions.len() as u64, table.game.version);
    let mut automatic = 0;
    for part in versions {
        let Part::Version(version) = part else {
            panic!("{part:?}");
        };
        let draws: Vec<&str> = version.draws.iter().map(|draw| &*draw.name).collect();
        let entry = version.entry.as_ref().unwrap();
        let expected: &[&str] = match entry.version {
            1 => &["neutral_order", "turn_order"],
            _ => &[],
        };
        assert_eq!(draws, expected);
        automatic += version.automatic.len();
        assert!(!entry.events.is_empty(), "version {}", entry.version);
        if entry.version == table.game.version {
            assert_eq!(view_of(version.state.clone()), table.view);
        }
    }
    assert!(automatic > 0, "somebody had to pass");
}

#[tokio::test]
async fn caylus_says_why_not() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let options = pb::Options {
        simplified_favors: true,
        neutral_order: (1..=6).rev().collect(),
        turn_order: vec![2, 1, 3],
    };
    let mut table = Table::new(&server, 3, options).await;
    assert_eq!(table.game.pending[0].seat, 2);
    assert_eq!(table.view.road[0].tile(), pb::Tile::NeutralCarpenter);
    let before = table.view.clone();
    let place = |place| {
        let place = Kind::PlaceWorker(pb::PlaceWorker {
            target: Some(pb::Target { place: Some(place) }),
        });
        v1::Action {
            ruleset: Some(v1::action::Ruleset::Caylus(pb::Action {
                kind: Some(place),
            })),
        }
    };
    let refusals = [
        (2, place(Place::Space(9)), "SPACE_EMPTY"),
        (2, place(Place::Space(29)), "UNKNOWN_ID"),
        (1, place(Place::Space(1)), "NOT_YOUR_TURN"),
    ];
    for (seat, action, code) in refusals {
        let status = table.play(seat, action).await.unwrap_err();
        assert_eq!(reason(&status), (Code::FailedPrecondition, code.to_owned()));
    }
    table.play(2, place(Place::Space(1))).await.unwrap();
    assert_ne!(table.view, before);
    let orders = pb::Options {
        turn_order: vec![1, 1, 2],
        ..pb::Options::default()
    };
    let status = table
        .client
        .create_game(game_of(3, orders))
        .await
        .unwrap_err();
    assert_eq!(reason(&status).1, "INVALID_OPTION");
}
