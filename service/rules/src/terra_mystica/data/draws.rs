//! How draws of the set-up are recorded: everything counts from 1 (TM-14.8).

use super::cards::{BonusCard, ScoringTile};
use super::terrain::Terrain;
use crate::table::{DrawValue, Id};

/// SCORE4 is 4.
impl DrawValue for ScoringTile {
    fn draw_value(self) -> u16 {
        self as u16 + 1
    }
}

/// BON10 is 10.
impl DrawValue for BonusCard {
    fn draw_value(self) -> u16 {
        self as u16 + 1
    }
}

/// Terrains are in the order of the cycle.
impl DrawValue for Terrain {
    fn draw_value(self) -> u16 {
        self as u16 + 1
    }
}

/// What a value of a draw means: the id of the data file, or the number itself.
pub fn draw_label(draw: &str, value: u16) -> String {
    fn id<T: Id>(value: u16) -> Option<&'static str> {
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
