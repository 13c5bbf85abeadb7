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

use crate::heart::access::{Caller, Role, Share, Wish};
use crate::heart::games::Answers;
use crate::heart::problem::Problem;
use crate::registry::{ErasedGames, Registry};
use crate::streams::bounded::Bounds;

/// A self-play stream whose plan has not arrived yet.
struct Opening {
    registry: Arc<Registry>,
    caller: Caller,
    asked: Answers<SelfPlayRequest>,
    /// The deadline for the plan.
    plan_by: Instant,
    share: Share,
}

impl Registry {
    /// Plays many games in memory, driven by the client.
    ///
    /// # Errors
    /// If the caller may not create games and has no seat, or there are too many self-plays. The stream ends with an
    /// error if the plan does not arrive in time, is malformed or refused, if a message is out of order, if the token
    /// is no longer valid, and with [`Problem::GoingAway`] when the server shuts down.
    pub async fn self_play(
        self: &Arc<Self>,
        caller: &Caller,
        asked: Answers<SelfPlayRequest>,
    ) -> Result<Answers<SelfPlayResponse>, Problem> {
        self.may_play(caller).await?;
        let shared = self.shared();
        let opening = Opening {
            registry: Arc::clone(self),
            caller: caller.clone(),
            asked,
            plan_by: Instant::now() + shared.settings.plan_timeout,
            share: shared.self_plays.take(caller.account)?,
        };
        Ok(Box::pin(stream::once(opening.open()).try_flatten()))
    }

    /// Checks that this caller may open a self-play at all. A seat token permits only self-plays in sampled worlds of
    /// its game, which the plan must name.
    async fn may_play(&self, caller: &Caller) -> Result<(), Problem> {
        match &caller.role {
            Role::Seat { game, seat, .. } => {
                let (games, id) = self.games_of(caller, &game.to_string()).await?;
                games.may(caller, id, Wish::Look(Viewer::Seat(*seat))).await
            }
            Role::Open
            | Role::Tenant(_)
            | Role::User { .. }
            | Role::Spectator { .. }
            | Role::Operator => caller.creates_for().map(drop),
        }
    }

    /// Returns the games of the plan's ruleset: the ruleset of the game whose worlds are sampled, the one that the plan
    /// names, or the one of its options.
    async fn games_of_plan(
        &self,
        caller: &Caller,
        plan: &SelfPlayPlan,
    ) -> Result<Arc<dyn ErasedGames>, Problem> {
        if let Some(worlds) = &plan.worlds {
            if worlds.game_id.is_empty() {
                return Err(Malformed::missing("plan.worlds.game_id").into());
            }
            let games = self.games_of(caller, &worlds.game_id).await?;
            return Ok(games.0);
        }
        let options = plan
            .options
            .as_ref()
            .and_then(|options| options.ruleset.as_ref());
        let named = match options {
            Some(options) if plan.ruleset.is_empty() => {
                self.games_named(ruleset_of(options), "plan.options")
            }
            Some(_) | None => self.games_named(&plan.ruleset, "plan.ruleset"),
        };
        named.map(Arc::clone)
    }
}

impl Opening {
    /// Waits for the plan, and passes the rest of the stream to the games of its ruleset.
    async fn open(mut self) -> Result<Answers<SelfPlayResponse>, Problem> {
        let first = timeout_at(self.plan_by, self.asked.next()).map(|first| match first {
            Ok(first) => first.transpose(),
            Err(_) => Err(Problem::Late("the plan did not arrive in time")),
        });
        let bounds = Bounds::new(self.registry.shared(), &self.caller);
        let Some(first) = bounds.within(0, first).await? else {
            return Ok(Box::pin(stream::empty()));
        };
        let plan = match first.step {
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
            asked,
            share,
            ..
        } = self;
        let games = registry.games_of_plan(&caller, &plan).await?;
        games.self_play(&caller, plan, asked, share).await
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::raw::{Options, options};
    use gamekeeper_rules::caylus::Caylus;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::process::{Process, store};

    /// The name of the ruleset in a plan takes precedence over its options, as in a request for a new game.
    #[tokio::test]
    async fn a_plan_that_names_a_ruleset_is_of_that_one() {
        let process = Process::<Dominion>::over(&store());
        let shared = Arc::clone(&process.games.shared);
        let registry = Registry::none(shared).with::<Dominion>().with::<Caylus>();
        let of = async |ruleset: &str, has_options: bool| {
            let options = Options {
                ruleset: Some(options::Ruleset::Dominion(Default::default())),
            };
            let plan = SelfPlayPlan {
                ruleset: ruleset.to_owned(),
                options: has_options.then_some(options),
                ..SelfPlayPlan::default()
            };
            let games = registry.games_of_plan(&Caller::OPEN, &plan).await?;
            Ok::<_, Problem>(games.ruleset().id)
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
