//! The printed figures of the board, the province boards and the cards (KIN-3).

pub mod advisor;
pub mod building;
pub mod calendar;
pub mod dice;
pub mod draws;
pub mod enemy;
pub mod goods;

pub use advisor::{Advisor, Choice, Help};
pub use building::{Building, COLUMNS, ROWS};
pub use calendar::{Phase, Step, YEARS};
pub use dice::{DiceSet, DieId};
pub use dice::{counted, plus2_tokens};
pub use draws::draw_label;
pub use enemy::{Enemy, EnemyCard, EnemyKind, EnemyYear, Loss, Reward};
pub use goods::{Color, Good, Goods};

/// The fewest players (KIN-5.1).
pub const MIN_PLAYERS: u8 = 2;
/// The most players (KIN-5.1).
pub const MAX_PLAYERS: u8 = 5;
/// Own dice of a player, in their color (KIN-6.30).
pub const OWN_DICE: usize = 3;
/// Faces of every die.
pub const DIE_FACES: u8 = 6;
/// The number that one +2 token adds to the total of a placement (KIN-7.31).
pub const PLUS2_VALUE: u8 = 2;
/// Goods for one soldier, without the Barracks (KIN-6.90).
pub const SOLDIER_PRICE: u8 = 2;
/// Goods for one soldier, with the Barracks (KIN-7.11).
pub const SOLDIER_PRICE_WITH_BARRACKS: u8 = 1;
