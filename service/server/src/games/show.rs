//! What an answer shows of a game: the table as a message and as text, and what happened.

use gamekeeper_proto::Opaque;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::{self, tell};
use gamekeeper_rules::table::{Names, Scene, Viewer, text};
use gamekeeper_wire::{Malformed, Wire};

use super::game::Game;

/// The default number of columns of a board.
const USUAL_COLUMNS: u32 = 80;

const FEWEST_COLUMNS: u32 = 40;
const MOST_COLUMNS: u32 = 400;

/// What one viewer wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Show {
    pub(super) viewer: Viewer,
    /// The table as a message.
    pub(super) view: bool,
    /// The table as text.
    pub(super) board: Option<Board>,
    /// Sentences of events.
    pub(super) text: bool,
}

impl Show {
    /// The table, as a message and as text.
    pub(super) fn table<W: Wire>(self, game: &Game<W>) -> (Option<Opaque>, String) {
        if !self.view && self.board.is_none() {
            return (None, String::new());
        }
        let view = W::view(&game.state, self.viewer);
        let board = self.board.map_or_else(String::new, |board| {
            board.draw::<W>(&view, Names::new(&game.birth.players))
        });
        (self.view.then(|| W::encoded_view(&view)), board)
    }

    /// The scene before the next events, if sentences are wanted.
    pub(super) fn scene<W: Wire>(self, game: &Game<W>) -> Scene {
        let scene = self.text.then(|| W::scene(&game.state)).flatten();
        scene.unwrap_or_default()
    }

    /// The events as the viewer may know them. With sentences, `scene` goes from before the events to after them.
    pub(super) fn events<W: Wire>(
        self,
        events: &[W::Event],
        players: &[String],
        scene: &mut Scene,
    ) -> Vec<Opaque> {
        let mut message = |event: W::Event| {
            let text = self.text.then(|| tell::<W>(&event, players, scene));
            W::encoded_event(&event, text)
        };
        events
            .iter()
            .filter_map(|event| W::event_view(event, self.viewer))
            .map(&mut message)
            .collect()
    }
}

/// How a table is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    columns: usize,
    colored: bool,
}

impl Board {
    /// Reads the field `with_board` of a request. `None`: no board.
    ///
    /// # Errors
    /// For lines that are too short or too long.
    pub(super) fn read(style: Option<pb::BoardStyle>) -> Result<Option<Self>, Malformed> {
        let Some(pb::BoardStyle { columns, colored }) = style else {
            return Ok(None);
        };
        let columns = match columns {
            0 => USUAL_COLUMNS,
            FEWEST_COLUMNS..=MOST_COLUMNS => columns,
            _ => {
                let text = format!("is not from {FEWEST_COLUMNS} to {MOST_COLUMNS}");
                return Err(Malformed::new("with_board.columns", text));
            }
        };
        let columns = usize::try_from(columns).unwrap_or(usize::MAX);
        Ok(Some(Self { columns, colored }))
    }

    fn draw<W: Wire>(self, view: &W::View, names: Names<'_>) -> String {
        let board = ruleset::board::<W>(view, names, self.columns);
        if self.colored {
            board
        } else {
            text::plain(&board)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_bounds() {
        let read = |columns| {
            let colored = false;
            Board::read(Some(pb::BoardStyle { columns, colored }))
        };
        assert_eq!(Board::read(None).unwrap(), None);
        for (asked, columns) in [(0, 80), (40, 40), (400, 400)] {
            let colored = false;
            let board = Board { columns, colored };
            assert_eq!(read(asked).unwrap(), Some(board));
        }
        for columns in [1, 39, 401, u32::MAX] {
            assert_eq!(read(columns).unwrap_err().field, "with_board.columns");
        }
    }
}
