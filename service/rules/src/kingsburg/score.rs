//! The ranking (KIN-8.3).

use super::stage::Stage;
use super::state::{PointSource, State};
use crate::table::{Ranking, ScoreItem};

/// The ranking, once the game is over.
///
/// # Rule KIN-8.3
/// More points, then more goods, then more buildings; otherwise a shared rank.
pub(crate) fn ranking(state: &State) -> Option<Ranking> {
    (state.stage == Stage::Over).then(|| scores(state))
}

/// The ranking if the game ended now.
pub(crate) fn scores(state: &State) -> Ranking {
    let item = |source, points| ScoreItem { source, points };
    let scores = state.players.entries().map(|(seat, player)| {
        let counted =
            PointSource::ALL.map(|source| item(source.id(), player.points(source).into()));
        let standing = item("buildings", player.province.vp().into());
        let breakdown = counted.into_iter().chain([standing]).collect();
        let tie_breaks = vec![
            item("goods", player.goods.total().into()),
            item("buildings", player.province.count().into()),
        ];
        (seat, breakdown, tie_breaks)
    });
    Ranking::of(scores)
}
