//! The printed figures of the cards and of the rulebook (DOM-3).

pub mod card;
pub mod draws;
pub mod kingdom;
pub mod sheets;
pub mod words;

pub use card::{Card, CardType, Group, Pile};
pub use draws::draw_label;
pub use kingdom::KingdomSet;
pub use sheets::{CardSheet, Plus};
pub use words::{List, grouped};

/// The fewest players (DOM-5.1).
pub const MIN_PLAYERS: u8 = 2;

/// The most players (DOM-5.1).
pub const MAX_PLAYERS: u8 = 4;

/// Cards in a hand at the start of a turn (DOM-5.7, DOM-6.15).
pub const HAND_SIZE: u8 = 5;

/// Cards of every starting deck (DOM-5.7).
pub const STARTING_DECK: [(Card, u8); 2] = [(Card::Copper, 7), (Card::Estate, 3)];

/// Kingdom kinds of a game (DOM-5.2).
pub const KINGDOM_SIZE: usize = 10;

/// Supply piles of a game: 7 basic ones and the kingdom (DOM-5.7).
pub const PILES: usize = 17;

/// The number of empty Supply piles that ends the game (DOM-8.1).
pub const EMPTY_PILES_TO_END: usize = 3;

/// Library draws up to this many cards in hand (DOM-7.11).
pub const LIBRARY_HAND: u16 = 7;

/// Militia leaves this many cards in hand (DOM-7.13).
pub const MILITIA_HAND: u16 = 3;

/// Chapel trashes at most this many cards (DOM-7.5).
pub const CHAPEL_CARDS: u16 = 4;

/// Coins that Moneylender gives for a Copper (DOM-7.16).
pub const MONEYLENDER_COINS: u16 = 3;
