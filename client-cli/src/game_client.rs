//! One game, through the service of its ruleset.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, ListDetail, PendingDecision, ViewMode};
use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage, ServiceDescriptor, Value};
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::contract::{field_message, method};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::keys::{Keys, Looker};

/// The most entries of a page.
const PAGE: i32 = 1_000;

/// A game and the way to it.
#[derive(Clone)]
pub(crate) struct GameClient {
    connection: Connection,
    service: ServiceDescriptor,
    id: String,
    keys: Keys,
}

/// An action for a seat.
pub(crate) struct Move {
    /// The seat that acts.
    pub(crate) seat: u32,
    /// What it does.
    pub(crate) action: DynamicMessage,
    /// The version that the seat looked at; 0: any.
    pub(crate) expected_version: u64,
    /// The same for every repetition.
    pub(crate) request_id: String,
    /// Does the answer carry a view?
    pub(crate) view_mode: ViewMode,
}

/// What a seat may do.
pub(crate) struct Legal {
    /// The version at which it may.
    pub(crate) version: u64,
    /// Who owes which decision.
    pub(crate) pending: Vec<PendingDecision>,
    /// The actions, ready to be sent.
    pub(crate) actions: Vec<DynamicMessage>,
    /// Is every legal action among them?
    pub(crate) exhaustive: bool,
}

/// Which legal actions are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct LegalFilter {
    /// Only these kinds; empty for all.
    pub(crate) kinds: Vec<String>,
    /// Every way to pay.
    pub(crate) all_payments: bool,
}

impl GameClient {
    /// A game of the ruleset of this service.
    pub(crate) fn new(
        connection: Connection,
        service: ServiceDescriptor,
        id: String,
        keys: Keys,
    ) -> Self {
        Self {
            connection,
            service,
            id,
            keys,
        }
    }

    /// The id of the game.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// What a status of a broken stream means.
    pub(crate) fn explain(&self, status: Status) -> Status {
        self.connection.explain(status)
    }

    /// How often a broken stream is opened again.
    pub(crate) fn retries(&self) -> u32 {
        self.connection.retries()
    }

    /// The message `Action` of the ruleset.
    pub(crate) fn action(&self) -> Result<MessageDescriptor, Failure> {
        field_message(&method(&self.service, "ApplyAction")?.input(), "action")
    }

    /// Plays an action.
    pub(crate) async fn apply(&self, play: &Move) -> Result<DynamicMessage, Failure> {
        self.apply_action(play, false).await
    }

    /// Asks whether an action would be accepted.
    pub(crate) async fn validate(&self, play: &Move) -> Result<DynamicMessage, Failure> {
        self.apply_action(play, true).await
    }

    async fn apply_action(
        &self,
        play: &Move,
        validate_only: bool,
    ) -> Result<DynamicMessage, Failure> {
        let request = self
            .request("ApplyAction")?
            .with("seat", play.seat)?
            .with("action", Value::Message(play.action.clone()))?
            .with("expected_version", play.expected_version)?
            .with("request_id", play.request_id.clone())?
            .with("view_mode", Value::EnumNumber(play.view_mode.into()))?
            .with("validate_only", validate_only)?
            .with("with_text", true)?;
        self.call("ApplyAction", &request, Looker::Seat(play.seat))
            .await
    }

    /// The table as somebody sees it; at version 0 the newest.
    pub(crate) async fn get(
        &self,
        looker: Looker,
        at_version: u64,
    ) -> Result<DynamicMessage, Failure> {
        let request = self.request("GetGame")?;
        let request = with_viewer(request, looker)?.with("at_version", at_version)?;
        self.call("GetGame", &request, looker).await
    }

    /// What a seat may do, all pages. A list that changes between two pages is read again.
    pub(crate) async fn legal(&self, seat: u32, filter: &LegalFilter) -> Result<Legal, Failure> {
        'again: loop {
            let first = self.legal_page(seat, filter, String::new()).await?;
            let mut next = first.text("next_page_token");
            let mut legal = Legal {
                version: first.number("version"),
                pending: first.typed_list("pending")?,
                actions: first.children("actions"),
                exhaustive: first.flag("exhaustive"),
            };
            while !next.is_empty() {
                let page = self.legal_page(seat, filter, next).await?;
                if page.number("version") != legal.version {
                    continue 'again;
                }
                legal.actions.extend(page.children("actions"));
                next = page.text("next_page_token");
            }
            return Ok(legal);
        }
    }

    async fn legal_page(
        &self,
        seat: u32,
        filter: &LegalFilter,
        page_token: String,
    ) -> Result<DynamicMessage, Failure> {
        let detail = if filter.all_payments {
            ListDetail::AllPayments
        } else {
            ListDetail::Moves
        };
        let kinds = filter.kinds.iter().cloned().map(Value::String).collect();
        let request = self
            .request("ListLegalActions")?
            .with("seat", seat)?
            .with("kinds", Value::List(kinds))?
            .with("detail", Value::EnumNumber(detail.into()))?
            .with("page_size", PAGE)?
            .with("page_token", page_token)?;
        self.call("ListLegalActions", &request, Looker::Seat(seat))
            .await
    }

    /// One page of what happened after a version: the versions, and the token of the next page.
    pub(crate) async fn events_page(
        &self,
        looker: Looker,
        after_version: u64,
        page_token: String,
    ) -> Result<(Vec<DynamicMessage>, String), Failure> {
        let request = self.request("ListEvents")?;
        let request = with_viewer(request, looker)?
            .with("after_version", after_version)?
            .with("page_size", PAGE)?
            .with("page_token", page_token)?
            .with("with_text", true)?;
        let answer = self.call("ListEvents", &request, looker).await?;
        Ok((answer.children("versions"), answer.text("next_page_token")))
    }

    /// Everything that happened after a version.
    pub(crate) async fn events(
        &self,
        looker: Looker,
        after_version: u64,
    ) -> Result<Vec<DynamicMessage>, Failure> {
        let mut versions = Vec::new();
        let mut token = String::new();
        loop {
            let (page, next) = self.events_page(looker, after_version, token).await?;
            versions.extend(page);
            if next.is_empty() {
                return Ok(versions);
            }
            token = next;
        }
    }

    /// Opens the stream of new versions, after one and the time at which it was played, if that is known.
    pub(crate) async fn watch(
        &self,
        looker: Looker,
        after: (u64, Option<DynamicMessage>),
        view_mode: ViewMode,
    ) -> Result<Streaming<DynamicMessage>, Status> {
        let open = || -> Result<_, Failure> {
            let mut request = with_viewer(self.request("WatchGame")?, looker)?;
            if let Some(time) = after.1 {
                request = request.with("after_time", Value::Message(time))?;
            }
            let request = request
                .with("after_version", after.0)?
                .with("view_mode", Value::EnumNumber(view_mode.into()))?
                .with("with_text", true)?;
            Ok((method(&self.service, "WatchGame")?, request))
        };
        let (method, request) = open().map_err(|failure| Status::internal(failure.to_string()))?;
        self.connection
            .stream(&method, &request, self.keys.token(looker))
            .await
    }

    /// Opens the stream of the whole record. Opens it once; whoever reads it resumes.
    pub(crate) async fn export(
        &self,
        with_states: bool,
    ) -> Result<Streaming<DynamicMessage>, Status> {
        let internal = |failure: Failure| Status::internal(failure.to_string());
        let method = method(&self.service, "ExportGame").map_err(internal)?;
        let request = self.request("ExportGame").map_err(internal)?;
        let request = request.with("with_states", with_states).map_err(internal)?;
        let token = self.keys.token(Looker::Operator);
        self.connection.stream(&method, &request, token).await
    }

    /// The components of the ruleset.
    pub(crate) async fn catalogue(&self) -> Result<DynamicMessage, Failure> {
        catalogue(
            &self.connection,
            &self.service,
            self.keys.token(Looker::Anybody),
        )
        .await
    }

    fn request(&self, name: &str) -> Result<DynamicMessage, Failure> {
        let method = method(&self.service, name)?;
        DynamicMessage::new(method.input()).with("game_id", self.id.clone())
    }

    async fn call(
        &self,
        name: &str,
        request: &DynamicMessage,
        looker: Looker,
    ) -> Result<DynamicMessage, Failure> {
        let method = method(&self.service, name)?;
        self.connection
            .call(&method, request, self.keys.token(looker))
            .await
    }
}

/// The components of a ruleset.
pub(crate) async fn catalogue(
    connection: &Connection,
    service: &ServiceDescriptor,
    token: Option<&str>,
) -> Result<DynamicMessage, Failure> {
    let method = method(service, "GetCatalogue")?;
    let request = DynamicMessage::new(method.input());
    let answer = connection.call(&method, &request, token).await?;
    Ok(answer.child("catalogue").unwrap_or(answer))
}

/// The public facts in an answer.
pub(crate) fn info_of(answer: &DynamicMessage) -> Result<GameInfo, Failure> {
    answer.typed("game")
}

/// An id for one change, the same for all its repetitions.
pub(crate) fn new_request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

fn with_viewer(request: DynamicMessage, looker: Looker) -> Result<DynamicMessage, Failure> {
    let (kind, seat) = looker.kind_and_seat();
    let viewer = DynamicMessage::new(field_message(&request.descriptor(), "viewer")?)
        .with("kind", Value::EnumNumber(kind.into()))?
        .with("seat", seat)?;
    request.with("viewer", Value::Message(viewer))
}
