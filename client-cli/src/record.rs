//! Reads the record of a game from a stream that is reopened after a disconnect.

use gamekeeper_proto::raw::ExportGameResponse;
use gamekeeper_proto::raw::export_game_response::Part;

use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::reopened::Reopened;

/// Reads the record of a game, each part once and in order.
pub(crate) struct Record {
    game: GameClient,
    with_states: bool,
    /// The last version of the record, from its first part. Versions that are played during the export are left out.
    /// `None` until the first part has been read.
    last: Option<u64>,
    /// The last version that was returned.
    read: u64,
    /// Whether the end was returned.
    is_over: bool,
    stream: Reopened<ExportGameResponse>,
}

impl Record {
    /// Reads the record of a game up to its newest version.
    pub(crate) fn of(game: GameClient, with_states: bool) -> Self {
        Self {
            with_states,
            last: None,
            read: 0,
            is_over: false,
            stream: Reopened::new(game.connection().clone()),
            game,
        }
    }

    /// Returns the next part, or `None` after the last one. Resumes after a disconnect with the next version.
    pub(crate) async fn next(&mut self) -> Result<Option<ExportGameResponse>, Failure> {
        if self.is_over {
            return Ok(None);
        }
        let open = async || {
            let mut stream = self.game.export(self.with_states, self.read).await?;
            if self.last.is_some() {
                // Skip the first part, which is sent again when the stream is reopened.
                stream.message().await?;
            }
            Ok(stream)
        };
        let part = self.stream.next(open).await?;
        Ok(part.filter(|part| self.belongs(part)))
    }

    /// Returns whether a part belongs to the record as it was when first opened, and updates the position.
    fn belongs(&mut self, answer: &ExportGameResponse) -> bool {
        match &answer.part {
            Some(Part::Header(header)) => {
                self.last = header.game.as_ref().map(|game| game.version);
                true
            }
            Some(Part::Version(version)) => {
                self.read = version.entry.as_ref().map_or(0, |entry| entry.version);
                self.last.is_none_or(|last| self.read <= last)
            }
            Some(Part::End(_)) => {
                self.is_over = true;
                true
            }
            None => true,
        }
    }
}
