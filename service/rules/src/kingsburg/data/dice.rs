//! The dice of one player: 0, 1 and 2 are his own, 3 and 4 are white (KIN-6.30).

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the dice that a player may roll in a season.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DieId {
    /// Die 0, in the player's colour.
    Own0,
    /// Die 1, in the player's colour.
    Own1,
    /// Die 2, in the player's colour.
    Own2,
    /// Die 3, white: the Aid from the King.
    KingsAid,
    /// Die 4, white: the Farms.
    Farms,
}

impl DieId {
    /// The number of dice that one player can have.
    pub const COUNT: usize = 5;

    /// All dice of a player.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Own0,
        Self::Own1,
        Self::Own2,
        Self::KingsAid,
        Self::Farms,
    ];

    /// The die with this number, if a player can have it.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        let index = usize::try_from(number).ok()?;
        Self::ALL.get(index).copied()
    }

    /// The number, 0 to 4.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Is it a white die? Those are placed only together with an own die (KIN-7.30).
    #[must_use]
    pub const fn is_white(self) -> bool {
        match self {
            Self::Own0 | Self::Own1 | Self::Own2 => false,
            Self::KingsAid | Self::Farms => true,
        }
    }
}

/// Some of the dice of one player.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DiceSet(u8);

impl DiceSet {
    /// No die.
    pub const EMPTY: Self = Self(0);
    /// The three dice in the player's colour.
    pub const OWN: Self = Self(0b0_0111);

    /// All sets of dice, in the order in which placements are listed: of two sets the one whose
    /// highest differing die is missing comes first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..1 << DieId::COUNT).map(Self)
    }

    /// The set with only this die.
    #[must_use]
    pub const fn only(die: DieId) -> Self {
        Self(1 << die.number())
    }

    /// Is this die in the set?
    #[must_use]
    pub const fn contains(self, die: DieId) -> bool {
        self.0 & Self::only(die).0 != 0
    }

    /// All dice of both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The dice that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The dice that are in both sets.
    #[must_use]
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Are all of these dice in the other set?
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Is there no die?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of dice.
    #[must_use]
    pub fn count(self) -> u8 {
        self.dice().fold(0, |count, _| count + 1)
    }

    /// The dice, in ascending order.
    pub fn dice(self) -> impl Iterator<Item = DieId> {
        DieId::ALL
            .into_iter()
            .filter(move |&die| self.contains(die))
    }

    /// The die with the lowest number.
    #[must_use]
    pub fn first(self) -> Option<DieId> {
        self.dice().next()
    }
}

impl FromIterator<DieId> for DiceSet {
    fn from_iter<I: IntoIterator<Item = DieId>>(dice: I) -> Self {
        dice.into_iter()
            .fold(Self::EMPTY, |set, die| set.with(Self::only(die)))
    }
}

impl fmt::Debug for DiceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.dice().map(DieId::number))
            .finish()
    }
}

/// `1 die`, `2 dice`.
pub(in crate::kingsburg) fn counted(dice: u8) -> String {
    match dice {
        1 => String::from("1 die"),
        _ => format!("{dice} dice"),
    }
}
