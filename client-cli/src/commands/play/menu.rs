//! The numbered list of legal actions, and what the user types at it.

use std::collections::HashSet;

use gamekeeper_proto::raw::LegalAction;
use gamekeeper_rules::table::text::{self, DIM, pad, styled};

/// Lines of a page without a terminal.
const LINES: usize = 20;

/// The maximum number of columns.
const COLUMNS: usize = 4;

/// What can be typed.
pub(super) const HELP: &str = "\
12          play the action with this number
3 7         play several as one: cards, armies or payments together
castle      find the actions whose names contain this
Enter       play the only one found, or turn the page
all         every way to pay and combine, for the kinds of action found
t           the table, and the plain list of actions
l           this page of the list
text NAME   what is printed on a card, building or tile
rule [ID]   the rule of the last refusal, or the one with this id
{...}       any action, as JSON
q           quit";

/// What a line means.
pub(super) enum Answer<'a> {
    /// Play these actions as one, under this name. Each has its number; usually there is only one.
    Play {
        actions: Vec<(usize, &'a LegalAction)>,
        text: String,
    },
    /// Send this action, listed or not.
    Json(String),
    /// List all ways of these kinds of actions.
    All(Vec<String>),
    /// Show the list.
    Page,
    /// Show the table again.
    Look,
    /// Show what is printed on something.
    Text(String),
    /// Show a rule: the one with this id, or the one of the last refusal.
    Rule(String),
    /// Print a message.
    Say(String),
    /// Leave.
    Quit,
}

/// The legal actions and how far they are narrowed down.
pub(super) struct Menu<'a> {
    actions: Vec<&'a LegalAction>,
    /// The indexes in `actions` of those that were found.
    found: Vec<usize>,
    narrowed: bool,
    /// How many of those found were on earlier pages.
    before: usize,
    /// How many of those found are on this page.
    shown: usize,
}

impl<'a> Menu<'a> {
    /// All of these actions. Actions with the same name, such as two copies of a card, are listed once.
    pub(super) fn new(all: &'a [LegalAction]) -> Self {
        let mut seen = HashSet::new();
        let actions = all.iter().filter(|action| seen.insert(&action.text));
        let actions: Vec<_> = actions.collect();
        Self {
            found: (0..actions.len()).collect(),
            actions,
            narrowed: false,
            before: 0,
            shown: 0,
        }
    }

    /// A page of the list as it is narrowed down, in as many columns and on as many lines as fit.
    pub(super) fn page(&mut self, width: usize, height: Option<usize>) -> String {
        let digits = self.actions.len().to_string().len();
        let entry = |place: &usize| {
            let number = styled(DIM, format_args!("{:>digits$}", place + 1));
            format!("{number} {}", self.actions[*place].text)
        };
        let rest: Vec<String> = self.found[self.before..].iter().map(entry).collect();
        // One line is for the text below the list.
        let lines = height.map_or(LINES, |height| height.saturating_sub(1).max(1));
        let shown = largest(&rest, lines, width);
        self.shown = shown;
        let mut page = columns(&rest[..shown], width);
        let more = rest.len() - shown;
        let hint = match self.found.len() {
            _ if more > 0 => format!("Enter: {more} more. A part of a name finds actions. ?: help"),
            1 if self.narrowed => "Enter plays it.".to_owned(),
            _ => String::new(),
        };
        if !hint.is_empty() {
            page.push(styled(DIM, hint));
        }
        page.join("\n")
    }

    /// How many of the actions found were not on an earlier page.
    pub(super) fn left(&self) -> usize {
        self.found.len() - self.before
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
            "l" | "list" => Answer::Page,
            "all" => Answer::All(self.kinds()),
            _ if line.starts_with('{') => Answer::Json(line.to_owned()),
            _ => self.words(line),
        }
    }

    /// The kinds of the actions found, each once.
    fn kinds(&self) -> Vec<String> {
        let found = self.found.iter();
        let mut kinds: Vec<String> = found
            .map(|place| self.actions[*place].kind.clone())
            .collect();
        let mut seen = HashSet::new();
        kinds.retain(|kind| seen.insert(kind.clone()));
        kinds
    }

    fn words(&mut self, line: &str) -> Answer<'a> {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "rule" => return Answer::Rule(rest.trim().to_owned()),
            "text" if !rest.is_empty() => return Answer::Text(rest.trim().to_owned()),
            _ => {}
        }
        let numbers: Result<Vec<usize>, _> = line
            .split([' ', ',', '+'])
            .filter(|word| !word.is_empty())
            .map(str::parse)
            .collect();
        match numbers {
            Ok(numbers) if !numbers.is_empty() => self.numbers(&numbers),
            Ok(_) | Err(_) => self.narrow(line),
        }
    }

    fn enter(&mut self) -> Answer<'a> {
        if self.narrowed
            && let [only] = self.found[..]
        {
            return self.numbers(&[only + 1]);
        }
        self.before += self.shown;
        if self.before >= self.found.len() {
            self.find((0..self.actions.len()).collect(), false);
        }
        Answer::Page
    }

    fn find(&mut self, found: Vec<usize>, narrowed: bool) {
        self.found = found;
        self.narrowed = narrowed;
        self.before = 0;
    }

    fn numbers(&self, numbers: &[usize]) -> Answer<'a> {
        let mut actions = Vec::new();
        let mut names = Vec::new();
        for number in numbers {
            let place = number.checked_sub(1);
            let Some(place) = place.filter(|place| *place < self.actions.len()) else {
                let last = self.actions.len();
                return Answer::Say(format!("There is no {number}; the last is {last}."));
            };
            actions.push((*number, self.actions[place]));
            names.push(self.actions[place].text.as_str());
        }
        Answer::Play {
            actions,
            text: names.join(" + "),
        }
    }

    /// Keeps the actions whose names contain every word.
    fn narrow(&mut self, text: &str) -> Answer<'a> {
        let words: Vec<String> = text
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let fits = |place: &usize| {
            let name = self.actions[*place].text.to_lowercase();
            words.iter().all(|word| name.contains(word))
        };
        let found: Vec<usize> = (0..self.actions.len()).filter(fits).collect();
        let exact = self
            .actions
            .iter()
            .position(|action| action.text.eq_ignore_ascii_case(text));
        let found = exact.map_or(found, |place| vec![place]);
        if found.is_empty() {
            return Answer::Say(format!("No legal action is called {text:?}."));
        }
        self.find(found, true);
        Answer::Page
    }
}

/// Does this line mean goodbye?
pub(super) fn is_quit(line: &str) -> bool {
    matches!(line.trim(), "q" | "quit" | "exit")
}

/// In how many columns these entries fit, and how wide each is.
fn grid(entries: &[String], width: usize) -> (usize, usize) {
    let widest = entries.iter().map(|entry| text::width(entry)).max();
    let wide = widest.unwrap_or(0) + 3;
    ((width / wide).clamp(1, COLUMNS), wide)
}

/// How many entries, from the first, fit on this many lines.
fn largest(entries: &[String], lines: usize, width: usize) -> usize {
    let fits = |count: &usize| {
        let entries = &entries[..*count];
        let (columns, _) = grid(entries, width);
        let each = |entry: &String| text::fit(entry, width).lines().count();
        match columns {
            1 => entries.iter().map(each).sum::<usize>() <= lines,
            _ => count.div_ceil(columns) <= lines,
        }
    };
    let max = entries.len().min(lines * COLUMNS);
    (1..=max).rev().find(fits).unwrap_or(max.min(1))
}

/// Entries in as many columns as fit, read downwards.
fn columns(entries: &[String], width: usize) -> Vec<String> {
    let (count, wide) = grid(entries, width);
    if count == 1 {
        return entries
            .iter()
            .map(|entry| text::fit(entry, width))
            .collect();
    }
    let rows = entries.len().div_ceil(count);
    let line = |row: usize| {
        let cells = (0..count).filter_map(|column| entries.get(column * rows + row));
        let line: String = cells.map(|cell| pad(cell, wide)).collect();
        line.trim_end().to_owned()
    };
    (0..rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::text::plain;
    use super::*;

    fn called(texts: impl IntoIterator<Item = impl Into<String>>) -> Vec<LegalAction> {
        let action = |text: String| LegalAction {
            text,
            ..LegalAction::default()
        };
        texts.into_iter().map(Into::into).map(action).collect()
    }

    fn actions() -> Vec<LegalAction> {
        called([
            "play all treasures",
            "buy Copper",
            "buy Silver",
            "end turn",
            "end turn: discard top Silver",
        ])
    }

    fn played(answer: &Answer<'_>) -> Option<String> {
        match answer {
            Answer::Play { text, .. } => Some(text.clone()),
            Answer::Json(_)
            | Answer::All(_)
            | Answer::Page
            | Answer::Look
            | Answer::Text(_)
            | Answer::Rule(_)
            | Answer::Say(_)
            | Answer::Quit => None,
        }
    }

    #[test]
    fn a_number_plays_the_action_of_that_number_even_when_the_list_is_narrowed() {
        let actions = actions();
        let mut menu = Menu::new(&actions);
        assert_eq!(played(&menu.answer("3")).as_deref(), Some("buy Silver"));
        assert!(matches!(menu.answer("end"), Answer::Page));
        assert_eq!(played(&menu.answer(" 2 ")).as_deref(), Some("buy Copper"));
        assert!(matches!(menu.answer("6"), Answer::Say(_)));
        assert!(matches!(menu.answer("0"), Answer::Say(_)));
    }

    #[test]
    fn words_narrow_the_list_and_enter_plays_the_only_one_left() {
        let actions = actions();
        let mut menu = Menu::new(&actions);
        assert!(matches!(menu.answer("silver"), Answer::Page));
        assert_eq!(
            plain(&menu.page(80, None)),
            "3 buy Silver                     5 end turn: discard top Silver"
        );
        assert!(matches!(menu.answer(""), Answer::Page));
        assert!(matches!(menu.answer("SILVER buy"), Answer::Page));
        assert_eq!(played(&menu.answer("")).as_deref(), Some("buy Silver"));
        assert!(matches!(menu.answer("gold"), Answer::Say(_)));
    }

    #[test]
    fn a_whole_name_is_found_even_where_it_begins_others() {
        let actions = actions();
        let mut menu = Menu::new(&actions);
        assert!(matches!(menu.answer("End turn"), Answer::Page));
        assert_eq!(played(&menu.answer("")).as_deref(), Some("end turn"));
    }

    #[test]
    fn enter_never_plays_what_was_not_looked_for() {
        let actions = actions();
        let mut menu = Menu::new(&actions[..1]);
        assert!(matches!(menu.answer(""), Answer::Page));
    }

    #[test]
    fn a_long_list_has_pages_that_fit_the_screen() {
        let texts: Vec<_> = (1..=100).map(|number| format!("action {number}")).collect();
        let actions = called(&texts);
        let mut menu = Menu::new(&actions);
        let mut seen = Vec::new();
        for more in [16, 0] {
            let page = plain(&menu.page(80, Some(22)));
            assert!(page.lines().count() <= 22, "{page}");
            assert!(page.lines().all(|line| line.len() <= 80), "{page}");
            assert_eq!(page.contains(&format!("Enter: {more} more.")), more > 0);
            seen.extend(texts.iter().filter(|text| {
                let ends = |line: &str| line.split("   ").any(|cell| cell.ends_with(*text));
                page.lines().any(ends)
            }));
            assert!(matches!(menu.answer(""), Answer::Page));
        }
        assert_eq!(seen.len(), 100);
        assert!(plain(&menu.page(80, Some(22))).contains("  1 action 1 "));
    }

    #[test]
    fn wide_names_take_the_lines_that_they_take() {
        let name = |number| format!("action {number}{}", " and more".repeat(10));
        let actions = called((0..30).map(name));
        let page = plain(&Menu::new(&actions).page(80, Some(22)));
        assert!(page.contains("Enter: 20 more."), "{page}");
    }

    #[test]
    fn several_numbers_are_one_action() {
        let mut actions = actions();
        for (place, action) in actions.iter_mut().enumerate() {
            action.kind = if place < 3 { "buy_card" } else { "end_turn" }.to_owned();
        }
        let mut menu = Menu::new(&actions);
        for line in ["2 3", "2,3", "2 + 3"] {
            let answer = menu.answer(line);
            assert_eq!(played(&answer).as_deref(), Some("buy Copper + buy Silver"));
        }
        assert!(matches!(menu.answer("2 9"), Answer::Say(_)));
        assert!(
            matches!(menu.answer("all"), Answer::All(kinds) if kinds == ["buy_card", "end_turn"])
        );
    }

    #[test]
    fn actions_that_are_called_alike_are_listed_once() {
        let mut actions = actions();
        actions[1] = actions[0].clone();
        let mut menu = Menu::new(&actions);
        let page = plain(&menu.page(40, None));
        assert_eq!(page.matches("play all treasures").count(), 1, "{page}");
        assert_eq!(played(&menu.answer("2")).as_deref(), Some("buy Silver"));
    }

    #[test]
    fn some_words_are_commands() {
        let actions = actions();
        let mut menu = Menu::new(&actions);
        assert!(matches!(menu.answer("q"), Answer::Quit));
        assert!(matches!(menu.answer("?"), Answer::Say(_)));
        assert!(matches!(menu.answer("t"), Answer::Look));
        assert!(matches!(menu.answer("l"), Answer::Page));
        assert!(matches!(menu.answer("rule"), Answer::Rule(id) if id.is_empty()));
        assert!(matches!(menu.answer("rule DOM-1.1"), Answer::Rule(id) if id == "DOM-1.1"));
        assert!(
            matches!(menu.answer("text Throne Room"), Answer::Text(name) if name == "Throne Room")
        );
        assert!(matches!(menu.answer("{\"endTurn\":{}}"), Answer::Json(_)));
    }
}
