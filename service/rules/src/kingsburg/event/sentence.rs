//! Events as plain English sentences.

use std::fmt;

use super::{Event, Outcome, ShownDie};
use crate::kingsburg::action::EnvoyUse;
use crate::kingsburg::data::{Enemy, Goods, counted};
use crate::table::{Commas, Count, Who};

/// The faces of dice, white ones marked.
struct Shown<'a>(&'a [ShownDie]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ShownDie { die, value }) in self.0.iter().enumerate() {
            let joint = if at == 0 { "" } else { ", " };
            let white = if die.is_white() { "white " } else { "" };
            write!(f, "{joint}{white}{value}")?;
        }
        Ok(())
    }
}

/// An enemy with its strength.
struct Foe(Enemy);

impl fmt::Display for Foe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of strength {}",
            self.0.name(),
            self.0.card().strength
        )
    }
}

/// The end of a sentence about something that was no choice.
const fn why(auto: bool) -> &'static str {
    if auto { " (no choice)" } else { "" }
}

fn tokens(plus2: u8) -> String {
    match plus2 {
        1 => String::from("a +2 token"),
        _ => format!("{plus2} +2 tokens"),
    }
}

/// What somebody gains, in one phrase.
fn gains(goods: Goods, vp: u8, plus2: u8, fighters: u8) -> String {
    let mut parts = Vec::new();
    if !goods.is_none() {
        parts.push(goods.to_string());
    }
    if vp > 0 {
        parts.push(format!("{vp} VP"));
    }
    if plus2 > 0 {
        parts.push(tokens(plus2));
    }
    if fighters > 0 {
        parts.push(Count(fighters, "soldier").to_string());
    }
    parts.join(" and ")
}

impl fmt::Display for Event {
    #[expect(
        clippy::too_many_lines,
        reason = "one sentence for each event, in the order of the enum"
    )]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameBegan { order } => write!(f, "The first turn order is {}.", Commas(order)),
            Self::PhaseBegan { year, phase } => write!(f, "Year {year}: {}.", phase.name()),
            Self::AidDieGiven { seat } => {
                write!(f, "{} gets a white die for spring.", Who(*seat))
            }
            Self::AidGoodChosen { seat, good } => {
                write!(f, "{} takes 1 {} from the King.", Who(*seat), good.name())
            }
            Self::EnvoyDeclared { seat, purpose } => match purpose {
                EnvoyUse::Advisor => {
                    write!(f, "{} keeps the envoy for an advisor.", Who(*seat))
                }
                EnvoyUse::SecondBuilding => {
                    write!(f, "{} uses the envoy for a second building.", Who(*seat))
                }
                EnvoyUse::Nothing => write!(f, "{} sends the envoy back.", Who(*seat)),
            },
            Self::NeutralRolled { together, alone } => write!(
                f,
                "The neutral dice show {}, and {}.",
                Commas(together),
                Commas(alone)
            ),
            Self::NeutralPlaced { advisor, .. } => {
                write!(f, "Neutral dice block the {}.", advisor.name())
            }
            Self::GuildIncome { seat } => {
                write!(f, "{} gets 1 gold from the Merchants' Guild.", Who(*seat))
            }
            Self::DiceRolled { seat, dice } => write!(f, "{} rolls {}.", Who(*seat), Shown(dice)),
            Self::DieRerolled {
                seat,
                before,
                after,
                ..
            } => write!(f, "{} rolls a {before} again: {after}.", Who(*seat)),
            Self::RollKept { seat } => write!(f, "{} keeps the roll.", Who(*seat)),
            Self::OrderSet { order, totals } => write!(
                f,
                "The turn order is {}; the totals are {}.",
                Commas(order),
                Commas(totals)
            ),
            Self::DieSetAside { seat, value, .. } => {
                write!(f, "{} sets a {value} aside.", Who(*seat))
            }
            Self::AdvisorInfluenced {
                seat,
                advisor,
                dice,
                plus2,
                market_offset,
                use_envoy,
            } => {
                write!(f, "{} places {}", Who(*seat), counted(dice.len()))?;
                if *plus2 > 0 {
                    write!(f, " and {}", tokens(*plus2))?;
                }
                match market_offset {
                    0 => {}
                    offset => write!(f, ", {offset:+} by the Market,")?,
                }
                let envoy = if *use_envoy { " with the envoy" } else { "" };
                write!(f, " on the {}{envoy}.", advisor.name())
            }
            Self::InfluencePassed { seat, auto } => {
                write!(f, "{} places no more dice{}.", Who(*seat), why(*auto))
            }
            Self::HelpGiven {
                seat,
                advisor,
                goods,
                vp,
                plus2,
                soldiers,
            } => write!(
                f,
                "{} gets {} from the {}.",
                Who(*seat),
                gains(*goods, *vp, *plus2, *soldiers),
                advisor.name()
            ),
            Self::EnemyPeeked {
                seat,
                advisor,
                year,
                card,
            } => {
                let name = advisor.name();
                write!(f, "The {name} shows {seat} the enemy of year {year}")?;
                match card {
                    Some(card) => write!(f, ": {}.", Foe(*card)),
                    None => f.write_str("."),
                }
            }
            Self::HelpChosen {
                seat,
                advisor,
                goods,
            } => write!(
                f,
                "{} chooses {goods} from the {}.",
                Who(*seat),
                advisor.name()
            ),
            Self::GoodExchanged { seat, gave, gained } => {
                write!(
                    f,
                    "{} exchanges 1 {} for {gained}.",
                    Who(*seat),
                    gave.name()
                )
            }
            Self::ExchangeDeclined { seat } => write!(f, "{} exchanges nothing.", Who(*seat)),
            Self::CourtCleared => f.write_str("All dice leave the court."),
            Self::Built {
                seat,
                building,
                paid,
                vp,
            } => write!(
                f,
                "{} builds the {} for {paid}: {vp} VP.",
                Who(*seat),
                building.name()
            ),
            Self::BuildPassed { seat, auto } => {
                write!(f, "{} builds nothing more{}.", Who(*seat), why(*auto))
            }
            Self::InnToken { seat } => write!(f, "{} gets a +2 token from the Inn.", Who(*seat)),
            Self::EmbassyPoint { seat } => {
                write!(f, "{} gets 1 VP from the Embassy.", Who(*seat))
            }
            Self::TownHallToken { seat, auto } => write!(
                f,
                "{} takes a +2 token from the Town Hall{}.",
                Who(*seat),
                why(*auto)
            ),
            Self::TownHallSale { seat, good } => write!(
                f,
                "{} sells 1 {} to the Town Hall for 1 VP.",
                Who(*seat),
                good.name()
            ),
            Self::AidDieReturned { seat } => {
                write!(f, "{} gives the white die of the King back.", Who(*seat))
            }
            Self::KingsRewardGiven { seat } => {
                write!(f, "{} gets 1 VP for the most buildings.", Who(*seat))
            }
            Self::EnvoyGiven { seat } => write!(f, "{} gets the King's Envoy.", Who(*seat)),
            Self::EnvoyNotGiven => f.write_str("Nobody gets the King's Envoy."),
            Self::EnvoyReturned { seat } => {
                write!(f, "{} gives the envoy back unused.", Who(*seat))
            }
            Self::SoldierRecruited { seat, paid } => {
                write!(f, "{} recruits a soldier for {paid}.", Who(*seat))
            }
            Self::RecruitPassed { seat, auto } => {
                write!(f, "{} recruits no more{}.", Who(*seat), why(*auto))
            }
            Self::EnemyRevealed { card } => write!(f, "The enemy comes: {}.", Foe(*card)),
            Self::KingDieRolled { seat, value } => write!(
                f,
                "{} rolls the King's die: {} for everybody.",
                Who(*seat),
                Count(*value, "soldier")
            ),
            Self::StrengthCounted {
                seat,
                strength,
                outcome,
            } => {
                let outcome = match outcome {
                    Outcome::Victory => "victory",
                    Outcome::Standoff => "stand-off",
                    Outcome::Defeat => "defeat",
                };
                write!(f, "{} has strength {strength}: {outcome}.", Who(*seat))
            }
            Self::EnemyRewarded { seat, goods, vp } => write!(
                f,
                "{} gains {} by the victory.",
                Who(*seat),
                gains(*goods, *vp, 0, 0)
            ),
            Self::RewardGoodChosen { seat, good } => {
                write!(
                    f,
                    "{} chooses 1 {} for the victory.",
                    Who(*seat),
                    good.name()
                )
            }
            Self::FortressPoint { seat } => {
                write!(f, "{} gets 1 VP from the Fortress.", Who(*seat))
            }
            Self::GoodsLost { seat, goods } => write!(f, "{} loses {goods}.", Who(*seat)),
            Self::AnyGoodsLost { seat, goods, auto } => {
                write!(f, "{} gives up {goods}{}.", Who(*seat), why(*auto))
            }
            Self::BuildingLost {
                seat,
                building,
                vp,
                auto,
            } => write!(
                f,
                "{} loses the {} and {vp} VP{}.",
                Who(*seat),
                building.name(),
                why(*auto)
            ),
            Self::PointsLost { seat, vp } => write!(f, "{} loses {vp} VP.", Who(*seat)),
            Self::StrongestPoint { seat } => {
                write!(f, "{} gets 1 VP for the strongest army.", Who(*seat))
            }
            Self::YearEnded { year } => {
                write!(f, "Year {year} ends and all soldiers go home.")
            }
            Self::CathedralExchange { seat, goods, vp } => write!(
                f,
                "{} exchanges {goods} in the Cathedral: {vp} VP.",
                Who(*seat)
            ),
            Self::GameEnded => f.write_str("The game is over."),
        }
    }
}

impl crate::table::Sentence for Event {
    fn say(&self, _names: crate::table::Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
