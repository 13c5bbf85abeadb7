//! A viewer, and the responses to all their possible calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use gamekeeper_games::authz::Caller;
use gamekeeper_games::errors::ServiceError;
use gamekeeper_games::{
    FeedGameRequest, GameService, Message, Registry, VersionChange, ViewerSelector, WatchedGame,
};
use gamekeeper_proto::gamekeeper::v1::{
    self, ExportGameRequest, GetGameRequest, ListEventsRequest, ListLegalActionsRequest, Show,
    WatchGameRequest,
};
use gamekeeper_proto::raw::self_play_request::Step;
use gamekeeper_proto::raw::{Action, ApplyActionRequest, SelfPlayPlan, SelfPlayRequest};
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_wire::Wire;
use gamekeeperd::grpc::status_of;
use prost::Message as _;
use tonic_types::pb as google;
use uuid::Uuid;

use super::FRONT_END_SECRET;

/// A response as bytes.
type Bytes = Vec<u8>;

/// Requests all optional parts of responses.
const ALL: Show = Show {
    view: true,
    events: true,
    text: true,
    board: Some(v1::BoardStyle {
        columns: 0,
        colored: false,
    }),
    components: true,
    drawing: Some(v1::DrawingStyle {
        width: 0,
        color_scheme: 0,
        changes: false,
        theme: None,
        raster: false,
    }),
    amounts: true,
    anonymous: false,
    numbers: 0,
};

fn answered(answer: Result<impl prost::Message, ServiceError>) -> Bytes {
    answer.map_or_else(
        |problem| {
            let status = status_of(&problem);
            let code = i32::from(status.code()).to_be_bytes();
            let details = sorted(status.details());
            [&code, status.message().as_bytes(), details.as_bytes()].concat()
        },
        |message| message.encode_to_vec(),
    )
}

/// Returns a message that is already encoded, as bytes.
fn sent(message: Result<impl AsRef<[u8]>, ServiceError>) -> Bytes {
    match message {
        Ok(message) => message.as_ref().to_vec(),
        Err(problem) => answered(Err::<(), _>(problem)),
    }
}

/// Formats the details of a status with its metadata sorted by name, because it has no order on the wire.
fn sorted(details: &[u8]) -> String {
    let mut status = google::Status::decode(details).unwrap();
    let info = google::ErrorInfo::decode(&*status.details.remove(0).value).unwrap();
    let metadata: BTreeMap<_, _> = info.metadata.into_iter().collect();
    format!("{} {metadata:?} {:?}", info.reason, status.details)
}

fn message_of(viewer: Viewer) -> v1::Viewer {
    let (kind, seat) = match viewer {
        Viewer::Seat(seat) => (v1::ViewerKind::Seat, seat.number().into()),
        Viewer::Spectator => (v1::ViewerKind::Spectator, 0),
        Viewer::Operator => (v1::ViewerKind::Operator, 0),
    };
    let kind = kind.into();
    v1::Viewer { kind, seat }
}

/// A viewer of a game on one of the servers.
pub(super) struct Onlooker<W: Wire> {
    pub(super) games: Arc<GameService<W>>,
    /// Access to the same games for calls that do not name a ruleset.
    pub(super) registry: Arc<Registry>,
    pub(super) caller: Caller,
    pub(super) viewer: Viewer,
    pub(super) game_id: String,
    pub(super) version: u64,
}

impl<W: Wire> Onlooker<W> {
    /// Returns the viewers that a caller can name.
    fn viewers(&self) -> Vec<Option<v1::Viewer>> {
        let spectator = v1::Viewer {
            kind: v1::ViewerKind::Spectator.into(),
            seat: 0,
        };
        let operator = v1::Viewer {
            kind: v1::ViewerKind::Operator.into(),
            seat: 0,
        };
        vec![None, Some(spectator), Some(operator)]
    }

    /// Returns the responses to all reads that the caller can make.
    pub(super) async fn questions(&self) -> Vec<Bytes> {
        let mut heard = vec![self.info().await];
        for at_version in [0, self.version / 2] {
            heard.push(self.numbers(at_version).await);
        }
        for viewer in self.viewers() {
            for at_version in [0, self.version / 2] {
                heard.push(self.look(viewer, at_version).await);
            }
            heard.push(self.events(viewer).await);
            for after_version in [0, self.version.saturating_sub(2)] {
                heard.push(self.watch(viewer, after_version).await);
            }
        }
        for viewer in [None, Some(self.viewer), Some(Viewer::Seat(Seat::FIRST))] {
            heard.push(self.batched_game(viewer).await);
            let named = viewer.map(message_of);
            for after_version in [0, self.version.saturating_sub(2)] {
                let look = ViewerSelector::Requested(named);
                heard.push(self.follow(look, Some(ALL), after_version).await);
            }
            for first in [1, self.version.saturating_sub(1).max(1)] {
                heard.push(self.feed_updates(named, first).await);
            }
        }
        // The front end's user of a seat gives no access to its view.
        let of_user = ViewerSelector::SeatOfUser(FRONT_END_SECRET.to_owned());
        for (look, show) in [
            (ViewerSelector::Requested(None), None),
            (of_user, Some(ALL)),
        ] {
            heard.push(self.follow(look, show, 0).await);
        }
        if let Viewer::Seat(seat) = self.viewer {
            heard.push(self.legal(seat).await);
            heard.extend(self.worlds(seat).await);
        }
        heard.push(self.export().await);
        heard
    }

    async fn info(&self) -> Bytes {
        let id = Uuid::try_parse(&self.game_id).unwrap();
        answered(self.games.info(&self.caller, id).await)
    }

    pub(super) async fn look(&self, viewer: Option<v1::Viewer>, at_version: u64) -> Bytes {
        let call = GetGameRequest {
            game_id: self.game_id.clone(),
            viewer,
            at_version,
            show: Some(ALL),
        };
        answered(self.games.get_game(&self.caller, call).await)
    }

    /// Returns what programs that learn see. Viewers without a seat are refused.
    async fn numbers(&self, at_version: u64) -> Bytes {
        let call = GetGameRequest {
            game_id: self.game_id.clone(),
            viewer: Some(message_of(self.viewer)),
            at_version,
            show: Some(Show {
                numbers: v1::SelfPlayNumbers::Floats.into(),
                ..Show::default()
            }),
        };
        answered(self.games.get_game(&self.caller, call).await)
    }

    async fn events(&self, viewer: Option<v1::Viewer>) -> Bytes {
        let call = ListEventsRequest {
            game_id: self.game_id.clone(),
            viewer,
            show: Some(ALL),
            ..ListEventsRequest::default()
        };
        answered(self.games.list_events(&self.caller, call).await)
    }

    async fn watch(&self, viewer: Option<v1::Viewer>, after_version: u64) -> Bytes {
        let call = WatchGameRequest {
            game_id: self.game_id.clone(),
            viewer,
            after_version,
            after_time: None,
            show: Some(ALL),
        };
        let stream = match self.games.watch_game(&self.caller, call).await {
            Ok(stream) => stream,
            Err(problem) => return answered(Err::<(), _>(problem)),
        };
        // With a version, all versions after it follow; without one, only the table does, because it is the newest.
        let count = if after_version == 0 {
            1
        } else {
            self.version - after_version
        };
        let bytes = |message: Message| message.bytes;
        let messages = stream.map(|message| sent(message.map(bytes)));
        let answers = messages.take(usize::try_from(count).unwrap());
        answers.collect::<Vec<_>>().await.concat()
    }

    async fn legal(&self, seat: Seat) -> Bytes {
        let call = ListLegalActionsRequest {
            game_id: self.game_id.clone(),
            seat: seat.number().into(),
            page_size: 200,
            show: Some(ALL),
            ..ListLegalActionsRequest::default()
        };
        answered(self.games.list_legal_actions(&self.caller, call).await)
    }

    /// Returns full worlds of the game, which are the same if the game looks the same.
    async fn worlds(&self, seat: Seat) -> Vec<Bytes> {
        let plan = SelfPlayPlan {
            games: 3,
            total_games: 3,
            seed: vec![7; 32],
            show: Some(v1::SelfPlayShow {
                view: true,
                actions: true,
                action_count: true,
                pending: true,
                events: true,
                text: true,
                world: true,
                numbers: v1::SelfPlayNumbers::Floats.into(),
                names: true,
            }),
            worlds: Some(v1::SelfPlayWorlds {
                game_id: self.game_id.clone(),
                seat: seat.number().into(),
                worlds: 2,
            }),
            ..SelfPlayPlan::default()
        };
        let step = Some(Step::Plan(plan));
        let ask = stream::once(async { Ok(SelfPlayRequest { step }) });
        match self.registry.self_play(&self.caller, Box::pin(ask)).await {
            Ok(answers) => answers.map(answered).collect().await,
            Err(problem) => vec![answered(Err::<(), _>(problem))],
        }
    }

    /// Returns the game as one of a batch.
    async fn batched_game(&self, viewer: Option<Viewer>) -> Bytes {
        let id = Uuid::try_parse(&self.game_id).unwrap();
        let viewer = viewer.map(message_of);
        let all = ALL;
        let viewing = (viewer.as_ref(), Some(&all));
        answered(self.games.table(&self.caller, id, viewing).await)
    }

    /// Returns the game as one of many on a stream.
    async fn follow(&self, look: ViewerSelector, show: Option<Show>, after_version: u64) -> Bytes {
        let followed = WatchedGame {
            place: String::new(),
            id: Uuid::try_parse(&self.game_id).unwrap(),
            after_version,
            after_time: None,
            viewer: look,
            show,
            user: None,
        };
        let changes = match self.games.follow_game(&self.caller, followed).await {
            Ok(changes) => changes,
            Err(problem) => return answered(Err::<(), _>(problem)),
        };
        let count = if after_version == 0 {
            1
        } else {
            self.version - after_version
        };
        let bytes = |change: VersionChange| change.message;
        let messages = changes.map(|change| sent(change.map(bytes)));
        let answers = messages.take(usize::try_from(count).unwrap());
        answers.collect::<Vec<_>>().await.concat()
    }

    /// Returns the messages of a feed about the game, from this version on.
    async fn feed_updates(&self, viewer: Option<v1::Viewer>, first: u64) -> Bytes {
        let marked = FeedGameRequest {
            id: Uuid::try_parse(&self.game_id).unwrap(),
            versions: Some(first..=self.version),
            is_created: first == 1,
            lists_changed_at: None,
            filter: Arc::default(),
            viewer,
            show: Some(ALL),
        };
        match self.games.feed_game_updates(&self.caller, marked).await {
            Ok(marked) => {
                let bytes = |change: VersionChange| change.message;
                let messages = marked.changes.map(|change| sent(change.map(bytes)));
                messages.collect::<Vec<_>>().await.concat()
            }
            Err(problem) => answered(Err::<(), _>(problem)),
        }
    }

    async fn export(&self) -> Bytes {
        let call = ExportGameRequest {
            game_id: self.game_id.clone(),
            with_states: true,
            ..Default::default()
        };
        let parts = match self.games.export_game(&self.caller, call).await {
            Ok(parts) => parts,
            Err(problem) => return answered(Err::<(), _>(problem)),
        };
        // Only at the end of a game, when nothing is hidden any more.
        let count = parts.map(|part| part.map(drop).unwrap()).count().await;
        count.to_be_bytes().to_vec()
    }

    /// Returns the response to an action: a refusal, or a preview if it is only validated.
    pub(super) async fn attempt(&self, action: Action, seat: Seat, validate_only: bool) -> Bytes {
        let call = ApplyActionRequest {
            game_id: self.game_id.clone(),
            seat: seat.number().into(),
            action: Some(action),
            validate_only,
            show: Some(ALL),
            ..ApplyActionRequest::default()
        };
        let applied = self.games.apply_action(&self.caller, Box::new(call)).await;
        answered(applied.inspect(|applied| {
            assert!(
                validate_only,
                "what one server refuses, the other must not play"
            );
            let table = applied.table.as_ref().unwrap();
            // Facts that the seat cannot know in advance are left out; the rest is the same on both servers.
            let is_foreseen = applied.entry.is_some();
            let shown = [
                table.view.is_some(),
                !table.board.is_empty(),
                !table.drawing.is_empty(),
            ];
            assert_eq!(shown, [is_foreseen; 3]);
        }))
    }
}
