//! The bounds of numbers on described tables (KIN-5.10).
//!
//! Nothing in a game is limited, but what a game can bring is. The bounds let every table of every game pass, and are so
//! low that a game from any accepted table goes on without an overflow.

use std::ops::RangeInclusive;

use crate::kingsburg::data::{Enemy, Phase, YEARS};
use crate::kingsburg::state::PointSource;

/// The number of productive seasons of a game.
const SEASONS: u8 = YEARS * 3;

/// The number of seasons that are over. Counts from the first year on, so that it is 14 in the last autumn.
fn seasons_over(year: u8, phase: Phase) -> u8 {
    let this_year = match phase {
        Phase::KingsAid | Phase::Spring => 0,
        Phase::KingsReward | Phase::Summer => 1,
        Phase::KingsEnvoy | Phase::Autumn => 2,
        Phase::Recruit | Phase::Winter => 3,
    };
    year.saturating_sub(1)
        .saturating_mul(3)
        .saturating_add(this_year)
}

/// The number of goods of one player, of all kinds together. A season brings at most 13: three groups bring 12, the
/// Merchants' Guild 1. Aid and victories bring 2 a year, which the first 50 include.
pub(super) fn goods(year: u8, phase: Phase) -> RangeInclusive<u16> {
    0..=50 + 13 * u16::from(seasons_over(year, phase))
}

/// The number of +2 tokens in hand. A season brings at most 5: three groups 3, Inn and Town Hall 1 each.
pub(super) fn plus2(year: u8, phase: Phase) -> RangeInclusive<u8> {
    0..=20 + 5 * seasons_over(year, phase)
}

/// The number of soldiers of one player: more than all goods, all groups of a year and the King's die can give.
pub(super) const SOLDIERS: RangeInclusive<u16> = 0..=300;

/// The strength in a battle: more than all soldiers and buildings give.
pub(super) const STRENGTH: RangeInclusive<i16> = 0..=600;

/// The victory points from one source, at any time before the end.
pub(super) fn points(source: PointSource) -> RangeInclusive<i16> {
    match source {
        // Three groups of a season bring at most 7: two on the Queen and one on the Smuggler.
        PointSource::Advisors => 0..=7 * i16::from(SEASONS),
        PointSource::TownHall | PointSource::Embassy => 0..=i16::from(SEASONS),
        PointSource::KingsReward | PointSource::Fortress | PointSource::Strongest => {
            0..=i16::from(YEARS)
        }
        PointSource::Enemies => {
            let worst = (1..=YEARS).map(|year| most(year, |card| card.card().loss.vp));
            let best = (1..=YEARS).map(|year| most(year, |card| card.card().reward.vp));
            -worst.sum::<i16>()..=best.sum()
        }
        PointSource::Cathedral => 0..=0,
    }
}

/// The greatest number on the enemy cards of a year.
fn most(year: u8, number: impl Fn(&Enemy) -> u8) -> i16 {
    let numbers = Enemy::of_year(year).iter().map(number);
    numbers.max().map_or(0, i16::from)
}
