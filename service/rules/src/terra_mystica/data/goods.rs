//! Coins, workers, priests and power, as a price or as a gain.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::table::{Count, JoinAnd};

/// Coins, workers, priests and power. As a gain, power moves tokens on (TM-6.8); as a price, it is
/// spent from bowl III (TM-6.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Goods {
    pub coins: u16,
    pub workers: u16,
    pub priests: u16,
    pub power: u16,
}

impl Goods {
    /// Nothing.
    pub const NONE: Self = Self {
        coins: 0,
        workers: 0,
        priests: 0,
        power: 0,
    };

    /// Coins only.
    #[must_use]
    pub const fn coins(coins: u16) -> Self {
        Self {
            coins,
            ..Self::NONE
        }
    }

    /// Workers only.
    #[must_use]
    pub const fn workers(workers: u16) -> Self {
        Self {
            workers,
            ..Self::NONE
        }
    }

    /// Priests only.
    #[must_use]
    pub const fn priests(priests: u16) -> Self {
        Self {
            priests,
            ..Self::NONE
        }
    }

    /// Power only.
    #[must_use]
    pub const fn power(power: u16) -> Self {
        Self {
            power,
            ..Self::NONE
        }
    }

    /// Workers and coins, as most prices are printed.
    #[must_use]
    pub const fn of(workers: u16, coins: u16) -> Self {
        Self {
            coins,
            workers,
            ..Self::NONE
        }
    }

    /// Adds the amounts of each kind.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            coins: self.coins + other.coins,
            workers: self.workers + other.workers,
            priests: self.priests + other.priests,
            power: self.power + other.power,
        }
    }

    /// Multiplies each amount.
    #[must_use]
    pub const fn times(self, times: u16) -> Self {
        Self {
            coins: self.coins.saturating_mul(times),
            workers: self.workers.saturating_mul(times),
            priests: self.priests.saturating_mul(times),
            power: self.power.saturating_mul(times),
        }
    }

    /// Removes the kinds of goods that the others do not include.
    #[must_use]
    pub const fn of_kinds(self, others: Self) -> Self {
        const fn less(count: u16, other: u16) -> u16 {
            if other == 0 { 0 } else { count }
        }
        Self {
            coins: less(self.coins, others.coins),
            workers: less(self.workers, others.workers),
            priests: less(self.priests, others.priests),
            power: less(self.power, others.power),
        }
    }

    /// Returns whether there is nothing at all.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.coins == 0 && self.workers == 0 && self.priests == 0 && self.power == 0
    }
}

impl fmt::Display for Goods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = [
            (self.workers, "worker"),
            (self.coins, "coin"),
            (self.priests, "priest"),
        ];
        let pieces = pieces.into_iter().filter(|&(count, _)| count > 0);
        let power = (self.power > 0).then(|| format!("{} power", self.power));
        let parts = pieces.map(|(count, one)| Count(count, one).to_string());
        let parts: Vec<String> = parts.chain(power).collect();
        match &parts[..] {
            [] => f.write_str("nothing"),
            parts => JoinAnd(parts).fmt(f),
        }
    }
}
