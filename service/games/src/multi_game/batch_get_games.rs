//! `BatchGetGames`: **batch reads** of several games in one call.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Malformed;
use prost::Message;

use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::registry::Registry;
use crate::rendering::projection::Projection;
use crate::timing::yielder::Yielder;

/// The maximum number of games in one batch.
const MAX_GAMES: usize = 100;

/// The maximum number of games that are read at the same time.
pub(crate) const MAX_CONCURRENT_READS: usize = 32;

/// The maximum number of games that are drawn at the same time. A drawing costs more than a read, and may be in vain.
const MAX_CONCURRENT_DRAWINGS: usize = 4;

/// The maximum size of the tables of one answer, in bytes. Clients of gRPC accept messages of 4 MiB by default. The
/// contract names this bound.
const MAX_ANSWER_BYTES: usize = 3 * 1_024 * 1_024;

/// The table of one game of a batch, or the error of that game.
pub(crate) type BatchItem = Result<raw::Table, ServiceError>;

/// The answer to a batch, as far as it is known.
struct Answer {
    items: Vec<BatchItem>,
    bytes: usize,
    is_full: bool,
}

impl Answer {
    fn with_capacity(games: usize) -> Self {
        Self {
            items: Vec::with_capacity(games),
            bytes: 0,
            is_full: false,
        }
    }

    /// Adds the result for the next game, unless it does not fit anymore. The first table always fits.
    fn push(&mut self, item: BatchItem) {
        let length = item.as_ref().map_or(0, Message::encoded_len);
        self.is_full |= self.bytes > 0 && self.bytes + length > MAX_ANSWER_BYTES;
        if self.is_full {
            self.items.push(Err(ServiceError::AnswerFull));
        } else {
            self.bytes += length;
            self.items.push(item);
        }
    }
}

impl Registry {
    /// Reads several games, each as if it were requested alone, in the order of the request. An error of one game does
    /// not affect the others, since a game may have been deleted after the caller listed it. The first game that no
    /// longer fits into the answer, and all games after it, get an error that says so.
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
        let mut answer = Answer::with_capacity(request.games.len());
        let is_full = AtomicBool::new(false);
        let mut reads: Vec<BoxFuture<'_, BatchItem>> = Vec::with_capacity(request.games.len());
        for (index, game) in request.games.iter().enumerate() {
            let read = self.read_item(caller, game, request.show.as_ref(), &is_full);
            let place = format!("games[{index}]");
            let placed = read.map(move |item| item.map_err(|problem| problem.within(&place)));
            reads.push(Box::pin(placed));
        }
        let show = request.show.as_ref();
        let draws = show.is_some_and(|show| show.drawing.is_some());
        let concurrent = if draws {
            MAX_CONCURRENT_DRAWINGS
        } else {
            MAX_CONCURRENT_READS
        };
        let mut results = stream::iter(reads).buffered(concurrent);
        let mut yielder = Yielder::new();
        while let Some(item) = results.next().await {
            answer.push(item);
            is_full.store(answer.is_full, Ordering::Relaxed);
            yielder.yield_if_due().await;
        }
        Ok(answer.items)
    }

    async fn read_item(
        &self,
        caller: &Caller,
        query: &pb::GameQuery,
        show: Option<&pb::Show>,
        is_full: &AtomicBool,
    ) -> BatchItem {
        if is_full.load(Ordering::Relaxed) {
            return Err(ServiceError::AnswerFull);
        }
        let (service, id) = self.resolve_game(caller, &query.game_id).await?;
        service
            .table(caller, id, (query.viewer.as_ref(), show))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: usize) -> BatchItem {
        Ok(raw::Table {
            drawing: "x".repeat(bytes),
            ..raw::Table::default()
        })
    }

    /// Which games of a batch of tables of these sizes are answered.
    fn answered(sizes: &[usize]) -> Vec<bool> {
        let mut answer = Answer::with_capacity(sizes.len());
        for size in sizes {
            answer.push(table(*size));
        }
        let items = answer.items.iter();
        items.map(Result::is_ok).collect()
    }

    #[test]
    fn an_answer_ends_with_the_last_game_that_fits() {
        let third = MAX_ANSWER_BYTES / 3;
        let framed = third - 8;
        assert_eq!(answered(&[framed, framed, framed, 0]), [true; 4]);
        assert_eq!(
            answered(&[third, third, third, 0]),
            [true, true, false, false]
        );
        assert_eq!(answered(&[2 * MAX_ANSWER_BYTES, 0]), [true, false]);
    }

    #[test]
    fn errors_take_no_room() {
        let mut answer = Answer::with_capacity(2);
        answer.push(Err(ServiceError::NoToken));
        answer.push(table(2 * MAX_ANSWER_BYTES));
        assert!(!answer.is_full);
    }
}
