//! Records of the draws of the set-up: all values count from 1 (TM-14.8).

use super::cards::{BonusCard, ScoringTile};
use super::terrain::Terrain;
use crate::table::{ClosedSet, DrawValue};

/// Records a scoring tile by the number of its name: SCORE4 is 4.
impl DrawValue for ScoringTile {
    fn draw_value(self) -> u16 {
        self as u16 + 1
    }
}

/// Records a bonus card by the number of its name: BON10 is 10.
impl DrawValue for BonusCard {
    fn draw_value(self) -> u16 {
        self as u16 + 1
    }
}

/// Records a terrain by its number in the order of the cycle.
impl DrawValue for Terrain {
    fn draw_value(self) -> u16 {
        self as u16 + 1
    }
}

/// Returns the label of a drawn value: the id of the data file, or the number itself.
pub fn draw_label(draw: &str, value: u16) -> String {
    fn id<T: ClosedSet>(value: u16) -> Option<&'static str> {
        T::nth(usize::from(value).checked_sub(1)?).map(T::id)
    }
    let id = match draw {
        "scoring_tiles" => id::<ScoringTile>(value),
        "bonus_cards" => id::<BonusCard>(value),
        "colors" => id::<Terrain>(value),
        _ => None,
    };
    id.map_or_else(|| value.to_string(), String::from)
}
