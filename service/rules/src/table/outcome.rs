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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Seat, sources};

    sources! {
        Count {
            Points "points" "Points",
            Goods "goods" "Goods",
            Buildings "buildings" "Buildings",
            FewerTurns "fewer_turns" "Fewer turns",
        }
    }

    const NAMES: [&str; 4] = ["Ann", "Ben", "Cy", "Dora"];

    fn item(source: Count, points: i32) -> ScoreItem<Count> {
        ScoreItem { source, points }
    }

    fn ranking(rows: &[(i32, &[ScoreItem<Count>])]) -> Ranking {
        let rows = rows.iter().enumerate();
        Ranking::of(rows.map(|(index, (points, ties))| {
            let breakdown = vec![item(Count::Points, *points)];
            (Seat::at(index), breakdown, ties.to_vec())
        }))
    }

    fn outcome(ranking: &Ranking) -> String {
        let names = NAMES.map(String::from);
        ranking.outcome(Names::new(&names), "point")
    }

    #[test]
    fn winners_come_first() {
        assert_eq!(
            outcome(&ranking(&[(20, &[]), (30, &[])])),
            "Ben wins with 30 points, ahead of Ann with 20 points."
        );
        assert_eq!(
            outcome(&ranking(&[(1, &[]), (3, &[]), (-1, &[])])),
            "Ben wins with 3 points, ahead of Ann with 1 point and Cy with -1 points."
        );
        let anonymous = ranking(&[(1, &[]), (0, &[])]).outcome(Names::NONE, "victory point");
        assert_eq!(
            anonymous,
            "Seat 1 wins with 1 victory point, ahead of seat 2 with 0 victory points."
        );
    }

    #[test]
    fn the_fewest_points_win_with_their_sign() {
        let scores = [17, 9, 53].into_iter().enumerate();
        let scores = scores.map(|(index, points)| {
            let breakdown = vec![item(Count::Points, points)];
            (Seat::at(index), breakdown, Vec::new())
        });
        assert_eq!(
            outcome(&Ranking::fewest_first(scores)),
            "Ben wins with 9 points, ahead of Ann with 17 points and Cy with 53 points."
        );
    }

    #[test]
    fn equal_players_win_together() {
        assert_eq!(
            outcome(&ranking(&[(30, &[]), (30, &[]), (9, &[])])),
            "Ann and Ben win with 30 points each, ahead of Cy with 9 points."
        );
        assert_eq!(
            outcome(&ranking(&[(30, &[]), (30, &[])])),
            "Ann and Ben win with 30 points each."
        );
    }

    #[test]
    fn a_tie_break_is_named_where_it_decided() {
        let goods =
            |goods, buildings| [item(Count::Goods, goods), item(Count::Buildings, buildings)];
        assert_eq!(
            outcome(&ranking(&[
                (30, &goods(3, 1)),
                (30, &goods(2, 9)),
                (30, &goods(2, 8)),
                (29, &goods(9, 9)),
            ])),
            "Ann wins with 30 points, ahead of Ben with 30 points (tie broken by more goods: 3 to 2), \
             Cy with 30 points (tie broken by more buildings: 9 to 8) and Dora with 29 points."
        );
        assert_eq!(
            outcome(&ranking(&[
                (7, &[item(Count::FewerTurns, -13)]),
                (7, &[item(Count::FewerTurns, -12)])
            ])),
            "Ben wins with 7 points, ahead of Ann with 7 points (tie broken by fewer turns: 12 to 13)."
        );
    }

    #[test]
    fn no_points_are_claimed_where_none_were_counted() {
        let mut ranking = ranking(&[(20, &[]), (30, &[]), (5, &[])]);
        for (standing, rank) in ranking.standings.iter_mut().zip(1..) {
            standing.rank = rank;
            standing.left = standing.seat != Seat::at(1);
        }
        assert_eq!(
            outcome(&ranking),
            "Ben wins with 30 points; Ann and Cy left the game."
        );
        for standing in &mut ranking.standings {
            standing.breakdown.clear();
        }
        assert_eq!(outcome(&ranking), "Ben wins; Ann and Cy left the game.");
        for standing in &mut ranking.standings {
            standing.left = true;
        }
        assert_eq!(outcome(&ranking), "Ben, Ann and Cy left the game.");
    }
}
