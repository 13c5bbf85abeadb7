//! `TableService`: one client code for every ruleset, over the same games as the services of the rulesets.

use gamekeeper_proto::envelope::{Package, unpacked};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{ada_and_bob, field_of, players, reason};
use gamekeeper_tests::server::Gamekeeperd;
use pb::export_game_response::Part;
use pb::table_service_client::TableServiceClient;
use pb::watch_game_response::Update;
use prost_types::Any;
use tonic::Code;
use tonic::transport::Channel;

/// The number of actions played in each game.
const ACTIONS: u64 = 30;

type Client = TableServiceClient<Channel>;

async fn create(client: &mut Client, ruleset: &str) -> pb::CreateGameResponse {
    let create = pb::CreateGameRequest {
        ruleset: ruleset.to_owned(),
        players: players(&["Ada", "Bob"]),
        request_id: format!("one of {ruleset}"),
        ..Default::default()
    };
    client.create_game(create).await.unwrap().into_inner()
}

/// Plays one of the legal actions, and returns the facts after it.
async fn play(client: &mut Client, game: &pb::GameInfo, choice: usize) -> pb::GameInfo {
    let (game_id, seat) = (game.game_id.clone(), game.pending[0].seat);
    let ask = pb::ListLegalActionsRequest {
        game_id: game_id.clone(),
        seat,
        ..Default::default()
    };
    let legal = client.list_legal_actions(ask).await.unwrap().into_inner();
    let action = legal.actions[choice % legal.actions.len()].clone();
    let apply = pb::ApplyActionRequest {
        game_id,
        seat,
        action: Some(action),
        ..Default::default()
    };
    let applied = client.apply_action(apply).await.unwrap().into_inner();
    assert!(applied.view.is_some() && !applied.events.is_empty());
    applied.game.unwrap()
}

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_wire::$module::pb as own;

            use super::*;

            fn open<T: prost::Message + Default>(name: &str, packed: &Any) -> T {
                let message = unpacked::<own::Messages, T>(name, packed);
                message.expect("a message of the ruleset").unwrap()
            }

            #[tokio::test]
            async fn says_what_the_service_of_the_ruleset_says() {
                let server = Gamekeeperd::start(&["--store=memory"]);
                let mut client = Client::new(server.channel());
                let mut own = own::Client::new(server.channel());
                let created = create(&mut client, stringify!($module)).await;
                let mut game = created.game.unwrap();
                while game.version <= ACTIONS && !game.pending.is_empty() {
                    let choice = usize::try_from(game.version).unwrap() * 7;
                    game = play(&mut client, &game, choice).await;
                }
                let game_id = game.game_id.clone();

                let ask = pb::GetGameRequest { game_id: game_id.clone(), ..Default::default() };
                let seen = client.get_game(ask.clone()).await.unwrap().into_inner();
                let of_own = own.get_game(ask).await.unwrap().into_inner();
                assert_eq!(seen.game, of_own.game);
                let view: own::View = open("View", &seen.view.unwrap());
                assert_eq!(Some(view), of_own.view);

                let ask = pb::ListEventsRequest {
                    game_id: game_id.clone(),
                    with_text: true,
                    ..Default::default()
                };
                let listed = client.list_events(ask.clone()).await.unwrap().into_inner();
                let of_own = own.list_events(ask).await.unwrap().into_inner();
                assert_eq!(listed.versions.len(), of_own.versions.len());
                for (packed, plain) in listed.versions.iter().zip(&of_own.versions) {
                    let events: Vec<own::Event> =
                        packed.events.iter().map(|event| open("Event", event)).collect();
                    assert_eq!((packed.version, packed.play_time), (plain.version, plain.play_time));
                    assert_eq!(events, plain.events);
                }

                let ask = pb::GetCatalogueRequest {
                    ruleset: stringify!($module).to_owned(),
                    known_revision: 0,
                };
                let packed = client.get_catalogue(ask).await.unwrap().into_inner();
                let of_own = own.get_catalogue(own::GetCatalogueRequest::default()).await;
                let of_own = of_own.unwrap().into_inner();
                let catalogue: own::Catalogue = open("Catalogue", &packed.catalogue.unwrap());
                assert_eq!((Some(catalogue), packed.revision), (of_own.catalogue, of_own.revision));
            }
        })*
    };
}
gamekeeper_wire::for_each_ruleset!(tests);

#[tokio::test]
async fn a_game_is_followed_and_exported() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = Client::new(server.channel());
    let game = create(&mut client, "dominion").await.game.unwrap();
    let game_id = game.game_id.clone();
    let watch = pb::WatchGameRequest {
        game_id: game_id.clone(),
        ..Default::default()
    };
    let mut watch = client.watch_game(watch).await.unwrap().into_inner();
    let first = watch.message().await.unwrap().unwrap().update.unwrap();
    assert!(matches!(first, Update::Start(start) if start.view.is_some()));
    let moved = play(&mut client, &game, 0).await;
    let next = watch.message().await.unwrap().unwrap().update.unwrap();
    let Update::Version(next) = next else {
        panic!("{next:?}");
    };
    assert_eq!(next.game, Some(moved));
    assert!(!next.logged.unwrap().events.is_empty());
    // Without tokens everybody may export a game that is not over.
    let export = pb::ExportGameRequest {
        game_id,
        ..Default::default()
    };
    let mut parts = client.export_game(export).await.unwrap().into_inner();
    let mut found = Vec::new();
    while let Some(part) = parts.message().await.unwrap() {
        found.push(match part.part.unwrap() {
            Part::Header(header) => header.options.unwrap().type_url,
            Part::Version(version) => format!("version {}", version.version),
            Part::SeedReveal(_) => String::from("seed"),
        });
    }
    let options = "type.googleapis.com/gamekeeper.dominion.v1.Options";
    assert_eq!(found, [options, "version 1", "version 2"]);
}

/// The same request id in both services means the same game.
#[tokio::test]
async fn both_services_keep_the_same_games() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = Client::new(server.channel());
    let packed = create(&mut client, "dominion").await;
    let plain = gamekeeper_wire::dominion::pb::CreateGameRequest {
        request_id: String::from("one of dominion"),
        ..ada_and_bob()
    };
    let plain = server.dominion().create_game(plain).await.unwrap();
    assert_eq!(packed.game, plain.into_inner().game);
}

#[tokio::test]
async fn what_is_packed_must_be_of_the_ruleset() {
    type Caylus = gamekeeper_wire::caylus::pb::Messages;
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = Client::new(server.channel());
    let game = create(&mut client, "dominion").await.game.unwrap();
    let prefix = "type.googleapis.com";
    let foreign = format!("{prefix}/{}.Action", Caylus::NAME);
    let own = format!("{prefix}/gamekeeper.dominion.v1.Action");
    let wrong = [
        (foreign, Vec::new()),
        (String::from("Action"), Vec::new()),
        (format!("{prefix}/gamekeeper.dominion.v1.View"), Vec::new()),
        (String::new(), Vec::new()),
        (own, vec![0xff]),
    ];
    let malformed = (Code::InvalidArgument, String::from("MALFORMED"));
    for (type_url, value) in wrong {
        let apply = pb::ApplyActionRequest {
            game_id: game.game_id.clone(),
            seat: 1,
            action: Some(Any {
                type_url: type_url.clone(),
                value,
            }),
            ..Default::default()
        };
        let status = client.apply_action(apply).await.unwrap_err();
        assert_eq!(reason(&status), malformed, "{type_url}");
        assert_eq!(field_of(&status), "action");
    }
    for ruleset in ["", "chess"] {
        let create = pb::CreateGameRequest {
            ruleset: ruleset.to_owned(),
            players: players(&["Ada", "Bob"]),
            ..Default::default()
        };
        let status = client.create_game(create).await.unwrap_err();
        assert_eq!(reason(&status), malformed);
        let ask = pb::GetCatalogueRequest {
            ruleset: ruleset.to_owned(),
            known_revision: 0,
        };
        let status = client.get_catalogue(ask).await.unwrap_err();
        assert_eq!(reason(&status), malformed);
    }
}
