//! Every rule id that code, tests, contract and pages cite stands in a rule document.

#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::{caylus, dominion, kingsburg, mythotopia, terra_mystica};

/// The rule documents, by the prefix of their ids.
fn books() -> [(&'static str, Rulebook); 5] {
    [
        caylus::Caylus::RULES,
        dominion::Dominion::RULES,
        kingsburg::Kingsburg::RULES,
        mythotopia::Mythotopia::RULES,
        terra_mystica::TerraMystica::RULES,
    ]
    .map(|documents| (documents.prefix, Rulebook::read(documents)))
}

/// The files of the project that may cite rules, but for the rule documents themselves.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let cites = ["rs", "proto", "md"]
            .iter()
            .any(|end| path.extension().is_some_and(|it| it == *end));
        if path.is_dir() {
            if !["target", "node_modules", "dist", "data"].contains(&name.as_str())
                || path.ends_with("src/data")
            {
                files(&path, found);
            }
        } else if cites && !name.starts_with("rules") {
            found.push(path);
        }
    }
}

/// The rule ids in a text.
fn cited<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let begin = format!("{prefix}-");
    let mut ids = Vec::new();
    for (at, _) in text.match_indices(&begin) {
        if text[..at].ends_with(|before: char| before.is_ascii_alphanumeric() || before == '-') {
            continue;
        }
        let rest = &text[at + begin.len()..];
        let end = rest
            .find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-')))
            .unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches(['.', '-']);
        if !number.is_empty() {
            ids.push(&text[at..at + begin.len() + number.len()]);
        }
    }
    ids
}

#[test]
fn every_rule_that_is_cited_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["service", "client-cli", "proto", "tests", "deploy"] {
        files(&root.join(folder), &mut paths);
    }
    let books = books();
    let mut missing = BTreeSet::new();
    let mut count = 0;
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        for (prefix, book) in &books {
            for id in cited(&text, prefix) {
                count += 1;
                if book.rule(id).is_none() {
                    missing.insert(format!(
                        "{id} in {}",
                        path.strip_prefix(&root).unwrap().display()
                    ));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 1_500, "only {count} citations were found");
}

#[test]
fn rules_are_read_as_they_are_written() {
    let rule = |id: &str| {
        let books = books();
        let found = books.iter().find_map(|(_, book)| book.rule(id));
        found.unwrap_or_else(|| panic!("{id}"))
    };
    // A paragraph of a list, a row of a table, a section, an item of a numbered list.
    assert!(rule("KIN-6.63").text.starts_with("- **KIN-6.63** Price"));
    assert_eq!(rule("KIN-6.63").chapter, "6. Flow");
    assert_eq!(rule("DOM-1.A02").text.lines().count(), 1);
    assert!(rule("CAY-6.7").text.starts_with("### 6.7 "));
    assert!(rule("CAY-6.7").text.contains("CAY-6.7.1"));
    assert!(rule("MYT-4.4.6").text.starts_with('6'));
    assert_eq!(rule("MYT-4.4.6").id.to_string(), "MYT-4.4.6");
    assert!(rule("TM-P.12").text.contains("TW6"));
    assert!(
        books()
            .iter()
            .all(|(_, book)| book.rule("XYZ-1.1").is_none())
    );
}
