//! Records of the draws of the set-up: all values count from 1 (TM-14.8).

use super::cards::{BonusCard, ScoringTile};
use super::terrain::Terrain;
use crate::table::{drawn, drawn_label};

// SCORE4 is 4, BON10 is 10; terrains in the order of the cycle.
drawn! { ScoringTile, BonusCard, Terrain from 1 }

/// Returns the label of a drawn value: the id of the data file, unless it is a number.
pub fn draw_label(draw: &str, value: u16) -> Option<&'static str> {
    match draw {
        "scoring_tiles" => drawn_label::<ScoringTile>(value),
        "bonus_cards" => drawn_label::<BonusCard>(value),
        "colors" => drawn_label::<Terrain>(value),
        _ => None,
    }
}
