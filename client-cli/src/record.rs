//! The record of a game: a stream that is reopened when it breaks.

use gamekeeper_proto::raw::ExportGameResponse;
use gamekeeper_proto::raw::export_game_response::Part;

use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::reopened::Reopened;

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
    stream: Reopened<ExportGameResponse>,
}

impl Record {
    /// The record of a game up to its newest version.
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

    /// The next part; `None` after the last one. Resumes after a disconnect with the next version.
    pub(crate) async fn next(&mut self) -> Result<Option<ExportGameResponse>, Failure> {
        if self.is_over {
            return Ok(None);
        }
        let open = async || {
            let mut stream = self.game.export(self.with_states, self.read).await?;
            if self.last.is_some() {
                // The first part is sent again.
                stream.message().await?;
            }
            Ok(stream)
        };
        let part = self.stream.next(open).await?;
        Ok(part.filter(|part| self.belongs(part)))
    }

    /// Is this a part of the record as it was when first opened? Updates the position.
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
