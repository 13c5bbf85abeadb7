//! Checks that every rule id that code, tests, data, contract, pages and rule documents cite stands in a rule
//! document, and that a number names one rule.

#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gamekeeper_rules::rulebook::{Chapter, Documents, Rulebook, cited};
use gamekeeper_rules::ruleset::Ruleset;

const DOCUMENTS: &[Documents] = &gamekeeper_rules::of_each_ruleset!(R => R::RULES);

/// Reads the rulebooks, by the prefix of their ids.
fn books() -> Vec<(&'static str, Rulebook)> {
    let documents = DOCUMENTS.iter();
    let book = |documents: &Documents| (documents.prefix, Rulebook::read(*documents));
    documents.map(book).collect()
}

/// Collects the files of the project that may cite rules.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let cites = ["rs", "proto", "md", "json", "ts", "py"]
            .iter()
            .any(|end| path.extension().is_some_and(|it| it == *end));
        if path.is_dir() {
            if !["target", "node_modules", "dist"].contains(&name.as_str()) {
                files(&path, found);
            }
        } else if cites {
            found.push(path);
        }
    }
}

/// The prefixes of the numbers in the tables of a document, and those of the full ids.
const BARE: [(&str, &str, &str); 7] = [
    ("caylus", "AC-", "CAY-AC-"),
    ("caylus", "ADJ-", "CAY-ADJ-"),
    ("dominion", "A", concat!("DOM", "-1.A")),
    ("kingsburg", "ADJ-", "KIN-ADJ-"),
    ("mythotopia", "A", "MYT-A"),
    ("mythotopia", "T", "MYT-T"),
    ("terra_mystica", "J", "TM-J"),
];

/// Returns the ids that the rule documents of a ruleset, and some of its code, cite without their prefix, as their
/// tables do: `(J24)`.
fn cited_barely(path: &Path, text: &str) -> Vec<String> {
    let folder = path.to_string_lossy();
    let is_document = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with("rules"));
    let words = || text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    let mut ids = Vec::new();
    for (ruleset, bare, whole) in BARE {
        // In code `A3` may mean anything, so it is not taken for a citation.
        let may_cite = is_document || bare.ends_with('-') || bare == "J";
        if may_cite && folder.contains(&format!("src/{ruleset}/")) {
            let numbers = words().filter_map(|word| word.strip_prefix(bare));
            let numbers = numbers.filter(|number| number.parse::<u8>().is_ok());
            ids.extend(numbers.map(|number| format!("{whole}{number}")));
        }
    }
    ids
}

/// Returns the tables, sections and chapters that a document names: `table 3.3`, `section 6.2`.
fn named<'a>(text: &'a str, prefix: &str) -> Vec<String> {
    let words = [
        "table ",
        "tables ",
        "section ",
        "sections ",
        "chapter ",
        "chapters ",
    ];
    let places = words.iter().flat_map(|word| text.match_indices(word));
    let number = |(at, word): (usize, &str)| -> Option<&'a str> {
        let rest = &text[at + word.len()..];
        let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '.'));
        let number = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
        number
            .starts_with(|first: char| first.is_ascii_digit())
            .then_some(number)
    };
    places
        .filter_map(number)
        .map(|number| format!("{prefix}-{number}"))
        .collect()
}

/// Returns the paragraphs that a clarification completes: `- **MYT-14.1** (5, MYT-6.7, T52) ...`.
fn completed(text: &str, prefix: &str) -> Vec<String> {
    let inside = text
        .split_once("** (")
        .and_then(|(_, rest)| rest.split_once(')'));
    let Some((inside, _)) = inside else {
        return Vec::new();
    };
    let parts = inside
        .split([',', ';', ' '])
        .filter(|part| !part.is_empty());
    let own = format!("{prefix}-");
    let numbers = parts.map(|part| part.strip_prefix(&own).unwrap_or(part));
    let numbers = numbers.filter(|number| {
        let rest =
            number.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        number.starts_with(|first: char| first.is_ascii_digit()) && rest.len() < 2
    });
    numbers.map(|number| format!("{own}{number}")).collect()
}

#[test]
fn every_rule_that_is_cited_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["service", "client-cli", "proto", "tests", "deploy"] {
        files(&root.join(folder), &mut paths);
    }
    let books = books();
    let mut places: BTreeMap<String, BTreeSet<&Path>> = BTreeMap::new();
    let mut count = 0;
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        let ids = books.iter().flat_map(|(prefix, _)| cited(&text, prefix));
        // A citation without a figure is the beginning of ids: `MYT-T<n>`.
        let ids = ids.filter(|id| id.contains(|letter: char| letter.is_ascii_digit()));
        for id in ids.map(str::to_owned).chain(cited_barely(path, &text)) {
            count += 1;
            places
                .entry(id)
                .or_default()
                .insert(path.strip_prefix(&root).unwrap());
        }
    }
    places.retain(|id, _| books.iter().all(|(_, book)| book.rule(id).is_none()));
    assert!(places.is_empty(), "{places:#?}");
    assert!(count > 5_000, "only {count} citations were found");
}

#[test]
fn what_a_document_names_exists() {
    let mut missing = BTreeSet::new();
    for (prefix, book) in books() {
        for rule in book.paragraphs() {
            // Chapter 1 cites other texts, whose chapters have numbers as well.
            if rule.chapter.number == "1" {
                continue;
            }
            let clarifies = rule.chapter.title.starts_with("Clarifications");
            let completed = match clarifies {
                true => completed(rule.text, prefix),
                false => Vec::new(),
            };
            for id in named(rule.text, prefix).into_iter().chain(completed) {
                if book.rule(&id).is_none() {
                    missing.insert(format!("{id} in {} {}", rule.id, rule.chapter.title));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// A number alone, such as `table 3.3`, may be that of another rule; an id shows what is meant.
#[test]
fn a_table_is_named_by_its_id() {
    let mut bare = BTreeSet::new();
    for (_, book) in books() {
        for rule in book
            .paragraphs()
            .iter()
            .filter(|rule| rule.chapter.number != "1")
        {
            let places = ["table ", "tables "].iter().flat_map(|word| {
                let places = rule.text.match_indices(word);
                places.map(|(at, word)| &rule.text[at + word.len()..])
            });
            let is_number = |rest: &&str| rest.starts_with(|first: char| first.is_ascii_digit());
            bare.extend(places.filter(is_number).map(|rest| {
                let number: String = rest.chars().take(4).collect();
                format!("{number} in {}", rule.id)
            }));
        }
    }
    assert!(bare.is_empty(), "{bare:#?}");
}

/// The number of words of the shortest sentence: `Advisor 1. You get 1 VP.`
const SENTENCE: usize = 3;

/// A paragraph that only points to others says nothing to those who look it up.
#[test]
fn a_paragraph_about_the_game_is_more_than_a_pointer() {
    let mut pointers = BTreeSet::new();
    for (prefix, book) in books() {
        for rule in book.paragraphs().iter().filter(|rule| !rule.id.is_empty()) {
            let chapter = rule.chapter.number.parse::<u8>();
            let is_game = chapter.is_ok_and(|number| (3..=8).contains(&number));
            if !is_game || !rule.for_players {
                continue;
            }
            let points = |word: &str| {
                word.contains(prefix) || word.contains('`') || ["See", "and"].contains(&word)
            };
            let is_word = |word: &&str| {
                word.chars().any(char::is_alphabetic) && !word.starts_with("**") && !points(word)
            };
            if rule.text.split_whitespace().filter(is_word).count() < SENTENCE {
                pointers.insert(format!("{}: {}", rule.id, rule.text.trim()));
            }
        }
    }
    assert!(pointers.is_empty(), "these only point: {pointers:#?}");
}

/// A paragraph about the game must point to its clarifications, so that its readers find them.
#[test]
fn what_a_clarification_completes_points_to_it() {
    let mut faults = BTreeSet::new();
    for (prefix, book) in books() {
        let all = || book.paragraphs().iter().filter(|rule| !rule.id.is_empty());
        let clarifications = all().filter(|rule| rule.chapter.title.starts_with("Clarifications"));
        for clarification in clarifications {
            let completed = completed(clarification.text, prefix);
            for rule in all().filter(|rule| completed.contains(&rule.id)) {
                let chapter = rule.chapter.number.parse::<u8>();
                let is_game = chapter.is_ok_and(|number| (3..=8).contains(&number));
                if is_game && cited(rule.text, prefix).all(|id| id != clarification.id) {
                    faults.insert(format!("{} to {}", rule.id, clarification.id));
                }
            }
        }
    }
    assert!(faults.is_empty(), "these do not point: {faults:#?}");
}

/// A heading may begin the numbers of its paragraphs, as `6.7` begins `6.7.1`, but equals none of them.
#[test]
fn a_number_names_one_rule() {
    let mut twice = BTreeSet::new();
    for (prefix, book) in books() {
        let mut ids = BTreeSet::new();
        let own = book.paragraphs().iter().chain(book.sections());
        let own = own
            .filter(|rule| !rule.id.is_empty())
            .map(|rule| rule.id.clone());
        // A heading may have a second number before its title, beside the id in brackets.
        let before = book.sections().filter_map(|section| {
            let heading = section.text.lines().next()?.trim_start_matches(['#', ' ']);
            let number = heading.split([' ', ':']).next()?.trim_end_matches('.');
            let number =
                Some(number).filter(|it| it.starts_with(|first: char| first.is_ascii_digit()));
            let id = format!("{prefix}-{}", number?);
            (id != section.id
                && book
                    .sections()
                    .all(|other| other.id != id || other.text != section.text))
            .then_some(id)
        });
        twice.extend(own.chain(before).filter(|id| !ids.insert(id.clone())));
    }
    assert!(twice.is_empty(), "{twice:#?}");
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
