//! The result of a game in one sentence.

use std::fmt::Display;

use super::names::Names;
use super::ranking::{Ranking, ScoreItem, Standing};
use super::words::{Count, JoinAnd};

/// The prefix of a tie break in which less is better: its points are negative.
const FEWER: &str = "fewer_";

impl Ranking {
    /// Returns one sentence: `Ann wins with 30 points, ahead of Ben with 20 points.` The `unit` is that of the
    /// [`RulesetInfo`](crate::ruleset::RulesetInfo), such as `point`. Names the tie break by which equal scores were ranked, and
    /// the players who had left; mentions no points if nothing was scored.
    #[must_use]
    pub fn outcome(&self, names: Names<'_>, unit: &'static str) -> String {
        let stayed: Vec<&Standing> = self.standings.iter().filter(|one| !one.left).collect();
        let left: Vec<_> = (self.standings.iter())
            .filter(|one| one.left)
            .map(|one| names.of(one.seat))
            .collect();
        let best = stayed.first().map_or(1, |first| first.rank);
        let (winners, others): (Vec<&Standing>, Vec<&Standing>) =
            stayed.iter().partition(|one| one.rank == best);
        let mut sentence = winners_text(&winners, names, unit);
        if !others.is_empty() {
            let others = others.iter().map(|other| {
                let tie = tie_break(&stayed, other);
                format!("{}{}{tie}", names.of(other.seat), score(other, unit))
            });
            let others: Vec<String> = others.collect();
            sentence += &format!(", ahead of {}", JoinAnd(&others));
        }
        if !left.is_empty() {
            let joint = if sentence.is_empty() { "" } else { "; " };
            sentence += &format!("{joint}{} left the game", JoinAnd(&left));
        }
        capitalized(&sentence) + "."
    }
}

/// Returns the winners in words: `Ann wins with 30 points`, `Ann and Ben win with 30 points each`.
fn winners_text(winners: &[&Standing], names: Names<'_>, unit: &'static str) -> String {
    let who: Vec<_> = winners.iter().map(|one| names.of(one.seat)).collect();
    match winners {
        [] => String::new(),
        [winner] => format!("{} wins{}", JoinAnd(&who), score(winner, unit)),
        [first, ..] => {
            let score = score(first, unit);
            let each = if score.is_empty() { "" } else { " each" };
            format!("{} win{score}{each}", JoinAnd(&who))
        }
    }
}

/// Returns the score in words, ` with 30 points`; empty if nothing was scored.
fn score(standing: &Standing, unit: &'static str) -> String {
    if standing.breakdown.is_empty() {
        return String::new();
    }
    format!(" with {}", Count(standing.score, unit))
}

/// Returns the tie break in words, ` (tie broken by more goods: 3 to 2)`, if the next better seat has the same score.
fn tie_break(stayed: &[&Standing], standing: &Standing) -> String {
    let better = stayed.iter().rfind(|other| other.rank < standing.rank);
    let tied = better.filter(|better| better.score == standing.score);
    let items = |better: &Standing| {
        let pairs = better.tie_breaks.iter().zip(&standing.tie_breaks);
        let pairs = pairs.map(|(&better, &worse)| (better, worse));
        pairs
            .into_iter()
            .find(|(better, worse)| better.points != worse.points)
    };
    tied.and_then(|better| items(better))
        .map_or_else(String::new, |(better, worse)| tie_text(better, worse))
}

fn tie_text(better: ScoreItem, worse: ScoreItem) -> String {
    let what = uncapitalized(better.source.title);
    let more = if better.source.id.starts_with(FEWER) {
        ""
    } else {
        "more "
    };
    let (better, worse) = (better.points.unsigned_abs(), worse.points.unsigned_abs());
    format!(" (tie broken by {more}{what}: {better} to {worse})")
}

/// Returns a title for use within a sentence, without its capital.
fn uncapitalized(title: &str) -> String {
    let mut letters = title.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

fn capitalized(sentence: impl Display) -> String {
    let sentence = sentence.to_string();
    let mut letters = sentence.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
