//! The record of a game: a stream that is opened again when it breaks.

use gamekeeper_proto::envelope::export_game_response::Part;
use tonic::{Status, Streaming};

use crate::connection::Retry;
use crate::failure::Failure;
use crate::game_client::{ExportGameResponse, GameClient};

/// Reads the record of a game, each part once and in order.
pub(crate) struct Record {
    game: GameClient,
    with_states: bool,
    /// The parts that were given away.
    read: usize,
    /// The last version, as the first part says. The game may go on while it is read.
    last: Option<u64>,
    retry: Retry,
    stream: Option<Streaming<ExportGameResponse>>,
}

impl Record {
    /// The record of a game up to its newest version.
    pub(crate) fn of(game: GameClient, with_states: bool) -> Self {
        Self {
            with_states,
            read: 0,
            last: None,
            retry: Retry::new(game.retries()),
            stream: None,
            game,
        }
    }

    /// The next part; nothing after the last one. Resumes after a cut: what a record holds does not
    /// change, so the parts that were read are passed over.
    pub(crate) async fn next(&mut self) -> Result<Option<ExportGameResponse>, Failure> {
        loop {
            match self.step().await {
                Ok(Some(part)) if self.is_later(&part) => return Ok(None),
                Ok(part) => {
                    self.retry.reset();
                    self.read += 1;
                    return Ok(part);
                }
                Err(status) => {
                    self.stream = None;
                    let status = self.game.explain(status);
                    self.retry.wait_or_give_up(status).await?;
                }
            }
        }
    }

    async fn step(&mut self) -> Result<Option<ExportGameResponse>, Status> {
        if let Some(stream) = &mut self.stream {
            return stream.message().await;
        }
        let mut stream = self.game.export(self.with_states).await?;
        for _ in 0..self.read {
            stream.message().await?;
        }
        self.stream.insert(stream).message().await
    }

    /// Was this version played after the record was opened first?
    fn is_later(&mut self, answer: &ExportGameResponse) -> bool {
        match &answer.part {
            Some(Part::Header(header)) => {
                self.last = header.game.as_ref().map(|game| game.version);
                false
            }
            Some(Part::Version(version)) => self.last.is_some_and(|last| version.version > last),
            Some(Part::SeedReveal(_)) | None => false,
        }
    }
}
