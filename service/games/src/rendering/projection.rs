//! The parts of a game that a response shows: the table as a message, as text and as a picture, and events.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::{self, render_event};
use gamekeeper_rules::table::{Names, TextContext, Viewer, text};
use gamekeeper_wire::{Malformed, Wire, seat_number, with_components, wrap_event, wrap_view};
use pb::table_event;

use crate::aggregate::game::{EntryOf, Game};
use crate::rendering::picture::PictureStyle;
use crate::requests::number_type::NumberType;

/// The default number of columns of a board.
const DEFAULT_COLUMNS: u32 = 80;

const MIN_COLUMNS: u32 = 40;
const MAX_COLUMNS: u32 = 400;

/// The parts that one viewer wants to see besides the public facts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says of one part whether it is asked for"
)]
pub(crate) struct Projection {
    pub(crate) viewer: Viewer,
    /// Whether to show the table as a message.
    pub(crate) view: bool,
    /// Whether to show events.
    pub(crate) events: bool,
    /// Whether to add sentences to events.
    pub(crate) text: bool,
    /// Whether to add the components that events touch, and what they move.
    pub(crate) components: bool,
    /// The style of the table as text. Is `None` if it is not shown.
    pub(crate) board: Option<BoardStyle>,
    /// The style of the table as a picture. Is `None` if it is not shown.
    pub(crate) picture: Option<PictureStyle>,
    /// The type of the numbers for programs that learn. Is `None` if they are not shown.
    pub(crate) numbers: Option<NumberType>,
    /// Whether players go by their seats instead of by their names.
    pub(crate) anonymous: bool,
}

impl Projection {
    /// Selects nothing but the public facts.
    pub(crate) const fn public_only(viewer: Viewer) -> Self {
        Self {
            viewer,
            view: false,
            events: false,
            text: false,
            components: false,
            board: None,
            picture: None,
            numbers: None,
            anonymous: false,
        }
    }

    /// Decodes the field `show` of a request.
    ///
    /// # Errors
    /// If the number of columns of a board is out of range, a style of drawings or the type of numbers is unknown, or a
    /// drawing is wanted as PNG, which only [`Self::from_get_request`] accepts.
    pub(crate) fn from_request(
        viewer: Viewer,
        requested: Option<&pb::Show>,
    ) -> Result<Self, Malformed> {
        let show = Self::from_get_request(viewer, requested)?;
        match &show.picture {
            Some(picture) if picture.raster => {
                Err(Malformed::new("show.drawing.raster", "is only for GetGame"))
            }
            Some(_) | None => Ok(show),
        }
    }

    /// Decodes the field `show` of a request to which drawings are sent as PNG, too.
    ///
    /// # Errors
    /// If the number of columns of a board is out of range, or a style of drawings or the type of numbers is unknown.
    pub(crate) fn from_get_request(
        viewer: Viewer,
        requested: Option<&pb::Show>,
    ) -> Result<Self, Malformed> {
        let Some(requested) = requested else {
            return Ok(Self::public_only(viewer));
        };
        let pb::Show {
            view,
            events,
            text,
            board,
            components,
            drawing: picture,
            // Amounts are a matter of the list of legal actions alone.
            amounts: _,
            numbers,
            anonymous,
        } = requested;
        Ok(Self {
            viewer,
            view: *view,
            events: *events,
            text: *text,
            components: *components,
            board: BoardStyle::from_request(*board)?,
            picture: PictureStyle::from_request(picture.as_ref())?,
            numbers: NumberType::from_request(*numbers, "show.numbers")?,
            anonymous: *anonymous,
        })
    }

    /// Returns whether anything is shown that depends on the viewer.
    pub(crate) const fn depends_on_viewer(&self) -> bool {
        self.view
            || self.events
            || self.board.is_some()
            || self.picture.is_some()
            || self.numbers.is_some()
    }

    /// Returns whether the drawing is wanted as PNG.
    pub(crate) fn wants_raster(&self) -> bool {
        (self.picture.as_ref()).is_some_and(|picture| picture.raster)
    }

    /// Returns whether anything is shown that depends on the entry before the table.
    pub(crate) const fn needs_last_entry(&self) -> bool {
        self.events || self.picture.is_some()
    }

    /// Builds the table of a game, with these public facts.
    pub(crate) fn table<W: Wire>(&self, game: &Game<W>, info: pb::GameInfo) -> raw::Table {
        self.table_after_entry(game, info, None)
    }

    /// Builds the table like [`Projection::table`], just after an entry was played, whose last event a drawing names.
    pub(crate) fn table_after_entry<W: Wire>(
        &self,
        game: &Game<W>,
        info: pb::GameInfo,
        last_entry: Option<&EntryOf<W>>,
    ) -> raw::Table {
        let mut table = raw::Table {
            game: Some(info),
            viewer: Some(viewer_message(self.viewer)),
            ..raw::Table::default()
        };
        if self.view || self.board.is_some() || self.picture.is_some() {
            let view = game.view(self.viewer);
            table.view = self.view.then(|| wrap_view::<W>(&view));
            let names = self.names(game.players());
            table.board = self.board_of::<W>(&view, names);
            if let Some(picture) = &self.picture {
                let players = picture.called(self.called(game.players()));
                let seen = (&view, self.viewer, Names::new(&players));
                table.drawing = picture.draw::<W>(game, seen, last_entry);
            }
        }
        table
    }

    /// Returns the names by which texts call the players.
    pub(crate) const fn names<'a>(&self, players: &'a [String]) -> Names<'a> {
        Names::new(self.called(players))
    }

    /// Returns the names by which texts call the players; empty if they go by their seats.
    const fn called<'a>(&self, players: &'a [String]) -> &'a [String] {
        if self.anonymous { &[] } else { players }
    }

    /// Draws the table as text. Returns an empty text if it is not wanted.
    pub(crate) fn board_of<W: Wire>(&self, view: &W::View, names: Names<'_>) -> String {
        let board = self.board.map(|board| board.draw::<W>(view, names));
        board.unwrap_or_default()
    }

    /// Returns the scene before the next events. The scene is empty if no sentences are wanted.
    pub(crate) fn scene<W: Wire>(&self, game: &Game<W>) -> TextContext {
        let scene = self
            .wants_text()
            .then(|| W::text_context(&game.state))
            .flatten();
        scene.unwrap_or_default()
    }

    /// Returns whether sentences are wanted.
    pub(crate) const fn wants_text(&self) -> bool {
        self.events && self.text
    }

    /// Encodes the events that the viewer may see. `events_with_forced` says for each whether it reports a forced
    /// action. If sentences are wanted, `scene` is advanced from before the events to after them.
    pub(crate) fn events<'a, W: Wire>(
        &self,
        events_with_forced: impl Iterator<Item = (&'a W::Event, bool)>,
        players: &[String],
        scene: &mut TextContext,
    ) -> Vec<raw::Event> {
        let mut to_message = |(event, forced): (W::Event, bool)| {
            let text =
                (self.text).then(|| render_event::<W>(&event, forced, self.called(players), scene));
            let message = wrap_event::<W>(&event, forced, text);
            if self.components {
                with_components::<W>(&event, message)
            } else {
                message
            }
        };
        let (_, most) = events_with_forced.size_hint();
        let mut messages = Vec::with_capacity(most.unwrap_or_default());
        messages.extend(events_with_forced.filter_map(|(event, forced)| {
            let visible_event = W::event_view(event, self.viewer)?;
            Some(to_message((visible_event, forced)))
        }));
        messages
    }
}

impl Projection {
    /// Returns the event of the end, which follows those of the last version. Returns `None` if the game is not over.
    pub(crate) fn end_event<W: Wire>(&self, game: &Game<W>) -> Option<raw::Event> {
        if !self.events || !game.is_over() {
            return None;
        }
        let kind = table_event::Kind::Ended(game.end_message());
        Some(raw::Event {
            kind: String::from("ended"),
            text: if self.text {
                game.outcome(self.names(game.players()))
            } else {
                String::new()
            },
            table: Some(pb::TableEvent { kind: Some(kind) }),
            ..raw::Event::default()
        })
    }
}

/// Encodes a viewer as a message.
fn viewer_message(viewer: Viewer) -> pb::Viewer {
    let (kind, seat) = match viewer {
        Viewer::Seat(seat) => (pb::ViewerKind::Seat, seat_number(seat)),
        Viewer::Spectator => (pb::ViewerKind::Spectator, 0),
        Viewer::Operator => (pb::ViewerKind::Operator, 0),
    };
    pb::Viewer {
        kind: kind.into(),
        seat,
    }
}

/// The style of a table as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardStyle {
    columns: usize,
    colored: bool,
}

impl BoardStyle {
    /// Decodes the field `show.board` of a request. Returns `None` if the field is not set.
    ///
    /// # Errors
    /// If the number of columns is out of range.
    pub(crate) fn from_request(style: Option<pb::BoardStyle>) -> Result<Option<Self>, Malformed> {
        let Some(pb::BoardStyle { columns, colored }) = style else {
            return Ok(None);
        };
        let columns = match columns {
            0 => DEFAULT_COLUMNS,
            MIN_COLUMNS..=MAX_COLUMNS => columns,
            _ => {
                let text = format!("is not from {MIN_COLUMNS} to {MAX_COLUMNS}");
                return Err(Malformed::new("show.board.columns", text));
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
            BoardStyle::from_request(Some(pb::BoardStyle { columns, colored }))
        };
        assert_eq!(BoardStyle::from_request(None).unwrap(), None);
        for (requested, columns) in [(0, 80), (40, 40), (400, 400)] {
            let colored = false;
            let board = BoardStyle { columns, colored };
            assert_eq!(read(requested).unwrap(), Some(board));
        }
        for columns in [1, 39, 401, u32::MAX] {
            assert_eq!(read(columns).unwrap_err().field, "show.board.columns");
        }
    }
}
