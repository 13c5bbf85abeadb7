//! The bots that play the other seats while a person plays at the screen.

use gamekeeper_proto::gamekeeper::v1::GameInfo;
use tokio::task::JoinSet;

use crate::bot::{Bot, BotConfig};
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::policy::Policy;

/// Tasks of bots that play until the game is over or this set is dropped.
#[derive(Default)]
pub(super) struct Bots {
    tasks: JoinSet<Result<GameInfo, Failure>>,
}

impl Bots {
    /// Starts bots at these seats. Must be called within a `LocalSet`.
    pub(super) fn at(game: &GameClient, info: &GameInfo, seats: &[(u32, Policy)]) -> Self {
        let mut tasks = JoinSet::new();
        for (seat, policy) in seats {
            let mut bot = Bot::new(game.clone(), vec![*seat], BotConfig::silent(*policy));
            let info = info.clone();
            tasks.spawn_local(async move { bot.play(info).await });
        }
        Self { tasks }
    }

    /// Returns whether no bot is running.
    pub(super) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Waits until a bot fails, and returns why. Cancel safe: a dropped call can be repeated.
    pub(super) async fn failure(&mut self) -> Failure {
        loop {
            match self.tasks.join_next().await {
                // This bot's game is over.
                Some(Ok(Ok(_))) => {}
                Some(Ok(Err(failure))) => return failure,
                Some(Err(error)) => return Failure::Contract(format!("a bot: {error}")),
                None => std::future::pending().await,
            }
        }
    }
}
