//! `BatchGetGames`: **batch reads** of several games in one call.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;

use crate::heart::access::Caller;
use crate::heart::problem::Problem;
use crate::heart::show::Show;
use crate::heart::yielding::Yielder;
use crate::registry::Registry;

/// The maximum number of games in one batch.
const MAX_GAMES: usize = 100;

/// The maximum number of games that are read at the same time.
pub(crate) const AT_ONCE: usize = 32;

/// The table of one game of a batch, or the error of that game.
pub(crate) type Found = Result<raw::Table, Problem>;

impl Registry {
    /// Reads several games, each as if it were requested alone, in the order of the request. An error of one game does
    /// not affect the others, since a game may have been deleted after the caller listed it.
    ///
    /// # Errors
    /// If the request is malformed. An error of one game is the result for that game.
    pub async fn batch(
        &self,
        caller: &Caller,
        call: &pb::BatchGetGamesRequest,
    ) -> Result<Vec<Found>, Problem> {
        if call.games.is_empty() {
            return Err(Malformed::new("games", "is empty").into());
        }
        if call.games.len() > MAX_GAMES {
            let text = format!("has more than {MAX_GAMES} games");
            return Err(Malformed::new("games", text).into());
        }
        Show::read(Viewer::Spectator, call.show.as_ref())?;
        let mut found = Vec::with_capacity(call.games.len());
        let mut asked: Vec<BoxFuture<'_, Found>> = Vec::with_capacity(call.games.len());
        for game in &call.games {
            asked.push(Box::pin(self.found(caller, game, call.show.as_ref())));
        }
        let mut answers = stream::iter(asked).buffered(AT_ONCE);
        let mut yielder = Yielder::new();
        while let Some(answer) = answers.next().await {
            found.push(answer);
            yielder.yield_if_due().await;
        }
        Ok(found)
    }

    async fn found(
        &self,
        caller: &Caller,
        asked: &pb::GameQuery,
        show: Option<&pb::Show>,
    ) -> Found {
        let (games, id) = self.games_of(caller, &asked.game_id).await?;
        games.table(caller, id, (asked.viewer.as_ref(), show)).await
    }
}
