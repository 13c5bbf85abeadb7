//! The record of a game: a stream that is reopened when it breaks.

use gamekeeper_proto::envelope::export_game_response::Part;
use tonic::{Status, Streaming};

use crate::connection::Retry;
use crate::failure::Failure;
use crate::game_client::{ExportGameResponse, GameClient};

/// Reads the record of a game, each part once and in order.
pub(crate) struct Record {
    game: GameClient,
    with_states: bool,
    /// The last version, from the first part. The game may go on while it is read. `None`: the first part has
    /// not been read yet.
    last: Option<u64>,
    /// The last version returned.
    read: u64,
    /// Was the end returned?
    is_over: bool,
    retry: Retry,
    stream: Option<Streaming<ExportGameResponse>>,
}

impl Record {
    /// The record of a game up to its newest version.
    pub(crate) fn of(game: GameClient, with_states: bool) -> Self {
        Self {
            with_states,
            last: None,
            read: 0,
            is_over: false,
            retry: Retry::new(game.retries()),
            stream: None,
            game,
        }
    }

    /// The next part; `None` after the last one. Resumes after a disconnect with the next version.
    pub(crate) async fn next(&mut self) -> Result<Option<ExportGameResponse>, Failure> {
        while !self.is_over {
            match self.step().await {
                Ok(part) => {
                    self.retry.reset();
                    return Ok(part.filter(|part| self.belongs(part)));
                }
                Err(status) => {
                    self.stream = None;
                    let status = self.game.explain(status);
                    self.retry.wait_or_give_up(status).await?;
                }
            }
        }
        Ok(None)
    }

    async fn step(&mut self) -> Result<Option<ExportGameResponse>, Status> {
        if let Some(stream) = &mut self.stream {
            return stream.message().await;
        }
        let mut stream = self.game.export(self.with_states, self.read).await?;
        if self.last.is_some() {
            // The first part is sent again.
            stream.message().await?;
        }
        self.stream.insert(stream).message().await
    }

    /// Is this a part of the record as it was when first opened? Updates the position.
    fn belongs(&mut self, answer: &ExportGameResponse) -> bool {
        match &answer.part {
            Some(Part::Header(header)) => {
                self.last = header.game.as_ref().map(|game| game.version);
                true
            }
            Some(Part::Version(version)) => {
                self.read = version.version;
                self.last.is_none_or(|last| version.version <= last)
            }
            Some(Part::SeedReveal(_)) => {
                self.is_over = true;
                true
            }
            None => true,
        }
    }
}
