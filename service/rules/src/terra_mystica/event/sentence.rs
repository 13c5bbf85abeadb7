//! Events as English sentences.

use std::fmt;

use super::{Event, GoodsSource, Purpose, VpSource};
use crate::table::{Commas, Count, Who};
use crate::terra_mystica::data::Conversion;

impl fmt::Display for VpSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ScoringTile(tile) => tile.id(),
            Self::FavorTile(tile) => tile.id(),
            Self::BonusCard(card) => card.id(),
            Self::TownTile(tile) => tile.id(),
            Self::Towns => "the town",
            Self::Shipping => "shipping",
            Self::Terraforming => "terraforming",
            Self::Leap => "the leap",
            Self::Spades => "spades",
            Self::Stronghold => "the stronghold",
            Self::Bridges => "bridges",
            Self::Power => "power",
            Self::Alchemy => "alchemy",
            Self::Cult(cult) => return write!(f, "the {cult} cult"),
            Self::Area => "the area",
            Self::Resources => "resources",
        })
    }
}

impl fmt::Display for GoodsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Income => "income",
            Self::BonusCard(card) => card.id(),
            Self::PowerAction(action) => action.id(),
            Self::TownTile(tile) => tile.id(),
            Self::Towns => "the town",
            Self::Stronghold => "the stronghold",
            Self::Spades => "spades",
            Self::Cult(cult) => return write!(f, "the {cult} cult"),
            Self::CultReward(tile) => tile.id(),
            Self::Refusals => "the refusals",
        })
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spades => "spades",
            Self::Leap => "a leap",
            Self::Structure(structure) => return write!(f, "a {structure}"),
            Self::Shipping => "shipping",
            Self::Terraforming => "terraforming",
            Self::Bridge => "a bridge",
        })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableSet { .. }
            | Self::CoinsLaid { .. }
            | Self::RoundBegan { .. }
            | Self::RoundEnded { .. } => self.fmt_table(f),
            Self::FactionChosen { seat, .. }
            | Self::DwellingPlaced { seat, .. }
            | Self::BonusCardTaken { seat, .. }
            | Self::BonusCardReturned { seat, .. }
            | Self::TurnBegan { seat }
            | Self::TurnEnded { seat }
            | Self::Received { seat, .. }
            | Self::Paid { seat, .. }
            | Self::VpScored { seat, .. }
            | Self::Leapt { seat, .. }
            | Self::TerrainTransformed { seat, .. }
            | Self::StructureBuilt { seat, .. }
            | Self::StructureUpgraded { seat, .. }
            | Self::BridgeBuilt { seat, .. }
            | Self::PowerOffered { seat, .. }
            | Self::PowerAccepted { seat, .. }
            | Self::PowerRefused { seat }
            | Self::CultAdvanced { seat, .. }
            | Self::PriestPlaced { seat, .. }
            | Self::ShippingAdvanced { seat, .. }
            | Self::TerraformingAdvanced { seat, .. }
            | Self::TownFounded { seat, .. }
            | Self::TownExtended { seat, .. }
            | Self::FavorTileTaken { seat, .. }
            | Self::TownTileTaken { seat, .. }
            | Self::PowerActionTaken { seat, .. }
            | Self::SpecialActionTaken { seat, .. }
            | Self::Converted { seat, .. }
            | Self::PowerSacrificed { seat, .. }
            | Self::PriestsOrdained { seat, .. }
            | Self::CultSpadesGranted { seat, .. }
            | Self::Passed { seat }
            | Self::AreaMeasured { seat, .. }
            | Self::SpadesUnused { seat, .. } => {
                write!(f, "{} ", Who(*seat))?;
                self.fmt_goods(f)
            }
        }
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "each function words a part of the events; `Display` itself is exhaustive"
)]
impl Event {
    fn fmt_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableSet {
                start_player,
                scoring_tiles,
                bonus_cards,
                colors,
            } => {
                let tiles = Commas(scoring_tiles.iter().map(|tile| tile.id()));
                let cards = Commas(bonus_cards.iter().map(|card| card.id()));
                write!(f, "{} begins; scoring tiles {tiles}", Who(*start_player))?;
                write!(f, "; bonus cards {cards}")?;
                if !colors.is_empty() {
                    write!(f, "; colours {}", Commas(colors.iter()))?;
                }
                f.write_str(".")
            }
            Self::CoinsLaid { cards } => {
                let cards = Commas(cards.iter().map(|card| card.id()));
                write!(f, "A coin is laid on {cards}.")
            }
            Self::RoundBegan { round, turn_order } => {
                write!(f, "Round {round} begins: {}.", Commas(turn_order.iter()))
            }
            Self::RoundEnded { round } => write!(f, "Round {round} ends."),
            _ => Ok(()),
        }
    }

    fn fmt_goods(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BonusCardTaken { card, coins, .. } => {
                write!(
                    f,
                    "takes {} ({card}) with {}.",
                    card.id(),
                    Count(*coins, "coin")
                )
            }
            Self::BonusCardReturned { card, .. } => write!(f, "gives {} back.", card.id()),
            Self::TurnBegan { .. } => f.write_str("begins a turn."),
            Self::TurnEnded { .. } => f.write_str("ends the turn."),
            Self::Received { goods, source, .. } => write!(f, "receives {goods} ({source})."),
            Self::Paid { goods, purpose, .. } => write!(f, "pays {goods} for {purpose}."),
            Self::VpScored { vp, source, .. } if *vp < 0 => {
                write!(f, "loses {} VP ({source}).", -vp)
            }
            Self::VpScored { vp, source, .. } => write!(f, "scores {vp} VP ({source})."),
            Self::PowerOffered {
                builder,
                land,
                value,
                gainable,
                ..
            } => write!(
                f,
                "is offered {gainable} power: {builder} built at {land}, value {value}."
            ),
            Self::PowerAccepted { power, .. } => write!(f, "takes {power} power."),
            Self::PowerRefused { .. } => f.write_str("refuses the power."),
            Self::Converted { kind, times, .. } => converted(f, *kind, *times),
            Self::PowerSacrificed { tokens, .. } => {
                write!(f, "sacrifices {}.", Count(*tokens, "power token"))
            }
            Self::PriestsOrdained { count, .. } => {
                write!(f, "ordains {}.", Count(*count, "priest"))
            }
            Self::CultSpadesGranted { spades, .. } => {
                write!(f, "gets {} from the cults.", Count(*spades, "spade"))
            }
            Self::SpadesUnused { spades, .. } => {
                write!(f, "leaves {} unused.", Count(*spades, "spade"))
            }
            Self::Passed { .. } => f.write_str("passes."),
            _ => self.fmt_board(f),
        }
    }

    fn fmt_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FactionChosen { faction, .. } => write!(f, "plays the {faction}."),
            Self::DwellingPlaced { land, .. } => write!(f, "places a dwelling on {land}."),
            Self::Leapt { land, .. } => write!(f, "leaps to {land}."),
            Self::TerrainTransformed {
                land,
                from,
                to,
                spades,
                ..
            } => write!(
                f,
                "transforms {land} from {from} to {to} with {}.",
                Count(*spades, "spade")
            ),
            Self::StructureBuilt { land, .. } => write!(f, "builds a dwelling on {land}."),
            Self::StructureUpgraded { land, from, to, .. } => {
                write!(f, "upgrades the {from} on {land} to a {to}.")
            }
            Self::BridgeBuilt { a, b, .. } => write!(f, "builds a bridge {a}-{b}."),
            Self::CultAdvanced { cult, from, to, .. } => {
                write!(f, "advances from {from} to {to} on the {cult} track.")
            }
            Self::PriestPlaced { cult, slot, .. } => {
                write!(f, "sends a priest to the {cult} cult, {slot}.")
            }
            Self::ShippingAdvanced { level, .. } => write!(f, "reaches shipping {level}."),
            Self::TerraformingAdvanced { level, .. } => {
                write!(f, "reaches terraforming level {level}.")
            }
            Self::TownFounded { lands, river, .. } => {
                write!(f, "founds a town of {}", Commas(lands.iter()))?;
                match river {
                    Some(river) => write!(f, " over {river}."),
                    None => f.write_str("."),
                }
            }
            Self::TownExtended { lands, .. } => {
                write!(f, "adds {} to a town.", Commas(lands.iter()))
            }
            Self::FavorTileTaken { tile, .. } => {
                write!(f, "takes favor tile {} ({tile}).", tile.id())
            }
            Self::TownTileTaken { tile, .. } => {
                write!(f, "takes town tile {} ({tile}).", tile.id())
            }
            Self::PowerActionTaken { action, .. } => write!(f, "takes {} ({action}).", action.id()),
            Self::SpecialActionTaken { action, .. } => {
                write!(f, "uses {} ({action}).", action.id())
            }
            Self::AreaMeasured { size, .. } => write!(f, "has an area of {size}."),
            _ => Ok(()),
        }
    }
}

/// `converts 6 power into 2 workers.`
fn converted(f: &mut fmt::Formatter<'_>, kind: Conversion, times: u16) -> fmt::Result {
    let times = u32::from(times);
    let (price, _) = kind.goods();
    let given = match kind {
        Conversion::PowerToPriest | Conversion::PowerToWorker | Conversion::PowerToCoin => {
            format!("{} power", times * u32::from(kind.power()))
        }
        Conversion::PriestToWorker => Count(times, "priest").to_string(),
        Conversion::WorkerToCoin => Count(times, "worker").to_string(),
        Conversion::AlchemyVpToCoin => format!("{times} VP"),
        Conversion::AlchemyCoinToVp => Count(times * u32::from(price.coins), "coin").to_string(),
    };
    let gained = match kind {
        Conversion::PowerToPriest => Count(times, "priest").to_string(),
        Conversion::PowerToWorker | Conversion::PriestToWorker => {
            Count(times, "worker").to_string()
        }
        Conversion::PowerToCoin | Conversion::WorkerToCoin | Conversion::AlchemyVpToCoin => {
            Count(times, "coin").to_string()
        }
        Conversion::AlchemyCoinToVp => format!("{times} VP"),
    };
    write!(f, "converts {given} into {gained}.")
}

impl crate::table::Sentence for Event {
    fn say(&self, _names: crate::table::Names<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
