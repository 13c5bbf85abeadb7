//! The result of a game: ranks, scores and their breakdowns.

use std::cmp::Reverse;

use super::seat::Seat;

/// Points from one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreItem {
    /// The source of the points, in lower snake case, as the rule document names it.
    pub source: &'static str,
    /// How many points. May be negative.
    pub points: i32,
}

/// The result of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The seat.
    pub seat: Seat,
    /// The rank, from 1. Equal results share a rank and the next ranks are skipped: 1, 1, 3.
    pub rank: u8,
    /// The score: the sum of the breakdown.
    pub score: i32,
    /// The score by source.
    pub breakdown: Vec<ScoreItem>,
    /// The tie breaks among equal scores, in the order of the rule document; more is better.
    pub tie_breaks: Vec<ScoreItem>,
    /// Did the player leave before the end? Seats that left come last, whatever they scored.
    pub left: bool,
}

/// The result of a game, best rank first; equal ranks in seat order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// One result for each seat.
    pub standings: Vec<Standing>,
}

/// The breakdown of one seat's score and its tie breaks, before ranks are known.
pub type Score = (Seat, Vec<ScoreItem>, Vec<ScoreItem>);

impl Ranking {
    /// Ranks scores: more points first, then each tie break in turn, more first.
    #[must_use]
    pub fn of(scores: impl IntoIterator<Item = Score>) -> Self {
        let mut standings: Vec<Standing> = scores
            .into_iter()
            .map(|(seat, breakdown, tie_breaks)| Standing {
                seat,
                rank: 0,
                score: breakdown.iter().map(|item| item.points).sum(),
                breakdown,
                tie_breaks,
                left: false,
            })
            .collect();
        standings.sort_by_key(|standing| (Reverse(key(standing)), standing.seat));
        for place in 0..standings.len() {
            let shared = place > 0 && key(&standings[place]) == key(&standings[place - 1]);
            standings[place].rank = if shared {
                standings[place - 1].rank
            } else {
                u8::try_from(place + 1).unwrap_or(u8::MAX)
            };
        }
        Self { standings }
    }

    /// The seats of rank 1.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        self.standings
            .iter()
            .filter(|standing| standing.rank == 1)
            .map(|standing| standing.seat)
    }
}

fn key(standing: &Standing) -> (i32, Vec<i32>) {
    (
        standing.score,
        standing.tie_breaks.iter().map(|item| item.points).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(rows: &[(i32, i32)]) -> Vec<(u8, u8)> {
        let item = |source, points| ScoreItem { source, points };
        let scores = rows.iter().enumerate().map(|(index, &(points, turns))| {
            (
                Seat::at(index),
                vec![item("points", points)],
                vec![item("fewer_turns", -turns)],
            )
        });
        Ranking::of(scores)
            .standings
            .iter()
            .map(|s| (s.seat.number(), s.rank))
            .collect()
    }

    #[test]
    fn equal_results_share_a_rank_and_the_next_is_skipped() {
        assert_eq!(
            ranks(&[(31, 10), (20, 9), (31, 10)]),
            [(1, 1), (3, 1), (2, 3)]
        );
    }

    #[test]
    fn tie_breaks_decide_among_equal_scores() {
        assert_eq!(ranks(&[(30, 12), (30, 11)]), [(2, 1), (1, 2)]);
    }
}
