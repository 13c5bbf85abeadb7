//! Conversions and their rates.

use super::goods::Goods;
use crate::table::ids;

/// Coins that the Alchemists give for a VP.
const ALCHEMY_COINS: u16 = 2;

ids! {
    /// A kind of conversion, named by the goods taken and given (TM-6.10, J29).
    Conversion {
        PowerToPriest "POWER_TO_PRIEST",
        PowerToWorker "POWER_TO_WORKER",
        PowerToCoin "POWER_TO_COIN",
        PriestToWorker "PRIEST_TO_WORKER",
        WorkerToCoin "WORKER_TO_COIN",
        AlchemyVpToCoin "ALCHEMY_VP_TO_COIN",
        AlchemyCoinToVp "ALCHEMY_COIN_TO_VP",
    }
}

impl Conversion {
    /// Returns whether this is the Alchemists' stone.
    #[must_use]
    pub const fn is_alchemy(self) -> bool {
        matches!(self, Self::AlchemyVpToCoin | Self::AlchemyCoinToVp)
    }

    /// The power that one conversion spends.
    #[must_use]
    pub const fn power(self) -> u8 {
        match self {
            Self::PowerToPriest => 5,
            Self::PowerToWorker => 3,
            Self::PowerToCoin => 1,
            Self::PriestToWorker
            | Self::WorkerToCoin
            | Self::AlchemyVpToCoin
            | Self::AlchemyCoinToVp => 0,
        }
    }

    /// The goods that one conversion takes, besides power, and those that it gives.
    #[must_use]
    pub const fn goods(self) -> (Goods, Goods) {
        match self {
            Self::PowerToPriest => (Goods::NONE, Goods::priests(1)),
            Self::PowerToWorker => (Goods::NONE, Goods::workers(1)),
            Self::PowerToCoin | Self::AlchemyVpToCoin => (Goods::NONE, Goods::coins(1)),
            Self::PriestToWorker => (Goods::priests(1), Goods::workers(1)),
            Self::WorkerToCoin => (Goods::workers(1), Goods::coins(1)),
            Self::AlchemyCoinToVp => (Goods::coins(ALCHEMY_COINS), Goods::NONE),
        }
    }

    /// The VP that one conversion takes, and those that it gives.
    #[must_use]
    pub const fn vp(self) -> (u16, u16) {
        match self {
            Self::AlchemyVpToCoin => (1, 0),
            Self::AlchemyCoinToVp => (0, 1),
            Self::PowerToPriest
            | Self::PowerToWorker
            | Self::PowerToCoin
            | Self::PriestToWorker
            | Self::WorkerToCoin => (0, 0),
        }
    }

    /// The goods that this many conversions take, in words: `6 power`.
    #[must_use]
    pub fn takes(self, times: u16) -> String {
        let goods = Goods {
            power: u16::from(self.power()),
            ..self.goods().0
        };
        in_words(goods, self.vp().0, times)
    }

    /// The goods that this many conversions give, in words: `2 workers`.
    #[must_use]
    pub fn gives(self, times: u16) -> String {
        in_words(self.goods().1, self.vp().1, times)
    }
}

fn in_words(goods: Goods, vp: u16, times: u16) -> String {
    match vp {
        0 => goods.times(times).to_string(),
        vp => format!("{} VP", vp.saturating_mul(times)),
    }
}
