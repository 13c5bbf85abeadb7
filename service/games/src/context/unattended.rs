//! **Work that no call asks for**: bots and clocks. It belongs to the tenant of its game, whose share of turns and permits
//! it takes, and with whose block it rests. It has budgets of its own, as each game has, so that it never refuses a call:
//! one for the thinking of bots, which may take seconds, and one for everything else.

use std::time::Duration;

use gamekeeper_store::GameId;
use tokio::time::sleep;

use crate::authz::{Account, Caller, Role};
use crate::context::app_context::AppContext;
use crate::errors::ServiceError;
use crate::scheduling::{FairPermit, FairTask, Principal};
use crate::timing::jitter::jittered;

/// The shortest and the longest time that work waits for its budget before it looks again.
const BUDGET_WAIT: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// The kinds of work that no call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnattendedWork {
    /// Finds out what is due, and lets clocks run out.
    Clock,
    /// A bot answers a proposal. It leaves half of the burst to clocks.
    BotAnswer,
    /// A bot thinks, on a thread of its own, and then acts. It leaves half of the burst to clocks.
    BotThinking,
}

/// Returns the caller as whom the service acts in the games of a tenant: their owner, who pays.
pub(crate) fn owner_of(tenant: String) -> Caller {
    let account = Account::of_unattended(&tenant);
    Caller::new(Role::Tenant(tenant)).with_account(Some(account))
}

/// Returns the tenant of an owner. Is empty if the game has none.
fn tenant_of(owner: &Caller) -> &str {
    match &owner.role {
        Role::Tenant(tenant) => tenant,
        Role::AuthDisabled
        | Role::Operator
        | Role::User { .. }
        | Role::Seat { .. }
        | Role::Spectator { .. } => "",
    }
}

impl AppContext {
    /// Waits until work in a game may begin: its owner has budget left, and a permit is free.
    ///
    /// # Errors
    /// If an operator has blocked the owner or the game.
    pub(crate) async fn begin_unattended(
        &self,
        owner: &Caller,
        game: GameId,
        work: UnattendedWork,
    ) -> Result<FairPermit, ServiceError> {
        let permits = match work {
            UnattendedWork::Clock | UnattendedWork::BotAnswer => &self.acting,
            UnattendedWork::BotThinking => &self.thinking,
        };
        let account = owner.account;
        loop {
            self.ensure_not_blocked(owner, game)?;
            let wait = || self.unattended_wait(owner, work);
            let needed = match wait() {
                Some(needed) => needed,
                None => {
                    let permit = permits.acquire(account).await;
                    // Others may have used up the budget meanwhile.
                    match wait() {
                        Some(needed) => needed,
                        None => return Ok(permit),
                    }
                }
            };
            let (min, max) = BUDGET_WAIT;
            sleep(jittered(needed.clamp(min, max))).await;
        }
    }

    /// Returns how long the owner's budgets make this work wait. Returns `None` if it may begin now.
    fn unattended_wait(&self, owner: &Caller, work: UnattendedWork) -> Option<Duration> {
        let limiter = &self.rate_limiter;
        let leaves_half = work != UnattendedWork::Clock;
        let wait = limiter.background_wait(owner.account, leaves_half);
        let thinking_wait = match work {
            UnattendedWork::Clock | UnattendedWork::BotAnswer => None,
            UnattendedWork::BotThinking => {
                limiter.background_wait(Account::of_thinking(tenant_of(owner)), false)
            }
        };
        wait.max(thinking_wait)
    }

    /// Charges the owner for processor time that a bot has thought on a thread of its own.
    pub(crate) fn charge_thinking(&self, owner: &Caller, time: Duration) {
        let tenant = tenant_of(owner);
        let account = Account::of_thinking(tenant);
        let usage = self.rate_limiter.usage();
        usage.meter_for(account, || match tenant {
            "" => Principal::Everybody,
            tenant => Principal::Thinking(tenant.to_owned()),
        });
        self.rate_limiter.charge_thread_time(account, time);
    }

    /// Checks that neither the owner nor the game is blocked. Which family a game belongs to is known once this process
    /// has met it.
    ///
    /// # Errors
    /// If an operator has blocked one of them.
    pub(crate) fn ensure_not_blocked(
        &self,
        owner: &Caller,
        game: GameId,
    ) -> Result<(), ServiceError> {
        self.blocklist.check(owner.account)?;
        match self.location_cache.get(&game) {
            Some(location) => {
                let account = Account::of_game(&location.tenant, location.root_game);
                self.blocklist.check(account)
            }
            None => Ok(()),
        }
    }

    /// Returns the scheduling handle of work in the games of an owner, which takes turns with calls on its thread.
    pub(crate) fn unattended_task(&self, owner: &Caller) -> FairTask {
        let usage = self.rate_limiter.usage();
        usage.meter_for(owner.account, || match tenant_of(owner) {
            "" => Principal::Everybody,
            tenant => Principal::Unattended(tenant.to_owned()),
        });
        FairTask::for_stream(owner.account, self.rate_limiter.clone())
    }

    /// Blocks an account in all processes that share the store, for this long. The time is credited to the clocks of
    /// its games unless these run on.
    ///
    /// # Errors
    /// If too many accounts are blocked, or the store fails.
    pub async fn share_block(
        &self,
        account: Account,
        duration: Duration,
        clocks_run: bool,
    ) -> Result<(), ServiceError> {
        let now_ms = self.clock.now_ms();
        self.shared_blocks
            .add(account, (now_ms, duration), clocks_run)
            .await?;
        self.apply_shared_blocks();
        Ok(())
    }

    /// Lifts the block of an account in all processes that share the store.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn lift_block(&self, account: Account) -> Result<(), ServiceError> {
        self.shared_blocks
            .lift(account, self.clock.now_ms())
            .await?;
        self.blocklist.unblock(account);
        self.apply_shared_blocks();
        Ok(())
    }

    /// Reads which accounts are blocked in all processes, and ends what newly blocked ones have open here.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn refresh_blocks(&self) -> Result<(), ServiceError> {
        self.shared_blocks.read().await?;
        self.apply_shared_blocks();
        Ok(())
    }

    fn apply_shared_blocks(&self) {
        let active = self.shared_blocks.active(self.clock.now_ms());
        self.blocklist.set_shared(&active);
    }
}
