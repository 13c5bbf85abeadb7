//! The same calls through the service of all rulesets, whose answers are packed: unpacked, they must equal
//! the answers of the ruleset's service.

use gamekeeper_proto::gamekeeper::{dominion::v1 as pb, v1};
use prost::Message;
use prost_types::Any;
use tonic::{Status, Streaming};

use super::desk::Desk;

/// What the names of the ruleset's messages begin with.
const PACKAGE: &str = "type.googleapis.com/gamekeeper.dominion.v1.";

fn pack(name: &str, message: &impl Message) -> Any {
    Any {
        type_url: format!("{PACKAGE}{name}"),
        value: message.encode_to_vec(),
    }
}

pub(super) fn unpack<T: Message + Default>(name: &str, packed: &Any) -> T {
    assert_eq!(packed.type_url, format!("{PACKAGE}{name}"));
    T::decode(packed.value.as_slice()).expect("a message of the ruleset")
}

fn unpack_all<T: Message + Default>(name: &str, packed: &[Any]) -> Vec<T> {
    packed.iter().map(|one| unpack(name, one)).collect()
}

pub(super) async fn create(
    mut desk: Desk,
    request: pb::CreateGameRequest,
) -> Result<pb::CreateGameResponse, Status> {
    let ask = desk.ask_hastily(v1::CreateGameRequest {
        ruleset: String::from("dominion"),
        players: request.players,
        options: request.options.map(|options| pack("Options", &options)),
        request_id: request.request_id,
        seed: request.seed,
        labels: request.labels,
        table: request.table,
    });
    let answer = desk.any.create_game(ask).await?.into_inner();
    Ok(pb::CreateGameResponse {
        game: answer.game,
        view: answer.view.map(|view| unpack("View", &view)),
        seat_tokens: answer.seat_tokens,
        spectator_token: answer.spectator_token,
    })
}

pub(super) async fn apply(
    mut desk: Desk,
    request: pb::ApplyActionRequest,
) -> Result<pb::ApplyActionResponse, Status> {
    let ask = desk.ask_hastily(v1::ApplyActionRequest {
        game_id: request.game_id,
        seat: request.seat,
        action: request.action.map(|action| pack("Action", &action)),
        expected_version: request.expected_version,
        request_id: request.request_id,
        view_mode: request.view_mode,
        validate_only: request.validate_only,
        with_text: request.with_text,
        with_board: request.with_board,
    });
    let answer = desk.any.apply_action(ask).await?.into_inner();
    Ok(pb::ApplyActionResponse {
        game: answer.game,
        view: answer.view.map(|view| unpack("View", &view)),
        events: unpack_all("Event", &answer.events),
        board: answer.board,
    })
}

/// A version from a log or a watch.
pub(super) fn logged(packed: &v1::LoggedVersion) -> pb::LoggedVersion {
    pb::LoggedVersion {
        version: packed.version,
        seat: packed.seat,
        events: unpack_all("Event", &packed.events),
        play_time: packed.play_time,
        table: packed.table,
    }
}

/// A watch, through either service.
pub(super) enum Watch {
    Own(Streaming<pb::WatchGameResponse>),
    Packed(Streaming<v1::WatchGameResponse>),
}

/// The content of a message of a watch.
pub(super) enum Told {
    Start(u64),
    Version(pb::LoggedVersion),
    Nothing,
}

impl Watch {
    /// The next message; `None`: the watch ended.
    pub(super) async fn message(&mut self) -> Result<Option<Told>, Status> {
        let version = |game: Option<v1::GameInfo>| game.map_or(0, |game| game.version);
        Ok(match self {
            Self::Own(stream) => {
                use pb::watch_game_response::Update;
                let message = stream.message().await?;
                message.map(|message| match message.update {
                    Some(Update::Start(start)) => Told::Start(version(start.game)),
                    Some(Update::Version(new)) => Told::Version(new.logged.unwrap_or_default()),
                    Some(Update::Bookmark(_)) | None => Told::Nothing,
                })
            }
            Self::Packed(stream) => {
                use v1::watch_game_response::Update;
                let message = stream.message().await?;
                message.map(|message| match message.update {
                    Some(Update::Start(start)) => Told::Start(version(start.game)),
                    Some(Update::Version(new)) => {
                        Told::Version(logged(&new.logged.unwrap_or_default()))
                    }
                    Some(Update::Bookmark(_)) | None => Told::Nothing,
                })
            }
        })
    }
}

/// Watches a game after a version, as the ruleset's own service or packed.
pub(super) async fn watch(
    mut desk: Desk,
    game: &str,
    after_version: u64,
    is_packed: bool,
) -> Result<Watch, Status> {
    let game_id = game.to_owned();
    if is_packed {
        let ask = desk.ask(v1::WatchGameRequest {
            game_id,
            after_version,
            ..Default::default()
        });
        return Ok(Watch::Packed(desk.any.watch_game(ask).await?.into_inner()));
    }
    let ask = desk.ask(pb::WatchGameRequest {
        game_id,
        after_version,
        ..Default::default()
    });
    Ok(Watch::Own(desk.own.watch_game(ask).await?.into_inner()))
}
