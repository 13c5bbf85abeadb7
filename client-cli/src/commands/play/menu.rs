//! The numbered list of legal actions, and the parser for what the user types at its prompt.

use std::collections::HashSet;

use gamekeeper_proto::raw::LegalAction;
use gamekeeper_rules::table::text::{BOLD, DIM, styled};

use super::action_list::ActionList;
use super::grid;
use super::steps::Entry;
use crate::phrase;

/// Help for the prompt of a player who has to act.
pub(super) const HELP: &str = "\
12          play the action with this number, once it has been on the screen
12-45       a folded line: the first or any other of its numbers unfolds it
3 7         play several as one: cards, armies or payments together
castle      find the actions whose names contain this
Enter       play the only one found, or turn the page
l           the list of actions from its beginning
all         every way to pay and combine, for the kinds of action found
t           the whole table, and the plain list of actions
u           undo: take back what you did last, where the table allows it
text NAME   what is printed on a card, building or tile
? 12        what this kind of action does, what it costs and when it is possible
rule        the rule of the last refusal
rule MARKET rules by id (rule 6.10), by name, or by words, the best first
{...}       any action, as JSON
q           quit; the game is kept";

/// Help for the prompt while other players have to act.
pub(super) const WAITING_HELP: &str = "\
t           the whole table
u           undo: take back what you did last, where the table allows it
text NAME   what is printed on a card, building or tile
rule        the rule of the last refusal
rule MARKET rules by id (rule 6.10), by name, or by words, the best first
q           quit; the game is kept";

/// The parsed input of a user.
pub(super) enum MenuInput<'a> {
    /// Play these actions as one, under this name. Each comes with its number; usually there is only one.
    Play {
        actions: Vec<(usize, &'a LegalAction)>,
        text: String,
    },
    /// Send this action, whether or not it is listed.
    Json(String),
    /// List all ways of these kinds of actions.
    All(Vec<String>),
    /// Show the list.
    Page,
    /// Show the table again.
    Look,
    /// Take back the last action.
    Undo,
    /// Show the text that is printed on a component.
    Text(String),
    /// Show rules: those that match an id, a name or words, or the one of the last refusal.
    Rule(String),
    /// Explain this kind of action.
    Explain(String),
    /// Print a message.
    Say(String),
    /// Leave.
    Quit,
}

/// The legal actions, and the filter that is applied to the list.
pub(super) struct Menu<'a> {
    /// The id of the ruleset.
    ruleset: &'a str,
    list: ActionList<'a>,
    /// Whether each action has been on the screen.
    seen: Vec<bool>,
    /// The lines of the filtered list.
    lines: Vec<Entry>,
    /// Whether the list is filtered by words.
    narrowed: bool,
    /// The number of lines on earlier pages.
    before: usize,
    /// The number of lines on this page.
    shown: usize,
    /// The number of lines of a screen. `None` if lists are not folded.
    height: Option<usize>,
}

impl<'a> Menu<'a> {
    /// Creates a menu of all these actions.
    pub(super) fn new(ruleset: &'a str, all: &'a [LegalAction], height: Option<usize>) -> Self {
        let list = ActionList::new(ruleset, all);
        let mut menu = Self {
            ruleset,
            seen: vec![false; list.len()],
            list,
            lines: Vec::new(),
            narrowed: false,
            before: 0,
            shown: 0,
            height,
        };
        menu.reset();
        menu
    }

    /// Returns the number of actions.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the number of lines that were not on an earlier page.
    pub(super) fn left(&self) -> usize {
        self.lines.len() - self.before
    }

    /// Formats the next page of the filtered list, in as many columns and on as many lines as fit. The actions on it
    /// can be played from now on.
    pub(super) fn page(&mut self, width: usize, height: Option<usize>) -> String {
        let rest = self.lines[self.before..].to_vec();
        // One line is reserved for the text below the list.
        let lines = height.map_or(usize::MAX, |height| height.saturating_sub(1).max(1));
        let (mut page, shown) = self.blocks(&rest, width, lines);
        self.shown = shown;
        for entry in &rest[..shown] {
            if let Entry::One(index) = entry {
                self.seen[*index] = true;
            }
        }
        let more: usize = rest[shown..]
            .iter()
            .map(|entry| entry.indices().len())
            .sum();
        let hint = match self.lines[..] {
            _ if more > 0 => format!("Enter: {more} more. A part of a name finds actions. ?: help"),
            [Entry::One(_)] if self.narrowed => "Enter plays it.".to_owned(),
            _ => String::new(),
        };
        if !hint.is_empty() {
            page.push(styled(DIM, hint));
        }
        page.join("\n")
    }

    /// Formats the lines of these entries by kind, and returns how many entries fit.
    fn blocks(&self, entries: &[Entry], width: usize, lines: usize) -> (Vec<String>, usize) {
        let mut page = Vec::new();
        let mut shown = 0;
        for block in
            entries.chunk_by(|one, other| self.list.heading(one) == self.list.heading(other))
        {
            let heading = self.list.heading(&block[0]).filter(|_| block.len() > 1);
            let room = lines.saturating_sub(page.len() + usize::from(heading.is_some()));
            if room == 0 {
                break;
            }
            let texts: Vec<String> = block.iter().map(|entry| self.list.line(entry)).collect();
            let fitting = grid::largest(&texts, room, width, shown == 0);
            if fitting == 0 {
                break;
            }
            page.extend(heading.map(|kind| styled(BOLD, phrase::kind(self.ruleset, kind))));
            page.extend(grid::columns(&texts[..fitting], width));
            shown += fitting;
            if fitting < block.len() {
                break;
            }
        }
        (page, shown)
    }

    /// Parses a line that the user typed.
    pub(super) fn parse(&mut self, line: &str) -> MenuInput<'a> {
        let line = line.trim();
        if is_quit(line) {
            return MenuInput::Quit;
        }
        match line {
            "" => self.parse_enter(),
            line if is_help(line) => MenuInput::Say(HELP.to_owned()),
            "t" | "table" => MenuInput::Look,
            "u" | "undo" => MenuInput::Undo,
            "l" | "list" => {
                self.reset();
                MenuInput::Page
            }
            "all" => MenuInput::All(self.kinds()),
            _ if line.starts_with('{') => MenuInput::Json(line.to_owned()),
            _ => self.parse_words(line),
        }
    }

    /// Returns the kinds of the listed actions, each once.
    fn kinds(&self) -> Vec<String> {
        let listed = self.lines.iter().flat_map(Entry::indices);
        let mut kinds: Vec<String> = listed
            .filter_map(|index| Some(self.list.get(*index)?.kind.clone()))
            .collect();
        let mut seen = HashSet::new();
        kinds.retain(|kind| seen.insert(kind.clone()));
        kinds
    }

    fn parse_words(&mut self, line: &str) -> MenuInput<'a> {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "rule" => return MenuInput::Rule(rest.trim().to_owned()),
            "?" => return self.explain(rest.trim()),
            "text" if !rest.is_empty() => return MenuInput::Text(rest.trim().to_owned()),
            _ => {}
        }
        let numbers: Result<Vec<usize>, _> = line
            .split([' ', ',', '+'])
            .filter(|word| !word.is_empty())
            .map(str::parse)
            .collect();
        match numbers {
            Ok(numbers) if !numbers.is_empty() => self.select(&numbers),
            Ok(_) | Err(_) => self.narrow(line),
        }
    }

    /// Finds the kind of the action with this number.
    fn explain(&self, number: &str) -> MenuInput<'a> {
        let index = number.parse::<usize>().ok();
        let index = index.and_then(|number| number.checked_sub(1));
        match index.and_then(|index| self.list.get(index)) {
            Some(action) => MenuInput::Explain(action.kind.clone()),
            None => MenuInput::Say(format!("There is no action {number:?}. ?: help")),
        }
    }

    fn parse_enter(&mut self) -> MenuInput<'a> {
        if self.narrowed
            && let [Entry::One(only)] = self.lines[..]
        {
            return self.select(&[only + 1]);
        }
        self.before += self.shown;
        if self.before >= self.lines.len() {
            self.reset();
        }
        MenuInput::Page
    }

    /// Removes the filter and lists all actions from the first.
    fn reset(&mut self) {
        let all: Vec<usize> = (0..self.list.len()).collect();
        self.set_entries(&all, false);
    }

    fn set_entries(&mut self, indices: &[usize], narrowed: bool) {
        let lines = self.height.map(|height| height.saturating_sub(2).max(1));
        self.lines = self.list.entries(indices, lines);
        self.narrowed = narrowed;
        self.before = 0;
    }

    fn select(&mut self, numbers: &[usize]) -> MenuInput<'a> {
        let mut actions = Vec::new();
        let mut names = Vec::new();
        for number in numbers {
            let index = number.checked_sub(1);
            let found = index.and_then(|index| Some((index, self.list.get(index)?)));
            let Some((index, action)) = found else {
                let last = self.list.len();
                return MenuInput::Say(format!("There is no {number}; the last is {last}."));
            };
            if !self.seen[index] {
                self.show_action(index);
                return MenuInput::Page;
            }
            actions.push((*number, action));
            names.push(action.text.as_str());
        }
        MenuInput::Play {
            actions,
            text: names.join(" + "),
        }
    }

    /// Turns to the page of an action that has not been on the screen yet, and unfolds its line if it is folded.
    fn show_action(&mut self, index: usize) {
        let has = |entry: &Entry| entry.indices().contains(&index);
        if !self.lines.iter().any(has) {
            self.reset();
        }
        match self.lines.iter().position(has) {
            Some(line) => match self.lines[line].clone() {
                Entry::One(_) => self.before = line,
                Entry::Several(indices) => self.set_entries(&indices, false),
            },
            None => self.before = 0,
        }
    }

    /// Filters the list to the actions whose names contain every word.
    fn narrow(&mut self, text: &str) -> MenuInput<'a> {
        let matching = self.list.matching(text);
        if matching.is_empty() {
            return MenuInput::Say(format!("No legal action is called {text:?}."));
        }
        self.set_entries(&matching, true);
        MenuInput::Page
    }
}

/// Returns whether this line asks for help.
pub(super) fn is_help(line: &str) -> bool {
    matches!(line.trim(), "?" | "h" | "help")
}

/// Returns whether this line asks to leave.
pub(super) fn is_quit(line: &str) -> bool {
    matches!(line.trim(), "q" | "quit" | "exit")
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::text::plain;

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

    fn played(input: &MenuInput<'_>) -> Option<String> {
        match input {
            MenuInput::Play { text, .. } => Some(text.clone()),
            MenuInput::Json(_)
            | MenuInput::All(_)
            | MenuInput::Page
            | MenuInput::Look
            | MenuInput::Undo
            | MenuInput::Text(_)
            | MenuInput::Rule(_)
            | MenuInput::Explain(_)
            | MenuInput::Say(_)
            | MenuInput::Quit => None,
        }
    }

    #[test]
    fn a_number_plays_the_action_of_that_number_even_when_the_list_is_narrowed() {
        let actions = actions();
        let mut menu = Menu::new("dominion", &actions, None);
        assert_eq!(played(&menu.parse("3")), None, "not on the screen yet");
        assert!(matches!(menu.parse("l"), MenuInput::Page));
        let _page = menu.page(80, None);
        assert_eq!(played(&menu.parse("3")).as_deref(), Some("buy Silver"));
        assert!(matches!(menu.parse("end"), MenuInput::Page));
        assert_eq!(played(&menu.parse(" 2 ")).as_deref(), Some("buy Copper"));
        assert!(matches!(menu.parse("6"), MenuInput::Say(_)));
        assert!(matches!(menu.parse("0"), MenuInput::Say(_)));
    }

    #[test]
    fn words_narrow_the_list_and_enter_plays_the_only_one_left() {
        let actions = actions();
        let mut menu = Menu::new("dominion", &actions, None);
        assert!(matches!(menu.parse("silver"), MenuInput::Page));
        assert_eq!(
            plain(&menu.page(80, None)),
            "3 buy Silver                     5 end turn: discard top Silver"
        );
        assert!(matches!(menu.parse(""), MenuInput::Page));
        assert!(matches!(menu.parse("SILVER buy"), MenuInput::Page));
        assert!(plain(&menu.page(80, None)).ends_with("Enter plays it."));
        assert_eq!(played(&menu.parse("")).as_deref(), Some("buy Silver"));
        assert!(matches!(menu.parse("gold"), MenuInput::Say(_)));
    }

    #[test]
    fn a_whole_name_is_found_even_where_it_begins_others() {
        let actions = actions();
        let mut menu = Menu::new("dominion", &actions, None);
        assert!(matches!(menu.parse("End turn"), MenuInput::Page));
        let _page = menu.page(80, None);
        assert_eq!(played(&menu.parse("")).as_deref(), Some("end turn"));
    }

    #[test]
    fn enter_never_plays_what_was_not_looked_for() {
        let actions = actions();
        let mut menu = Menu::new("dominion", &actions[..1], None);
        assert!(matches!(menu.parse(""), MenuInput::Page));
    }

    #[test]
    fn a_number_that_was_not_on_the_screen_turns_to_its_page() {
        let texts: Vec<_> = (1..=100).map(|number| format!("action {number}")).collect();
        let actions = called(&texts);
        let mut menu = Menu::new("dominion", &actions, None);
        let page = plain(&menu.page(80, Some(12)));
        assert!(
            page.contains(" 44 action 44") && !page.contains("90"),
            "{page}"
        );
        assert_eq!(played(&menu.parse("44")).as_deref(), Some("action 44"));
        for line in ["90", "44 90"] {
            assert_eq!(played(&menu.parse(line)), None, "{line}");
        }
        let page = plain(&menu.page(80, Some(12)));
        assert!(page.starts_with(" 90 action 90"), "{page}");
        assert_eq!(played(&menu.parse("90")).as_deref(), Some("action 90"));
    }

    #[test]
    fn a_folded_line_is_unfolded_by_its_numbers() {
        let build = |number: usize| LegalAction {
            kind: "build".to_owned(),
            text: format!("build on place {number}"),
            ..LegalAction::default()
        };
        let mut actions: Vec<_> = (1..=30).map(build).collect();
        actions.push(LegalAction {
            kind: "pass".to_owned(),
            text: "pass".to_owned(),
            ..LegalAction::default()
        });
        let mut menu = Menu::new("dominion", &actions, Some(20));
        assert_eq!(
            plain(&menu.page(80, Some(20))),
            " 1-30 build on place ... (30 ways)\n31 pass"
        );
        assert_eq!(played(&menu.parse("7")), None);
        let page = plain(&menu.page(80, Some(20)));
        assert!(page.starts_with("Build\n 1 build on place 1 "), "{page}");
        assert_eq!(
            played(&menu.parse("7")).as_deref(),
            Some("build on place 7")
        );
        assert_eq!(played(&menu.parse("31")).as_deref(), Some("pass"));
        assert!(matches!(menu.parse("l"), MenuInput::Page));
        assert!(plain(&menu.page(80, Some(20))).ends_with("31 pass"));
    }

    #[test]
    fn a_long_list_has_pages_that_fit_the_screen() {
        let texts: Vec<_> = (1..=100).map(|number| format!("action {number}")).collect();
        let actions = called(&texts);
        let mut menu = Menu::new("dominion", &actions, None);
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
            assert!(matches!(menu.parse(""), MenuInput::Page));
        }
        assert_eq!(seen.len(), 100);
        assert!(plain(&menu.page(80, Some(22))).contains("  1 action 1 "));
    }

    #[test]
    fn wide_names_take_the_lines_that_they_take() {
        let name = |number| format!("action {number}{}", " and more".repeat(10));
        let actions = called((0..30).map(name));
        let page = plain(&Menu::new("dominion", &actions, None).page(80, Some(22)));
        assert!(page.contains("Enter: 20 more."), "{page}");
    }

    #[test]
    fn several_numbers_are_one_action() {
        let mut actions = actions();
        for (index, action) in actions.iter_mut().enumerate() {
            action.kind = if index < 3 { "buy_card" } else { "end_turn" }.to_owned();
        }
        let mut menu = Menu::new("dominion", &actions, None);
        let page = plain(&menu.page(80, None));
        let headings = ["Buy a card", "End the turn"];
        assert!(headings.iter().all(|title| page.contains(title)), "{page}");
        for line in ["2 3", "2,3", "2 + 3"] {
            let input = menu.parse(line);
            assert_eq!(played(&input).as_deref(), Some("buy Copper + buy Silver"));
        }
        assert!(matches!(menu.parse("2 9"), MenuInput::Say(_)));
        assert!(
            matches!(menu.parse("all"), MenuInput::All(kinds) if kinds == ["buy_card", "end_turn"])
        );
    }

    #[test]
    fn actions_that_are_called_alike_are_listed_once() {
        let mut actions = actions();
        actions[1] = actions[0].clone();
        let mut menu = Menu::new("dominion", &actions, None);
        let page = plain(&menu.page(40, None));
        assert_eq!(page.matches("play all treasures").count(), 1, "{page}");
        assert_eq!(played(&menu.parse("2")).as_deref(), Some("buy Silver"));
    }

    #[test]
    fn some_words_are_commands() {
        let actions = actions();
        let mut menu = Menu::new("dominion", &actions, None);
        assert!(matches!(menu.parse("q"), MenuInput::Quit));
        assert!(matches!(menu.parse("?"), MenuInput::Say(_)));
        assert!(matches!(menu.parse("t"), MenuInput::Look));
        assert!(matches!(menu.parse("l"), MenuInput::Page));
        assert!(matches!(menu.parse("rule"), MenuInput::Rule(id) if id.is_empty()));
        assert!(matches!(menu.parse("rule DOM-1.1"), MenuInput::Rule(id) if id == "DOM-1.1"));
        assert!(
            matches!(menu.parse("text Throne Room"), MenuInput::Text(name) if name == "Throne Room")
        );
        assert!(matches!(menu.parse("{\"endTurn\":{}}"), MenuInput::Json(_)));
    }
}
