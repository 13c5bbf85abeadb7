//! Boards as text: styles, columns and lines of limited width. Widths are columns of a terminal: styles take none, and
//! wide letters take two.

use std::fmt::{self, Display};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::names::Names;
use super::pending::Pending;
use super::seat::Seat;

/// The style of headings.
pub const BOLD: Style = Style::new().bold();

/// The style of less important text.
pub const DIM: Style = Style::new().dimmed();

/// Returns text in a style.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns the text without its styles.
#[must_use]
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Returns the number of columns that a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    anstream::adapter::strip_str(text).map(str::width).sum()
}

/// Pads the text with spaces to this many columns.
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    let gap = columns.saturating_sub(width(text));
    format!("{text}{:gap$}", "")
}

/// The number of columns from which on the parts of a board have room side by side.
pub const WIDE: usize = 120;

/// Columns between two texts that are side by side.
pub const GAP: usize = 3;

/// Places two texts side by side in lines of at most this many columns; the right one begins in column `at`, from 0.
#[must_use]
pub fn side_by_side(left: &str, right: &str, at: usize, columns: usize) -> String {
    let (left, right) = (
        fit(left, at.saturating_sub(GAP)),
        fit(right, columns.saturating_sub(at)),
    );
    let (mut left, mut right) = (left.lines(), right.lines());
    let mut lines = Vec::new();
    loop {
        let line = match (left.next(), right.next()) {
            (None, None) => return lines.join("\n"),
            (left, None | Some("")) => left.unwrap_or_default().to_owned(),
            (left, Some(right)) => format!("{}{right}", pad(left.unwrap_or_default(), at)),
        };
        lines.push(line);
    }
}

/// Returns a heading with words beside it, in as many lines as they need.
#[must_use]
pub fn with_heading(heading: &str, words: &[String], columns: usize) -> String {
    let heading = format!("{}  ", styled(BOLD, heading));
    wrap(words, ";  ", &heading, "  ", columns)
}

/// Returns the beginning of a player's line: `> 2 Ben`, with a mark for players who must decide.
pub fn player(pending: &[Pending], seat: Seat, names: Names<'_>) -> String {
    let acts = pending.iter().any(|pending| pending.seat == seat);
    let marker = if acts { ">" } else { " " };
    format!(
        "{marker} {} {}",
        seat.number(),
        styled(BOLD, names.of(seat))
    )
}

/// Returns `name value`, with a dim name.
pub fn fact(name: impl Display, value: impl Display) -> String {
    format!("{} {value}", styled(DIM, name))
}

/// Breaks lines that are wider than this many columns; continuation lines are indented a little deeper.
#[must_use]
pub fn fit(text: &str, columns: usize) -> String {
    let fitted = |line: &str| {
        if width(line) <= columns {
            return line.to_owned();
        }
        let indent = line.len() - line.trim_start_matches(' ').len() + 2;
        let indent = " ".repeat(indent.min(columns / 2));
        textwrap::fill(
            line,
            textwrap::Options::new(columns).subsequent_indent(&indent),
        )
    };
    let lines: Vec<String> = text.split('\n').map(fitted).collect();
    lines.join("\n")
}

/// Columns of text, each as wide as its widest cell, two spaces apart.
pub struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Creates columns with these headings.
    pub fn new(headings: &[&str]) -> Self {
        Self {
            rows: vec![
                headings
                    .iter()
                    .map(|heading| styled(BOLD, heading))
                    .collect(),
            ],
        }
    }

    /// Creates columns without headings.
    pub fn plain() -> Self {
        Self { rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| width(cell))
                .max()
        };
        let widths: Vec<usize> = (0..count)
            .map(|column| widest(column).unwrap_or(0))
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

/// Places words side by side, in as many lines as they need.
#[must_use]
pub fn wrap(words: &[String], separator: &str, first: &str, next: &str, columns: usize) -> String {
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
            width(separator) - width(separator.trim_end())
        };
        let line = lines.last().map_or(0, |line| width(line));
        if !empty && line + gap + width(word) + width(end) > columns {
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
