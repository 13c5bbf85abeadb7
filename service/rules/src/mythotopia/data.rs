//! The printed figures of board and cards (MYT-3). The only place to correct a figure.

pub mod borders;
pub mod card;
pub mod draws;
pub mod figures;
pub mod layout;
pub mod map;
pub mod pieces;
pub mod points;
pub mod set;
pub mod symbol;
pub mod texts;

pub use borders::by_number;
pub use borders::{Border, BorderKind, BorderRow, BorderSet};
pub use card::{Called, card_names, grouped};
pub use card::{
    Card, CardKind, CardSet, Color, Converter, ConverterSet, Improvement, ImprovementSet, Start,
};
pub use draws::draw_label;
pub use figures::*;
pub use layout::MapLayout;
pub use map::{Island, Province, ProvinceRow, ProvinceSet, Sea, SeaSet};
pub use pieces::{PRICES, Piece, PriceRow, Supply};
pub use points::{PointCard, PointCardSet, Slot, Stack};
pub use set::{Bits, Numbered};
pub use symbol::{Symbol, Symbols};
pub use texts::Ability;
