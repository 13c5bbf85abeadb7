//! The cards that do more than their bonuses, one by one (DOM-7).

pub mod adventurer;
pub mod bureaucrat;
pub mod cellar;
pub mod chancellor;
pub mod chapel;
pub mod council_room;
pub mod feast;
pub mod library;
pub mod militia;
pub mod mine;
pub mod moneylender;
pub mod remodel;
pub mod spy;
pub mod thief;
pub mod throne_room;
pub mod witch;
pub mod workshop;
