//! What is printed on board and cards (MYT-3). The only place to correct a figure.

mod borders;
mod card;
mod draws;
mod figures;
mod layout;
mod map;
mod pieces;
mod points;
mod set;
mod symbol;
mod texts;

pub(crate) use borders::by_number;
pub use borders::{Border, BorderKind, BorderRow, BorderSet};
pub(crate) use card::{Called, card_names, grouped};
pub use card::{
    Card, CardKind, CardSet, Color, Converter, ConverterSet, Improvement, ImprovementSet, Start,
};
pub(crate) use draws::draw_label;
pub use figures::*;
pub use layout::MAP_SIZE;
pub use map::{Island, Province, ProvinceRow, ProvinceSet, Sea, SeaSet};
pub use pieces::{PRICES, Piece, PriceRow, Supply};
pub use points::{PointCard, PointCardSet, Slot, Stack};
pub use set::{Bits, Numbered};
pub use symbol::{Symbol, Symbols};
pub use texts::Ability;
