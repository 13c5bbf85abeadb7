//! The calls for one game.

use gamekeeper_proto::gamekeeper::v1::{
    ExportGameRequest, GameInfo, GetGameRequest, ListDetail, ListEventsRequest,
    ListLegalActionsRequest, SelfPlayNumbers, SelfPlayTensor, Show, TakeBackRequest,
    WatchGameRequest,
};
use gamekeeper_proto::raw;
use prost_reflect::DynamicMessage;
use prost_reflect::prost_types::Timestamp;
use tokio_stream::Stream;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::contract::{Call, to_dynamic, unwrap_oneof};
use crate::failure::Failure;
use crate::token_selection::{TokenSelection, ViewerChoice};

/// Maximum number of entries per page.
const PAGE: i32 = 1_000;

/// Requests the texts of actions and events alone.
pub(crate) const TEXT: Show = Show {
    view: false,
    events: false,
    text: true,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    anonymous: false,
    numbers: 0,
};

/// Requests legal actions with texts that include costs and gains.
const SHOW_PRICES: Show = Show {
    amounts: true,
    ..TEXT
};

/// Requests events with their texts.
pub(crate) const SHOW_EVENT_TEXTS: Show = Show {
    events: true,
    ..TEXT
};

/// A game and the connection to its server.
#[derive(Clone)]
pub(crate) struct GameClient {
    connection: Connection,
    id: String,
    tokens: TokenSelection,
    /// Whether players go by their seats in texts, instead of by their names.
    anonymous: bool,
}

/// An action to play for a seat.
pub(crate) struct Move {
    /// The seat that acts.
    pub(crate) seat: u32,
    pub(crate) action: raw::Action,
    /// The version on which the decision was based; 0 for any version.
    pub(crate) expected_version: u64,
    /// The idempotency key, which stays the same for all retries.
    pub(crate) request_id: String,
    /// The parts that the response contains.
    pub(crate) show: Show,
}

/// The legal actions of a seat.
pub(crate) struct Legal {
    /// The version in which the actions are legal.
    pub(crate) version: u64,
    /// The actions, ready to be sent.
    pub(crate) actions: Vec<raw::LegalAction>,
    /// Whether the list contains every legal action.
    pub(crate) exhaustive: bool,
    /// Whether the list was cut off at the requested maximum.
    pub(crate) cut: bool,
    /// The knowledge of the seat and the actions as numbers; empty if not requested.
    pub(crate) numbers: SelfPlayTensor,
}

/// The legal actions to list.
#[derive(Clone, Debug, Default)]
pub(crate) struct LegalFilter {
    /// The kinds to list; empty for all.
    pub(crate) kinds: Vec<String>,
    /// Whether to list every way to pay.
    pub(crate) all_payments: bool,
    /// The number of actions after which to stop, approximately; 0 for no limit.
    pub(crate) max: usize,
    /// Whether to include descriptions.
    pub(crate) with_text: bool,
    /// Whether to include the knowledge of the seat and the actions as numbers.
    pub(crate) with_numbers: bool,
}

impl LegalFilter {
    /// Returns the parts that the list has besides the actions. Returns `None` for no others.
    fn show(&self) -> Option<Show> {
        let parts = if self.with_text {
            SHOW_PRICES
        } else {
            Show::default()
        };
        let numbers = if self.with_numbers {
            SelfPlayNumbers::Floats
        } else {
            SelfPlayNumbers::Unspecified
        };
        let parts = Show {
            numbers: numbers.into(),
            ..parts
        };
        (self.with_text || self.with_numbers).then_some(parts)
    }
}

impl GameClient {
    /// Creates a client for the game with this id.
    pub(crate) fn new(connection: Connection, id: String, tokens: TokenSelection) -> Self {
        Self {
            connection,
            id,
            tokens,
            anonymous: false,
        }
    }

    /// Returns this client with players that go by their seats in all texts, instead of by their names.
    #[cfg(feature = "mcp")]
    pub(crate) fn anonymous(self) -> Self {
        Self {
            anonymous: true,
            ..self
        }
    }

    /// Returns the parts that a response contains, with the players called as this client calls them.
    fn show(&self, parts: Show) -> Show {
        Show {
            anonymous: self.anonymous,
            ..parts
        }
    }

    /// Returns the id of the game.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the connection to the server.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Reads the public facts.
    pub(crate) async fn info(&self) -> Result<GameInfo, Failure> {
        let response = self
            .get(ViewerChoice::FromToken, 0, Show::default())
            .await?;
        Ok(response.table.unwrap_or_default().game.unwrap_or_default())
    }

    /// Takes back the last action of a seat, or proposes it to the other players.
    pub(crate) async fn take_back(&self, seat: u32, to_version: u64) -> Result<GameInfo, Failure> {
        let request = TakeBackRequest {
            game_id: self.id.clone(),
            seat,
            to_version,
            request_id: new_request_id(),
        };
        let response = self.call(&request, ViewerChoice::Seat(seat)).await?;
        Ok(response.game.unwrap_or_default())
    }

    /// Plays an action.
    pub(crate) async fn apply(&self, play: &Move) -> Result<raw::ApplyActionResponse, Failure> {
        self.apply_action(play, false).await
    }

    /// Checks whether an action would be accepted, without playing it.
    pub(crate) async fn validate(&self, play: &Move) -> Result<raw::ApplyActionResponse, Failure> {
        self.apply_action(play, true).await
    }

    async fn apply_action(
        &self,
        play: &Move,
        validate_only: bool,
    ) -> Result<raw::ApplyActionResponse, Failure> {
        let request = raw::ApplyActionRequest {
            game_id: self.id.clone(),
            seat: play.seat,
            action: Some(play.action.clone()),
            expected_version: play.expected_version,
            request_id: play.request_id.clone(),
            validate_only,
            show: Some(self.show(play.show)),
        };
        self.call(&request, ViewerChoice::Seat(play.seat)).await
    }

    /// Reads the table as a viewer sees it. Version 0 is the newest.
    pub(crate) async fn get(
        &self,
        viewer: ViewerChoice,
        at_version: u64,
        show: Show,
    ) -> Result<raw::GetGameResponse, Failure> {
        let request = GetGameRequest {
            game_id: self.id.clone(),
            viewer: viewer.viewer(),
            at_version,
            show: Some(self.show(show)),
        };
        self.call(&request, viewer).await
    }

    /// Opens a self-play stream as a seat. Its worlds are those of this game if the plan requests that.
    pub(crate) async fn self_play(
        &self,
        asks: impl Stream<Item = raw::SelfPlayRequest> + Send + 'static,
        seat: u32,
    ) -> Result<Streaming<raw::SelfPlayResponse>, Failure> {
        let token = self.tokens.token(ViewerChoice::Seat(seat));
        Ok(self.connection.bidi_stream(asks, token).await?)
    }

    /// Reads all pages of a seat's legal actions. Starts over if the list changes between two pages.
    pub(crate) async fn legal(&self, seat: u32, filter: &LegalFilter) -> Result<Legal, Failure> {
        'again: loop {
            let first = self.legal_page(seat, filter, String::new()).await?;
            let mut next = first.next_page_token;
            let mut legal = Legal {
                version: first.version,
                actions: first.actions,
                exhaustive: first.exhaustive,
                cut: false,
                numbers: first.numbers.unwrap_or_default(),
            };
            while !next.is_empty() && (filter.max == 0 || legal.actions.len() < filter.max) {
                let page = self.legal_page(seat, filter, next).await?;
                if page.version != legal.version {
                    continue 'again;
                }
                legal.actions.extend(page.actions);
                next = page.next_page_token;
            }
            legal.cut = !next.is_empty();
            return Ok(legal);
        }
    }

    async fn legal_page(
        &self,
        seat: u32,
        filter: &LegalFilter,
        page_token: String,
    ) -> Result<raw::ListLegalActionsResponse, Failure> {
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
            show: filter.show().map(|parts| self.show(parts)),
            page_size: PAGE,
            page_token,
        };
        self.call(&request, ViewerChoice::Seat(seat)).await
    }

    /// Reads one page of the versions after this one, with the token of the next page.
    pub(crate) async fn events_page(
        &self,
        viewer: ViewerChoice,
        after_version: u64,
        page_token: String,
    ) -> Result<raw::ListEventsResponse, Failure> {
        let request = ListEventsRequest {
            game_id: self.id.clone(),
            viewer: viewer.viewer(),
            after_version,
            show: Some(self.show(TEXT)),
            page_size: PAGE,
            page_token,
        };
        self.call(&request, viewer).await
    }

    /// Reads all versions after this one.
    pub(crate) async fn events(
        &self,
        viewer: ViewerChoice,
        after_version: u64,
    ) -> Result<Vec<raw::LogEntry>, Failure> {
        let mut entries = Vec::new();
        let mut token = String::new();
        loop {
            let page = self.events_page(viewer, after_version, token).await?;
            entries.extend(page.entries);
            token = page.next_page_token;
            if token.is_empty() {
                return Ok(entries);
            }
        }
    }

    /// Opens the stream of versions after this one. The time of that version is sent along, if known.
    pub(crate) async fn watch(
        &self,
        viewer: ViewerChoice,
        show: Show,
        (after_version, after_time): (u64, Option<Timestamp>),
    ) -> Result<Streaming<raw::WatchGameResponse>, Status> {
        let request = WatchGameRequest {
            game_id: self.id.clone(),
            viewer: viewer.viewer(),
            after_version,
            after_time,
            show: Some(self.show(show)),
        };
        let token = self.tokens.token(viewer);
        self.connection.stream(request, token).await
    }

    /// Opens the stream of the record after a version. The stream is opened once; its reader resumes it.
    pub(crate) async fn export(
        &self,
        with_states: bool,
        after_version: u64,
    ) -> Result<Streaming<raw::ExportGameResponse>, Status> {
        let request = ExportGameRequest {
            game_id: self.id.clone(),
            with_states,
            after_version,
        };
        let token = self.tokens.token(ViewerChoice::Operator);
        self.connection.stream(request, token).await
    }

    async fn call<C: Call>(
        &self,
        request: &C,
        viewer: ViewerChoice,
    ) -> Result<C::Response, Failure> {
        let token = self.tokens.token(viewer);
        self.connection.call(request, token).await
    }
}

/// Returns the ruleset's own part of an action, in the form that `apply` accepts.
pub(crate) fn ruleset_action(action: &raw::Action) -> Result<DynamicMessage, Failure> {
    let ruleset_action = unwrap_oneof(&to_dynamic("Action", action)?);
    ruleset_action.ok_or_else(|| Failure::Contract("an action of no ruleset".to_owned()))
}

/// Creates a request id (idempotency key) for one change. All its retries use the same one.
pub(crate) fn new_request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
