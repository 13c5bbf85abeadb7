//! What happened (TM-13.3). Everything is public; a ledger can be rebuilt from the figures.

mod sentence;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, Goods, Land, LandSet, PowerAction, PriestSlot,
    River, ScoringTile, SpecialAction, Structure, Terrain, TownTile,
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
        /// What: coins, workers, priests.
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
        count: u16,
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
    /// Free spades were left over, and are lost (TM-6.20, TM-6.57, TM-6.62). The last variant, since
    /// logs know variants by their place.
    SpadesUnused {
        /// Whose.
        seat: Seat,
        /// How many.
        spades: u8,
    },
}
