//! One service per ruleset. All have the same methods; each is a row of forwards to [`Games`].

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Wire;
use tonic::service::Routes;
use tonic::{Request, Status};

use super::{caller, status_of};
use crate::auth::{Authority, Caller};
use crate::games::{Games, House, Keeper};
use crate::problem::Problem;

/// Answers the calls of one ruleset.
pub struct Endpoint<W: Wire> {
    games: Arc<Games<W>>,
    authority: Arc<Authority>,
}

impl<W: Wire> Endpoint<W> {
    /// Answers for these games.
    #[must_use]
    pub fn new(games: Arc<Games<W>>, authority: Arc<Authority>) -> Self {
        Self { games, authority }
    }

    /// The caller and what he asks.
    fn begin<T>(&self, request: Request<T>) -> Result<(Caller, T), Status> {
        let caller = caller(&self.authority, &request).map_err(fail)?;
        Ok((caller, request.into_inner()))
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands where errors are mapped, which gives them away"
)]
fn fail(problem: Problem) -> Status {
    status_of(&problem)
}

/// A stream of answers as tonic wants it.
type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

fn answers<A: 'static, B: 'static>(
    stream: Pin<Box<dyn Stream<Item = Result<A, Problem>> + Send>>,
    message: fn(A) -> B,
) -> Answers<B> {
    Box::pin(stream.map(move |answer| answer.map(message).map_err(fail)))
}

/// Implements a ruleset's service: every method unpacks its request, asks [`Games`], and packs the
/// answer.
macro_rules! ruleset_service {
    ($module:ident, $Ruleset:ident) => {
        mod $module {
            use gamekeeper_rules::$module::$Ruleset as Ruleset;
            use gamekeeper_wire::Wire;
            use gamekeeper_wire::$module::pb;
            use tonic::{Request, Response, Status};

            use super::{Answers, Endpoint, answers, fail};
            use crate::games::{
                Applied, ApplyCall, CreateCall, Created, Export, Legal, LegalCall, Logged, Look,
                Page, Seen, Watch, WatchCall,
            };

            fn logged(logged: Logged<Ruleset>) -> pb::LoggedVersion {
                let Logged {
                    version,
                    seat,
                    events,
                    time,
                } = logged;
                pb::LoggedVersion {
                    version,
                    seat,
                    events,
                    time: Some(time),
                }
            }

            fn watched(watch: Watch<Ruleset>) -> pb::WatchGameResponse {
                use pb::watch_game_response::Update;
                let update = match watch {
                    Watch::Start(start) => {
                        let (game, view) = *start;
                        Update::Start(pb::WatchStart {
                            game: Some(game),
                            view: Some(view),
                        })
                    }
                    Watch::Version(version) => {
                        let (game, played, view) = *version;
                        Update::Version(pb::WatchVersion {
                            game: Some(game),
                            logged: Some(logged(played)),
                            view,
                        })
                    }
                    Watch::Bookmark(version) => Update::Bookmark(pb::WatchBookmark { version }),
                };
                pb::WatchGameResponse {
                    update: Some(update),
                }
            }

            fn exported(export: Export<Ruleset>) -> pb::ExportGameResponse {
                use pb::export_game_response::Part;
                let part = match export {
                    Export::Header(header) => {
                        let (game, options) = *header;
                        Part::Header(pb::ExportHeader {
                            game: Some(game),
                            options: Some(options),
                        })
                    }
                    Export::Version(version) => {
                        let automatic = |(seat, action)| pb::AutomaticAction {
                            seat,
                            action: Some(action),
                        };
                        Part::Version(pb::ExportVersion {
                            version: version.logged.version,
                            seat: version.logged.seat,
                            action: version.action,
                            automatic: version.automatic.into_iter().map(automatic).collect(),
                            draws: version.draws,
                            events: version.logged.events,
                            fingerprint: version.fingerprint,
                            time: Some(version.logged.time),
                            pending: version.pending,
                            state: version.state,
                        })
                    }
                    Export::Reveal(reveal) => Part::SeedReveal(reveal),
                };
                pb::ExportGameResponse { part: Some(part) }
            }

            #[tonic::async_trait]
            impl pb::Service for Endpoint<Ruleset> {
                async fn create_game(
                    &self,
                    request: Request<pb::CreateGameRequest>,
                ) -> Result<Response<pb::CreateGameResponse>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let pb::CreateGameRequest {
                        players,
                        options,
                        request_id,
                        seed,
                    } = call;
                    let call = CreateCall {
                        players,
                        options,
                        request_id,
                        seed,
                    };
                    let Created {
                        info,
                        view,
                        seat_tokens,
                        spectator_token,
                    } = self.games.create(&caller, call).await.map_err(fail)?;
                    let (game, view) = (Some(info), Some(view));
                    Ok(Response::new(pb::CreateGameResponse {
                        game,
                        view,
                        seat_tokens,
                        spectator_token,
                    }))
                }

                async fn apply_action(
                    &self,
                    request: Request<pb::ApplyActionRequest>,
                ) -> Result<Response<pb::ApplyActionResponse>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let call = ApplyCall {
                        game_id: call.game_id,
                        seat: call.seat,
                        action: call.action,
                        expected_version: call.expected_version,
                        request_id: call.request_id,
                        view_mode: call.view_mode,
                        validate_only: call.validate_only,
                        with_text: call.with_text,
                    };
                    let Applied { info, view, events } =
                        self.games.apply(&caller, call).await.map_err(fail)?;
                    Ok(Response::new(pb::ApplyActionResponse {
                        game: Some(info),
                        view,
                        events,
                    }))
                }

                async fn get_game(
                    &self,
                    request: Request<pb::GetGameRequest>,
                ) -> Result<Response<pb::GetGameResponse>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let pb::GetGameRequest {
                        game_id,
                        viewer,
                        at_version,
                    } = call;
                    let Seen {
                        info,
                        view,
                        seed_reveal,
                    } = self
                        .games
                        .look(
                            &caller,
                            Look {
                                game_id,
                                viewer,
                                at_version,
                            },
                        )
                        .await
                        .map_err(fail)?;
                    let (game, view) = (Some(info), Some(view));
                    Ok(Response::new(pb::GetGameResponse {
                        game,
                        view,
                        seed_reveal,
                    }))
                }

                async fn list_legal_actions(
                    &self,
                    request: Request<pb::ListLegalActionsRequest>,
                ) -> Result<Response<pb::ListLegalActionsResponse>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let call = LegalCall {
                        game_id: call.game_id,
                        seat: call.seat,
                        kinds: call.kinds,
                        detail: call.detail,
                        page: Page {
                            size: call.page_size,
                            token: call.page_token,
                        },
                    };
                    let Legal {
                        version,
                        pending,
                        actions,
                        exhaustive,
                        next_page_token,
                    } = self.games.legal(&caller, call).await.map_err(fail)?;
                    Ok(Response::new(pb::ListLegalActionsResponse {
                        version,
                        pending,
                        actions,
                        exhaustive,
                        next_page_token,
                    }))
                }

                async fn list_events(
                    &self,
                    request: Request<pb::ListEventsRequest>,
                ) -> Result<Response<pb::ListEventsResponse>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let look = Look {
                        game_id: call.game_id,
                        viewer: call.viewer,
                        at_version: call.after_version,
                    };
                    let page = Page {
                        size: call.page_size,
                        token: call.page_token,
                    };
                    let found = self
                        .games
                        .events(&caller, look, page, call.with_text)
                        .await
                        .map_err(fail)?;
                    let versions = found.versions.into_iter().map(logged).collect();
                    let next_page_token = found.next_page_token;
                    Ok(Response::new(pb::ListEventsResponse {
                        versions,
                        next_page_token,
                    }))
                }

                type WatchGameStream = Answers<pb::WatchGameResponse>;

                async fn watch_game(
                    &self,
                    request: Request<pb::WatchGameRequest>,
                ) -> Result<Response<Self::WatchGameStream>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let pb::WatchGameRequest {
                        game_id,
                        viewer,
                        after_version,
                        view_mode,
                        with_text,
                    } = call;
                    let call = WatchCall {
                        game_id,
                        viewer,
                        after_version,
                        view_mode,
                        with_text,
                    };
                    let stream = self.games.watch(&caller, call).await.map_err(fail)?;
                    Ok(Response::new(answers(stream, watched)))
                }

                type ExportGameStream = Answers<pb::ExportGameResponse>;

                async fn export_game(
                    &self,
                    request: Request<pb::ExportGameRequest>,
                ) -> Result<Response<Self::ExportGameStream>, Status> {
                    let (caller, call) = self.begin(request)?;
                    let stream = self
                        .games
                        .export(&caller, &call.game_id, call.with_states)
                        .await
                        .map_err(fail)?;
                    Ok(Response::new(answers(stream, exported)))
                }

                async fn get_catalogue(
                    &self,
                    _request: Request<pb::GetCatalogueRequest>,
                ) -> Result<Response<pb::GetCatalogueResponse>, Status> {
                    let catalogue = Some(<Ruleset as Wire>::catalogue());
                    Ok(Response::new(pb::GetCatalogueResponse { catalogue }))
                }
            }
        }
    };
}

/// The methods that every ruleset's service has.
const RULESET_METHODS: [&str; 8] = [
    "CreateGame",
    "ApplyAction",
    "GetGame",
    "ListLegalActions",
    "ListEvents",
    "WatchGame",
    "ExportGame",
    "GetCatalogue",
];

/// The methods of services without a ruleset.
const OTHER_METHODS: [&str; 9] = [
    "gamekeeper.v1.GamesService/ListRulesets",
    "gamekeeper.v1.GamesService/ListGames",
    "gamekeeper.v1.GamesService/GetGameInfo",
    "gamekeeper.v1.GamesService/DeleteGame",
    "gamekeeper.v1.GamesService/RotateSeatToken",
    "grpc.health.v1.Health/Check",
    "grpc.health.v1.Health/Watch",
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

fn methods(rulesets: impl Iterator<Item = pb::Ruleset>) -> Vec<(String, String)> {
    let of_rulesets = rulesets.flat_map(|pb::Ruleset { id, service, .. }| {
        RULESET_METHODS.map(move |method| (format!("{service}/{method}"), id.clone()))
    });
    let others = OTHER_METHODS.map(|method| (method.to_owned(), String::new()));
    of_rulesets.chain(others).collect()
}

/// Serves these rulesets.
macro_rules! serve_rulesets {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(ruleset_service!($module, $Ruleset);)*

        /// The games of all rulesets.
        pub struct Rulesets {
            $($module: Arc<Games<gamekeeper_rules::$module::$Ruleset>>,)*
        }

        impl Rulesets {
            /// The games of all rulesets in a house.
            #[must_use]
            pub fn new(house: &Arc<House>) -> Self {
                Self { $($module: Arc::new(Games::new(Arc::clone(house))),)* }
            }

            /// The rulesets without their types.
            #[must_use]
            pub fn keepers(&self) -> Vec<Arc<dyn Keeper>> {
                vec![$(Arc::clone(&self.$module) as Arc<dyn Keeper>,)*]
            }

            /// The full names of the services.
            #[must_use]
            pub fn service_names(&self) -> Vec<String> {
                self.keepers().iter().map(|keeper| keeper.ruleset().service).collect()
            }

            /// The full names of all methods that are served, each with the ruleset of its service.
            #[must_use]
            pub fn methods(&self) -> Vec<(String, String)> {
                methods(self.keepers().iter().map(|keeper| keeper.ruleset()))
            }

            /// A route to every service.
            #[must_use]
            pub fn routes(&self, authority: &Arc<Authority>, most_bytes: usize) -> Routes {
                let routes = Routes::default();
                $(
                    let endpoint = Endpoint::new(Arc::clone(&self.$module), Arc::clone(authority));
                    let service = gamekeeper_wire::$module::pb::Server::new(endpoint);
                    let routes = routes.add_service(service.max_decoding_message_size(most_bytes));
                )*
                routes
            }
        }
    };
}

gamekeeper_wire::for_each_ruleset!(serve_rulesets);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message;

    use super::*;

    macro_rules! all_rulesets {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            [$(pb::Ruleset {
                service: format!(
                    "{}.{}Service",
                    <gamekeeper_rules::$module::$Ruleset as Wire>::PACKAGE,
                    stringify!($Ruleset)
                ),
                ..Default::default()
            }),*]
        };
    }

    #[test]
    fn every_method_of_the_contract_is_named() {
        let compiled =
            prost_types::FileDescriptorSet::decode(gamekeeper_proto::DESCRIPTORS).unwrap();
        let mut expected = BTreeSet::new();
        for file in &compiled.file {
            for service in &file.service {
                let name = format!("{}.{}", file.package(), service.name());
                let methods = service.method.iter();
                expected.extend(methods.map(|method| format!("{name}/{}", method.name())));
            }
        }
        let rulesets = gamekeeper_wire::for_each_ruleset!(all_rulesets);
        let named: BTreeSet<_> = methods(rulesets.into_iter())
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with("gamekeeper."))
            .collect();
        assert_eq!(named, expected);
    }
}
