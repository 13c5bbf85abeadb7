//! Reads the record of a game from a stream that is reopened after a disconnect.

use gamekeeper_proto::raw::ExportGameResponse;
use gamekeeper_proto::raw::export_game_response::Part;

use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::reconnecting_stream::ReconnectingStream;

/// Reads the record of a game, each part once and in order.
pub(crate) struct RecordStream {
    game: GameClient,
    with_states: bool,
    /// The last version of the record, from its first part. Versions that are played during the export are left out.
    /// `None` until the first part has been read.
    last: Option<u64>,
    /// The last version that was returned.
    last_read: u64,
    /// Whether the end was returned.
    is_over: bool,
    stream: ReconnectingStream<ExportGameResponse>,
}

impl RecordStream {
    /// Reads the record of a game up to its newest version.
    pub(crate) fn of(game: GameClient, with_states: bool) -> Self {
        Self {
            with_states,
            last: None,
            last_read: 0,
            is_over: false,
            stream: ReconnectingStream::new(game.connection().clone()),
            game,
        }
    }

    /// Returns the next part, or `None` after the last one. Resumes after a disconnect with the next version.
    pub(crate) async fn next(&mut self) -> Result<Option<ExportGameResponse>, Failure> {
        if self.is_over {
            return Ok(None);
        }
        let open = async || {
            let mut stream = self.game.export(self.with_states, self.last_read).await?;
            if self.last.is_some() {
                // Skip the first part, which is sent again when the stream is reopened.
                stream.message().await?;
            }
            Ok(stream)
        };
        let part = self.stream.next(open).await?;
        Ok(part.filter(|part| self.is_in_record(part)))
    }

    /// Returns whether a part belongs to the record as it was when first opened, and updates the position.
    fn is_in_record(&mut self, response: &ExportGameResponse) -> bool {
        match &response.part {
            Some(Part::Header(header)) => {
                self.last = header.game.as_ref().map(|game| game.version);
                true
            }
            Some(Part::Version(version)) => {
                self.last_read = version.entry.as_ref().map_or(0, |entry| entry.version);
                self.last.is_none_or(|last| self.last_read <= last)
            }
            Some(Part::End(_)) => {
                self.is_over = true;
                true
            }
            None => true,
        }
    }
}
