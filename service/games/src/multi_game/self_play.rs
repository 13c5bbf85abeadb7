//! Opening of a **self-play** stream. Its first message is the plan, which names the ruleset or the game.
//!
//! The response stream starts at once, since clients may wait for its headers before they send the plan.

use std::sync::Arc;

use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use gamekeeper_proto::raw::self_play_request::Step;
use gamekeeper_proto::raw::{SelfPlayPlan, SelfPlayRequest, SelfPlayResponse};
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, ruleset_of};
use tokio::time::{Instant, timeout_at};

use crate::admission::ConcurrencyPermit;
use crate::authz::{Caller, Permission, Role};
use crate::errors::ServiceError;
use crate::registry::{DynGameService, Registry};
use crate::service::game_service::ResponseStream;
use crate::streams::limits::StreamLimits;

/// A self-play stream whose plan has not arrived yet.
struct PendingSelfPlay {
    registry: Arc<Registry>,
    caller: Caller,
    requests: ResponseStream<SelfPlayRequest>,
    /// The deadline for the plan.
    plan_deadline: Instant,
    share: ConcurrencyPermit,
}

impl Registry {
    /// Plays many games in memory, driven by the client.
    ///
    /// # Errors
    /// If the caller may not create games and has no seat, or there are too many self-plays. The stream ends with an
    /// error if the plan does not arrive in time, is malformed or refused, if a message is out of order, if the token
    /// is no longer valid, and with [`ServiceError::GoingAway`] when the server shuts down.
    pub async fn self_play(
        self: &Arc<Self>,
        caller: &Caller,
        requests: ResponseStream<SelfPlayRequest>,
    ) -> Result<ResponseStream<SelfPlayResponse>, ServiceError> {
        self.ensure_may_self_play(caller).await?;
        let shared = self.shared();
        let pending = PendingSelfPlay {
            registry: Arc::clone(self),
            caller: caller.clone(),
            requests,
            plan_deadline: Instant::now() + shared.settings.plan_timeout,
            share: shared.self_play_permits.try_acquire(caller.account)?,
        };
        Ok(Box::pin(stream::once(pending.await_plan()).try_flatten()))
    }

    /// Checks that this caller may open a self-play at all. A seat token permits only self-plays in sampled worlds of
    /// its game, which the plan must name.
    async fn ensure_may_self_play(&self, caller: &Caller) -> Result<(), ServiceError> {
        match &caller.role {
            Role::Seat { game, seat, .. } => {
                let (service, id) = self.resolve_game(caller, &game.to_string()).await?;
                service
                    .authorize(caller, id, Permission::View(Viewer::Seat(*seat)))
                    .await
            }
            Role::AuthDisabled
            | Role::Tenant(_)
            | Role::User { .. }
            | Role::Spectator { .. }
            | Role::Operator => caller.tenant_for_create().map(drop),
        }
    }

    /// Returns the games of the plan's ruleset: the ruleset of the game whose worlds are sampled, the one that the plan
    /// names, or the one of its options.
    async fn service_of_plan(
        &self,
        caller: &Caller,
        plan: &SelfPlayPlan,
    ) -> Result<Arc<dyn DynGameService>, ServiceError> {
        if let Some(worlds) = &plan.worlds {
            if worlds.game_id.is_empty() {
                return Err(Malformed::missing("plan.worlds.game_id").into());
            }
            let resolved = self.resolve_game(caller, &worlds.game_id).await?;
            return Ok(resolved.0);
        }
        let options = plan
            .options
            .as_ref()
            .and_then(|options| options.ruleset.as_ref());
        let named = match options {
            Some(options) if plan.ruleset.is_empty() => {
                self.service_of(ruleset_of(options), "plan.options")
            }
            Some(_) | None => self.service_of(&plan.ruleset, "plan.ruleset"),
        };
        named.map(Arc::clone)
    }
}

impl PendingSelfPlay {
    /// Waits for the plan, and passes the rest of the stream to the games of its ruleset.
    async fn await_plan(mut self) -> Result<ResponseStream<SelfPlayResponse>, ServiceError> {
        let first_message =
            timeout_at(self.plan_deadline, self.requests.next()).map(|first_message| {
                match first_message {
                    Ok(first_message) => first_message.transpose(),
                    Err(_) => Err(ServiceError::DeadlineExceeded(
                        "the plan did not arrive in time",
                    )),
                }
            });
        let limits = StreamLimits::new(self.registry.shared(), &self.caller);
        let Some(first_message) = limits.run_until_limit(0, first_message).await? else {
            return Ok(Box::pin(stream::empty()));
        };
        let plan = match first_message.step {
            Some(Step::Plan(plan)) => plan,
            Some(Step::Moves(_)) => {
                let text = "must be the plan in the first message";
                return Err(Malformed::new("step", text).into());
            }
            None => return Err(Malformed::missing("step").into()),
        };
        let Self {
            registry,
            caller,
            requests,
            share,
            ..
        } = self;
        let service = registry.service_of_plan(&caller, &plan).await?;
        service.self_play(&caller, plan, requests, share).await
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::raw::{Options, options};
    use gamekeeper_rules::caylus::Caylus;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::test_server::{TestServer, store};

    /// The name of the ruleset in a plan takes precedence over its options, as in a request for a new game.
    #[tokio::test]
    async fn a_plan_that_names_a_ruleset_is_of_that_one() {
        let process = TestServer::<Dominion>::new(&store());
        let shared = Arc::clone(&process.games.context);
        let registry = Registry::empty(shared)
            .with_ruleset::<Dominion>()
            .with_ruleset::<Caylus>();
        let of = async |ruleset: &str, has_options: bool| {
            let options = Options {
                ruleset: Some(options::Ruleset::Dominion(Default::default())),
            };
            let plan = SelfPlayPlan {
                ruleset: ruleset.to_owned(),
                options: has_options.then_some(options),
                ..SelfPlayPlan::default()
            };
            let games = registry
                .service_of_plan(&Caller::UNAUTHENTICATED, &plan)
                .await?;
            Ok::<_, ServiceError>(games.ruleset().id)
        };
        assert_eq!(of("caylus", false).await.unwrap(), "caylus");
        assert_eq!(of("caylus", true).await.unwrap(), "caylus");
        assert_eq!(of("", true).await.unwrap(), "dominion");
        for has_options in [false, true] {
            let unknown = of("chess", has_options).await.unwrap_err();
            assert!(unknown.to_string().contains("plan.ruleset"), "{unknown}");
        }
    }
}
