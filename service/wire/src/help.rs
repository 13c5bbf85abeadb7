//! Help for terms and components: the rules that describe them, and what these tell players first.

use gamekeeper_rules::rulebook::{Rulebook, cited, title};
use prost_reflect::MessageDescriptor;

use crate::Wire;
use crate::contract::{comment, pool};

/// The number of rules whose sentences make a help text.
const MOST_RULES: usize = 3;

/// The rules of a term or component, and a text of whole sentences.
#[derive(Default)]
pub(crate) struct Help {
    pub(crate) rules: Vec<String>,
    pub(crate) text: String,
}

/// The source of help for one ruleset.
pub(crate) struct Helper<'a> {
    prefix: &'static str,
    book: &'a Rulebook,
    /// The contract's message of actions. Its comments name the decisions that an action answers.
    actions: Option<MessageDescriptor>,
}

impl<'a> Helper<'a> {
    pub(crate) fn of<W: Wire>(book: &'a Rulebook) -> Self {
        Self {
            prefix: W::RULES.prefix,
            book,
            actions: pool().get_message_by_name(&format!("gamekeeper.{}.v1.Action", W::INFO.id)),
        }
    }

    /// Returns the help for something whose documentation cites its rules.
    pub(crate) fn cited(&self, documentation: &str) -> Help {
        self.of_rules(cited(documentation, self.prefix).map(str::to_owned))
    }

    /// Returns the help for a decision: that of the actions that answer it.
    pub(crate) fn decision<W: Wire>(&self, id: &str) -> Help {
        let quoted = format!("`{id}`");
        let answers = |kind: &str| {
            let field = self.actions.as_ref()?.get_field_by_name(kind)?;
            let comment = comment(&field.parent_message().parent_file(), field.path());
            comment.contains(&quoted).then_some(())
        };
        let answering = W::ACTIONS.iter().filter(|term| answers(term.id).is_some());
        let rules = answering.flat_map(|term| cited(term.doc, self.prefix));
        self.of_rules(rules.map(str::to_owned))
    }

    /// Returns the help for a component: the rule of this name.
    pub(crate) fn named(&self, name: &str) -> Help {
        let is_named = |id: &str, text: &str| {
            title(text, id).is_some_and(|title| title.eq_ignore_ascii_case(name))
        };
        let mut rules = self.book.paragraphs().iter();
        let rule = rules.find(|rule| rule.for_players && is_named(&rule.id, rule.text));
        let help = self.of_rules(rule.into_iter().map(|rule| rule.id.clone()));
        if help.text.is_empty() {
            return Help::default();
        }
        help
    }

    fn of_rules(&self, ids: impl Iterator<Item = String>) -> Help {
        let mut rules: Vec<String> = Vec::new();
        for id in ids {
            if !rules.contains(&id) && self.book.rule(&id).is_some() {
                rules.push(id);
            }
        }
        let texts = rules.iter().filter_map(|id| {
            let rule = self.book.rule(id)?;
            Some(for_players(&rule.id, rule.text)).filter(|text| !text.is_empty())
        });
        let text = texts.take(MOST_RULES).collect::<Vec<_>>().join(" ");
        Help { rules, text }
    }
}

/// The characters between the title of a rule and its first word.
const START: [char; 5] = ['*', '.', ':', '|', ' '];

/// The length from which on a text needs no further sentence.
const ENOUGH: usize = 40;

/// Returns the sentences with which a rule begins, without its id, its title and what it cites: enough of them, up to
/// the first one for implementers.
fn for_players(id: &str, text: &str) -> String {
    let name = title(text, id).unwrap_or_default();
    let text = text.split_once(id).map_or(text, |(_, rest)| rest);
    let text = text.split_once(name).map_or(text, |(_, rest)| rest);
    let plain = with_words(&without_brackets(&one_line(text)));
    let plain = plain.trim_start_matches(START);
    let mut help = String::new();
    for sentence in sentences(plain) {
        // After a colon, names of the contract say the same to implementers.
        let sentence = match sentence.split_once(": `") {
            Some((before, _)) => format!("{before}."),
            None => sentence.to_owned(),
        };
        if help.len() >= ENOUGH || !is_plain(&sentence) {
            break;
        }
        if !help.is_empty() {
            help.push(' ');
        }
        help.push_str(&sentence);
    }
    let mut letters = help.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Joins the lines of a paragraph and of the list below it.
fn one_line(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = rest.lines().take_while(|line| !line.trim().is_empty());
    let rest = rest.map(|line| line.trim_start_matches([' ', '-', '*']));
    let lines: Vec<&str> = std::iter::once(first)
        .chain(rest)
        .map(str::trim_end)
        .collect();
    lines.join(" ")
}

/// Writes the names of the contract as words: `turns_taken` in backticks is turns taken.
fn with_words(text: &str) -> String {
    let mut words = String::new();
    for (index, part) in text.split('`').enumerate() {
        let is_name = index % 2 == 1;
        let is_word = part
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '_');
        match (is_name, is_word) {
            (false, _) => words.push_str(part),
            (true, true) => words.push_str(&part.replace('_', " ")),
            (true, false) => words.push_str(&format!("`{part}`")),
        }
    }
    words
}

/// Leaves out brackets that cite rules or names of the contract, and one with which the text begins.
fn without_brackets(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, bracket)) = rest.split_once(" (") {
        plain.push_str(before);
        let (inside, after) = bracket.split_once(')').unwrap_or((bracket, ""));
        let cites = inside.contains(['-', '`', '_']) || plain.trim_matches(START).is_empty();
        if !cites {
            plain.push_str(" (");
            plain.push_str(inside);
            plain.push(')');
        }
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Splits a text into sentences.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        let end = rest.find(". ").map_or(rest.len(), |end| end + 1);
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Returns whether a sentence is one for players: whole, without names of the contract and formulas.
fn is_plain(sentence: &str) -> bool {
    let is_code = sentence.contains(['`', '_', '{', '=', '*', '|', '<', '>', '[']);
    let is_shouted = sentence.split_whitespace().any(|word| {
        let letters = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        letters.len() > 4 && letters.chars().all(|letter| letter.is_ascii_uppercase())
    });
    sentence.ends_with('.') && !is_code && !is_shouted && !sentence.starts_with("See ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_what_a_rule_tells_players() {
        let rule = "**MYT-6.5.8** **Draft one card.** You can take a card for a gold (MYT-3.1). It goes to your discard \
                    pile. `draft_card {card}`: once per turn.";
        assert_eq!(
            for_players("MYT-6.5.8", rule),
            "You can take a card for a gold. It goes to your discard pile."
        );
        let rule = "**TM-5.7 First dwellings** (`place_dwelling`): You place your first dwellings.";
        assert_eq!(
            for_players("TM-5.7", rule),
            "You place your first dwellings."
        );
        let rule = "- **KIN-8.5** You get points:\n  - for buildings (KIN-6.63);\n  - for battles.\n\n  You lose some.";
        assert_eq!(
            for_players("KIN-8.5", rule),
            "You get points: for buildings; for battles."
        );
        assert_eq!(for_players("X-1", "X-1 x += 1."), "");
    }
}
