//! One game, through the service of its ruleset.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::envelope::AnyRuleset;
use gamekeeper_proto::envelope::{
    self, ApplyActionRequest, ExportGameRequest, GetCatalogueRequest, GetGameRequest,
    ListEventsRequest, ListEventsResponse, ListLegalActionsRequest, ListLegalActionsResponse,
    WatchGameRequest,
};
use gamekeeper_proto::gamekeeper::v1::{BoardStyle, ListDetail, PendingDecision, ViewMode};
use prost::Message;
use prost_reflect::prost_types::Timestamp;
use prost_reflect::{DynamicMessage, MessageDescriptor, ServiceDescriptor};
use tokio_stream::Stream;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::contract::{dynamic, field_message, json_line, method};
use crate::failure::Failure;
use crate::keys::{Keys, Looker};

pub(crate) type ApplyActionResponse = envelope::ApplyActionResponse<AnyRuleset>;
pub(crate) type ExportGameResponse = envelope::ExportGameResponse<AnyRuleset>;
pub(crate) type GetGameResponse = envelope::GetGameResponse<AnyRuleset>;
pub(crate) type LoggedVersion = envelope::LoggedVersion<AnyRuleset>;
pub(crate) type WatchGameResponse = envelope::WatchGameResponse<AnyRuleset>;

/// The maximum number of entries on a page.
const PAGE: i32 = 1_000;

/// A game and the connection to its server.
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
    pub(crate) action: Opaque,
    /// The version on which the seat decided; 0: any.
    pub(crate) expected_version: u64,
    /// The same for every retry.
    pub(crate) request_id: String,
    /// Does the answer carry a view?
    pub(crate) view_mode: ViewMode,
}

/// What a seat may do.
pub(crate) struct Legal {
    /// The version for which they are legal.
    pub(crate) version: u64,
    /// The pending decisions.
    pub(crate) pending: Vec<PendingDecision>,
    /// The actions, ready to be sent.
    pub(crate) actions: Vec<Opaque>,
    /// A description of each action, if requested.
    pub(crate) texts: Vec<String>,
    /// Is every legal action among them?
    pub(crate) exhaustive: bool,
    /// Are there more that were not requested?
    pub(crate) cut: bool,
}

/// Which legal actions to list.
#[derive(Clone, Debug, Default)]
pub(crate) struct LegalFilter {
    /// Only these kinds; empty for all.
    pub(crate) kinds: Vec<String>,
    /// Every way to pay.
    pub(crate) all_payments: bool,
    /// Stop after about this many actions; 0: never.
    pub(crate) most: usize,
    /// Include descriptions.
    pub(crate) with_text: bool,
}

/// What a watch should carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watching {
    pub(crate) looker: Looker,
    pub(crate) view_mode: ViewMode,
    pub(crate) with_board: Option<BoardStyle>,
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

    /// The maximum number of times that a broken stream is reopened.
    pub(crate) fn retries(&self) -> u32 {
        self.connection.retries()
    }

    /// The message `Action` of the ruleset.
    pub(crate) fn action(&self) -> Result<MessageDescriptor, Failure> {
        field_message(&method(&self.service, "ApplyAction")?.input(), "action")
    }

    /// The answer of a method as a dynamic message.
    pub(crate) fn described(
        &self,
        name: &str,
        answer: &impl Message,
    ) -> Result<DynamicMessage, Failure> {
        dynamic(&method(&self.service, name)?.output(), answer)
    }

    /// Plays an action.
    pub(crate) async fn apply(&self, play: &Move) -> Result<ApplyActionResponse, Failure> {
        self.apply_action(play, false).await
    }

    /// Asks whether an action would be accepted.
    pub(crate) async fn validate(&self, play: &Move) -> Result<ApplyActionResponse, Failure> {
        self.apply_action(play, true).await
    }

    async fn apply_action(
        &self,
        play: &Move,
        validate_only: bool,
    ) -> Result<ApplyActionResponse, Failure> {
        let request = ApplyActionRequest::<AnyRuleset> {
            game_id: self.id.clone(),
            seat: play.seat,
            action: Some(play.action.clone()),
            expected_version: play.expected_version,
            request_id: play.request_id.clone(),
            view_mode: play.view_mode.into(),
            validate_only,
            with_text: true,
            with_board: None,
        };
        self.call("ApplyAction", &request, Looker::Seat(play.seat))
            .await
    }

    /// The table as a viewer sees it; version 0 is the newest.
    pub(crate) async fn get(
        &self,
        looker: Looker,
        at_version: u64,
        with_board: Option<BoardStyle>,
    ) -> Result<GetGameResponse, Failure> {
        let request = GetGameRequest {
            game_id: self.id.clone(),
            viewer: Some(looker.viewer()),
            at_version,
            with_board,
        };
        self.call("GetGame", &request, looker).await
    }

    /// Opens a self-play stream as a seat: in worlds of this game, if the plan says so.
    pub(crate) async fn self_play(
        &self,
        asks: impl Stream<Item = envelope::SelfPlayRequest<AnyRuleset>> + Send + 'static,
        seat: u32,
    ) -> Result<Streaming<envelope::SelfPlayResponse<AnyRuleset>>, Failure> {
        let method = method(&self.service, "SelfPlay")?;
        let token = self.keys.token(Looker::Seat(seat));
        Ok(self.connection.converse(&method, asks, token).await?)
    }

    /// The message `View` of the ruleset.
    pub(crate) fn view(&self) -> Result<MessageDescriptor, Failure> {
        field_message(&method(&self.service, "GetGame")?.output(), "view")
    }

    /// The legal actions of a seat, all pages. A list that changes between two pages is read again.
    pub(crate) async fn legal(&self, seat: u32, filter: &LegalFilter) -> Result<Legal, Failure> {
        'again: loop {
            let first = self.legal_page(seat, filter, String::new()).await?;
            let mut next = first.next_page_token;
            let mut legal = Legal {
                version: first.version,
                pending: first.pending,
                actions: first.actions,
                texts: first.texts,
                exhaustive: first.exhaustive,
                cut: false,
            };
            while !next.is_empty() && (filter.most == 0 || legal.actions.len() < filter.most) {
                let page = self.legal_page(seat, filter, next).await?;
                if page.version != legal.version {
                    continue 'again;
                }
                legal.actions.extend(page.actions);
                legal.texts.extend(page.texts);
                next = page.next_page_token;
            }
            legal.cut = !next.is_empty();
            if filter.with_text && legal.texts.len() != legal.actions.len() {
                legal.texts = self.as_json(&legal.actions)?;
            }
            return Ok(legal);
        }
    }

    /// JSON in place of descriptions, for a server that does not send any yet.
    fn as_json(&self, actions: &[Opaque]) -> Result<Vec<String>, Failure> {
        let actions = self.described_actions(actions)?;
        actions.iter().map(json_line).collect()
    }

    /// Actions as dynamic messages.
    pub(crate) fn described_actions(
        &self,
        actions: &[Opaque],
    ) -> Result<Vec<DynamicMessage>, Failure> {
        let kind = self.action()?;
        let actions = actions.iter().map(|action| dynamic(&kind, action));
        actions.collect()
    }

    async fn legal_page(
        &self,
        seat: u32,
        filter: &LegalFilter,
        page_token: String,
    ) -> Result<ListLegalActionsResponse<AnyRuleset>, Failure> {
        let detail = if filter.all_payments {
            ListDetail::AllPayments
        } else {
            ListDetail::Moves
        };
        let request = ListLegalActionsRequest {
            game_id: self.id.clone(),
            seat,
            kinds: filter.kinds.clone(),
            detail: detail.into(),
            page_size: PAGE,
            page_token,
            with_text: filter.with_text,
        };
        self.call("ListLegalActions", &request, Looker::Seat(seat))
            .await
    }

    /// One page of the versions after this one, and the token of the next page.
    pub(crate) async fn events_page(
        &self,
        looker: Looker,
        after_version: u64,
        page_token: String,
    ) -> Result<ListEventsResponse<AnyRuleset>, Failure> {
        let request = ListEventsRequest {
            game_id: self.id.clone(),
            viewer: Some(looker.viewer()),
            after_version,
            page_size: PAGE,
            page_token,
            with_text: true,
        };
        self.call("ListEvents", &request, looker).await
    }

    /// All versions after this one.
    pub(crate) async fn events(
        &self,
        looker: Looker,
        after_version: u64,
    ) -> Result<Vec<LoggedVersion>, Failure> {
        let mut versions = Vec::new();
        let mut token = String::new();
        loop {
            let page = self.events_page(looker, after_version, token).await?;
            versions.extend(page.versions);
            token = page.next_page_token;
            if token.is_empty() {
                return Ok(versions);
            }
        }
    }

    /// Opens the stream of versions after this one; the time at which it was played is sent too, if known.
    pub(crate) async fn watch(
        &self,
        watching: Watching,
        after: (u64, Option<Timestamp>),
    ) -> Result<Streaming<WatchGameResponse>, Status> {
        let request = WatchGameRequest {
            game_id: self.id.clone(),
            viewer: Some(watching.looker.viewer()),
            after_version: after.0,
            view_mode: watching.view_mode.into(),
            with_text: true,
            after_time: after.1,
            with_board: watching.with_board,
        };
        self.stream("WatchGame", request, watching.looker).await
    }

    /// Opens the stream of the record after a version. Opens it once; the reader resumes it.
    pub(crate) async fn export(
        &self,
        with_states: bool,
        after_version: u64,
    ) -> Result<Streaming<ExportGameResponse>, Status> {
        let request = ExportGameRequest {
            game_id: self.id.clone(),
            with_states,
            after_version,
        };
        self.stream("ExportGame", request, Looker::Operator).await
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

    async fn call<Q, A>(&self, name: &str, request: &Q, looker: Looker) -> Result<A, Failure>
    where
        Q: Message + Clone + 'static,
        A: Message + Default + 'static,
    {
        let method = method(&self.service, name)?;
        self.connection
            .call(&method, request, self.keys.token(looker))
            .await
    }

    async fn stream<Q, A>(
        &self,
        name: &str,
        request: Q,
        looker: Looker,
    ) -> Result<Streaming<A>, Status>
    where
        Q: Message + 'static,
        A: Message + Default + 'static,
    {
        let method =
            method(&self.service, name).map_err(|failure| Status::internal(failure.to_string()))?;
        self.connection
            .stream(&method, request, self.keys.token(looker))
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
    let request = GetCatalogueRequest::default();
    let answer: envelope::GetCatalogueResponse<AnyRuleset> =
        connection.call(&method, &request, token).await?;
    let kind = field_message(&method.output(), "catalogue")?;
    dynamic(&kind, &answer.catalogue.unwrap_or_default())
}

/// A request id for one change, the same for all its retries.
pub(crate) fn new_request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
