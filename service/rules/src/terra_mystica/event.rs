//! What happened (TM-13.3). Everything is public; a ledger can be rebuilt from the figures.

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::Conversion;
use super::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, Land, LandSet, PowerAction, PriestSlot, River,
    ScoringTile, SpecialAction, Structure, Terrain, TownTile,
};
use super::options::MAX_CARDS;
use crate::table::{MAX_SEATS, Seat};

/// Where VP come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VpSource {
    /// The scoring tile of the round.
    ScoringTile(ScoringTile),
    /// FAV10, FAV11 or FAV12.
    FavorTile(FavorTile),
    /// A bonus card on passing.
    BonusCard(BonusCard),
    /// A town tile.
    TownTile(TownTile),
    /// The Witches' towns.
    Towns,
    /// A step on the shipping track.
    Shipping,
    /// A step on the exchange track.
    Terraforming,
    /// A leap.
    Leap,
    /// Spades: Halflings and Darklings.
    Spades,
    /// The Cultists' stronghold.
    Stronghold,
    /// The Engineers' bridges on passing.
    Bridges,
    /// VP lost for power.
    Power,
    /// The Alchemists' stone.
    Alchemy,
    /// Final scoring of a cult.
    Cult(Cult),
    /// Final scoring of areas.
    Area,
    /// Final scoring of resources.
    Resources,
}

/// Where goods come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoodsSource {
    /// Income at the start of a round.
    Income,
    /// Coins that lay on a bonus card.
    BonusCard(BonusCard),
    /// A power action.
    PowerAction(PowerAction),
    /// A town tile.
    TownTile(TownTile),
    /// The Swarmlings' towns.
    Towns,
    /// The Alchemists' stronghold, when built.
    Stronghold,
    /// The Alchemists' spades.
    Spades,
    /// The power of a cult track.
    Cult(Cult),
    /// The reward of the scoring tile at the end of a round.
    CultReward(ScoringTile),
    /// The Cultists, when everybody refuses.
    Refusals,
}

/// What goods are paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Spades.
    Spades,
    /// A leap.
    Leap,
    /// A structure.
    Structure(Structure),
    /// A step on the shipping track.
    Shipping,
    /// A step on the exchange track.
    Terraforming,
    /// A power action.
    PowerAction(PowerAction),
    /// An Engineers' bridge.
    Bridge,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The table is set: who begins and what is in play.
    TableSet {
        /// Who begins.
        start_player: Seat,
        /// The scoring tiles of rounds 1 to 6.
        scoring_tiles: [ScoringTile; 6],
        /// The bonus cards in play.
        bonus_cards: ArrayVec<BonusCard, MAX_CARDS>,
        /// The colours by seat, if they were drawn.
        colors: ArrayVec<Terrain, MAX_SEATS>,
    },
    /// A seat plays a faction.
    FactionChosen {
        /// Who.
        seat: Seat,
        /// Which.
        faction: Faction,
    },
    /// A first dwelling stands.
    DwellingPlaced {
        /// Whose.
        seat: Seat,
        /// Where.
        land: Land,
    },
    /// A bonus card was taken, with the coins on it.
    BonusCardTaken {
        /// By whom.
        seat: Seat,
        /// Which.
        card: BonusCard,
        /// The coins on it.
        coins: u16,
    },
    /// A bonus card went back into the pool.
    BonusCardReturned {
        /// By whom.
        seat: Seat,
        /// Which.
        card: BonusCard,
    },
    /// A coin was laid on each of these cards.
    CoinsLaid {
        /// Which.
        cards: ArrayVec<BonusCard, MAX_CARDS>,
    },
    /// A round begins.
    RoundBegan {
        /// Which, from 1.
        round: u8,
        /// The turn order.
        turn_order: ArrayVec<Seat, MAX_SEATS>,
    },
    /// A turn begins.
    TurnBegan {
        /// Whose.
        seat: Seat,
    },
    /// A turn ends without passing.
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// Goods were received.
    Received {
        /// By whom.
        seat: Seat,
        /// What; power moves tokens on.
        goods: Goods,
        /// Wherefrom.
        source: GoodsSource,
    },
    /// Goods were paid.
    Paid {
        /// By whom.
        seat: Seat,
        /// What; power is spent from bowl III.
        goods: Goods,
        /// What for.
        purpose: Purpose,
    },
    /// VP were scored or lost.
    VpScored {
        /// By whom.
        seat: Seat,
        /// How many; negative if lost.
        vp: i32,
        /// What for.
        source: VpSource,
    },
    /// A leap was made.
    Leapt {
        /// By whom.
        seat: Seat,
        /// Where to.
        land: Land,
    },
    /// A space changed its terrain.
    TerrainTransformed {
        /// By whom.
        seat: Seat,
        /// Where.
        land: Land,
        /// What it was.
        from: Terrain,
        /// What it is.
        to: Terrain,
        /// Spades used; 0 for a sandstorm.
        spades: u8,
    },
    /// A dwelling was built.
    StructureBuilt {
        /// By whom.
        seat: Seat,
        /// Where.
        land: Land,
    },
    /// A structure was upgraded.
    StructureUpgraded {
        /// By whom.
        seat: Seat,
        /// Where.
        land: Land,
        /// What stood there.
        from: Structure,
        /// What stands there.
        to: Structure,
    },
    /// A bridge was built.
    BridgeBuilt {
        /// By whom.
        seat: Seat,
        /// One end.
        a: Land,
        /// The other end.
        b: Land,
    },
    /// Power is offered for a structure nearby.
    PowerOffered {
        /// To whom.
        seat: Seat,
        /// Who built.
        builder: Seat,
        /// Where.
        land: Land,
        /// Power value of the neighbours.
        value: u8,
        /// Power that can be gained.
        gainable: u8,
    },
    /// Power was taken.
    PowerAccepted {
        /// By whom.
        seat: Seat,
        /// How much.
        power: u8,
    },
    /// Power was refused.
    PowerRefused {
        /// By whom.
        seat: Seat,
    },
    /// A marker advanced on a cult track.
    CultAdvanced {
        /// Whose.
        seat: Seat,
        /// Which track.
        cult: Cult,
        /// From which space.
        from: u8,
        /// To which space.
        to: u8,
    },
    /// A priest was sent to a cult.
    PriestPlaced {
        /// Whose.
        seat: Seat,
        /// Which cult.
        cult: Cult,
        /// Where to.
        slot: PriestSlot,
    },
    /// A step on the shipping track.
    ShippingAdvanced {
        /// Whose.
        seat: Seat,
        /// The new level.
        level: u8,
    },
    /// A step on the exchange track.
    TerraformingAdvanced {
        /// Whose.
        seat: Seat,
        /// The new level.
        level: u8,
    },
    /// A town was founded; its key is in hand.
    TownFounded {
        /// By whom.
        seat: Seat,
        /// Its spaces.
        lands: LandSet,
        /// The river hex of a river town.
        river: Option<River>,
    },
    /// A town grew.
    TownExtended {
        /// Whose.
        seat: Seat,
        /// The spaces that joined it.
        lands: LandSet,
    },
    /// A favor tile was taken.
    FavorTileTaken {
        /// By whom.
        seat: Seat,
        /// Which.
        tile: FavorTile,
    },
    /// A town tile was taken.
    TownTileTaken {
        /// By whom.
        seat: Seat,
        /// Which.
        tile: TownTile,
    },
    /// A power action was taken.
    PowerActionTaken {
        /// By whom.
        seat: Seat,
        /// Which.
        action: PowerAction,
    },
    /// A special action was taken.
    SpecialActionTaken {
        /// By whom.
        seat: Seat,
        /// Which.
        action: SpecialAction,
    },
    /// Goods were converted.
    Converted {
        /// By whom.
        seat: Seat,
        /// What into what.
        kind: Conversion,
        /// How often.
        times: u16,
    },
    /// Power was sacrificed.
    PowerSacrificed {
        /// By whom.
        seat: Seat,
        /// Tokens that left the game.
        tokens: u8,
    },
    /// Workers became priests.
    PriestsOrdained {
        /// Whose.
        seat: Seat,
        /// How many.
        count: u8,
    },
    /// Spades of a cult reward are there to be used.
    CultSpadesGranted {
        /// To whom.
        seat: Seat,
        /// How many.
        spades: u8,
    },
    /// A player passed.
    Passed {
        /// Who.
        seat: Seat,
    },
    /// A round ended.
    RoundEnded {
        /// Which.
        round: u8,
    },
    /// The largest area of a player, at the end.
    AreaMeasured {
        /// Whose.
        seat: Seat,
        /// How many structures.
        size: u8,
    },
}

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
            Self::PowerAction(action) => action.id(),
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
