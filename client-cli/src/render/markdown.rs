//! Renders the Markdown of rule documents for a terminal.

use anstyle::Style;
use gamekeeper_proto::gamekeeper::v1::Rule;
use gamekeeper_rules::table::text::{self, BOLD, Columns, DIM, styled, width};

use crate::phrase;

/// Formats a rule below its id and its chapter.
pub(crate) fn rule(rule: &Rule, columns: usize) -> String {
    let chapter = styled(DIM, rule_heading(rule));
    let heading = match rule.id.is_empty() {
        true => chapter,
        false => format!("{}  {chapter}", styled(BOLD, &rule.id)),
    };
    let text = match rule.columns.is_empty() {
        true => markdown(&rule.text, columns),
        false => {
            let titles = format!("| {} |", rule.columns.join(" | "));
            table(&[&titles, "|-|", &rule.text], columns)
        }
    };
    format!("{}\n{text}", fit(&heading, columns))
}

/// Formats a rule as one line: its id and the beginning of its text.
pub(crate) fn rule_in_line(rule: &Rule, columns: usize) -> String {
    let begins = rule.text.lines().next().unwrap_or_default();
    let begins = match begins.starts_with('|') {
        true => cells(begins).join("  "),
        false => bold_terms(begins.trim_start_matches(['#', '-', ' '])),
    };
    let ruleset_prefix = format!("{}: ", phrase::ruleset(&rule.ruleset));
    let line = format!("{}{begins}", styled(DIM, ruleset_prefix));
    let lines = fit(&line, columns.saturating_sub(ELLIPSIS.len()));
    match lines.split_once('\n') {
        Some((first, _)) => format!("{first}{ELLIPSIS}"),
        None => lines,
    }
}

/// The mark of a shortened line.
const ELLIPSIS: &str = " ...";

fn rule_heading(rule: &Rule) -> String {
    let mut chapter = phrase::ruleset(&rule.ruleset);
    if !rule.chapter.is_empty() {
        chapter += &format!(", chapter {}: {}", rule.chapter, rule.chapter_title);
    }
    chapter
}

/// Formats headings, paragraphs, lists and tables in this number of columns.
pub(crate) fn markdown(text: &str, columns: usize) -> String {
    let mut page = MarkdownWriter {
        columns,
        ..MarkdownWriter::default()
    };
    for line in text.lines() {
        page.add(line);
    }
    page.end()
}

/// Wraps lines between words. Hyphens are no break points, so that rule ids stay whole.
fn fit(text: &str, columns: usize) -> String {
    const NON_BREAKING_HYPHEN: &str = "\u{2011}";
    text::fit(&text.replace('-', NON_BREAKING_HYPHEN), columns).replace(NON_BREAKING_HYPHEN, "-")
}

/// The state of the layout while a text is read.
#[derive(Default)]
struct MarkdownWriter<'a> {
    columns: usize,
    blocks: Vec<String>,
    /// The rows of the current table.
    rows: Vec<&'a str>,
    /// The current paragraph or list item.
    begun: String,
    /// Whether the position is between code fences, where lines are kept as they are.
    fenced: bool,
}

impl<'a> MarkdownWriter<'a> {
    fn add(&mut self, line: &'a str) {
        if line.trim_start().starts_with("```") {
            self.flush();
            self.fenced = !self.fenced;
        } else if self.fenced {
            self.blocks.push(fit(line, self.columns));
        } else if line.starts_with('|') {
            self.flush_words();
            self.rows.push(line);
        } else if line.bytes().all(|byte| byte == b'-' || byte == b' ') {
            self.flush();
            if self.blocks.last().is_some_and(|last| !last.is_empty()) {
                self.blocks.push(String::new());
            }
        } else if line.starts_with('#') {
            self.flush();
            if self.blocks.last().is_some_and(|last| !last.is_empty()) {
                self.blocks.push(String::new());
            }
            let heading = line.trim_start_matches('#').trim();
            self.blocks.push(styled(BOLD, plain(heading)));
        } else if begins_item(line) || begins_rule(line) || self.begun.is_empty() {
            self.flush();
            line.trim_end().clone_into(&mut self.begun);
        } else {
            self.begun.push(' ');
            self.begun.push_str(line.trim());
        }
    }

    fn flush(&mut self) {
        self.flush_words();
        if !self.rows.is_empty() {
            let rows = std::mem::take(&mut self.rows);
            self.blocks.push(table(&rows, self.columns));
        }
    }

    fn flush_words(&mut self) {
        if !self.begun.is_empty() {
            let words = std::mem::take(&mut self.begun);
            self.blocks.push(fit(&bold_terms(&words), self.columns));
        }
    }

    fn end(mut self) -> String {
        self.flush();
        self.blocks.join("\n").trim_end().to_owned()
    }
}

/// Returns whether a paragraph of a rule document begins here: `**MYT-6.2.2** ...`.
fn begins_rule(line: &str) -> bool {
    let id = line.strip_prefix("**").and_then(|id| id.split_once('-'));
    id.is_some_and(|(prefix, _)| prefix.bytes().all(|letter| letter.is_ascii_uppercase()))
}

/// Returns whether a line starts a list item.
fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(". ");
    is_numbered || line.starts_with("- ") || line.starts_with("* ")
}

const ITALIC: Style = Style::new().italic();

/// A part of a text with one style.
struct StyledText<'a> {
    bold: bool,
    italic: bool,
    text: &'a str,
}

/// Splits a text by its marks: `**bold**`, `*italic*`; names in backticks are plain. An unpaired mark is kept as text.
fn parts(text: &str) -> Vec<StyledText<'_>> {
    let (mut bold, mut italic, mut code) = (false, false, false);
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at + letter.len_utf8()..];
        let before = text[..at].chars().next_back();
        let (marker_len, is_marker) = match letter {
            '`' => (1, code || rest.contains('`')),
            '*' if code => (1, false),
            '*' if rest.starts_with('*') => (2, bold || rest[1..].contains("**")),
            '*' if italic => (1, before.is_some_and(|before| before != ' ')),
            '*' => {
                let opens = !before.is_some_and(char::is_alphanumeric) && !rest.starts_with(' ');
                (1, opens && rest.contains('*'))
            }
            _ => (letter.len_utf8(), false),
        };
        if is_marker {
            let text = &text[from..at];
            parts.push(StyledText { bold, italic, text });
            match (letter, marker_len) {
                ('`', _) => code = !code,
                (_, 2) => bold = !bold,
                _ => italic = !italic,
            }
            from = at + marker_len;
        }
        at += marker_len;
    }
    let text = &text[from..];
    parts.push(StyledText { bold, italic, text });
    parts
}

/// Replaces the marks of a text by terminal styles.
fn bold_terms(text: &str) -> String {
    let part = |part: StyledText<'_>| match (part.bold, part.italic) {
        _ if part.text.is_empty() => String::new(),
        (true, _) => styled(BOLD, part.text),
        (false, true) => styled(ITALIC, part.text),
        (false, false) => part.text.to_owned(),
    };
    parts(text).into_iter().map(part).collect()
}

/// Removes the marks of a text.
fn plain(text: &str) -> String {
    parts(text).iter().map(|part| part.text).collect()
}

/// Splits a row of a table into cells.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(|cell| bold_terms(cell.trim())).collect()
}

/// Formats a table in columns if they fit, with wrapped cells if necessary. Otherwise the rows follow one another, each
/// cell with the title of its column.
fn table(rows: &[&str], columns: usize) -> String {
    let is_ruler = |row: &&str| row.bytes().all(|byte| b"|-: ".contains(&byte));
    let has_head = rows.get(1).is_some_and(is_ruler);
    let body = rows.iter().filter(|row| !is_ruler(row));
    let body = body.skip(usize::from(has_head)).map(|row| cells(row));
    let body: Vec<_> = body.collect();
    let head: Vec<_> = if has_head { cells(rows[0]) } else { Vec::new() };
    let titles = head.iter().map(|title| styled(BOLD, title)).collect();
    let all: Vec<Vec<String>> = (has_head.then_some(titles).into_iter())
        .chain(body.iter().cloned())
        .collect();
    if let Some(widths) = narrowed(&all, columns) {
        return side_by_side(&all, &widths);
    }
    let is_short = body
        .iter()
        .flatten()
        .all(|cell| width(cell) <= MAX_SHORT_ROW);
    let one = |row: &Vec<String>| one_by_one(&head, row, is_short, columns);
    body.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Minimum width of a column that is narrower than its cells.
const MIN_COLUMN_WIDTH: usize = 18;

/// Returns column widths that fit, by narrowing the widest columns. Returns `None` if they would be too narrow.
fn narrowed(rows: &[Vec<String>], columns: usize) -> Option<Vec<usize>> {
    let count = rows.iter().map(Vec::len).max()?;
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..count).map(widest).collect();
    while widths.iter().sum::<usize>() + 2 * (count - 1) > columns {
        let widest = widths.iter_mut().max()?;
        if *widest <= MIN_COLUMN_WIDTH {
            return None;
        }
        *widest -= 1;
    }
    Some(widths)
}

/// Formats rows in columns of these widths.
fn side_by_side(rows: &[Vec<String>], widths: &[usize]) -> String {
    let mut text = Columns::plain();
    for row in rows {
        let lines: Vec<Vec<String>> = row
            .iter()
            .zip(widths)
            .map(|(cell, &columns)| match width(cell) <= columns {
                true => vec![cell.clone()],
                // Styles are removed: in a wrapped cell they would leak into the next column.
                false => fit(&text::plain(cell), columns)
                    .lines()
                    .map(str::to_owned)
                    .collect(),
            })
            .collect();
        let height = lines.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            text.row(
                lines
                    .iter()
                    .map(|cell| cell.get(line).cloned().unwrap_or_default()),
            );
        }
    }
    text.to_string()
}

/// Maximum width of a cell in a row that is formatted as one line; in other rows, each cell has a line of its own.
const MAX_SHORT_ROW: usize = 72;

/// Formats the non-empty cells of a row with the titles of their columns.
fn one_by_one(head: &[String], row: &[String], is_short: bool, columns: usize) -> String {
    let filled = row.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    let words = filled.map(|(number, cell)| match head.get(number) {
        Some(title) if !title.is_empty() => format!("{} {cell}", styled(BOLD, format!("{title}:"))),
        Some(_) | None => cell.clone(),
    });
    let words: Vec<String> = words.collect();
    if is_short {
        return fit(&words.join(";  "), columns);
    }
    let indent = |(number, words): (usize, &String)| match number {
        0 => fit(words, columns),
        _ => fit(&format!("  {words}"), columns),
    };
    words
        .iter()
        .enumerate()
        .map(indent)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_fits_a_terminal() {
        let written = "## 6. Flow\n\n**TM-1** Long text that needs *two* lines of `forty` columns.\n\
                       - TM-2 An item that needs\ntwo lines as well.\n\n\
                       | id | meaning |\n|---|---|\n| `a` | short |\n\n---\n\n\
                       | case | given | then |\n|---|---|---|\n\
                       | J1 | a row that is much too wide for its columns | 1 |\n| J2 | | 2 * 3 |\n\n\
                       | a | b | c |\n|---|---|---|\n\
                       | a cell of some width | another such cell | and one more |\n| J3 | | `x` |\n\n\
                       ```\nA* -> B\n```\n";
        let expected = "\
6. Flow

TM-1 Long text that needs two lines of
  forty columns.
- TM-2 An item that needs two lines as
  well.

id  meaning
a   short

case  given                        then
J1    a row that is much too wide  1
        for its columns
J2                                 2 * 3

a: a cell of some width;  b: another
  such cell;  c: and one more
a: J3;  c: x

A* -> B";
        assert_eq!(text::plain(&markdown(written, 40)), expected);
        assert!(markdown(written, 40).contains(&styled(BOLD, "TM-1")));
        assert!(markdown(written, 40).contains(&styled(ITALIC, "two")));
    }

    #[test]
    fn a_row_has_the_titles_of_its_columns() {
        let row = Rule {
            id: String::from("TM-J1"),
            ruleset: String::from("terra_mystica"),
            text: String::from("| J1 | Who acts? | nobody, as long as it is winter |"),
            columns: ["no", "question", "ruling"].map(String::from).to_vec(),
            ..Rule::default()
        };
        let wide = "TM-J1  Terra Mystica\nno  question   ruling\nJ1  Who acts?  nobody, as long as it is winter";
        assert_eq!(text::plain(&rule(&row, 80)), wide);
        let narrow = "TM-J1  Terra Mystica\nno: J1;  question: Who acts?;\n  ruling: nobody, as long as it\n  is winter";
        assert_eq!(text::plain(&rule(&row, 32)), narrow);
        let line = "Terra Mystica: J1  Who acts? ...";
        assert_eq!(text::plain(&rule_in_line(&row, 34)), line);
    }
}
