//! The rule documents, paragraph by paragraph: the texts behind the rule ids of refusals.
//!
//! A document is Markdown. A paragraph begins where a line begins with its id (`**KIN-6.63** …`,
//! `- DOM-6.10 …`, `| TM-12.3 | …`, in a table also without the prefix: `| J24 | …`), and ends where the
//! next one begins. Headings and the text around rows of tables are paragraphs without an id: all
//! paragraphs together are the document. A heading that begins with a number (`### 6.7 Capture`, `### 3a Pieces`)
//! or ends with an id in brackets is the rule of that id too, with everything below it.
//!
//! Players read a part of the document, see [`Rulebook::for_players`]; [`look_up`] finds rules by numbers, names and
//! words.

mod lines;
mod nearest;
mod players;
mod search;

use std::sync::OnceLock;

use lines::{
    cells, is_boundary, is_row, item, lines, number_of_heading, number_of_paragraph, of_brackets,
    rank, section_from, unmarked,
};
pub use lines::{cited, title};
pub use nearest::nearest;
pub use search::{MAX_QUERY, SearchHit, look_up};

/// The rule documents of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Documents {
    /// The prefix of all ids, such as `DOM`.
    pub prefix: &'static str,
    /// Markdown texts; the first is the rule document, the others complete it.
    pub texts: &'static [&'static str],
}

impl Documents {
    /// No rule document.
    pub const NONE: Self = Self::new("", &[]);

    /// Creates the documents of a ruleset.
    #[must_use]
    pub const fn new(prefix: &'static str, texts: &'static [&'static str]) -> Self {
        Self { prefix, texts }
    }
}

/// A chapter of a rule document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chapter {
    /// The number, such as `6`; empty for the text before the first chapter.
    pub number: &'static str,
    /// The title, such as `Flow`.
    pub title: &'static str,
}

/// One rule: a paragraph, a row of a table, a section, or an item of a numbered list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The id, such as `DOM-6.10`; empty for a paragraph without one.
    pub id: String,
    /// The chapter that the rule belongs to.
    pub chapter: Chapter,
    /// The text in Markdown, with its id. Rows of a table come without the header row.
    pub text: &'static str,
    /// The titles of the columns, if it is a row of a table that has them.
    pub columns: Vec<&'static str>,
    /// Belongs to the players' edition.
    pub for_players: bool,
}

/// The rules of one ruleset, in the order of the document.
#[derive(Clone, Debug)]
pub struct Rulebook {
    prefix: &'static str,
    paragraphs: Vec<Rule>,
    /// The sections, with or without an id.
    sections: Vec<Rule>,
    edition: Vec<(Chapter, Rule)>,
    /// Made when something is first looked up.
    numbers: OnceLock<Vec<(search::Number, Rule)>>,
    index: OnceLock<search::Index>,
}

impl Rulebook {
    /// Parses the rules of these documents.
    #[must_use]
    pub fn read(Documents { prefix, texts }: Documents) -> Self {
        let mut book = Self {
            prefix,
            paragraphs: Vec::new(),
            sections: Vec::new(),
            edition: Vec::new(),
            numbers: OnceLock::new(),
            index: OnceLock::new(),
        };
        for (number, document) in texts.iter().enumerate() {
            book.add(document, number > 0);
        }
        book.edition = players::edition(prefix, &mut book.paragraphs);
        book
    }

    /// Adds a document: the rule document, or one that completes it.
    fn add(&mut self, document: &'static str, completes: bool) {
        let mut chapter = document_chapter(self.prefix, document);
        let mut readers = players::Readers::new(completes);
        let mut begun: Option<(usize, Rule)> = None;
        let mut columns = Vec::new();
        let mut before = "";
        for (at, line) in lines(document) {
            let section = number_of_heading(self.prefix, line);
            if let (Some(number), Some(heading)) = (section, line.strip_prefix("## ")) {
                let title = unmarked(heading.strip_prefix(number).unwrap_or(heading));
                let title = title.trim_start_matches(['.', ':', ' ']);
                chapter = Chapter { number, title };
            }
            readers.pass(chapter, line);
            let rule = |id: String, columns: &[&'static str], text| Rule {
                id,
                chapter,
                text,
                columns: columns.to_vec(),
                for_players: readers.are_players(),
            };
            let lettered = lettered(self.prefix, line);
            if rank(line) > 0 {
                let id = section.map_or_else(String::new, |number| self.id(number));
                let ids = [id]
                    .into_iter()
                    .chain(lettered.map(|number| self.id(number)));
                let text = section_from(&document[at..]);
                self.sections.extend(ids.map(|id| rule(id, &[], text)));
            }
            columns = match (line.starts_with('|'), before.starts_with('|')) {
                (true, true) => columns,
                (true, false) => headings_of(&document[at..]),
                (false, _) => Vec::new(),
            };
            before = line;
            let id = match number_of_paragraph(self.prefix, line) {
                Some(number) => self.id(number),
                None if is_boundary(line) => String::new(),
                // The text after a row is not part of the row.
                None if !line.is_empty() && begun.as_ref().is_none_or(|(_, rule)| is_row(rule)) => {
                    String::new()
                }
                None => continue,
            };
            let columns: &[_] = if id.is_empty() { &[] } else { &columns };
            let rule = rule(id, columns, &document[at..]);
            self.end(begun.replace((at, rule)), at);
        }
        self.end(begun, document.len());
    }

    /// Ends a paragraph at this position of its document.
    fn end(&mut self, begun: Option<(usize, Rule)>, end: usize) {
        if let Some((at, mut rule)) = begun {
            rule.text = &rule.text[..end - at];
            self.paragraphs.push(rule);
        }
    }

    fn id(&self, number: &str) -> String {
        format!("{}-{number}", self.prefix)
    }

    /// All rules that have an id, with their numbers.
    fn numbers(&self) -> &[(search::Number, Rule)] {
        self.numbers.get_or_init(|| search::numbers(self))
    }

    fn index(&self) -> &search::Index {
        self.index.get_or_init(|| search::Index::of(self))
    }

    /// All paragraphs, in the order of the documents: together they are the documents.
    #[must_use]
    pub fn paragraphs(&self) -> &[Rule] {
        &self.paragraphs
    }

    /// The players' edition: chapters 3 to 9 and what completes the document, without the sections that are marked
    /// `(for implementers)`. Each clarification stands below the first paragraph that points to it, or at the end.
    /// With each paragraph comes the chapter in which it stands here.
    #[must_use]
    pub fn for_players(&self) -> &[(Chapter, Rule)] {
        &self.edition
    }

    /// All sections that have an id, in the order of the documents.
    pub fn sections(&self) -> impl Iterator<Item = &Rule> {
        self.sections
            .iter()
            .filter(|section| !section.id.is_empty())
    }

    /// The rule with this id. The id of an item of a numbered list is that of its paragraph with the
    /// number of the item: `MYT-4.4.6`.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<Rule> {
        if id.is_empty() {
            return None;
        }
        let paragraphs = || self.paragraphs.iter();
        if let Some(rule) = paragraphs()
            .chain(&self.sections)
            .find(|rule| rule.id == id)
        {
            return Some(rule.clone());
        }
        // The lists of a section are those of its paragraphs.
        let (parent_id, number) = id.rsplit_once('.')?;
        let rule = paragraphs().find(|rule| rule.id == parent_id)?;
        Some(Rule {
            id: id.to_owned(),
            text: item(rule.text, number)?,
            columns: Vec::new(),
            ..rule.clone()
        })
    }
}

/// The chapter of a document without numbered headings: `P`, if its rules are named `TM-P.1`.
fn document_chapter(prefix: &str, document: &'static str) -> Chapter {
    let numbered =
        |line: &'static str| line.starts_with("## ") && number_of_heading(prefix, line).is_some();
    let all = || lines(document).map(|(_, line)| line);
    if all().any(numbered) {
        return Chapter::default();
    }
    let first = all().find_map(|line| number_of_paragraph(prefix, line));
    let number = first.and_then(|number| number.split_once('.'));
    let title = all().find_map(|line| line.strip_prefix("# "));
    // The title begins with the game: `Terra Mystica: optional tiles`.
    let title = title.map(|title| title.split_once(": ").map_or(title, |(_, title)| title));
    Chapter {
        number: number.map_or("", |(number, _)| number),
        title: title.unwrap_or_default(),
    }
}

/// The number before the title of a heading that has another one in brackets: `### 3b Advisors (KIN-3.3)`.
fn lettered(prefix: &str, line: &'static str) -> Option<&'static str> {
    of_brackets(prefix, line)?;
    let number = line.trim_start_matches(['#', ' ']).split(' ').next()?;
    let is_lettered = number.starts_with(|first: char| first.is_ascii_digit())
        && number.ends_with(|last: char| last.is_ascii_lowercase());
    is_lettered.then_some(number)
}

/// The titles of the columns of a table that begins here; none if it has no header row.
fn headings_of(table: &'static str) -> Vec<&'static str> {
    let mut rows = lines(table).map(|(_, line)| line);
    let (head, ruler) = (rows.next(), rows.next());
    let is_ruler =
        |row: &str| row.starts_with('|') && row.bytes().all(|byte| b"|-: ".contains(&byte));
    match head {
        Some(head) if ruler.is_some_and(is_ruler) => cells(head).collect(),
        Some(_) | None => Vec::new(),
    }
}
