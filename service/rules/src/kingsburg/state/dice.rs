//! The dice of one player in one season.

use serde::{Deserialize, Serialize};

use crate::kingsburg::data::{DiceSet, DieId};

/// The face and the place of each die. Every rolled die is in exactly one place (KIN-INV-4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    /// The face of each die; 0 for a die that was not rolled.
    faces: [u8; DieId::COUNT],
    /// Dice in groups on the court.
    pub placed: DiceSet,
    /// Dice set aside for the season.
    pub set_aside: DiceSet,
}

impl Dice {
    /// Sets the face of a die that was just rolled.
    pub fn show(&mut self, die: DieId, face: u8) {
        self.faces[usize::from(die.number())] = face;
    }

    /// The face of a die; 0 if it was not rolled.
    pub const fn face(&self, die: DieId) -> u8 {
        self.faces[die.number() as usize]
    }

    /// All dice of this season.
    pub fn rolled(&self) -> DiceSet {
        DieId::ALL
            .into_iter()
            .filter(|&die| self.face(die) > 0)
            .collect()
    }

    /// The dice that may still be placed.
    pub fn pool(&self) -> DiceSet {
        self.rolled() - self.placed - self.set_aside
    }

    /// The sum of the faces of these dice.
    pub fn sum(&self, dice: DiceSet) -> u8 {
        dice.iter().map(|die| self.face(die)).sum()
    }

    /// The total that decides the turn order: all dice, white ones included (KIN-6.35).
    pub fn total(&self) -> u8 {
        self.faces.iter().sum()
    }

    /// Returns whether all dice show the same face (KIN-6.33). Returns false without dice.
    pub fn all_equal(&self) -> bool {
        let mut rolled = self.faces.iter().filter(|&&face| face > 0);
        rolled
            .next()
            .is_some_and(|first| rolled.all(|face| face == first))
    }
}
