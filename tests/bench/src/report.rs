//! The output of figures: a table for people and a small JSON file for programs.

use std::path::Path;

use serde::Serialize;

/// Writes figures to `target/bench/NAME.json`.
///
/// # Panics
/// If the file cannot be written.
pub fn write(name: &str, figures: &impl Serialize) {
    let folder = Path::new("target/bench");
    std::fs::create_dir_all(folder).expect("a folder for figures");
    let text = serde_json::to_string_pretty(figures).expect("figures");
    let file = folder.join(format!("{name}.json"));
    std::fs::write(&file, text).expect("a file for figures");
    println!("\nwritten to {}", file.display());
}

/// Prints rows in columns, the first row as their heading.
pub fn table(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let line: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        println!("{}", line.join("  ").trim_end());
    }
}

/// Builds a row of a table.
#[must_use]
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.into_iter().map(str::to_owned).collect()
}
