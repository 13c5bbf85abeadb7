//! Events, each with its sentence. Everything is public (TM-13.3).

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, Goods, Land, LandSet, PowerAction, PriestSlot,
    River, ScoringTile, SpecialAction, Structure, Terrain, TownTile,
};
use super::options::MAX_CARDS;
use crate::table::{Count, JoinAnd, MAX_SEATS, Seat, TextContext, events};

/// The source of VP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VpSource {
    ScoringTile(ScoringTile),
    /// FAV10, FAV11 or FAV12.
    FavorTile(FavorTile),
    BonusCard(BonusCard),
    TownTile(TownTile),
    /// The Witches' towns.
    Towns,
    Shipping,
    Terraforming,
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
    Cult(Cult),
    Area,
    Resources,
}

/// The source of goods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoodsSource {
    Income,
    /// Coins from a bonus card.
    BonusCard(BonusCard),
    PowerAction(PowerAction),
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
    /// The Cultists, when nobody takes power from their structure.
    Refusals,
}

/// The purpose of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    Spades,
    Leap,
    Structure(Structure),
    Shipping,
    Terraforming,
    Bridge,
}

impl fmt::Display for VpSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ScoringTile(tile) => return write!(f, "{} ({})", tile.id(), tile.during()),
            Self::FavorTile(tile) => tile.id(),
            Self::BonusCard(card) => card.id(),
            Self::TownTile(tile) => tile.id(),
            Self::Towns => "the town",
            Self::Shipping => "the step on the shipping track",
            Self::Terraforming => "the step on the exchange track",
            Self::Leap => "the leap",
            Self::Spades => "spades",
            Self::Stronghold => "the stronghold",
            Self::Bridges => "bridges between structures",
            Self::Power => "the power",
            Self::Alchemy => "coins",
            Self::Cult(cult) => return write!(f, "the {cult} track"),
            Self::Area => "the largest area",
            Self::Resources => "the remaining resources",
        })
    }
}

/// Displays the source with a preposition: `from the fire track`.
impl fmt::Display for GoodsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Income => f.write_str("as income"),
            Self::BonusCard(card) => write!(f, "that lay on {}", card.id()),
            Self::PowerAction(action) => write!(f, "from {}", action.id()),
            Self::TownTile(tile) => write!(f, "from {}", tile.id()),
            Self::Towns => f.write_str("for the town"),
            Self::Stronghold => f.write_str("for the stronghold"),
            Self::Spades => f.write_str("for spades"),
            Self::Cult(cult) => write!(f, "from the {cult} track"),
            Self::CultReward(tile) => write!(f, "as the reward of {}", tile.id()),
            Self::Refusals => f.write_str("because no neighbor took power"),
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spades => "spades",
            Self::Leap => "a leap",
            Self::Structure(structure) => return write!(f, "a {structure}"),
            Self::Shipping => "a step on the shipping track",
            Self::Terraforming => "a step on the exchange track",
            Self::Bridge => "a bridge",
        })
    }
}

events! {
    /// One event. Prices and gains are included, so that the sum of all events is what every player owns.
    Event, names {
        /// The table is set up: scoring tiles of rounds 1 to 6; colors by seat, if they were drawn.
        TableSet {
            first_player: Seat, scoring_tiles: [ScoringTile; 6],
            bonus_cards: ArrayVec<BonusCard, MAX_CARDS>, colors: ArrayVec<Terrain, MAX_SEATS>,
        } =>
            "{} begins. The scoring tiles of rounds 1 to 6 are {}; the bonus cards are {}{}.",
            names.who(*first_player),
            JoinAnd(scoring_tiles.iter().map(|tile| format!("{} ({})", tile.id(), tile.during()))),
            JoinAnd(bonus_cards.iter().map(|card| card.id())), drawn(colors);
        FactionChosen { seat: Seat, faction: Faction } =>
            "{} plays the {faction}.", names.who(*seat);
        DwellingPlaced { seat: Seat, space: Land } =>
            "{} places a dwelling on {space}.", names.who(*seat);
        /// A bonus card is taken, with the coins on it.
        BonusCardTaken { seat: Seat, card: BonusCard, coins: u16 } =>
            "{} takes {} ({card}).", names.who(*seat), card.id();
        BonusCardReturned { seat: Seat, card: BonusCard } =>
            "{} returns {} ({card}).", names.who(*seat), card.id();
        CoinsLaid { cards: ArrayVec<BonusCard, MAX_CARDS> } =>
            "{} {} 1 coin{}.", JoinAnd(cards.iter().map(|card| card.id())),
            if cards.len() == 1 { "gets" } else { "get" }, if cards.len() == 1 { "" } else { " each" };
        RoundBegan { round: u8, turn_order: ArrayVec<Seat, MAX_SEATS> } =>
            "Round {round} begins. The turn order is {}.",
            JoinAnd(turn_order.iter().map(|&seat| names.of(seat)));
        TurnBegan { seat: Seat } => "{} begins a turn.", names.who(*seat);
        /// A turn ends without passing.
        TurnEnded { seat: Seat } => "{} ends the turn.", names.who(*seat);
        /// Goods are received: the amounts actually moved, power as far as the bowls could take it.
        Received { seat: Seat, goods: Goods, source: GoodsSource } =>
            "{} receives {goods} {source}.", names.who(*seat);
        /// Coins, workers or priests are paid.
        Paid { seat: Seat, goods: Goods, purpose: Purpose } =>
            "{} pays {goods} for {purpose}.", names.who(*seat);
        /// VP are scored; `vp` is negative if they are lost.
        VpScored { seat: Seat, vp: i32, source: VpSource } =>
            "{} {} {} VP for {source}.", names.who(*seat),
            if *vp < 0 { "loses" } else { "scores" }, vp.unsigned_abs();
        Leapt { seat: Seat, space: Land } => "{} leaps to {space}.", names.who(*seat);
        /// A space is transformed. A sandstorm uses no spades.
        TerrainTransformed { seat: Seat, space: Land, from_terrain: Terrain, to_terrain: Terrain, spades: u8 } =>
            "{} transforms {space} from {from_terrain} to {to_terrain}{}.", names.who(*seat),
            with(u16::from(*spades), "spade");
        StructureBuilt { seat: Seat, space: Land } =>
            "{} builds a dwelling on {space}.", names.who(*seat);
        StructureUpgraded { seat: Seat, space: Land, from_structure: Structure, to_structure: Structure } =>
            "{} upgrades the {from_structure} on {space} to a {to_structure}.", names.who(*seat);
        BridgeBuilt { seat: Seat, a: Land, b: Land } =>
            "{} builds a bridge between {a} and {b}.", names.who(*seat);
        /// Power is offered. `value` is the power value of the neighbors, `gainable` the part of it that they can take.
        PowerOffered { seat: Seat, builder: Seat, space: Land, value: u8, gainable: u8 } =>
            "{} may take {gainable} power, because {} built on {space}.",
            names.who(*seat), names.of(*builder);
        PowerAccepted { seat: Seat, power: u8 } => "{} takes {power} power.", names.who(*seat);
        PowerRefused { seat: Seat } => "{} declines the power.", names.who(*seat);
        CultAdvanced { seat: Seat, cult: Cult, from_level: u8, to_level: u8 } =>
            "{} advances from {from_level} to {to_level} on the {cult} track.", names.who(*seat);
        PriestPlaced { seat: Seat, cult: Cult, slot: PriestSlot } =>
            "{} sends a priest to {}.", names.who(*seat), goal(*cult, *slot);
        ShippingAdvanced { seat: Seat, level: u8 } =>
            "{} reaches level {level} on the shipping track.", names.who(*seat);
        TerraformingAdvanced { seat: Seat, level: u8 } =>
            "{} reaches level {level} on the exchange track.", names.who(*seat);
        /// A town is founded. Its key is in hand; a river town has a river hex.
        TownFounded { seat: Seat, spaces: LandSet, river: Option<River> } =>
            "{} founds a town on {}{}.", names.who(*seat), JoinAnd(spaces.iter()),
            river.map_or_else(String::new, |river| format!(", across {river}"));
        /// A town, named by one of its spaces, grew by these (TM-14.12).
        TownExtended { seat: Seat, town: Land, spaces: LandSet } =>
            "{} adds {} to the town on {town}.", names.who(*seat), JoinAnd(spaces.iter());
        FavorTileTaken { seat: Seat, tile: FavorTile } =>
            "{} takes {} ({tile}).", names.who(*seat), tile.id();
        TownTileTaken { seat: Seat, tile: TownTile } =>
            "{} takes {} ({tile}).", names.who(*seat), tile.id();
        PowerActionTaken { seat: Seat, action: PowerAction } =>
            "{} takes {} ({action}) for {} power.", names.who(*seat), action.id(), action.power();
        SpecialActionTaken { seat: Seat, action: SpecialAction } =>
            "{} uses {}.", names.who(*seat), action.called();
        Converted { seat: Seat, kind: Conversion, times: u16 } =>
            "{} converts {} into {}.", names.who(*seat), kind.takes(*times), kind.gives(*times);
        /// Tokens that left the game.
        PowerSacrificed { seat: Seat, tokens: u8 } =>
            "{} sacrifices {}.", names.who(*seat), Count(*tokens, "power token");
        /// Workers became priests.
        PriestsOrdained { seat: Seat, count: u16 } =>
            "{} ordains {}.", names.who(*seat), ordained(*count);
        /// Spades of a cult reward are given, to be used in phase III.
        CultSpadesGranted { seat: Seat, spades: u8 } =>
            "{} gets {} from the cult tracks.", names.who(*seat), Count(*spades, "spade");
        Passed { seat: Seat } => "{} passes.", names.who(*seat);
        RoundEnded { round: u8 } => "Round {round} ends.";
        /// The largest area of a player, at the end.
        AreaMeasured { seat: Seat, size: u8 } =>
            "The largest area of {} has {}.", names.of(*seat), Count(*size, "structure");
        /// Free spades were left over, and are lost (TM-6.20, TM-6.57, TM-6.62).
        SpadesUnused { seat: Seat, spades: u8 } =>
            "{} leaves {} unused.", names.who(*seat), Count(*spades, "spade");
    }
}

impl Event {
    /// Updates the scene, so that later sentences name the faction with the player.
    pub fn update_text_context(&self, scene: &mut TextContext) {
        if let Self::FactionChosen { seat, faction } = self {
            scene.set_role(*seat, faction.name());
        }
    }
}

/// `; the colors by seat are desert and lakes`.
fn drawn(colors: &[Terrain]) -> String {
    if colors.is_empty() {
        return String::new();
    }
    format!("; the colors by seat are {}", JoinAnd(colors))
}

/// ` with 2 coins`; empty for 0 (TM-14.12).
fn with(count: u16, one: &'static str) -> String {
    match count {
        0 => String::new(),
        _ => format!(" with {}", Count(count, one)),
    }
}

fn ordained(count: u16) -> String {
    match count {
        0 => String::from("no priest"),
        _ => Count(count, "priest").to_string(),
    }
}

/// The destination of a priest.
pub fn goal(cult: Cult, slot: PriestSlot) -> String {
    match slot {
        PriestSlot::Three => format!("the 3-step space of the {cult} cult"),
        PriestSlot::Two => format!("a 2-step space of the {cult} cult"),
        PriestSlot::Supply => format!("the {cult} cult for 1 step and back to the supply"),
    }
}
