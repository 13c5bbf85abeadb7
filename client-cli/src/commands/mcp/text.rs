//! Texts in a form and in sizes that a model can hold.

/// Maximum number of characters of an answer.
pub(super) const MAX_CHARS: usize = 20_000;

/// Maximum number of characters of a page, without the line about the rest.
const PAGE: usize = MAX_CHARS - 200;

/// Returns a text without styles and without spaces at the ends of its lines.
pub(super) fn plain(text: &str) -> String {
    let text = gamekeeper_rules::table::text::plain(text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// Splits a text into pages. Pages end with lines, except inside a line that is longer than a page.
pub(super) fn pages(text: &str) -> Vec<&str> {
    let mut pages = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(PAGE) {
        let cut = rest[..end].rfind('\n').map_or(end, |line| line + 1);
        let (page, others) = rest.split_at(cut);
        pages.push(page);
        rest = others;
    }
    pages.push(rest);
    pages
}

/// Returns one page of a text, from 1, with a line that says how to get the next one. Page 0 is the first.
pub(super) fn page(text: &str, part: usize) -> String {
    let pages = pages(text);
    let (part, count) = (part.max(1), pages.len());
    match pages.get(part - 1) {
        None => format!("There is no part {part}; the last is {count}."),
        Some(page) if part == count => (*page).to_owned(),
        Some(page) => format!(
            "{page}\n[part {part} of {count}; for the rest, call again with part {}]",
            part + 1
        ),
    }
}

/// Returns the last lines of a text, as many as have at most this number of characters, and whether some are missing.
pub(super) fn last_lines(lines: &[String], max_chars: usize) -> (&[String], bool) {
    let mut chars = 0;
    let fits = |line: &&String| {
        chars += line.chars().count() + 1;
        chars <= max_chars
    };
    let count = lines.iter().rev().take_while(fits).count();
    (&lines[lines.len() - count..], count < lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_of_a_text_are_the_text() {
        let lines: String = (0..9_000)
            .map(|number| format!("é line {number}\n"))
            .collect();
        for text in [String::new(), "a".repeat(PAGE), "é".repeat(PAGE + 1), lines] {
            let pages = pages(&text);
            assert_eq!(pages.concat(), text);
            assert_eq!(pages.len(), text.chars().count().div_ceil(PAGE).max(1));
            for number in 1..=pages.len() {
                assert!(page(&text, number).chars().count() <= MAX_CHARS);
            }
            assert_eq!(page(&text, 0), page(&text, 1));
        }
        assert_eq!(page("short", 2), "There is no part 2; the last is 1.");
    }

    #[test]
    fn the_last_lines_are_whole() {
        let lines: Vec<String> = ["one", "three", "five"].map(str::to_owned).to_vec();
        assert_eq!(last_lines(&lines, 100), (&lines[..], false));
        assert_eq!(last_lines(&lines, 11), (&lines[1..], true));
        assert_eq!(last_lines(&lines, 10), (&lines[2..], true));
        assert_eq!(last_lines(&lines, 0), (&lines[..0], true));
    }
}
