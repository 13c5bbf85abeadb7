//! One game.

use gamekeeper_proto::gamekeeper::v1::{
    ExportGameRequest, GameInfo, GetGameRequest, ListDetail, ListEventsRequest,
    ListLegalActionsRequest, Show, TakeBackRequest, WatchGameRequest,
};
use gamekeeper_proto::raw;
use prost_reflect::DynamicMessage;
use prost_reflect::prost_types::Timestamp;
use tokio_stream::Stream;
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::contract::{Call, inner, shared};
use crate::failure::Failure;
use crate::keys::{Keys, Looker};

/// The maximum number of entries on a page.
const PAGE: i32 = 1_000;

/// What sentences need.
pub(crate) const TEXT: Show = Show {
    view: false,
    events: false,
    text: true,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
};

/// What may be done, in sentences that say what it costs and brings.
const PRICED: Show = Show {
    amounts: true,
    ..TEXT
};

/// What happened, in sentences.
pub(crate) const TOLD: Show = Show {
    events: true,
    ..TEXT
};

/// A game and the connection to its server.
#[derive(Clone)]
pub(crate) struct GameClient {
    connection: Connection,
    id: String,
    keys: Keys,
}

/// An action for a seat.
pub(crate) struct Move {
    /// The seat that acts.
    pub(crate) seat: u32,
    pub(crate) action: raw::Action,
    /// The version on which the seat decided; 0: any.
    pub(crate) expected_version: u64,
    /// The same for every retry.
    pub(crate) request_id: String,
    /// What the answer carries.
    pub(crate) show: Show,
}

/// What a seat may do.
pub(crate) struct Legal {
    /// The version for which they are legal.
    pub(crate) version: u64,
    /// The actions, ready to be sent.
    pub(crate) actions: Vec<raw::LegalAction>,
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
    pub(crate) max: usize,
    /// Include descriptions.
    pub(crate) with_text: bool,
}

impl GameClient {
    /// The game with this id.
    pub(crate) fn new(connection: Connection, id: String, keys: Keys) -> Self {
        Self {
            connection,
            id,
            keys,
        }
    }

    /// The id of the game.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The connection to its server.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The public facts.
    pub(crate) async fn info(&self) -> Result<GameInfo, Failure> {
        let answer = self.get(Looker::Anybody, 0, Show::default()).await?;
        Ok(answer.table.unwrap_or_default().game.unwrap_or_default())
    }

    /// Takes back what a seat did last, or asks the others to agree.
    pub(crate) async fn take_back(&self, seat: u32, to_version: u64) -> Result<GameInfo, Failure> {
        let request = TakeBackRequest {
            game_id: self.id.clone(),
            seat,
            to_version,
            request_id: new_request_id(),
        };
        let answer = self.call(&request, Looker::Seat(seat)).await?;
        Ok(answer.game.unwrap_or_default())
    }

    /// Plays an action.
    pub(crate) async fn apply(&self, play: &Move) -> Result<raw::ApplyActionResponse, Failure> {
        self.apply_action(play, false).await
    }

    /// Asks whether an action would be accepted.
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
            show: Some(play.show),
        };
        self.call(&request, Looker::Seat(play.seat)).await
    }

    /// The table as a viewer sees it; version 0 is the newest.
    pub(crate) async fn get(
        &self,
        looker: Looker,
        at_version: u64,
        show: Show,
    ) -> Result<raw::GetGameResponse, Failure> {
        let request = GetGameRequest {
            game_id: self.id.clone(),
            viewer: looker.viewer(),
            at_version,
            show: Some(show),
        };
        self.call(&request, looker).await
    }

    /// Opens a self-play stream as a seat: in worlds of this game, if the plan says so.
    pub(crate) async fn self_play(
        &self,
        asks: impl Stream<Item = raw::SelfPlayRequest> + Send + 'static,
        seat: u32,
    ) -> Result<Streaming<raw::SelfPlayResponse>, Failure> {
        let token = self.keys.token(Looker::Seat(seat));
        Ok(self.connection.converse(asks, token).await?)
    }

    /// The legal actions of a seat, all pages. A list that changes between two pages is read again.
    pub(crate) async fn legal(&self, seat: u32, filter: &LegalFilter) -> Result<Legal, Failure> {
        'again: loop {
            let first = self.legal_page(seat, filter, String::new()).await?;
            let mut next = first.next_page_token;
            let mut legal = Legal {
                version: first.version,
                actions: first.actions,
                exhaustive: first.exhaustive,
                cut: false,
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
            show: filter.with_text.then_some(PRICED),
            page_size: PAGE,
            page_token,
        };
        self.call(&request, Looker::Seat(seat)).await
    }

    /// One page of the versions after this one, and the token of the next page.
    pub(crate) async fn events_page(
        &self,
        looker: Looker,
        after_version: u64,
        page_token: String,
    ) -> Result<raw::ListEventsResponse, Failure> {
        let request = ListEventsRequest {
            game_id: self.id.clone(),
            viewer: looker.viewer(),
            after_version,
            show: Some(TEXT),
            page_size: PAGE,
            page_token,
        };
        self.call(&request, looker).await
    }

    /// All versions after this one.
    pub(crate) async fn events(
        &self,
        looker: Looker,
        after_version: u64,
    ) -> Result<Vec<raw::LogEntry>, Failure> {
        let mut entries = Vec::new();
        let mut token = String::new();
        loop {
            let page = self.events_page(looker, after_version, token).await?;
            entries.extend(page.entries);
            token = page.next_page_token;
            if token.is_empty() {
                return Ok(entries);
            }
        }
    }

    /// Opens the stream of versions after this one; the time at which it was played is sent too, if known.
    pub(crate) async fn watch(
        &self,
        looker: Looker,
        show: Show,
        (after_version, after_time): (u64, Option<Timestamp>),
    ) -> Result<Streaming<raw::WatchGameResponse>, Status> {
        let request = WatchGameRequest {
            game_id: self.id.clone(),
            viewer: looker.viewer(),
            after_version,
            after_time,
            show: Some(show),
        };
        let token = self.keys.token(looker);
        self.connection.stream(request, token).await
    }

    /// Opens the stream of the record after a version. Opens it once; the reader resumes it.
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
        let token = self.keys.token(Looker::Operator);
        self.connection.stream(request, token).await
    }

    async fn call<C: Call>(&self, request: &C, looker: Looker) -> Result<C::Answer, Failure> {
        let token = self.keys.token(looker);
        self.connection.call(request, token).await
    }
}

/// The ruleset's own part of an action, as `apply` takes it.
pub(crate) fn own_action(action: &raw::Action) -> Result<DynamicMessage, Failure> {
    let own = inner(&shared("Action", action)?);
    own.ok_or_else(|| Failure::Contract("an action of no ruleset".to_owned()))
}

/// A request id for one change, the same for all its retries.
pub(crate) fn new_request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
