//! Every row in the tables of promises and of protections names tests that exist.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the rows of the tables whose last column has this heading.
fn rows<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let mut rows = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('|') && line.trim_end_matches(['|', ' ']).ends_with(heading) {
            let table = lines.by_ref().skip(1);
            rows.extend(table.take_while(|line| line.starts_with('|')));
        }
    }
    rows
}

/// Returns the texts in backticks, each with the text up to the next one.
fn quoted(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<_> = text.split('`').skip(1).collect();
    parts
        .chunks(2)
        .map(|part| (part[0], part.get(1).copied().unwrap_or_default()))
        .collect()
}

/// Returns whether this names a test or a file of tests in `tests/tests/it/`.
fn is_test(name: &str) -> bool {
    let mut path = root().join("tests/tests/it");
    let parts: Vec<&str> = name.split("::").collect();
    for (at, part) in parts.iter().enumerate() {
        path.push(part);
        let mut files = [path.with_extension("rs"), path.join("mod.rs")].into_iter();
        let Some(file) = files.find(|file| file.is_file()) else {
            return false;
        };
        if let [test] = parts[at + 1..] {
            let text = std::fs::read_to_string(file).unwrap();
            if text.contains(&format!("fn {test}(")) {
                return true;
            }
        }
    }
    true
}

/// Returns whether this file, or a file below this folder, contains tests.
fn has_tests(path: &Path) -> bool {
    if path.is_dir() {
        let mut files = std::fs::read_dir(path)
            .unwrap()
            .map(|file| file.unwrap().path());
        return files.any(|file| has_tests(&file));
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    ["#[test]", "#[cfg(test)]", "#[tokio::test"]
        .iter()
        .any(|marker| text.contains(marker))
}

#[test]
fn every_promise_names_tests_that_exist() {
    for (page, least) in [("service/docs/promises.md", 40), ("deploy/SECURITY.md", 25)] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let rows = rows(&text, "kept by the test");
        assert!(rows.len() >= least, "{page}: {} lines", rows.len());
        for row in rows {
            let cell = row.trim_end_matches(['|', ' ']).rsplit_once('|').unwrap().1;
            let names = quoted(cell);
            assert!(!names.is_empty(), "{page}: no test keeps {row}");
            for (name, after) in names {
                // Tests of other crates are named with the path of their file.
                let is_elsewhere = after == " in ";
                let is_found = is_elsewhere
                    || if name.contains('/') {
                        has_tests(&root().join(name))
                    } else {
                        is_test(name)
                    };
                assert!(is_found, "{page}: {name} is no test");
            }
        }
    }
}

#[test]
fn a_test_that_does_not_exist_is_noticed() {
    assert!(is_test("promised") && is_test("promised::every_promise_names_tests_that_exist"));
    assert!(is_test("limits::rates") && is_test("limits"));
    for wrong in [
        "promises",
        "promised::every_promise",
        "limits::rights",
        "limits::rates::of_luck",
    ] {
        assert!(!is_test(wrong), "{wrong}");
    }
    assert!(!has_tests(&root().join("deploy/SECURITY.md")));
}
