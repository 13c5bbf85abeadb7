//! The printed figures of board, tiles and player aid (CAY-3).

pub mod board;
pub mod draws;
pub mod favors;
pub mod goods;
pub mod tiles;
pub mod words;

pub use board::{Section, SectionSheet, Space, Special};
pub use favors::{Column, FavorLine, MAX_MARKER};
pub use goods::{Cubes, Goods, Resource};
pub use tiles::{Effect, Kind, NEUTRAL_TILES, Tile, TileSheet, Trade};

pub use board::{
    BAILIFF_START, BASE_INCOME, CASTLE_PENALTY, FAVOR_TRANSFORM_PRICE, FIRST_PASS_DENIERS,
    FIXED_BUILDINGS, JOUST_PRICE, LAWYER_PRICE, MAX_PLAYERS, MIN_PLAYERS, OWNER_VP,
    PROVOST_MOST_SPACES, SIMPLIFIED_FAVOR_VP, SPACES, STABLES_PLACES, TRADING_POST_DENIERS,
    WORKERS, placement_price, start_deniers,
};
pub use draws::draw_label;
pub use favors::columns_available;
