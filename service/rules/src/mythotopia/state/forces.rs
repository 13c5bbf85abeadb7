//! Tokens of one player in provinces: few in a few places, so they are stored as a short list.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::mythotopia::data::{Province, ProvinceSet};

/// The number of tokens by province: at most `MAX` tokens, in ascending order of provinces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forces<const MAX: usize>(ArrayVec<(Province, u8), MAX>);

impl<const MAX: usize> Forces<MAX> {
    /// The tokens in a province.
    pub fn at(&self, province: Province) -> u8 {
        self.0
            .iter()
            .find(|entry| entry.0 == province)
            .map_or(0, |entry| entry.1)
    }

    /// Puts tokens into a province.
    pub fn add(&mut self, province: Province, tokens: u8) {
        self.set(province, self.at(province) + tokens);
    }

    /// Takes tokens out of a province: as many as requested, if there are that many.
    pub fn take(&mut self, province: Province, tokens: u8) {
        self.set(province, self.at(province).saturating_sub(tokens));
    }

    /// Takes all tokens out of a province and returns their number.
    pub fn clear(&mut self, province: Province) -> u8 {
        let tokens = self.at(province);
        self.set(province, 0);
        tokens
    }

    /// The provinces with tokens.
    pub fn provinces(&self) -> ProvinceSet {
        self.0.iter().map(|entry| entry.0).collect()
    }

    /// All tokens together.
    pub fn total(&self) -> u8 {
        self.0.iter().map(|entry| entry.1).sum()
    }

    fn set(&mut self, province: Province, tokens: u8) {
        let place = self.0.partition_point(|entry| entry.0 < province);
        let is_listed = self.0.get(place).is_some_and(|entry| entry.0 == province);
        match (is_listed, tokens) {
            (true, 0) => {
                self.0.remove(place);
            }
            (true, _) => self.0[place].1 = tokens,
            (false, 0) => {}
            (false, _) => self.0.insert(place, (province, tokens)),
        }
    }
}
