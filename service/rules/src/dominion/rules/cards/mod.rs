//! The cards that do more than their bonuses, one by one (DOM-7).

pub(crate) mod adventurer;
pub(crate) mod bureaucrat;
pub(crate) mod cellar;
pub(crate) mod chancellor;
pub(crate) mod chapel;
pub(crate) mod council_room;
pub(crate) mod feast;
pub(crate) mod library;
pub(crate) mod militia;
pub(crate) mod mine;
pub(crate) mod moneylender;
pub(crate) mod remodel;
pub(crate) mod spy;
pub(crate) mod thief;
pub(crate) mod throne_room;
pub(crate) mod witch;
pub(crate) mod workshop;
