//! The scores (KIN-8.3).

use super::state::{PointSource, State};
use crate::table::{self, Score, ScoreItem, Term};

/// A category of a result.
#[derive(Clone, Copy)]
pub enum Source {
    /// Victory points that were gained or lost.
    Points(PointSource),
    /// The victory points of standing buildings; among tie breaks their number.
    Buildings,
    /// The goods left, as a tie break.
    Goods,
}

impl table::Source for Source {
    fn all() -> impl Iterator<Item = Self> {
        let points = PointSource::ALL.into_iter().map(Self::Points);
        points.chain([Self::Buildings, Self::Goods])
    }

    fn term(self) -> Term {
        let (id, title, doc) = match self {
            Self::Points(source) => (source.id(), source.name(), "KIN-8.5"),
            Self::Buildings => ("buildings", "Buildings", "KIN-8.5, KIN-8.3"),
            Self::Goods => ("goods", "Goods", "KIN-8.3"),
        };
        Term { id, title, doc }
    }
}

/// The scores if the game ended now.
///
/// # Rule KIN-8.3
/// More points, then more goods, then more buildings; otherwise a shared rank.
pub fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
    let item = |source, points| ScoreItem { source, points };
    state.players.entries().map(move |(seat, player)| {
        let counted = PointSource::ALL
            .map(|source| item(Source::Points(source), player.points(source).into()));
        let standing = item(Source::Buildings, player.province.vp().into());
        let breakdown = counted.into_iter().chain([standing]).collect();
        let tie_breaks = vec![
            item(Source::Goods, player.goods.total().into()),
            item(Source::Buildings, player.province.count().into()),
        ];
        (seat, breakdown, tie_breaks)
    })
}
