//! The result of a game: ranks, scores and their breakdowns.

use std::cmp::Reverse;

use super::seat::Seat;
use super::term::Term;

/// A source of points, or a tie break: a closed set of each ruleset.
pub trait Source: Copy {
    /// Yields all sources, in the order of results.
    fn all() -> impl Iterator<Item = Self>;

    /// Returns its id, as the rule document names it, and its title. The id begins with `fewer_` if less is better.
    fn term(self) -> Term;
}

/// Defines an enum that is a [`Source`]: a row has the variant, the id and the title; its documentation cites the rules.
#[doc(hidden)]
#[macro_export]
macro_rules! sources {
    ($(#[$meta:meta])* $source:ident {
        $($(#[doc = $doc:literal])* $variant:ident $id:literal $title:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        #[allow(unreachable_pub, reason = "the same for all sources")]
        pub enum $source {
            $($(#[doc = $doc])* $variant,)+
        }

        impl $crate::table::Source for $source {
            fn all() -> impl Iterator<Item = Self> {
                [$(Self::$variant),+].into_iter()
            }

            fn term(self) -> $crate::table::Term {
                match self {
                    $(Self::$variant => $crate::table::Term {
                        id: $id,
                        title: $title,
                        doc: concat!($($doc),*),
                    },)+
                }
            }
        }
    };
}
pub use sources;

/// Points from one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreItem<S = Term> {
    /// The source of the points.
    pub source: S,
    /// The number of points. May be negative.
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
    /// Whether the player left before the end. Seats that left come last, regardless of their scores.
    pub left: bool,
}

/// The result of a game, best rank first; equal ranks in seat order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// One result for each seat.
    pub standings: Vec<Standing>,
}

/// The breakdown of one seat's score and its tie breaks, before ranks are known.
pub type Score<S> = (Seat, Vec<ScoreItem<S>>, Vec<ScoreItem<S>>);

/// Replaces the sources of items by their titles.
fn titled<S: Source>(items: Vec<ScoreItem<S>>) -> Vec<ScoreItem> {
    let item = |item: ScoreItem<S>| ScoreItem {
        source: item.source.term(),
        points: item.points,
    };
    items.into_iter().map(item).collect()
}

impl Ranking {
    /// Ranks scores: more points first, then each tie break in turn, more first.
    #[must_use]
    pub fn of<S: Source>(scores: impl IntoIterator<Item = Score<S>>) -> Self {
        Self::by_merit(scores, |score| score)
    }

    /// Ranks scores where the fewest points win: fewer points first, then each tie break in turn, more first.
    #[must_use]
    pub fn fewest_first<S: Source>(scores: impl IntoIterator<Item = Score<S>>) -> Self {
        Self::by_merit(scores, i32::saturating_neg)
    }

    fn by_merit<S: Source>(
        scores: impl IntoIterator<Item = Score<S>>,
        merit: impl Fn(i32) -> i32,
    ) -> Self {
        let key = |standing: &Standing| {
            let tie_breaks = standing.tie_breaks.iter().map(|item| item.points);
            (merit(standing.score), tie_breaks.collect::<Vec<_>>())
        };
        let mut standings: Vec<Standing> = scores
            .into_iter()
            .map(|(seat, breakdown, tie_breaks)| Standing {
                seat,
                rank: 0,
                score: breakdown.iter().map(|item| item.points).sum(),
                breakdown: titled(breakdown),
                tie_breaks: titled(tie_breaks),
                left: false,
            })
            .collect();
        standings.sort_by_key(|standing| (Reverse(key(standing)), standing.seat));
        for index in 0..standings.len() {
            let is_shared = index > 0 && key(&standings[index]) == key(&standings[index - 1]);
            standings[index].rank = if is_shared {
                standings[index - 1].rank
            } else {
                u8::try_from(index + 1).unwrap_or(u8::MAX)
            };
        }
        Self { standings }
    }

    /// Yields the seats of rank 1.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        self.standings
            .iter()
            .filter(|standing| standing.rank == 1)
            .map(|standing| standing.seat)
    }
}
