//! The bots at the other seats, beside the person who plays.

use gamekeeper_proto::gamekeeper::v1::GameInfo;
use tokio::task::JoinSet;

use crate::bot::{Bot, Habits};
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::policy::Policy;

/// Bots that play until the game is over, or until they are dropped.
#[derive(Default)]
pub(super) struct Bots {
    tasks: JoinSet<Result<GameInfo, Failure>>,
}

impl Bots {
    /// Puts bots on these seats. Needs a `LocalSet`.
    pub(super) fn at(game: &GameClient, info: &GameInfo, seats: &[(u32, Policy)]) -> Self {
        let mut tasks = JoinSet::new();
        for (seat, policy) in seats {
            let mut bot = Bot::new(game.clone(), vec![*seat], Habits::quiet(*policy));
            let info = info.clone();
            tasks.spawn_local(async move { bot.play(info).await });
        }
        Self { tasks }
    }

    /// Are there none, or no longer?
    pub(super) fn are_none(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Waits until a bot cannot go on, and returns why. May be given up at any time, and asked again.
    pub(super) async fn failure(&mut self) -> Failure {
        loop {
            match self.tasks.join_next().await {
                // Its game is over.
                Some(Ok(Ok(_))) => {}
                Some(Ok(Err(failure))) => return failure,
                Some(Err(error)) => return Failure::Contract(format!("a bot: {error}")),
                None => std::future::pending().await,
            }
        }
    }
}
