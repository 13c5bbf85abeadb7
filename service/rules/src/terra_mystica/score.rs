//! The ranking (TM-8.5).

use super::stage::Stage;
use super::state::State;
use crate::table::{Ranking, ScoreItem, sources};

sources! {
    /// A source of points in the final scoring (TM-8.1).
    Source {
        /// The points gained during the game (TM-8.6).
        Before "before_final_scoring" "Before final scoring",
        /// The ranks on the track (TM-8.2).
        Fire "fire" "Fire track",
        /// The ranks on the track (TM-8.2).
        Water "water" "Water track",
        /// The ranks on the track (TM-8.2).
        Earth "earth" "Earth track",
        /// The ranks on the track (TM-8.2).
        Air "air" "Air track",
        /// The largest connected area (TM-8.3).
        Area "area" "Area",
        /// The goods that are left (TM-8.4).
        Resources "resources" "Resources",
    }
}

/// The ranking, once the game is over.
///
/// # Rule TM-8.5
/// Ties stay ties.
pub fn ranking(state: &State) -> Option<Ranking> {
    (state.stage == Stage::Over)
        .then(|| scores(state))
        .flatten()
}

/// The ranking if the game ended now. Returns `None` until all players have a faction, since nobody has points before.
pub fn scores(state: &State) -> Option<Ranking> {
    let is_counted = state.stage == Stage::Over;
    let ranking = Ranking::of(state.players.seats().map(|seat| {
        let finale = state.finale(seat);
        let [fire, water, earth, air] = finale.cults;
        let last: u16 = finale.cults.iter().sum::<u16>() + finale.area + finale.resources;
        let counted = if is_counted { last } else { 0 };
        let items = [
            (Source::Before, state.players[seat].vp - counted),
            (Source::Fire, fire),
            (Source::Water, water),
            (Source::Earth, earth),
            (Source::Air, air),
            (Source::Area, finale.area),
            (Source::Resources, finale.resources),
        ];
        let breakdown = items.map(|(source, vp)| ScoreItem {
            source,
            points: i32::from(vp),
        });
        (seat, breakdown.to_vec(), Vec::new())
    }));
    (!ranking.standings.is_empty()).then_some(ranking)
}
