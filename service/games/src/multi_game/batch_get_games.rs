//! `BatchGetGames`: **batch reads** of several games in one call.

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;

use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::registry::Registry;
use crate::rendering::projection::Projection;
use crate::timing::yielder::Yielder;

/// The maximum number of games in one batch.
const MAX_GAMES: usize = 100;

/// The maximum number of games that are read at the same time.
pub(crate) const MAX_CONCURRENT_READS: usize = 32;

/// The table of one game of a batch, or the error of that game.
pub(crate) type BatchItem = Result<raw::Table, ServiceError>;

impl Registry {
    /// Reads several games, each as if it were requested alone, in the order of the request. An error of one game does
    /// not affect the others, since a game may have been deleted after the caller listed it.
    ///
    /// # Errors
    /// If the request is malformed. An error of one game is the result for that game.
    pub async fn batch_get_games(
        &self,
        caller: &Caller,
        request: &pb::BatchGetGamesRequest,
    ) -> Result<Vec<BatchItem>, ServiceError> {
        if request.games.is_empty() {
            return Err(Malformed::new("games", "is empty").into());
        }
        if request.games.len() > MAX_GAMES {
            let text = format!("has more than {MAX_GAMES} games");
            return Err(Malformed::new("games", text).into());
        }
        Projection::from_request(Viewer::Spectator, request.show.as_ref())?;
        let mut items = Vec::with_capacity(request.games.len());
        let mut reads: Vec<BoxFuture<'_, BatchItem>> = Vec::with_capacity(request.games.len());
        for (index, game) in request.games.iter().enumerate() {
            let read = self.read_item(caller, game, request.show.as_ref());
            let place = format!("games[{index}]");
            let placed = read.map(move |item| item.map_err(|problem| problem.within(&place)));
            reads.push(Box::pin(placed));
        }
        let mut results = stream::iter(reads).buffered(MAX_CONCURRENT_READS);
        let mut yielder = Yielder::new();
        while let Some(item) = results.next().await {
            items.push(item);
            yielder.yield_if_due().await;
        }
        Ok(items)
    }

    async fn read_item(
        &self,
        caller: &Caller,
        query: &pb::GameQuery,
        show: Option<&pb::Show>,
    ) -> BatchItem {
        let (service, id) = self.resolve_game(caller, &query.game_id).await?;
        service
            .table(caller, id, (query.viewer.as_ref(), show))
            .await
    }
}
