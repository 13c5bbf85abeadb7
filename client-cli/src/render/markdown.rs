//! The Markdown of rule documents for a terminal.

use gamekeeper_proto::gamekeeper::v1::Rule;
use gamekeeper_rules::table::text::{BOLD, Columns, DIM, fit, styled, width};

use crate::phrase;

/// A rule under its id and its chapter.
pub(crate) fn rule(rule: &Rule, columns: usize) -> String {
    let mut place = phrase::title(&rule.ruleset);
    if !rule.chapter.is_empty() {
        place += &format!(", chapter {}: {}", rule.chapter, rule.chapter_title);
    }
    let heading = format!("{}  {}", styled(BOLD, &rule.id), styled(DIM, place));
    let text = markdown(&rule.text, columns);
    format!("{}\n{text}", fit(&heading, columns))
}

/// Headings, paragraphs, lists and tables in this many columns.
pub(crate) fn markdown(text: &str, columns: usize) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.starts_with('|') {
            rows.push(line);
            continue;
        }
        if !rows.is_empty() {
            blocks.push(table(&std::mem::take(&mut rows), columns));
        }
        let is_gap = line.bytes().all(|byte| byte == b'-');
        if !is_gap {
            blocks.push(prose(line, columns));
        } else if blocks.last().is_some_and(|last| !last.is_empty()) {
            blocks.push(String::new());
        }
    }
    blocks.join("\n").trim_end().to_owned()
}

fn prose(line: &str, columns: usize) -> String {
    let text = line.trim_start_matches('#');
    if text.len() < line.len() {
        return styled(BOLD, marked(text.trim()));
    }
    fit(&marked(line), columns)
}

/// Bold words are bold; names in backticks are printed plain.
fn marked(text: &str) -> String {
    let text = text.replace('`', "");
    let parts: Vec<&str> = text.split("**").collect();
    let part = |(number, part): (usize, &&str)| {
        if number % 2 == 1 && number + 1 < parts.len() {
            styled(BOLD, part)
        } else {
            (*part).to_owned()
        }
    };
    parts.iter().enumerate().map(part).collect()
}

/// Columns where they fit; otherwise one row after the other.
fn table(rows: &[&str], columns: usize) -> String {
    let cells = |row: &&str| -> Vec<String> {
        let row = row.trim_end().trim_matches('|');
        row.split('|').map(|cell| marked(cell.trim())).collect()
    };
    let is_line = |row: &&str| row.bytes().all(|byte| b"|-: ".contains(&byte));
    let has_head = rows.get(1).is_some_and(is_line);
    let mut rows: Vec<_> = rows.iter().filter(|row| !is_line(row)).map(cells).collect();
    if let Some(head) = rows.first_mut().filter(|_| has_head) {
        for cell in head {
            *cell = styled(BOLD, &cell);
        }
    }
    let mut side_by_side = Columns::plain();
    for row in &rows {
        side_by_side.row(row.iter().cloned());
    }
    let text = side_by_side.to_string();
    if text.lines().all(|line| width(line) <= columns) {
        return text;
    }
    let one = |row: &Vec<String>| fit(&row.join(" | "), columns);
    rows.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::text::plain;

    use super::*;

    #[test]
    fn markdown_fits_a_terminal() {
        let text = "## 6. Flow\n\n**TM-1** Long text that needs *two* lines of `forty` columns.\n\
                    - TM-2 An item that needs two lines as well.\n\n\
                    | id | meaning |\n|---|---|\n| `a` | short |\n\n---\n\n\
                    | J1 | a row that is much too wide | for its columns |\n";
        let expected = "\
6. Flow

TM-1 Long text that needs *two* lines of
  forty columns.
- TM-2 An item that needs two lines as
  well.

id  meaning
a   short

J1 | a row that is much too wide | for
  its columns";
        assert_eq!(plain(&markdown(text, 40)), expected);
        assert!(markdown(text, 40).contains(&styled(BOLD, "TM-1")));
    }
}
