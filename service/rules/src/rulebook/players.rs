//! The players' edition of a rule document: its chapters for players, with the clarifications in their places.

use std::collections::BTreeSet;

use super::lines::{FOR_IMPLEMENTERS, cited, rank};
use super::{Chapter, Rule};

/// The chapters that describe the game: components, set-up, flow, cards, end, variants.
const FIRST: u8 = 3;
const LAST: u8 = 9;

/// The beginning of the title of the chapter whose paragraphs complete those of other chapters.
const CLARIFICATIONS: &str = "Clarifications";

/// The audience of the lines of a document (players or implementers), tracked while it is read from its beginning.
pub(super) struct Readers {
    /// Whether the document completes another one. All its chapters are then for players.
    completes: bool,
    chapter: Chapter,
    /// The level of the enclosing heading that is for implementers.
    implementers: Option<usize>,
}

impl Readers {
    pub(super) const fn new(completes: bool) -> Self {
        Self {
            completes,
            chapter: Chapter {
                number: "",
                title: "",
            },
            implementers: None,
        }
    }

    /// Advances to this line of this chapter.
    pub(super) fn pass(&mut self, chapter: Chapter, line: &str) {
        self.chapter = chapter;
        let rank = rank(line);
        if rank == 0 {
            return;
        }
        self.implementers = self.implementers.filter(|above| *above < rank);
        if self.implementers.is_none() && line.ends_with(FOR_IMPLEMENTERS) {
            self.implementers = Some(rank);
        }
    }

    pub(super) fn are_players(&self) -> bool {
        let chapter = self.chapter;
        let is_chapter = self.completes || describes(chapter) || clarifies(chapter);
        is_chapter && self.implementers.is_none()
    }
}

fn describes(chapter: Chapter) -> bool {
    let number = chapter.number.parse::<u8>();
    number.is_ok_and(|number| (FIRST..=LAST).contains(&number))
}

fn clarifies(chapter: Chapter) -> bool {
    chapter.title.starts_with(CLARIFICATIONS)
}

/// Returns the paragraphs for players, each with the chapter in which it stands. Clarifications that only paragraphs
/// for implementers cite are for implementers too.
pub(super) fn edition(prefix: &str, paragraphs: &mut [Rule]) -> Vec<(Chapter, Rule)> {
    let points =
        |rule: &Rule| -> Vec<String> { cited(rule.text, prefix).map(str::to_owned).collect() };
    let is_clarification = |rule: &Rule| clarifies(rule.chapter) && !rule.id.is_empty();
    let pointed = |by_players: bool| -> BTreeSet<String> {
        let of_game = paragraphs.iter().filter(|rule| describes(rule.chapter));
        of_game
            .filter(|rule| rule.for_players == by_players)
            .flat_map(points)
            .collect()
    };
    let (players, implementers) = (pointed(true), pointed(false));
    for rule in paragraphs.iter_mut().filter(|rule| is_clarification(rule)) {
        rule.for_players &= players.contains(&rule.id) || !implementers.contains(&rule.id);
    }
    let (mut rest, implementers_rules): (Vec<&Rule>, Vec<&Rule>) = paragraphs
        .iter()
        .filter(|rule| rule.for_players)
        .partition(|rule| clarifies(rule.chapter));
    let mut edition = Vec::new();
    for rule in implementers_rules {
        edition.push((rule.chapter, rule.clone()));
        for id in points(rule) {
            if let Some(index) = rest.iter().position(|it| it.id == id) {
                edition.push((rule.chapter, rest.remove(index).clone()));
            }
        }
    }
    // Without the remaining clarifications their heading would stand alone.
    if rest.iter().any(|rule| !rule.id.is_empty()) {
        edition.extend(rest.into_iter().map(|rule| (rule.chapter, rule.clone())));
    }
    edition
}
