//! Every rule id that code, tests, contract and pages cite stands in a rule document.

#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gamekeeper_rules::rulebook::{Chapter, Documents, Rulebook};
use gamekeeper_rules::ruleset::Ruleset;

macro_rules! documents {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        &[$(gamekeeper_rules::$module::$Ruleset::RULES),*]
    };
}

const DOCUMENTS: &[Documents] = gamekeeper_rules::for_each_ruleset!(documents);

/// The rulebooks, by the prefix of their ids.
fn books() -> Vec<(&'static str, Rulebook)> {
    let documents = DOCUMENTS.iter();
    let book = |documents: &Documents| (documents.prefix, Rulebook::read(*documents));
    documents.map(book).collect()
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

/// The ids that the code of a ruleset cites without their prefix, as the tables have them: `(J24)`.
fn cited_barely(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    words.filter(|word| {
        let mut parts = ["J", "AC-", "ADJ-"].iter();
        let number = parts.find_map(|part| word.strip_prefix(part));
        number.is_some_and(|number| number.parse::<u8>().is_ok())
    })
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
            let folder = path.to_string_lossy();
            let bare = ["caylus", "terra_mystica"]
                .into_iter()
                .zip(["CAY", "TM"])
                .any(|(id, own)| own == *prefix && folder.contains(&format!("src/{id}/")));
            let barely = bare.then(|| cited_barely(&text).map(|id| format!("{prefix}-{id}")));
            let barely: Vec<String> = barely.into_iter().flatten().collect();
            for id in cited(&text, prefix)
                .into_iter()
                .chain(barely.iter().map(String::as_str))
            {
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
fn the_paragraphs_are_the_documents() {
    for (documents, (prefix, book)) in DOCUMENTS.iter().zip(books()) {
        let text: String = book.paragraphs().iter().map(|rule| rule.text).collect();
        assert_eq!(text, documents.texts.concat(), "{prefix}");
        let mut ids = BTreeSet::new();
        for rule in book.paragraphs().iter().filter(|rule| !rule.id.is_empty()) {
            assert!(ids.insert(&rule.id), "{} stands twice", rule.id);
            assert_eq!(book.rule(&rule.id).as_ref(), Some(rule));
        }
        assert!(ids.len() > 40, "{prefix}: {}", ids.len());
        for rule in book.sections() {
            assert!(book.rule(&rule.id).is_some(), "{}", rule.id);
            assert!(rule.text.starts_with('#'), "{}", rule.id);
        }
    }
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
    let flow = Chapter {
        number: "6",
        title: "Flow",
    };
    assert_eq!(rule("KIN-6.63").chapter, flow);
    let addendum = Chapter {
        number: "P",
        title: "optional tiles and turn order (addendum)",
    };
    assert_eq!(rule("TM-P.44").chapter, addendum);
    // A paragraph comes before a heading with the same number.
    assert!(rule("DOM-6.1").text.contains("GAME_OVER"));
    assert_eq!(rule("DOM-1.A02").text.lines().count(), 1);
    assert!(rule("CAY-6.7").text.starts_with("### 6.7 "));
    assert!(rule("CAY-6.7").text.contains("CAY-6.7.1"));
    assert!(rule("MYT-4.4.6").text.starts_with('6'));
    assert_eq!(rule("MYT-4.4.6").id, "MYT-4.4.6");
    assert_eq!(rule("MYT-4.4.8").text.trim().lines().count(), 5);
    assert!(rule("TM-J24").text.starts_with("| J24 | Favor tile"));
    assert!(rule("TM-P.12").text.contains("TW6"));
    assert!(
        books()
            .iter()
            .all(|(_, book)| book.rule("XYZ-1.1").is_none() && book.rule("").is_none())
    );
}
