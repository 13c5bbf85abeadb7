//! The rule documents, paragraph by paragraph: the texts behind the rule ids of refusals.
//!
//! A document is Markdown. A paragraph begins where a line begins with its id (`**KIN-6.63** …`,
//! `- DOM-6.10 …`, `| TM-12.3 | …`, in a table also without the prefix: `| J24 | …`), and ends where the
//! next one begins. Headings and the text around rows of tables are paragraphs without an id: all
//! paragraphs together are the document. A heading that begins with a number (`### 6.7 Capture`) or ends
//! with an id in brackets is the rule of that id too, with everything below it.

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
    pub const NONE: Self = Self {
        prefix: "",
        texts: &[],
    };
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
    /// Its chapter.
    pub chapter: Chapter,
    /// The text in Markdown, with its id. Rows of a table come without the header row.
    pub text: &'static str,
}

/// The rules of one ruleset, in the order of the document.
#[derive(Clone, Debug)]
pub struct Rulebook {
    prefix: &'static str,
    paragraphs: Vec<Rule>,
    sections: Vec<Rule>,
}

impl Rulebook {
    /// Parses the rules of these documents.
    #[must_use]
    pub fn read(Documents { prefix, texts }: Documents) -> Self {
        let mut book = Self {
            prefix,
            paragraphs: Vec::new(),
            sections: Vec::new(),
        };
        for document in texts {
            book.add(document);
        }
        book
    }

    fn add(&mut self, document: &'static str) {
        let mut chapter = whole(self.prefix, document);
        let mut begun: Option<(usize, Rule)> = None;
        for (at, line) in lines(document) {
            let section = number_of_heading(self.prefix, line);
            if let (Some(number), Some(heading)) = (section, line.strip_prefix("## ")) {
                let title = heading.strip_prefix(number).unwrap_or(heading);
                let title = title.trim_start_matches(['.', ':', ' ']);
                chapter = Chapter { number, title };
            }
            if let Some(number) = section {
                self.sections.push(Rule {
                    id: self.id(number),
                    chapter,
                    text: section_from(&document[at..]),
                });
            }
            let id = match number_of_paragraph(self.prefix, line) {
                Some(number) => self.id(number),
                None if is_boundary(line) => String::new(),
                // The text after a row is not part of the row.
                None if !line.is_empty() && begun.as_ref().is_none_or(|(_, rule)| is_row(rule)) => {
                    String::new()
                }
                None => continue,
            };
            let rule = Rule {
                id,
                chapter,
                text: &document[at..],
            };
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

    /// All paragraphs, in the order of the documents: together they are the documents.
    #[must_use]
    pub fn paragraphs(&self) -> &[Rule] {
        &self.paragraphs
    }

    /// All sections that have an id, in the order of the documents.
    #[must_use]
    pub fn sections(&self) -> &[Rule] {
        &self.sections
    }

    /// The rule with this id. The id of an item of a numbered list is that of its paragraph with the
    /// number of the item: `MYT-4.4.6`.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<Rule> {
        if id.is_empty() {
            return None;
        }
        let find = |id: &str| {
            let all = self.paragraphs.iter().chain(&self.sections);
            all.into_iter().find(|rule| rule.id == id)
        };
        if let Some(rule) = find(id) {
            return Some(rule.clone());
        }
        let (whole, number) = id.rsplit_once('.')?;
        let rule = find(whole)?;
        Some(Rule {
            id: id.to_owned(),
            chapter: rule.chapter,
            text: item(rule.text, number)?,
        })
    }
}

/// The chapter of a document without numbered headings: `P`, if its rules are named `TM-P.1`.
fn whole(prefix: &str, document: &'static str) -> Chapter {
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

/// The item with this number of a numbered list, with what is indented below it.
fn item(text: &'static str, number: &str) -> Option<&'static str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix(number);
        rest.is_some_and(|rest| rest.starts_with(". ") || rest.starts_with(") "))
    };
    let (at, first) = lines(text).find(|(_, line)| begins(line))?;
    let text = &text[at..];
    let next = lines(text).skip(1);
    let end = next
        .into_iter()
        .find(|(_, line)| indent(line) <= indent(first));
    Some(text[..end.map_or(text.len(), |(at, _)| at)].trim_start())
}

/// The lines of a text with the positions where they begin.
fn lines(text: &'static str) -> impl Iterator<Item = (usize, &'static str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let begins = at;
        at += line.len();
        (begins, line.trim_end())
    })
}

fn is_row(rule: &Rule) -> bool {
    rule.text.starts_with('|') && !rule.id.is_empty()
}

/// Headings and horizontal rules.
fn is_boundary(line: &str) -> bool {
    rank(line) > 0 || (line.len() > 2 && line.bytes().all(|byte| byte == b'-'))
}

/// The level of a heading, from 1; 0 for any other line.
fn rank(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b'#').count()
}

/// The number of the section that a heading begins, if it has one.
fn number_of_heading(prefix: &str, line: &'static str) -> Option<&'static str> {
    if rank(line) == 0 {
        return None;
    }
    let heading = line.trim_start_matches('#').trim();
    if let Some((_, id)) = heading.rsplit_once('(') {
        let id = number(prefix, id.trim_end_matches(')'));
        if id.is_some() {
            return id;
        }
    }
    let number = heading.split([' ', ':']).next()?.trim_end_matches('.');
    number
        .starts_with(|first: char| first.is_ascii_digit())
        .then_some(number)
}

/// The number of the paragraph that a line begins, if it begins one.
fn number_of_paragraph(prefix: &str, line: &'static str) -> Option<&'static str> {
    if rank(line) > 0 {
        return None;
    }
    if let Some(cell) = line.strip_prefix("| ") {
        let cell = cell.split(' ').next().filter(|cell| is_bare(cell));
        if cell.is_some() {
            return cell;
        }
    }
    let marks = |mark: char| matches!(mark, ' ' | '-' | '*' | '|');
    let line = line.trim_start_matches(marks);
    let listed = line.trim_start_matches(|mark: char| mark.is_ascii_digit());
    let line = match listed.strip_prefix(". ") {
        Some(item) => item.trim_start_matches(marks),
        None => line,
    };
    number(prefix, line).or_else(|| {
        let bold = line.find(&format!("**{prefix}-"))?;
        number(prefix, &line[bold + 2..])
    })
}

/// A number in a table without its prefix: `J24`, `AC-91`.
fn is_bare(cell: &str) -> bool {
    let digits = cell.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let letters = cell.len() - digits.len();
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    letters > 0 && !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// The number of the id with which a text begins.
fn number(prefix: &str, text: &'static str) -> Option<&'static str> {
    let rest = text.strip_prefix(prefix)?.strip_prefix('-')?;
    let end = rest
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-')))
        .unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(['.', '-']);
    (!number.is_empty()).then_some(number)
}

/// A section: from its heading up to the next heading of its level.
fn section_from(text: &'static str) -> &'static str {
    let own = rank(text);
    let ends = |line: &str| (1..=own).contains(&rank(line));
    let end = lines(text).skip(1).find(|(_, line)| ends(line));
    &text[..end.map_or(text.len(), |(at, _)| at)]
}
