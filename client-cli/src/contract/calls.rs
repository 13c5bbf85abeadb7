//! The calls that this program makes, by the types of their requests.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use prost::Message;

/// A request type, with the path of its method and the type of its response.
pub(crate) trait Call: Message + Clone + 'static {
    /// The service and the method: `/service/method`.
    const PATH: &'static str;
    /// The type of the response, or of one message of a streamed response.
    type Response: Message + Default + 'static;
}

macro_rules! calls {
    ($($service:ident::$method:ident($request:path) -> $response:path;)*) => {
        $(
            impl Call for $request {
                const PATH: &'static str =
                    concat!("/gamekeeper.v1.", stringify!($service), "/", stringify!($method));
                type Response = $response;
            }
        )*

        #[cfg(test)]
        const PATHS: &[&str] = &[$(<$request as Call>::PATH),*];
    };
}

calls! {
    GameService::CreateGame(raw::CreateGameRequest) -> raw::CreateGameResponse;
    GameService::GetGame(pb::GetGameRequest) -> raw::GetGameResponse;
    GameService::BatchGetGames(pb::BatchGetGamesRequest) -> raw::BatchGetGamesResponse;
    GameService::ListGames(pb::ListGamesRequest) -> pb::ListGamesResponse;
    GameService::UpdateGame(pb::UpdateGameRequest) -> pb::UpdateGameResponse;
    GameService::EraseUser(pb::EraseUserRequest) -> raw::EraseUserResponse;
    GameService::DeleteGame(pb::DeleteGameRequest) -> pb::DeleteGameResponse;
    GameService::ForkGame(pb::ForkGameRequest) -> pb::ForkGameResponse;
    GameService::ImportGame(raw::ImportGameRequest) -> pb::ImportGameResponse;
    GameService::ApplyAction(raw::ApplyActionRequest) -> raw::ApplyActionResponse;
    GameService::ListLegalActions(pb::ListLegalActionsRequest) -> raw::ListLegalActionsResponse;
    GameService::ListEvents(pb::ListEventsRequest) -> raw::ListEventsResponse;
    GameService::WatchGame(pb::WatchGameRequest) -> raw::WatchGameResponse;
    GameService::WatchGames(pb::WatchGamesRequest) -> raw::WatchGamesResponse;
    GameService::ExportGame(pb::ExportGameRequest) -> raw::ExportGameResponse;
    GameService::Resign(pb::ResignRequest) -> pb::ResignResponse;
    GameService::FillSeat(pb::FillSeatRequest) -> pb::FillSeatResponse;
    GameService::ClaimTimeout(pb::ClaimTimeoutRequest) -> pb::ClaimTimeoutResponse;
    GameService::AddTime(pb::AddTimeRequest) -> pb::AddTimeResponse;
    GameService::PauseGame(pb::PauseGameRequest) -> pb::PauseGameResponse;
    GameService::ResumeGame(pb::ResumeGameRequest) -> pb::ResumeGameResponse;
    GameService::TakeBack(pb::TakeBackRequest) -> pb::TakeBackResponse;
    GameService::EndGame(pb::EndGameRequest) -> pb::EndGameResponse;
    GameService::AnswerProposal(pb::AnswerProposalRequest) -> pb::AnswerProposalResponse;
    AccessService::IssueToken(pb::IssueTokenRequest) -> pb::IssueTokenResponse;
    AccessService::RevokeTokens(pb::RevokeTokensRequest) -> pb::RevokeTokensResponse;
    RulesetService::ListRulesets(pb::ListRulesetsRequest) -> pb::ListRulesetsResponse;
    RulesetService::GetCatalogue(pb::GetCatalogueRequest) -> raw::GetCatalogueResponse;
    RulesetService::ListRules(pb::ListRulesRequest) -> pb::ListRulesResponse;
    RulesetService::GetRule(pb::GetRuleRequest) -> pb::GetRuleResponse;
    SelfPlayService::SelfPlay(raw::SelfPlayRequest) -> raw::SelfPlayResponse;
}

#[cfg(test)]
mod tests {
    use gamekeeper_wire::contract::pool;

    use super::PATHS;

    #[test]
    fn every_method_of_the_contract_can_be_called() {
        let services = pool().services();
        let mut methods: Vec<String> = services
            .flat_map(|service| service.methods().collect::<Vec<_>>())
            .map(|method| format!("/{}/{}", method.parent_service().full_name(), method.name()))
            .collect();
        methods.sort();
        let mut paths = PATHS.to_vec();
        paths.sort_unstable();
        assert_eq!(methods, paths);
    }
}
