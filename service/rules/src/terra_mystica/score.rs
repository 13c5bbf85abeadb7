//! The scores (TM-8.5).

use super::state::State;
use crate::table::{Score, ScoreItem, sources};

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

/// The scores if the game ended now. There are none until all players have a faction, since nobody has points before.
///
/// # Rule TM-8.5
/// Ties stay ties.
pub fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
    let is_counted = state.is_over();
    state.players.seats().map(move |seat| {
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
    })
}
