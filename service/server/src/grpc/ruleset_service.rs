//! One service per ruleset. All have the same methods; each is a row of forwards to
//! [`Games`](crate::games::Games).

/// Implements a ruleset's service: every method unpacks its request, asks [`Games`], and packs the
/// answer. Takes a name for the module that it makes, the ruleset, and the module of its messages,
/// which also has its service as `Service` (trait) and `Server`.
///
/// [`Games`]: crate::games::Games
#[macro_export]
macro_rules! ruleset_service {
    ($module:ident: $($ruleset:ident)::+, $($pb:ident)::+) => {
        mod $module {
            use $($pb)::+ as pb;
            use $($ruleset)::+ as Ruleset;
            use $crate::games::{
                Applied, ApplyCall, CreateCall, Created, Export, Legal, LegalCall, Logged, Look,
                Page, Seen, Watch, WatchCall,
            };
            use $crate::grpc::{Answers, Endpoint, Served, answers, fail, incoming};
            use gamekeeper_wire::Wire;
            use tonic::service::Routes;
            use tonic::{Request, Response, Status, Streaming};

            $crate::self_play_messages!();

            impl Served for Ruleset {
                fn add_to(routes: Routes, endpoint: Endpoint<Self>, most_bytes: usize) -> Routes {
                    let server = pb::Server::new(endpoint);
                    routes.add_service(server.max_decoding_message_size(most_bytes))
                }
            }

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
                        after_time,
                    } = call;
                    let call = WatchCall {
                        game_id,
                        viewer,
                        after_version,
                        after_time,
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
                    request: Request<pb::GetCatalogueRequest>,
                ) -> Result<Response<pb::GetCatalogueResponse>, Status> {
                    let revision = <Ruleset as Wire>::CATALOGUE_REVISION;
                    // The same for everybody, but not for nobody.
                    let (_anybody, call) = self.begin(request)?;
                    let kept = call.known_revision == revision;
                    let catalogue = (!kept).then(<Ruleset as Wire>::catalogue);
                    Ok(Response::new(pb::GetCatalogueResponse {
                        catalogue,
                        revision,
                    }))
                }

                type SelfPlayStream = Answers<pb::SelfPlayResponse>;

                async fn self_play(
                    &self,
                    request: Request<Streaming<pb::SelfPlayRequest>>,
                ) -> Result<Response<Self::SelfPlayStream>, Status> {
                    let (caller, asked) = self.begin(request)?;
                    let asked = incoming(asked, asked_of);
                    let stream = self.games.self_play(&caller, asked).map_err(fail)?;
                    Ok(Response::new(answers(stream, told_to)))
                }
            }
        }
    };
}
