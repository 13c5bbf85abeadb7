//! The numbered list of legal actions, and what the user types at it.

use std::collections::HashSet;

use gamekeeper_rules::table::text::{self, DIM, pad, styled};

use crate::opaque::Opaque;

/// The most actions that are shown at once.
const SHOWN: usize = 40;

/// What can be typed.
pub(super) const HELP: &str = "\
Type the number of an action to play it, or a part of its name to find it.
Enter: play the only one found, or list all again. t: the table. q: quit.";

/// What a line means.
pub(super) enum Answer<'a> {
    /// Play this action, called so.
    Play { action: &'a Opaque, text: &'a str },
    /// Send this action, listed or not.
    Json(String),
    /// Show the list.
    Page,
    /// Show the table again.
    Look,
    /// Say something.
    Say(String),
    /// Leave.
    Quit,
}

/// The legal actions and how far they are narrowed down.
pub(super) struct Menu<'a> {
    actions: Vec<&'a Opaque>,
    names: Vec<&'a str>,
    /// The places in `actions` of those that are shown.
    found: Vec<usize>,
    narrowed: bool,
}

impl<'a> Menu<'a> {
    /// All of these actions, each with its name. Of those that are called alike, such as two copies
    /// of a card, the first stands for all.
    pub(super) fn new(all: &'a [Opaque], texts: &'a [String]) -> Self {
        let mut seen = HashSet::new();
        let (actions, names): (Vec<_>, Vec<_>) = all
            .iter()
            .zip(texts.iter().map(String::as_str))
            .filter(|(_, name)| seen.insert(*name))
            .unzip();
        Self {
            found: (0..actions.len()).collect(),
            actions,
            names,
            narrowed: false,
        }
    }

    /// The list as it is narrowed down, in as many columns as fit.
    pub(super) fn page(&self, width: usize) -> String {
        let digits = self.actions.len().to_string().len();
        let entry = |place: &usize| {
            let number = styled(DIM, format_args!("{:>digits$}", place + 1));
            format!("{number} {}", self.names[*place])
        };
        let entries: Vec<String> = self.found.iter().take(SHOWN).map(entry).collect();
        let mut lines = columns(&entries, width);
        if self.found.len() > SHOWN {
            let more = self.found.len() - SHOWN;
            lines.push(styled(
                DIM,
                format_args!("... and {more} more; type a part of the name"),
            ));
        }
        if self.narrowed && self.found.len() == 1 {
            lines.push(styled(DIM, "Enter plays it."));
        }
        lines.join("\n")
    }

    /// What the user means.
    pub(super) fn answer(&mut self, line: &str) -> Answer<'a> {
        let line = line.trim();
        if is_quit(line) {
            return Answer::Quit;
        }
        match line {
            "" => self.enter(),
            "?" | "h" | "help" => Answer::Say(HELP.to_owned()),
            "t" | "table" => Answer::Look,
            _ if line.starts_with('{') => Answer::Json(line.to_owned()),
            _ => match line.parse::<usize>() {
                Ok(number) => self.number(number),
                Err(_) => self.narrow(line),
            },
        }
    }

    fn enter(&mut self) -> Answer<'a> {
        if self.narrowed
            && let [only] = self.found[..]
        {
            return self.play(only);
        }
        self.found = (0..self.actions.len()).collect();
        self.narrowed = false;
        Answer::Page
    }

    fn number(&self, number: usize) -> Answer<'a> {
        let place = number.checked_sub(1);
        match place.filter(|place| *place < self.actions.len()) {
            Some(place) => self.play(place),
            None => Answer::Say(format!(
                "There is no {number}; the last is {}.",
                self.actions.len()
            )),
        }
    }

    fn play(&self, place: usize) -> Answer<'a> {
        Answer::Play {
            action: self.actions[place],
            text: self.names[place],
        }
    }

    /// Keeps the actions whose names hold every word.
    fn narrow(&mut self, text: &str) -> Answer<'a> {
        let words: Vec<String> = text
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let fits = |place: &usize| {
            let name = self.names[*place].to_lowercase();
            words.iter().all(|word| name.contains(word))
        };
        let found: Vec<usize> = (0..self.actions.len()).filter(fits).collect();
        let exact = self
            .names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text));
        let found = exact.map_or(found, |place| vec![place]);
        if found.is_empty() {
            return Answer::Say(format!("No legal action is called {text:?}."));
        }
        self.found = found;
        self.narrowed = true;
        Answer::Page
    }
}

/// Does this line mean goodbye?
pub(super) fn is_quit(line: &str) -> bool {
    matches!(line.trim(), "q" | "quit" | "exit")
}

/// Entries in as many columns as fit, read downwards.
fn columns(entries: &[String], width: usize) -> Vec<String> {
    let widest = entries
        .iter()
        .map(|entry| text::width(entry))
        .max()
        .unwrap_or(0);
    let count = (width / (widest + 3)).clamp(1, 4);
    let rows = entries.len().div_ceil(count);
    let line = |row: usize| {
        let cells = (0..count).filter_map(|column| entries.get(column * rows + row));
        let line: String = cells.map(|cell| pad(cell, widest + 3)).collect();
        line.trim_end().to_owned()
    };
    (0..rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::text::plain;
    use super::*;

    fn actions() -> (Vec<Opaque>, Vec<String>) {
        let texts = [
            "play all treasures",
            "buy Copper",
            "buy Silver",
            "end turn",
            "end turn: discard top Silver",
        ];
        (vec![Opaque::default(); 5], texts.map(String::from).to_vec())
    }

    fn played(answer: &Answer<'_>) -> Option<String> {
        match answer {
            Answer::Play { text, .. } => Some((*text).to_owned()),
            Answer::Json(_) | Answer::Page | Answer::Look | Answer::Say(_) | Answer::Quit => None,
        }
    }

    #[test]
    fn a_number_plays_the_action_of_that_number_even_when_the_list_is_narrowed() {
        let (actions, texts) = actions();
        let mut menu = Menu::new(&actions, &texts);
        assert_eq!(played(&menu.answer("3")).as_deref(), Some("buy Silver"));
        assert!(matches!(menu.answer("end"), Answer::Page));
        assert_eq!(played(&menu.answer(" 2 ")).as_deref(), Some("buy Copper"));
        assert!(matches!(menu.answer("6"), Answer::Say(_)));
        assert!(matches!(menu.answer("0"), Answer::Say(_)));
    }

    #[test]
    fn words_narrow_the_list_and_enter_plays_the_only_one_left() {
        let (actions, texts) = actions();
        let mut menu = Menu::new(&actions, &texts);
        assert!(matches!(menu.answer("silver"), Answer::Page));
        assert_eq!(
            plain(&menu.page(80)),
            "3 buy Silver                     5 end turn: discard top Silver"
        );
        assert!(matches!(menu.answer(""), Answer::Page));
        assert!(matches!(menu.answer("SILVER buy"), Answer::Page));
        assert_eq!(played(&menu.answer("")).as_deref(), Some("buy Silver"));
        assert!(matches!(menu.answer("gold"), Answer::Say(_)));
    }

    #[test]
    fn a_whole_name_is_found_even_where_it_begins_others() {
        let (actions, texts) = actions();
        let mut menu = Menu::new(&actions, &texts);
        assert!(matches!(menu.answer("End turn"), Answer::Page));
        assert_eq!(played(&menu.answer("")).as_deref(), Some("end turn"));
    }

    #[test]
    fn enter_never_plays_what_was_not_looked_for() {
        let (actions, texts) = actions();
        let mut menu = Menu::new(&actions[..1], &texts);
        assert!(matches!(menu.answer(""), Answer::Page));
    }

    #[test]
    fn a_long_list_is_cut() {
        let actions = vec![Opaque::default(); 45];
        let texts: Vec<_> = (1..=45).map(|number| format!("action {number}")).collect();
        let page = plain(&Menu::new(&actions, &texts).page(80));
        assert!(
            page.ends_with("... and 5 more; type a part of the name"),
            "{page}"
        );
        assert!(
            page.lines().all(|line| line.chars().count() <= 80),
            "{page}"
        );
    }

    #[test]
    fn actions_that_are_called_alike_are_listed_once() {
        let (actions, mut texts) = actions();
        texts[1] = texts[0].clone();
        let mut menu = Menu::new(&actions, &texts);
        let page = plain(&menu.page(40));
        assert_eq!(page.matches("play all treasures").count(), 1, "{page}");
        assert_eq!(played(&menu.answer("2")).as_deref(), Some("buy Silver"));
    }

    #[test]
    fn some_words_are_commands() {
        let (actions, texts) = actions();
        let mut menu = Menu::new(&actions, &texts);
        assert!(matches!(menu.answer("q"), Answer::Quit));
        assert!(matches!(menu.answer("?"), Answer::Say(_)));
        assert!(matches!(menu.answer("t"), Answer::Look));
        assert!(matches!(menu.answer("{\"endTurn\":{}}"), Answer::Json(_)));
    }
}
