//! Effects of buildings and columns of the favor table in plain English.

use std::fmt;

use super::favors::Column;
use super::tiles::{Effect, Trade};

/// Items joined by `, or`.
fn either<T>(
    f: &mut fmt::Formatter<'_>,
    things: &[T],
    one: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, thing) in things.iter().enumerate() {
        if index > 0 {
            f.write_str(", or ")?;
        }
        one(f, thing)?;
    }
    Ok(())
}

impl Effect {
    /// The effect as a sentence: `Gain 1 food, or gain 1 cloth.`; empty for buildings without workers.
    #[must_use]
    pub fn printed(&self) -> String {
        let words = self.to_string();
        let mut letters = words.chars();
        letters.next().map_or_else(String::new, |first| {
            format!("{}{}.", first.to_uppercase(), letters.as_str())
        })
    }
}

/// `gain 1 food, or gain 1 cloth`; empty for buildings without workers.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Produce(options) => either(f, options, |f, cubes| write!(f, "gain {cubes}")),
            Self::SellCube(deniers) => write!(f, "sell 1 cube of any kind for {deniers} deniers"),
            Self::BuyCubes { price, most: 1 } => {
                write!(f, "buy 1 cube, not gold, for {price} deniers")
            }
            Self::BuyCubes { price, most } => {
                let plural = if *price == 1 { "" } else { "s" };
                write!(
                    f,
                    "buy up to {most} cubes, not gold, for {price} denier{plural} each"
                )
            }
            Self::BuildCraft(kind) => write!(f, "build 1 {kind} tile"),
            Self::BuildPrestige => f.write_str("build 1 prestige tile on a residence of your own"),
            Self::Transform => f.write_str(
                "pay 1 denier and 1 cloth, and turn a neutral building or a wood or stone building \
                 of your own, except the Lawyer, into a residence",
            ),
            Self::Trade(options) => either(f, options, |f, Trade { pay, gain }| {
                write!(f, "pay {pay} and gain {gain}")
            }),
            Self::Alchemy => f.write_str(
                "pay 2 cubes and gain 1 gold, or pay 4 cubes and gain 2 gold; no gold is paid",
            ),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Vp(vp) => write!(f, "gain {vp} VP"),
            Self::Deniers(deniers) => write!(f, "gain {deniers} deniers"),
            Self::OneOf(kinds) => either(f, kinds, |f, kind| write!(f, "gain 1 {kind}")),
            Self::Exchange => f.write_str("give 1 cube of any kind, take 2 that are not gold"),
            Self::Craft(kind, saved) => write!(f, "build 1 {kind} tile for 1 {saved} less"),
            Self::Transform => f.write_str("transform a building for 1 cloth"),
            Self::Prestige => f.write_str("build 1 prestige tile at full price"),
        }
    }
}
