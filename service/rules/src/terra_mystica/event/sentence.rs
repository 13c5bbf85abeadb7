//! Events as English sentences.

use std::fmt;

use super::{Event, GoodsSource, Purpose, VpSource};
use crate::table::Seat;

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

struct Names<T>(T);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for Names<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.clone().enumerate() {
            write!(f, "{}{name}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

fn capital(seat: Seat) -> String {
    format!("Seat {}", seat.number())
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
            | Self::AreaMeasured { seat, .. } => {
                write!(f, "{} ", capital(*seat))?;
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
                let tiles = Names(scoring_tiles.iter().map(|tile| tile.id()));
                let cards = Names(bonus_cards.iter().map(|card| card.id()));
                write!(
                    f,
                    "{} begins; scoring tiles {tiles}",
                    capital(*start_player)
                )?;
                write!(f, "; bonus cards {cards}")?;
                if !colors.is_empty() {
                    write!(f, "; colours {}", Names(colors.iter()))?;
                }
                f.write_str(".")
            }
            Self::CoinsLaid { cards } => {
                let cards = Names(cards.iter().map(|card| card.id()));
                write!(f, "A coin is laid on {cards}.")
            }
            Self::RoundBegan { round, turn_order } => {
                write!(f, "Round {round} begins: {}.", Names(turn_order.iter()))
            }
            Self::RoundEnded { round } => write!(f, "Round {round} ends."),
            _ => Ok(()),
        }
    }

    fn fmt_goods(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BonusCardTaken { card, coins, .. } => {
                write!(f, "takes {} with {coins} coins.", card.id())
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
            Self::Converted { kind, times, .. } => write!(f, "converts {} x{times}.", kind.id()),
            Self::PowerSacrificed { tokens, .. } => {
                write!(f, "sacrifices {tokens} power tokens.")
            }
            Self::PriestsOrdained { count, .. } => write!(f, "ordains {count} priests."),
            Self::CultSpadesGranted { spades, .. } => {
                write!(f, "gets {spades} spades of the cults.")
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
                "transforms {land} from {from} to {to} with {spades} spades."
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
                write!(f, "founds a town of {}", Names(lands.iter()))?;
                match river {
                    Some(river) => write!(f, " over {river}."),
                    None => f.write_str("."),
                }
            }
            Self::TownExtended { lands, .. } => {
                write!(f, "adds {} to a town.", Names(lands.iter()))
            }
            Self::FavorTileTaken { tile, .. } => write!(f, "takes favor tile {}.", tile.id()),
            Self::TownTileTaken { tile, .. } => write!(f, "takes town tile {}.", tile.id()),
            Self::PowerActionTaken { action, .. } => write!(f, "takes {}.", action.id()),
            Self::SpecialActionTaken { action, .. } => write!(f, "uses {}.", action.id()),
            Self::AreaMeasured { size, .. } => write!(f, "has an area of {size}."),
            _ => Ok(()),
        }
    }
}
