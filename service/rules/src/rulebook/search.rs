//! Rules by numbers, names and words: everything that fits, best first.
//!
//! A small index of words, made once for each rulebook. What fits is ranked by whole numbers: ids; names of
//! components and sections; cells of tables; names that contain the words; paragraphs that contain them. Among equals
//! the rules for players come first, then those with ids, then the order of the documents.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{rank, unmarked};
use super::{Rule, Rulebook, lines, title};

/// The maximum length of a query, in characters.
pub const MAX_QUERY: usize = 100;

/// The shortest part of a word that finds the whole word.
const SHORTEST_BEGINNING: usize = 3;

/// A rule that fits a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The position of its rulebook among those that were searched.
    pub book: usize,
    /// The rule.
    pub rule: Rule,
}

/// Every rule of these books that fits an id, with or without its prefix, a name, or words; the best first.
#[must_use]
pub fn look_up(books: &[&Rulebook], query: &str) -> Vec<SearchHit> {
    let id = Number::of_query(query);
    let mut hits: Vec<(u32, SearchHit)> = Vec::new();
    for (book, rulebook) in books.iter().enumerate() {
        let numbered = id.iter().flat_map(|id| rulebook.numbered(id));
        hits.extend(numbered.map(|(rank, rule)| (rank, SearchHit { book, rule })));
    }
    let is_id = |id: &Number| id.text.contains('.') || books.iter().any(|book| id.has(book.prefix));
    let words = match id.is_some_and(|id| is_id(&id)) {
        true => Vec::new(),
        false => words(query),
    };
    let has_id = !hits.is_empty();
    for (book, rulebook) in books.iter().enumerate() {
        // The index of words takes long to make, and ids need none.
        if words.is_empty() {
            break;
        }
        let named = rulebook.index().find(&words);
        // A number is a name as well: `TW6`.
        let named = named.filter(|(rank, _)| !has_id || *rank < WHOLE_NAME);
        let named = named.map(|(rank, rule)| (ID_RANKS + rank, rule.clone()));
        hits.extend(named.map(|(rank, rule)| (rank, SearchHit { book, rule })));
    }
    hits.sort_by_key(|(rank, _)| *rank);
    let mut seen = BTreeSet::new();
    let hits = hits.into_iter().map(|(_, hit)| hit);
    hits.filter(|hit| seen.insert((hit.book, hit.rule.text.as_ptr())))
        .collect()
}

/// A number of a rule as it is compared, by its letters and figures: `ADJ-01` is `ADJ`, `1`.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) parts: Vec<String>,
    /// As it was typed, in capitals.
    text: String,
}

impl Number {
    /// The number in a query that may be one.
    pub(super) fn of_query(query: &str) -> Option<Self> {
        let text = query.trim();
        let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
        let is_number =
            text.contains(|letter: char| letter.is_ascii_digit()) && text.chars().all(fits);
        is_number.then(|| Self::of(text))
    }

    pub(super) fn of(text: &str) -> Self {
        let text = text.to_ascii_uppercase();
        let is_digit = |letter: &char| letter.is_ascii_digit();
        let letters: Vec<char> = text.chars().collect();
        let runs = letters.chunk_by(|one, next| is_digit(one) == is_digit(next));
        let runs = runs.flat_map(|run| run.split(|letter| matches!(letter, '.' | '-')));
        let parts = runs.filter(|run| !run.is_empty());
        Self {
            parts: parts.map(without_zeros).collect(),
            text,
        }
    }

    /// Returns the number without the prefix of a rulebook.
    pub(super) fn within(&self, prefix: &str) -> Self {
        let start = if self.has(prefix) {
            prefix.len() + 1
        } else {
            0
        };
        Self::of(&self.text[start..])
    }

    fn has(&self, prefix: &str) -> bool {
        let rest = self.text.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with('-'))
    }

    /// Does it begin the number of a rule below it: `6.7` that of `6.7.1`, `7.21` that of `7.21a`?
    fn is_above(&self, other: &Self) -> bool {
        other.parts.len() > self.parts.len() && other.parts.starts_with(&self.parts)
    }

    /// Does it end the number of a rule, as `A34` does `1.A34`?
    fn ends(&self, other: &Self) -> bool {
        let has_letters = self
            .text
            .starts_with(|letter: char| letter.is_ascii_uppercase());
        has_letters && other.parts.len() > self.parts.len() && other.parts.ends_with(&self.parts)
    }
}

/// A part of a number without the zeros before it: `02` is `2`.
fn without_zeros(part: &[char]) -> String {
    let zeros = part.iter().take_while(|&&digit| digit == '0').count();
    part.iter().skip(zeros.min(part.len() - 1)).collect()
}

/// The ranks that ids have; those of words come after them.
const ID_RANKS: u32 = 3;

impl Rulebook {
    /// The rules with this number, then those below it unless they stand in a section of this number.
    fn numbered(&self, typed: &Number) -> Vec<(u32, Rule)> {
        let wanted = typed.within(self.prefix);
        let having = |rank: u32, fits: &dyn Fn(&Number) -> bool| -> Vec<(u32, Rule)> {
            let all = self.numbers().iter();
            let fitting = all.filter(|(number, _)| fits(number));
            fitting.map(|(_, rule)| (rank, rule.clone())).collect()
        };
        let mut rules = having(0, &|number| number.parts == wanted.parts);
        if rules.is_empty() {
            let item = self.rule(&self.id(&wanted.text));
            rules.extend(item.map(|rule| (0, rule)));
        }
        rules.extend(having(1, &|number| wanted.ends(number)));
        if !rules.iter().any(|(_, rule)| rule.text.starts_with('#')) {
            rules.extend(having(2, &|number| wanted.is_above(number)));
        }
        rules
    }
}

/// All rules of a rulebook that have an id, with their numbers.
pub(super) fn numbers(book: &Rulebook) -> Vec<(Number, Rule)> {
    let rules = book.paragraphs.iter().chain(book.sections());
    let rules = rules.filter(|rule| !rule.id.is_empty());
    let numbers = rules.map(|rule| (Number::of(&rule.id).within(book.prefix), rule.clone()));
    numbers.collect()
}

/// An index of the words of a rulebook.
#[derive(Clone, Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// Each word, with the positions of the entries that contain it.
    words: BTreeMap<String, Vec<usize>>,
}

/// A paragraph, a section by its heading, or a row of a table.
#[derive(Clone, Debug)]
struct Entry {
    rule: Rule,
    /// The words of its name, between spaces; empty if it has none.
    name: String,
    /// The words of the entry, between spaces; cells of tables are between line breaks.
    text: String,
}

impl Entry {
    fn of(rule: Rule, name: &str, text: &str) -> Self {
        Self {
            rule,
            name: joined(name),
            text: text.split('|').map(joined).collect::<Vec<_>>().join("\n"),
        }
    }
}

/// How many ranks there are among those that fit equally well.
const RANKS: u32 = 4;
/// Whole names rank before this.
const WHOLE_NAME: u32 = RANKS;

impl Index {
    pub(super) fn of(book: &Rulebook) -> Self {
        let mut entries = Vec::new();
        for rule in &book.paragraphs {
            match rank(rule.text) {
                0 if rule.id.is_empty() => entries.extend(pieces(rule, rule.text)),
                0 => entries.push(Entry::of(
                    rule.clone(),
                    title(rule.text, &rule.id).unwrap_or_default(),
                    rule.text,
                )),
                _ => entries.extend(headed(book, rule)),
            }
        }
        let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            let distinct_words: BTreeSet<&str> = entry.text.split_whitespace().collect();
            for word in distinct_words {
                words.entry(word.to_owned()).or_default().push(index);
            }
        }
        Self { entries, words }
    }

    /// The rules that contain all these words, with their ranks.
    fn find<'a>(&'a self, wanted: &[String]) -> impl Iterator<Item = (u32, &'a Rule)> {
        let exact = self.with_all(wanted, |word| {
            self.words.range(word.to_owned()..=word.to_owned())
        });
        let begun = self.with_all(wanted, |word| match word.len() < SHORTEST_BEGINNING {
            true => self.words.range(word.to_owned()..=word.to_owned()),
            false => self
                .words
                .range(word.to_owned()..=format!("{word}{}", char::MAX)),
        });
        let phrase = joined(&wanted.join(" "));
        begun.into_iter().map(move |index| {
            let entry = &self.entries[index];
            let rank = fit(entry, &phrase, wanted, exact.contains(&index));
            let (others, nameless) = (!entry.rule.for_players, entry.rule.id.is_empty());
            (
                RANKS * rank + 2 * u32::from(others) + u32::from(nameless),
                &entry.rule,
            )
        })
    }

    /// The entries that have one of the words of each range.
    fn with_all<'a, R>(&self, wanted: &[String], range: impl Fn(&str) -> R) -> BTreeSet<usize>
    where
        R: Iterator<Item = (&'a String, &'a Vec<usize>)>,
    {
        let mut all: Option<BTreeSet<usize>> = None;
        for word in wanted {
            let places = range(word).flat_map(|(_, places)| places.iter().copied());
            let places = places.filter(|index| all.as_ref().is_none_or(|all| all.contains(index)));
            all = Some(places.collect());
        }
        all.unwrap_or_default()
    }
}

/// How well an entry that contains all words fits; 0 is best.
fn fit(entry: &Entry, phrase: &str, wanted: &[String], exact: bool) -> u32 {
    let named = |word: &String| entry.name.contains(&format!(" {word} "));
    let is_cell = |text: &str| text.split('\n').any(|cell| cell == phrase);
    match () {
        () if entry.name == phrase => 0,
        () if entry.rule.for_players && is_cell(&entry.text) => 1,
        () if entry.name.contains(phrase) => 2,
        () if wanted.iter().all(named) => 3,
        () if entry.text.contains(phrase) => 4,
        () if exact => 5,
        () => 6,
    }
}

/// The section that a heading begins, and what stands below the heading before the first id.
fn headed(book: &Rulebook, paragraph: &Rule) -> Vec<Entry> {
    let line = paragraph.text.lines().next().unwrap_or_default();
    let heading = unmarked(line.trim_end()).trim_start_matches(['#', ' ']);
    // Without the number before it and what stands in brackets.
    let name = match heading.split_once(' ') {
        Some((number, name)) if number.starts_with(|first: char| first.is_ascii_digit()) => name,
        Some(_) | None => heading,
    };
    let name = name.split_once(" (").map_or(name, |(name, _)| name);
    let mut sections = book.sections.iter();
    let section = sections.find(|section| section.text.as_ptr() == paragraph.text.as_ptr());
    let mut entries: Vec<Entry> = section
        .map(|section| Entry::of(section.clone(), name, name))
        .into_iter()
        .collect();
    entries.extend(pieces(paragraph, &paragraph.text[line.len()..]));
    entries
}

/// The rows and the other lines of a text without ids.
fn pieces(paragraph: &Rule, text: &'static str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut columns: Vec<&'static str> = Vec::new();
    let mut before = "";
    for (at, line) in lines::lines(text) {
        if line.starts_with('|') && !before.starts_with('|') {
            columns = super::headings_of(&text[at..]);
        }
        let is_head = line.starts_with('|') && !before.starts_with('|') && !columns.is_empty();
        before = line;
        if is_head || !line.contains(char::is_alphanumeric) {
            continue;
        }
        let rule = Rule {
            text: line,
            columns: if line.starts_with('|') {
                columns.clone()
            } else {
                Vec::new()
            },
            ..paragraph.clone()
        };
        entries.push(Entry::of(rule, "", line));
    }
    entries
}

/// The words of a text between spaces.
fn joined(text: &str) -> String {
    format!(" {} ", words(text).join(" "))
}

/// The words of a text: small letters and digits, without apostrophes and the s of plurals.
pub(super) fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(singular)
        .collect()
}

fn singular(word: &str) -> String {
    let is_plural = word.len() > SHORTEST_BEGINNING
        && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    let singular = word.strip_suffix('s').filter(|_| is_plural);
    singular.unwrap_or(word).to_owned()
}
