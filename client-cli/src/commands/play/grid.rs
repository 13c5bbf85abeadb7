//! Layout of list entries in columns.

use gamekeeper_rules::table::text::{self, pad};

/// The maximum number of columns.
const COLUMNS: usize = 4;

/// Returns the number of columns in which the entries fit, and the width of a column.
fn grid(entries: &[String], width: usize) -> (usize, usize) {
    let widest = entries.iter().map(|entry| text::width(entry)).max();
    let wide = widest.unwrap_or(0) + 3;
    ((width / wide).clamp(1, COLUMNS), wide)
}

/// Returns how many entries, from the first, fit on this number of lines; at least one if `any` is set.
pub(super) fn largest(entries: &[String], lines: usize, width: usize, any: bool) -> usize {
    let fits = |count: &usize| {
        let entries = &entries[..*count];
        let (columns, _) = grid(entries, width);
        let each = |entry: &String| text::fit(entry, width).lines().count();
        match columns {
            1 => entries.iter().map(each).sum::<usize>() <= lines,
            _ => count.div_ceil(columns) <= lines,
        }
    };
    let max = entries.len().min(lines.saturating_mul(COLUMNS));
    (1..=max)
        .rev()
        .find(fits)
        .unwrap_or(max.min(usize::from(any)))
}

/// Lays out the entries in the maximum number of columns that fit, to be read downwards.
pub(super) fn columns(entries: &[String], width: usize) -> Vec<String> {
    let (count, wide) = grid(entries, width);
    if count == 1 {
        return entries
            .iter()
            .map(|entry| text::fit(entry, width))
            .collect();
    }
    let rows = entries.len().div_ceil(count);
    let line = |row: usize| {
        let cells = (0..count).filter_map(|column| entries.get(column * rows + row));
        let line: String = cells.map(|cell| pad(cell, wide)).collect();
        line.trim_end().to_owned()
    };
    (0..rows).map(line).collect()
}
