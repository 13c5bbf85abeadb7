//! What is printed, and how.

use std::fmt::{self, Display};
use std::io::{IsTerminal, Write};

use prost_reflect::DynamicMessage;

use crate::args::{Format, Globals};
use crate::contract::json_line;
use crate::failure::Failure;

/// The width of output that does not go to a terminal.
const PLAIN_WIDTH: usize = 80;

/// Where results go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    format: Format,
    width: usize,
}

impl Output {
    /// As the command line says; JSON if nobody looks.
    pub(crate) fn new(globals: &Globals) -> Self {
        let seen = std::io::stdout().is_terminal();
        let format = globals
            .output
            .unwrap_or(if seen { Format::Table } else { Format::Json });
        let terminal = terminal_size::terminal_size().filter(|_| seen);
        let width = terminal.map_or(PLAIN_WIDTH, |(width, _)| usize::from(width.0).max(40));
        Self { format, width }
    }

    /// Is JSON wanted?
    pub(crate) fn is_json(self) -> bool {
        self.format == Format::Json
    }

    /// Columns of a line.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// Prints a message as a line of JSON.
    pub(crate) fn json(self, message: &DynamicMessage) -> Result<(), Failure> {
        self.line(json_line(message)?)
    }

    /// Prints a line. Colours are taken away where nobody would see them.
    pub(crate) fn line(self, line: impl Display) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        writeln!(stdout, "{line}").map_err(|error| Failure::io("the output", &error))
    }

    /// Prints text that does not end a line, at once.
    pub(crate) fn prompt(self, text: impl Display) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        write!(stdout, "{text}")
            .and_then(|()| stdout.flush())
            .map_err(|error| Failure::io("the output", &error))
    }
}

/// Says something beside the results, on the error stream.
pub(crate) fn notice(text: fmt::Arguments<'_>) {
    let style = crate::output::DIM;
    // Nobody is left to be told when the error stream itself fails.
    let _ = writeln!(anstream::stderr().lock(), "{style}{text}{style:#}");
}

/// Headings.
pub(crate) const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// Things beside the point.
pub(crate) const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// Text in a style.
pub(crate) fn styled(style: anstyle::Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Columns of text, each as wide as its widest cell, two spaces apart.
pub(crate) struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Columns with these headings.
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self {
            rows: vec![
                headings
                    .iter()
                    .map(|heading| styled(BOLD, heading))
                    .collect(),
            ],
        }
    }

    /// Columns without headings.
    pub(crate) fn plain() -> Self {
        Self { rows: Vec::new() }
    }

    /// One more row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| shown(cell))
                .max()
        };
        let widths: Vec<usize> = (0..count)
            .map(|column| width(column).unwrap_or(0))
            .collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(&pad(cell, *width));
                line.push_str("  ");
            }
            let end = if number + 1 == self.rows.len() {
                ""
            } else {
                "\n"
            };
            write!(f, "{}{end}", line.trim_end())?;
        }
        Ok(())
    }
}

/// The columns that a text takes on a terminal; colours take none.
pub(crate) fn shown(text: &str) -> usize {
    anstream::adapter::strip_str(text)
        .to_string()
        .chars()
        .count()
}

/// The text, filled up with spaces to this many columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(shown(text));
    format!("{text}{:gap$}", "")
}

/// Words side by side, in as many lines as they need.
pub(crate) fn wrap(
    words: &[String],
    separator: &str,
    first: &str,
    next: &str,
    width: usize,
) -> String {
    let mut lines = vec![first.to_owned()];
    let mut empty = true;
    for (number, word) in words.iter().enumerate() {
        let end = if number + 1 == words.len() {
            ""
        } else {
            separator.trim_end()
        };
        let gap = if empty {
            0
        } else {
            shown(separator) - shown(separator.trim_end())
        };
        let line = lines.last().map_or(0, |line| shown(line));
        if !empty && line + gap + shown(word) + shown(end) > width {
            lines.push(next.to_owned());
        } else {
            pad_last(&mut lines, gap);
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
            line.push_str(end);
        }
        empty = false;
    }
    lines.join("\n")
}

fn pad_last(lines: &mut [String], gap: usize) {
    if let Some(line) = lines.last_mut() {
        line.push_str(&" ".repeat(gap));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut columns = Columns::plain();
        columns.row(["a".to_owned(), styled(BOLD, "bb"), "c".to_owned()]);
        columns.row(["aaa".to_owned(), "b".to_owned()]);
        let text = anstream::adapter::strip_str(&columns.to_string()).to_string();
        assert_eq!(text, "a    bb  c\naaa  b");
    }

    #[test]
    fn words_wrap_at_the_width() {
        let words: Vec<String> = ["one", "two", "three"].map(String::from).to_vec();
        assert_eq!(
            wrap(&words, ", ", "In: ", "    ", 13),
            "In: one, two,\n    three"
        );
        assert_eq!(wrap(&[], ", ", "In: ", "    ", 13), "In: ");
    }
}
