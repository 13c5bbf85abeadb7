//! Traces the customer's text sentence by sentence (**requirements traceability**): the table of each ruleset names
//! every sentence and the paragraphs that implement it, and every paragraph about the game implements a sentence or is
//! marked as ours.

#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot read")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gamekeeper_rules::rulebook::{Rule, Rulebook};
use gamekeeper_rules::ruleset::Ruleset;

/// A ruleset with its rule document.
struct Book {
    ruleset: &'static str,
    is_example: bool,
    rules: Rulebook,
}

impl Book {
    fn of<R: Ruleset>() -> Self {
        Self {
            ruleset: R::INFO.id,
            is_example: R::IS_EXAMPLE,
            rules: Rulebook::read(R::RULES),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        sources.join(self.ruleset).join(name)
    }

    /// Reads its table; every ruleset but the example has one.
    fn table(&self) -> Option<Table> {
        let file = self.file(FILE);
        if self.is_example {
            assert!(!file.exists(), "{} is an example", self.ruleset);
            return None;
        }
        let text = fs::read_to_string(&file);
        Some(Table::read(&text.unwrap_or_else(|error| {
            panic!("{}: {error}", file.display())
        })))
    }
}

fn books() -> Vec<Book> {
    gamekeeper_rules::of_each_ruleset!(R => Book::of::<R>()).into()
}

/// The name of the page, beside the rule document.
const FILE: &str = "customer_text.md";

/// The first and the last chapter whose paragraphs must implement a sentence or be marked as ours.
const FIRST: u8 = 3;
const LAST: u8 = 8;

/// The chapter with the sources and the adjudications.
const ADJUDICATIONS: &str = "1";

/// A sentence of the customer's text.
struct Sentence {
    number: usize,
    /// The number of its line in the customer's file.
    line: usize,
    short: String,
    paragraphs: Vec<String>,
    verdict: String,
}

/// The contents of the page.
struct Table {
    sentences: Vec<Sentence>,
    counts: BTreeMap<String, usize>,
    /// The paragraphs of our own, with the reasons for them.
    own: Vec<(String, String)>,
}

impl Table {
    fn read(text: &str) -> Self {
        let (sentences, rest) = text.split_once("\n## Counts\n").unwrap();
        let (counts, own) = rest.split_once("\n## Paragraphs of our own\n").unwrap();
        let counts = rows(counts, ["verdict", "sentences"]);
        let own = rows(own, ["paragraph", "why it is ours"]);
        let titles = ["no", "line", "sentence, in short", "paragraphs", "verdict"];
        Self {
            sentences: rows(sentences, titles)
                .into_iter()
                .map(Sentence::read)
                .collect(),
            counts: counts
                .into_iter()
                .map(|[verdict, count]| (verdict, count.parse().unwrap()))
                .collect(),
            own: own.into_iter().map(|[id, why]| (id, why)).collect(),
        }
    }
}

impl Sentence {
    fn read([number, line, short, paragraphs, verdict]: [String; 5]) -> Self {
        let number_in = |text: &str| {
            text.parse()
                .unwrap_or_else(|_| panic!("{text} in row {number}"))
        };
        Self {
            line: number_in(&line),
            paragraphs: paragraphs.split(", ").map(str::to_owned).collect(),
            number: number_in(&number),
            short,
            verdict,
        }
    }

    /// Returns the adjudication that justifies a departure of our rules, if they depart.
    fn departs(&self) -> Option<&str> {
        self.verdict.strip_prefix("departs: ")
    }
}

/// Returns the rows of the only table of a text, which has these columns.
fn rows<const N: usize>(text: &str, titles: [&str; N]) -> Vec<[String; N]> {
    let cells = |row: &str| -> [String; N] {
        let inside = row
            .strip_prefix("| ")
            .and_then(|row| row.strip_suffix(" |"));
        let cells = inside
            .unwrap_or_else(|| panic!("{row}"))
            .split(" | ")
            .map(|cell| cell.trim().to_owned());
        let cells: Vec<String> = cells.collect();
        cells.try_into().unwrap_or_else(|_| panic!("{row}"))
    };
    let mut lines = text.lines().filter(|line| line.starts_with('|'));
    assert_eq!(cells(lines.next().unwrap()), titles.map(str::to_owned));
    assert!(
        lines
            .next()
            .unwrap()
            .chars()
            .all(|letter| "|- ".contains(letter))
    );
    lines.map(cells).collect()
}

/// Collects the faults of every ruleset's table, and fails if there are any.
fn judge(faults_of: impl Fn(&Book, &Table) -> Vec<String>) {
    let mut faults = Vec::new();
    for book in books() {
        if let Some(table) = book.table() {
            faults.extend(
                faults_of(&book, &table)
                    .into_iter()
                    .map(|fault| format!("{}: {fault}", book.ruleset)),
            );
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn sentences_are_numbered_and_in_the_order_of_the_text() {
    judge(|_, table| {
        let mut faults = Vec::new();
        let mut line = 1;
        for (place, sentence) in table.sentences.iter().enumerate() {
            let number = sentence.number;
            if number != place + 1 {
                faults.push(format!("sentence {} has the number {number}", place + 1));
            }
            if sentence.line < line {
                faults.push(format!(
                    "sentence {number} is in line {}, after {line}",
                    sentence.line
                ));
            }
            if sentence.short.is_empty() {
                faults.push(format!("sentence {number} says nothing"));
            }
            line = sentence.line;
        }
        faults
    });
}

#[test]
fn sentences_name_paragraphs_that_exist() {
    judge(|book, table| {
        let missing = |sentence: &Sentence| -> Vec<String> {
            let ids = sentence
                .paragraphs
                .iter()
                .filter(|id| book.rules.rule(id).is_none());
            ids.map(|id| format!("sentence {} names {id:?}", sentence.number))
                .collect()
        };
        table.sentences.iter().flat_map(missing).collect()
    });
}

#[test]
fn every_verdict_is_known_and_every_departure_is_adjudicated() {
    judge(|book, table| {
        let fault = |sentence: &Sentence| match sentence.departs() {
            Some(id) => {
                let rule = book.rules.rule(id);
                rule.is_none_or(|rule| rule.chapter.number != ADJUDICATIONS)
            }
            None => !["same", "addition"].contains(&sentence.verdict.as_str()),
        };
        let faults = table.sentences.iter().filter(|sentence| fault(sentence));
        faults
            .map(|sentence| format!("sentence {}: {:?}", sentence.number, sentence.verdict))
            .collect()
    });
}

#[test]
fn the_counts_are_those_of_the_rows() {
    judge(|_, table| {
        let mut counts =
            BTreeMap::from(["same", "addition", "departs"].map(|verdict| (verdict.to_owned(), 0)));
        for sentence in &table.sentences {
            let verdict = sentence
                .departs()
                .map_or(sentence.verdict.as_str(), |_| "departs");
            *counts.entry(verdict.to_owned()).or_default() += 1;
        }
        let stated_counts = &table.counts;
        (*stated_counts != counts)
            .then(|| format!("the page counts {stated_counts:?}, the rows are {counts:?}"))
            .into_iter()
            .collect()
    });
}

#[test]
fn every_paragraph_about_the_game_is_carried_by_a_sentence_or_ours() {
    judge(|book, table| {
        let carries = |rule: &&Rule| {
            let chapter = rule.chapter.number.parse::<u8>();
            !rule.id.is_empty() && chapter.is_ok_and(|number| (FIRST..=LAST).contains(&number))
        };
        let paragraphs: BTreeSet<&str> = (book.rules.paragraphs().iter().filter(carries))
            .map(|rule| &*rule.id)
            .collect();
        let named = table
            .sentences
            .iter()
            .flat_map(|sentence| &sentence.paragraphs);
        // An item of a numbered list is a part of its paragraph.
        let whole = |id: &'_ String| match paragraphs.contains(id.as_str()) {
            true => id.clone(),
            false => id
                .rsplit_once('.')
                .map_or_else(|| id.clone(), |(whole, _)| whole.to_owned()),
        };
        let named: BTreeSet<String> = named.map(whole).collect();
        let mut faults = Vec::new();
        let mut ours = BTreeSet::new();
        for (id, why) in &table.own {
            if !paragraphs.contains(id.as_str()) {
                faults.push(format!(
                    "{id} of our own is no paragraph of chapters {FIRST} to {LAST}"
                ));
            }
            if named.contains(id) {
                faults.push(format!("{id} is carried by a sentence, not ours"));
            }
            if why.is_empty() || !ours.insert(id.as_str()) {
                faults.push(format!("{id} of our own has no reason, or stands twice"));
            }
        }
        let lost = paragraphs
            .iter()
            .filter(|id| !named.contains(**id) && !ours.contains(**id));
        faults.extend(lost.map(|id| format!("{id} is carried by no sentence")));
        faults
    });
}

#[test]
fn every_ruleset_links_its_table_or_says_why_there_is_none() {
    for book in books() {
        let page = fs::read_to_string(book.file("README.md")).unwrap();
        let expected_text = match book.is_example {
            true => "no customer's text",
            false => "](customer_text.md)",
        };
        assert!(page.contains(expected_text), "{}", book.ruleset);
    }
}
