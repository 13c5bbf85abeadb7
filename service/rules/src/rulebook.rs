//! The rule documents, paragraph by paragraph: what a refusal's rule id leads to.
//!
//! A document is Markdown. A paragraph begins where a line begins with its id (`**KIN-6.63** …`,
//! `- DOM-6.10 …`, `| TM-12.3 | …`), and ends before the next one or the next heading. A heading that
//! begins with a number (`### 6.7 Capture`) or ends with an id in brackets is the rule of that id, with
//! all that stands below it.

/// The rule documents of a ruleset, as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Documents {
    /// What all ids begin with, such as `DOM`.
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

/// One rule: a paragraph, a row of a table, or a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The id, such as `DOM-6.10`.
    pub id: Id,
    /// The chapter that it stands in.
    pub chapter: &'static str,
    /// The text in Markdown, with its id. Rows of a table come without the head of the table.
    pub text: &'static str,
}

/// The id of a rule: the prefix of its document, and what tells it apart there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    /// The prefix of the document, such as `DOM`.
    pub prefix: &'static str,
    /// The rest after the hyphen, such as `6.10`.
    pub number: &'static str,
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.prefix, self.number)
    }
}

/// The rules of one ruleset, in the order of the document.
#[derive(Clone, Debug)]
pub struct Rulebook {
    prefix: &'static str,
    rules: Vec<Rule>,
}

impl Rulebook {
    /// Reads the rules of these documents.
    #[must_use]
    pub fn read(Documents { prefix, texts }: Documents) -> Self {
        let mut rules = Vec::new();
        for document in texts {
            let mut chapter = "";
            for (at, line) in lines(document) {
                if let Some(title) = line.strip_prefix("## ") {
                    chapter = title.trim();
                }
                let rule = |number| Rule {
                    id: Id { prefix, number },
                    chapter,
                    text: paragraph(prefix, &document[at..]),
                };
                rules.extend(defined(prefix, line).map(rule));
            }
        }
        Self { prefix, rules }
    }

    /// All rules, in the order of the document.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule with this id. The id of an item of a numbered list is that of its paragraph with the
    /// number of the item: `MYT-4.4.6`.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<Rule> {
        let number = id.strip_prefix(self.prefix)?.strip_prefix('-')?;
        let find = |number: &str| self.rules.iter().find(|rule| rule.id.number == number);
        if let Some(rule) = find(number) {
            return Some(*rule);
        }
        let (whole, item) = number.rsplit_once('.')?;
        let rule = find(whole)?;
        let begins = |line: &str| line.trim_start().strip_prefix(item).is_some_and(is_item);
        let (at, line) = lines(rule.text).find(|(_, line)| begins(line))?;
        let text = rule.text[at..at + line.len()].trim();
        let at = rule.text.len() - rule.text[at..].len();
        let number = &rule.text[at..at + item.len()];
        Some(Rule {
            id: Id {
                prefix: self.prefix,
                number,
            },
            text,
            ..*rule
        })
    }
}

fn is_item(rest: &str) -> bool {
    rest.starts_with(". ") || rest.starts_with(") ")
}

/// The lines of a text with the places where they begin.
fn lines(text: &'static str) -> impl Iterator<Item = (usize, &'static str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let begins = at;
        at += line.len();
        (begins, line.trim_end())
    })
}

/// The number of the rule that a line begins, if it begins one.
fn defined(prefix: &str, line: &'static str) -> Option<&'static str> {
    if line.starts_with('#') {
        let heading = line.trim_start_matches('#').trim();
        if let Some((_, id)) = heading.rsplit_once('(') {
            let id = number(prefix, id.trim_end_matches(')'));
            if id.is_some() {
                return id;
            }
        }
        let number = heading.split([' ', ':']).next()?.trim_end_matches('.');
        return number
            .starts_with(|first: char| first.is_ascii_digit())
            .then_some(number);
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

/// The number of the id with which a text begins.
fn number(prefix: &str, text: &'static str) -> Option<&'static str> {
    let rest = text.strip_prefix(prefix)?.strip_prefix('-')?;
    let end = rest
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-')))
        .unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(['.', '-']);
    (!number.is_empty()).then_some(number)
}

/// The text from its first line up to the next rule; a section up to the next heading of its rank.
fn paragraph(prefix: &str, text: &'static str) -> &'static str {
    let rank = |line: &str| line.bytes().take_while(|&byte| byte == b'#').count();
    let own = lines(text).next().map_or(0, |(_, line)| rank(line));
    let is_row = text.starts_with('|');
    let ends = |line: &'static str| {
        let heading = rank(line);
        match own {
            0 => heading > 0 || is_row || defined(prefix, line).is_some(),
            _ => heading > 0 && heading <= own,
        }
    };
    let end = lines(text).skip(1).find(|(_, line)| ends(line));
    text[..end.map_or(text.len(), |(at, _)| at)].trim_end_matches(['-', '\n', ' '])
}
