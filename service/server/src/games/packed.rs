//! Games of any ruleset, with the ruleset's own messages packed, for `TableService`.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use gamekeeper_proto::Opaque;
use gamekeeper_proto::envelope::{self, ApplyActionRequest, CreateGameRequest, unpacked};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::{Malformed, Wire};
use prost_types::Any;

use super::news::{Form, Message};
use super::{Answers, Games};
use crate::auth::{Bearer, Caller};
use crate::problem::Problem;

/// The games of one ruleset. Each method is that of [`Games`], with packed messages.
#[async_trait]
#[expect(missing_docs, reason = "the contract says what each method does")]
pub trait PackedGames: Send + Sync + 'static {
    async fn create_packed(
        &self,
        caller: &Caller,
        call: pb::CreateGameRequest,
    ) -> Result<pb::CreateGameResponse, Problem>;

    async fn apply_packed(
        &self,
        caller: &Caller,
        call: pb::ApplyActionRequest,
    ) -> Result<pb::ApplyActionResponse, Problem>;

    async fn look_packed(
        &self,
        caller: &Caller,
        call: pb::GetGameRequest,
    ) -> Result<pb::GetGameResponse, Problem>;

    async fn legal_packed(
        &self,
        caller: &Caller,
        call: pb::ListLegalActionsRequest,
    ) -> Result<pb::ListLegalActionsResponse, Problem>;

    async fn events_packed(
        &self,
        caller: &Caller,
        call: pb::ListEventsRequest,
    ) -> Result<pb::ListEventsResponse, Problem>;

    async fn watch_packed(
        self: Arc<Self>,
        caller: &Bearer,
        call: pb::WatchGameRequest,
    ) -> Result<Answers<Message>, Problem>;

    async fn export_packed(
        self: Arc<Self>,
        caller: &Bearer,
        call: pb::ExportGameRequest,
    ) -> Result<Answers<pb::ExportGameResponse>, Problem>;

    fn catalogue_packed(&self, known_revision: u32) -> pb::GetCatalogueResponse;
}

#[async_trait]
impl<W: Wire> PackedGames for Games<W> {
    async fn create_packed(
        &self,
        caller: &Caller,
        call: pb::CreateGameRequest,
    ) -> Result<pb::CreateGameResponse, Problem> {
        let options = call
            .options
            .map(|options| unpack_field::<W>("options", "Options", &options));
        let call = CreateGameRequest {
            players: call.players,
            options: options.transpose()?,
            request_id: call.request_id,
            seed: call.seed,
            table: call.table,
            labels: call.labels,
        };
        Ok(self.create(caller, call).await?.packed(W::PACKAGE))
    }

    async fn apply_packed(
        &self,
        caller: &Caller,
        call: pb::ApplyActionRequest,
    ) -> Result<pb::ApplyActionResponse, Problem> {
        let action = call
            .action
            .map(|action| unpack_field::<W>("action", "Action", &action));
        let call = ApplyActionRequest {
            game_id: call.game_id,
            seat: call.seat,
            action: action.transpose()?,
            expected_version: call.expected_version,
            request_id: call.request_id,
            view_mode: call.view_mode,
            validate_only: call.validate_only,
            with_text: call.with_text,
            with_board: call.with_board,
        };
        Ok(self.apply(caller, Box::new(call)).await?.packed(W::PACKAGE))
    }

    async fn look_packed(
        &self,
        caller: &Caller,
        call: pb::GetGameRequest,
    ) -> Result<pb::GetGameResponse, Problem> {
        Ok(self.look(caller, call).await?.packed(W::PACKAGE))
    }

    async fn legal_packed(
        &self,
        caller: &Caller,
        call: pb::ListLegalActionsRequest,
    ) -> Result<pb::ListLegalActionsResponse, Problem> {
        Ok(self.legal(caller, call).await?.packed(W::PACKAGE))
    }

    async fn events_packed(
        &self,
        caller: &Caller,
        call: pb::ListEventsRequest,
    ) -> Result<pb::ListEventsResponse, Problem> {
        Ok(self.events(caller, call).await?.packed(W::PACKAGE))
    }

    async fn watch_packed(
        self: Arc<Self>,
        caller: &Bearer,
        call: pb::WatchGameRequest,
    ) -> Result<Answers<Message>, Problem> {
        self.watch_as(caller, call, Form::Table).await
    }

    async fn export_packed(
        self: Arc<Self>,
        caller: &Bearer,
        call: pb::ExportGameRequest,
    ) -> Result<Answers<pb::ExportGameResponse>, Problem> {
        let parts = self.export(caller, call).await?;
        Ok(Box::pin(
            parts.map(|part| part.map(|part| part.packed(W::PACKAGE))),
        ))
    }

    fn catalogue_packed(&self, known_revision: u32) -> pb::GetCatalogueResponse {
        let call = envelope::GetCatalogueRequest { known_revision };
        self.catalogue(call).packed(W::PACKAGE)
    }
}

/// Unpacks a field that holds the message of this name.
fn unpack_field<W: Wire>(field: &str, name: &str, packed: &Any) -> Result<Opaque, Malformed> {
    match unpacked::<W::Messages, Opaque>(name, packed) {
        Some(Ok(message)) => Ok(message),
        Some(Err(error)) => Err(Malformed::new(field, format!("cannot be read: {error}"))),
        None => {
            let package = W::PACKAGE;
            Err(Malformed::new(field, format!("is not a {package}.{name}")))
        }
    }
}
