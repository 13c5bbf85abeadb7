//! The output of commands: its format, its width and its colors.

use std::fmt::{self, Display};
use std::io::{IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use gamekeeper_proto::gamekeeper::v1::BoardStyle;
use gamekeeper_rules::table::text::{DIM, plain};
use prost_reflect::DynamicMessage;

use crate::args::{Format, Globals};
use crate::contract::json_line;
use crate::failure::Failure;

/// The width of output that does not go to a terminal.
const PLAIN_WIDTH: usize = 80;

/// A screen with fewer lines than this is not paged.
const MIN_LINES: usize = 10;

/// The limits for the width of boards.
const MIN_COLUMNS: usize = 40;
const MAX_COLUMNS: usize = 400;

/// The output of a command's results.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    format: Format,
    width: usize,
    height: Option<usize>,
}

impl Output {
    /// Determines the format from the command line. The default is JSON if the output is not a terminal.
    pub(crate) fn new(globals: &Globals) -> Self {
        let seen = std::io::stdout().is_terminal();
        let format = globals
            .output
            .unwrap_or(if seen { Format::Table } else { Format::Json });
        let terminal = terminal_size::terminal_size().filter(|_| seen);
        let width = terminal.map_or(PLAIN_WIDTH, |(width, _)| {
            usize::from(width.0).max(MIN_COLUMNS)
        });
        let typed = std::io::stdin().is_terminal();
        let height = terminal
            .filter(|_| typed)
            .map(|(_, height)| usize::from(height.0));
        Self {
            format,
            width,
            height: height.filter(|height| *height >= MIN_LINES),
        }
    }

    /// Returns whether the output format is JSON.
    #[must_use]
    pub fn is_json(self) -> bool {
        self.format == Format::Json
    }

    /// Returns the number of columns.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// Returns the number of lines of the screen. Returns `None` if output cannot be paged.
    pub(crate) fn height(self) -> Option<usize> {
        self.height
    }

    /// Returns the style of boards for this output, or `None` for JSON.
    pub(crate) fn board(self) -> Option<BoardStyle> {
        let columns = self.width.min(MAX_COLUMNS);
        let colored = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
        (!self.is_json()).then(|| BoardStyle {
            columns: u32::try_from(columns).unwrap_or(u32::MAX),
            colored,
        })
    }

    /// Returns a text without its colors if the output does not support them.
    pub(crate) fn shown(self, text: &str) -> String {
        match AutoStream::choice(&std::io::stdout()) {
            ColorChoice::Never => plain(text),
            ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => text.to_owned(),
        }
    }

    /// Prints a message as a line of JSON.
    pub(crate) fn json(self, message: &DynamicMessage) -> Result<(), Failure> {
        self.line(json_line(message)?)
    }

    /// Prints a line. Colors are removed if the output does not support them.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn line(self, line: impl Display) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        writeln!(stdout, "{line}").map_err(|error| Failure::io("the output", &error))
    }

    /// Prints text without a line break and flushes.
    pub(crate) fn prompt(self, text: impl Display) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        write!(stdout, "{text}")
            .and_then(|()| stdout.flush())
            .map_err(|error| Failure::io("the output", &error))
    }
}

/// Prints a notice on the error stream, separate from the results.
pub(crate) fn notice(text: fmt::Arguments<'_>) {
    // If the error stream itself fails, there is nowhere left to report it.
    let _ = writeln!(anstream::stderr().lock(), "{DIM}{text}{DIM:#}");
}
