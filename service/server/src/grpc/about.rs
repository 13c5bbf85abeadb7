//! The game that a request is about, for the audit log.

use gamekeeper_games::Answers;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use pb::token_holder::Holder;

/// A request, by the game that the audit log records for it.
pub(super) trait About {
    /// Returns the id of the game, as the request has it. Empty if it names none, or many.
    fn game_id(&self) -> &str {
        ""
    }
}

macro_rules! about {
    (game_id: $($request:ty),+; no game: $($other:ty),+ $(,)?) => {
        $(impl About for $request {
            fn game_id(&self) -> &str {
                &self.game_id
            }
        })+
        $(impl About for $other {})+
    };
}

about! {
    game_id: pb::GetGameRequest, pb::ListLegalActionsRequest, pb::ListEventsRequest, pb::WatchGameRequest,
        pb::ExportGameRequest, pb::UpdateGameRequest, pb::DeleteGameRequest, pb::ForkGameRequest, pb::ResignRequest,
        pb::FillSeatRequest, pb::ClaimTimeoutRequest, pb::AddTimeRequest, pb::PauseGameRequest, pb::ResumeGameRequest, pb::TakeBackRequest,
        pb::EndGameRequest, pb::AnswerProposalRequest, Box<raw::ApplyActionRequest>;
    no game: raw::CreateGameRequest, pb::BatchGetGamesRequest, pb::ListGamesRequest, pb::WatchGamesRequest,
        pb::EraseUserRequest,
        Answers<raw::SelfPlayRequest>,
}

impl About for pb::IssueTokenRequest {
    fn game_id(&self) -> &str {
        of_holder(self.holder.as_ref())
    }
}

impl About for pb::RevokeTokensRequest {
    fn game_id(&self) -> &str {
        of_holder(self.holder.as_ref())
    }
}

fn of_holder(holder: Option<&pb::TokenHolder>) -> &str {
    match holder.and_then(|holder| holder.holder.as_ref()) {
        Some(Holder::Seat(of)) => &of.game_id,
        Some(Holder::Spectator(of)) => &of.game_id,
        // A user does not belong to one game.
        Some(Holder::User(_)) | None => "",
    }
}
