//! The cards that do more than their bonuses, one by one (DOM-7).

pub(in crate::dominion) mod adventurer;
pub(in crate::dominion) mod bureaucrat;
pub(in crate::dominion) mod cellar;
pub(in crate::dominion) mod chancellor;
pub(in crate::dominion) mod chapel;
pub(in crate::dominion) mod council_room;
pub(in crate::dominion) mod feast;
pub(in crate::dominion) mod library;
pub(in crate::dominion) mod militia;
pub(in crate::dominion) mod mine;
pub(in crate::dominion) mod moneylender;
pub(in crate::dominion) mod remodel;
pub(in crate::dominion) mod spy;
pub(in crate::dominion) mod thief;
pub(in crate::dominion) mod throne_room;
pub(in crate::dominion) mod witch;
pub(in crate::dominion) mod workshop;
