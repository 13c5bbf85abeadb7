//! The decision of a bot at a table.

use std::time::{Duration, Instant};

use gamekeeper_learn::EventCounts;
use gamekeeper_rules::bots::{Budget, choice_luck};
use gamekeeper_rules::table::{Seat, Seed};
use gamekeeper_store::Version;
use gamekeeper_telemetry::{LeftBot, SharedLogRateLimiter};
use gamekeeper_wire::Wire;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::metadata::{Bot, BotPolicy};
use crate::service::game_service::GameService;

/// The minimum interval of log lines about moves that are left to other processes.
static LEFT_LOG: SharedLogRateLimiter = SharedLogRateLimiter::every(Duration::from_mins(1));

/// A decision that a bot of this process takes.
pub(super) struct BotTurn<W: Wire> {
    pub(super) seat: Seat,
    pub(super) version: Version,
    seed: Seed,
    /// The table, of which the policy uses only what the seat knows.
    state: W::State,
    /// The events since the seat's last decision, which learned policies see.
    events: EventCounts,
    policy: BotPolicy,
    think_time: Duration,
}

impl<W: Wire> GameService<W> {
    /// Returns whether this process can decide for a bot. If not, the move is left to others: this is counted, and
    /// logged now and then.
    pub(super) fn can_decide(&self, bot: &Bot) -> bool {
        let Err(reason) = bot.policy::<W>(&self.context.settings.policies) else {
            return true;
        };
        self.leave_move(bot, reason);
        false
    }

    /// Counts and logs that a move of a bot is left to other processes.
    pub(super) fn leave_move(&self, bot: &Bot, reason: LeftBot) {
        self.metrics.left_bot(reason);
        if let Some(times) = LEFT_LOG.should_log() {
            let (policy, reason) = (bot.policy_id(), reason.name());
            tracing::warn!(
                policy,
                reason,
                times,
                "leaves moves of bots to other processes"
            );
        }
    }

    /// Prepares the decision of a bot. Returns `None` if this process cannot take it.
    ///
    /// # Errors
    /// If the game has moved on or cannot be read, or the store fails.
    pub(super) async fn bot_turn(
        &self,
        caller: &Caller,
        id: Uuid,
        (seat, bot): (Seat, &Bot),
    ) -> Result<Option<BotTurn<W>>, ServiceError> {
        let Ok(policy) = bot.policy::<W>(&self.context.settings.policies) else {
            return Ok(None);
        };
        let game = self.lock_cached(caller, id).await?;
        let (version, seed) = (game.version, Seed::new(game.genesis.seed));
        let (state, events) = match policy {
            BotPolicy::Rules(_) => (game.state.clone(), EventCounts::default()),
            BotPolicy::Learned(_) => self.count_events(game).await?.known_to(seat),
        };
        let think_time = bot.think_time();
        Ok(Some(BotTurn {
            seat,
            version,
            seed,
            state,
            events,
            policy,
            think_time,
        }))
    }
}

impl<W: Wire> BotTurn<W> {
    /// Chooses an action. A search stops early when its time is over, or when the server shuts down, which waits for the
    /// thread. Returns `None` if the seat owes no decision.
    ///
    /// # Errors
    /// If the network of a learned policy fails.
    pub(super) fn choose(
        &self,
        closing: &CancellationToken,
    ) -> Result<Option<W::Action>, ServiceError> {
        let (turn, started) = ((self.seat, self.version), Instant::now());
        match &self.policy {
            BotPolicy::Rules(policy) => {
                let budget = Budget {
                    playouts: None,
                    is_over: &|| closing.is_cancelled() || started.elapsed() >= self.think_time,
                };
                Ok(W::bot_action(
                    *policy,
                    &self.state,
                    turn,
                    &self.seed,
                    budget,
                ))
            }
            BotPolicy::Learned(policy) => {
                let mut luck = choice_luck(&self.seed, self.seat, self.version);
                policy
                    .choose_action::<W>((&self.state, self.seat), &self.events, &mut luck)
                    .map_err(|error| ServiceError::Fault(format!("{}: {error}", policy.id())))
            }
        }
    }
}
