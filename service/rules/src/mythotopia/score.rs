//! The scores (MYT-8.3).

use super::state::State;
use crate::table::{Score, ScoreItem, sources};

sources! {
    /// A source of points (MYT-8.1).
    Source {
        /// 3 for each province (MYT-8.1).
        Provinces "provinces" "Provinces",
        /// The values of the tokens (MYT-8.1).
        Tokens "tokens" "Tokens",
        /// The points that lift a player to the minimum (MYT-8.1).
        Floor "floor" "Up to the minimum",
    }
}

/// The scores if the game ended now.
///
/// # Rule MYT-8.3, 14.18
/// By victory points. The winner leads strictly, the others may share ranks.
pub fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
    state.players.seats().map(|seat| {
        let (provinces, tokens) = (state.province_points(seat), state.token_points(seat));
        let item = |source, points: u8| ScoreItem {
            source,
            points: i32::from(points),
        };
        let lift = state.points(seat) - provinces - tokens;
        let breakdown = vec![
            item(Source::Provinces, provinces),
            item(Source::Tokens, tokens),
            item(Source::Floor, lift),
        ];
        (seat, breakdown, Vec::new())
    })
}
