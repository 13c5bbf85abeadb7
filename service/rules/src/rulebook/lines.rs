//! Classifies the lines of a rule document: which lines begin paragraphs, sections and rows of tables, and their
//! numbers.

use super::Rule;

/// The suffix of a heading whose section, with everything below it, is not in the players' edition.
pub(super) const FOR_IMPLEMENTERS: &str = " (for implementers)";

/// Returns the item with this number of a numbered list, with the lines indented below it.
pub(super) fn item(text: &'static str, number: &str) -> Option<&'static str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix(number);
        rest.is_some_and(|rest| rest.starts_with(". ") || rest.starts_with(") "))
    };
    let (at, first) = lines(text).find(|(_, line)| begins(line))?;
    let text = &text[at..];
    let next = lines(text).skip(1);
    let end = next
        .into_iter()
        .find(|(_, line)| indent(line) <= indent(first));
    Some(text[..end.map_or(text.len(), |(at, _)| at)].trim_start())
}

/// Splits a text into lines, each with its position in the text.
pub(super) fn lines(text: &'static str) -> impl Iterator<Item = (usize, &'static str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let begins = at;
        at += line.len();
        (begins, line.trim_end())
    })
}

pub(super) fn is_row(rule: &Rule) -> bool {
    rule.text.starts_with('|') && !rule.id.is_empty()
}

/// Splits a row of a table into its cells.
pub(super) fn cells(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    row.strip_suffix('|')
        .unwrap_or(row)
        .split('|')
        .map(str::trim)
}

/// Headings and horizontal rules.
pub(super) fn is_boundary(line: &str) -> bool {
    rank(line) > 0 || (line.len() > 2 && line.bytes().all(|byte| byte == b'-'))
}

/// The level of a heading, from 1; 0 for any other line.
pub(super) fn rank(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b'#').count()
}

/// Removes the mark for implementers from a heading.
pub(super) fn unmarked(heading: &'static str) -> &'static str {
    heading.strip_suffix(FOR_IMPLEMENTERS).unwrap_or(heading)
}

/// Returns the number of the section that a heading begins, if it has one.
pub(super) fn number_of_heading(prefix: &str, line: &'static str) -> Option<&'static str> {
    if rank(line) == 0 {
        return None;
    }
    if let Some(number) = of_brackets(prefix, line) {
        return Some(number);
    }
    let heading = line.trim_start_matches('#').trim();
    let number = heading.split([' ', ':']).next()?.trim_end_matches('.');
    number
        .starts_with(|first: char| first.is_ascii_digit())
        .then_some(number)
}

/// Returns the number of the id in brackets at the end of a heading.
pub(super) fn of_brackets(prefix: &str, line: &'static str) -> Option<&'static str> {
    let (_, id) = unmarked(line).rsplit_once('(').filter(|_| rank(line) > 0)?;
    number(prefix, id.trim_end_matches(')'))
}

/// Returns the number of the paragraph that a line begins, if it begins one.
pub(super) fn number_of_paragraph(prefix: &str, line: &'static str) -> Option<&'static str> {
    if rank(line) > 0 {
        return None;
    }
    if let Some(cell) = line.strip_prefix("| ") {
        let cell = cell.split(' ').next().filter(|cell| is_bare(cell));
        if cell.is_some() {
            return cell;
        }
    }
    let marks = |mark: char| matches!(mark, ' ' | '-' | '*' | '|');
    let line = line.trim_start_matches(marks);
    let listed = line.trim_start_matches(|mark: char| mark.is_ascii_digit());
    let line = match listed.strip_prefix(". ") {
        Some(item) => item.trim_start_matches(marks),
        None => line,
    };
    number(prefix, line).or_else(|| {
        let bold = line.find(&format!("**{prefix}-"))?;
        number(prefix, &line[bold + 2..])
    })
}

/// Returns whether this is the number of a rule in a table, without its prefix: `J24`, `AC-91`.
fn is_bare(cell: &str) -> bool {
    let digits = cell.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let letters = cell.len() - digits.len();
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    letters > 0 && !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns the number of the id with which a text begins.
fn number<'a>(prefix: &str, text: &'a str) -> Option<&'a str> {
    let rest = text.strip_prefix(prefix)?.strip_prefix('-')?;
    let end = rest
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-')))
        .unwrap_or(rest.len());
    // Two full stops are a range: `KIN-ADJ-21..25`.
    let end = rest[..end].find("..").unwrap_or(end);
    let number = rest[..end].trim_end_matches(['.', '-']);
    (!number.is_empty()).then_some(number)
}

/// Finds the ids with this prefix in a text, in order: citations, and the id of the text itself.
pub fn cited<'a>(text: &'a str, prefix: &str) -> impl Iterator<Item = &'a str> {
    let ids = text.match_indices(prefix).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let inside = |before: char| before.is_ascii_alphanumeric() || before == '-';
        if prefix.is_empty() || before.is_some_and(inside) {
            return None;
        }
        let number = number(prefix, &text[at..])?;
        Some(&text[at..at + prefix.len() + 1 + number.len()])
    });
    ids.collect::<Vec<_>>().into_iter()
}

/// Returns the name with which a paragraph begins, in bold letters after or beside its id: `Festival` of
/// `**DOM-7.8** **Festival.** Costs 5.` and of `**DOM-7.8 Festival** costs 5.`
#[must_use]
pub fn title<'a>(text: &'a str, id: &str) -> Option<&'a str> {
    let (before, rest) = text.split_once(id).filter(|_| !id.is_empty())?;
    let bold = match (before.ends_with("**"), rest.strip_prefix("**")) {
        (true, None) => rest,
        (true, Some(rest)) => rest.trim_start().strip_prefix("**")?,
        (false, _) => rest.trim_start().strip_prefix("**")?,
    };
    let (name, _) = bold.split_once("**")?;
    let name = name.trim().trim_end_matches(['.', ':']);
    (!name.is_empty() && !name.contains('\n')).then_some(name)
}

/// Returns a section: from its heading up to the next heading of the same or a higher level.
pub(super) fn section_from(text: &'static str) -> &'static str {
    let level = rank(text);
    let ends = |line: &str| (1..=level).contains(&rank(line));
    let end = lines(text).skip(1).find(|(_, line)| ends(line));
    &text[..end.map_or(text.len(), |(at, _)| at)]
}
