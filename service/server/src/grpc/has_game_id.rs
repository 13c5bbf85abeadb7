//! The game that a request is about, for the audit log.

use gamekeeper_games::ResponseStream;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use pb::token_holder::Holder;

/// A request, by the game that the audit log records for it.
pub(super) trait HasGameId {
    /// Returns the id of the game, as the request has it. Empty if it names none, or many.
    fn game_id(&self) -> &str {
        ""
    }
}

macro_rules! has_game_id {
    (game_id: $($request:ty),+; no game: $($other:ty),+ $(,)?) => {
        $(impl HasGameId for $request {
            fn game_id(&self) -> &str {
                &self.game_id
            }
        })+
        $(impl HasGameId for $other {})+
    };
}

has_game_id! {
    game_id: pb::GetGameRequest, pb::ListLegalActionsRequest, pb::ListEventsRequest, pb::WatchGameRequest,
        pb::ExportGameRequest, pb::UpdateGameRequest, pb::DeleteGameRequest, pb::ForkGameRequest, pb::ResignRequest,
        pb::FillSeatRequest, pb::ClaimTimeoutRequest, pb::AddTimeRequest, pb::PauseGameRequest, pb::ResumeGameRequest, pb::TakeBackRequest,
        pb::EndGameRequest, pb::AnswerProposalRequest, Box<raw::ApplyActionRequest>;
    no game: raw::CreateGameRequest, pb::BatchGetGamesRequest, pb::ListGamesRequest, pb::WatchGamesRequest,
        pb::EraseUserRequest,
        ResponseStream<raw::SelfPlayRequest>, ResponseStream<raw::ImportGameRequest>,
}

impl HasGameId for pb::IssueTokenRequest {
    fn game_id(&self) -> &str {
        game_id_of(self.holder.as_ref())
    }
}

impl HasGameId for pb::RevokeTokensRequest {
    fn game_id(&self) -> &str {
        game_id_of(self.holder.as_ref())
    }
}

fn game_id_of(holder: Option<&pb::TokenHolder>) -> &str {
    match holder.and_then(|holder| holder.holder.as_ref()) {
        Some(Holder::Seat(of)) => &of.game_id,
        Some(Holder::Spectator(of)) => &of.game_id,
        // A user does not belong to one game.
        Some(Holder::User(_)) | None => "",
    }
}
