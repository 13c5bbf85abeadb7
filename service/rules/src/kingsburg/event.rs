//! What happened, as a front end shows it and a ledger adds it up.
//!
//! `auto` marks what the engine decided because there was no choice (KIN-6.2).

mod sentence;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::EnvoyUse;
use super::data::{Advisor, Building, DiceSet, DieId, Enemy, Good, Goods, Phase};
use crate::table::{MAX_SEATS, Seat, Viewer, ids};

/// Seats in the order in which they act.
pub type TurnOrder = ArrayVec<Seat, MAX_SEATS>;

/// A die and the face it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownDie {
    /// The die.
    pub die: DieId,
    /// The face, 1 to 6.
    pub value: u8,
}

ids! {
    /// The result of a battle for one player (KIN-6.103).
    Outcome {
        /// Stronger than the enemy, or as strong with the Stone Wall.
        Victory "victory",
        /// As strong as the enemy.
        Standoff "standoff" "stand-off",
        /// Weaker than the enemy.
        Defeat "defeat",
    }
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The table is set (KIN-5.4).
    GameBegan {
        /// The first turn order.
        order: TurnOrder,
    },
    /// A phase begins.
    PhaseBegan {
        /// The year, 1 to 5.
        year: u8,
        /// The phase.
        phase: Phase,
    },
    /// A white die for spring (KIN-6.11).
    AidDieGiven {
        /// To whom.
        seat: Seat,
    },
    /// A good from the Aid from the King (KIN-6.12).
    AidGoodChosen {
        /// To whom.
        seat: Seat,
        /// One piece of this.
        good: Good,
    },
    /// The envoy's purpose is declared (KIN-6.20).
    EnvoyDeclared {
        /// By whom.
        seat: Seat,
        /// For what.
        purpose: EnvoyUse,
    },
    /// The neutral dice are rolled (KIN-6.25).
    NeutralRolled {
        /// Three dice that count together.
        together: [u8; 3],
        /// Two dice that count alone.
        alone: [u8; 2],
    },
    /// Neutral dice block an advisor (KIN-16.7).
    NeutralPlaced {
        /// The advisor.
        advisor: Advisor,
        /// The dice.
        values: ArrayVec<u8, 3>,
    },
    /// One gold from the Merchants' Guild (KIN-6.28).
    GuildIncome {
        /// To whom.
        seat: Seat,
    },
    /// A player rolls all his dice (KIN-6.30).
    DiceRolled {
        /// Who.
        seat: Seat,
        /// His dice, by number.
        dice: ArrayVec<ShownDie, { DieId::COUNT }>,
    },
    /// A die is rolled again (KIN-6.33).
    DieRerolled {
        /// By whom.
        seat: Seat,
        /// The die.
        die: DieId,
        /// What it showed.
        before: u8,
        /// What it shows.
        after: u8,
    },
    /// No die is rolled again (KIN-6.33).
    RollKept {
        /// By whom.
        seat: Seat,
    },
    /// The new turn order (KIN-6.35).
    OrderSet {
        /// The order.
        order: TurnOrder,
        /// The total of each player's dice, in the same order.
        totals: ArrayVec<u8, MAX_SEATS>,
    },
    /// A die is set aside (KIN-6.37).
    DieSetAside {
        /// By whom.
        seat: Seat,
        /// The die.
        die: DieId,
        /// What it shows.
        value: u8,
    },
    /// Dice are placed on an advisor (KIN-6.43).
    AdvisorInfluenced {
        /// By whom.
        seat: Seat,
        /// The advisor.
        advisor: Advisor,
        /// The dice.
        dice: DiceSet,
        /// +2 tokens that left the hand.
        plus2: u8,
        /// What the Market added: -1, 0 or 1.
        market_offset: i8,
        /// Was the envoy sent along?
        use_envoy: bool,
    },
    /// A player places no more dice (KIN-6.45).
    InfluencePassed {
        /// Who.
        seat: Seat,
        /// Was there no choice?
        auto: bool,
    },
    /// The fixed part of an advisor's help (KIN-6.52).
    HelpGiven {
        /// To whom.
        seat: Seat,
        /// By whom.
        advisor: Advisor,
        /// Goods.
        goods: Goods,
        /// Victory points.
        vp: u8,
        /// +2 tokens.
        plus2: u8,
        /// Soldiers, one from the Stable included (KIN-6.53).
        soldiers: u8,
    },
    /// A player looks at this year's enemy card (KIN-6.54).
    EnemyPeeked {
        /// Who.
        seat: Seat,
        /// The advisor who let him.
        advisor: Advisor,
        /// The year.
        year: u8,
        /// The card; only the seat itself sees it.
        card: Option<Enemy>,
    },
    /// The chosen part of an advisor's help (KIN-6.51).
    HelpChosen {
        /// To whom.
        seat: Seat,
        /// By whom.
        advisor: Advisor,
        /// The goods.
        goods: Goods,
    },
    /// A good is exchanged with the Alchemist (KIN-6.51).
    GoodExchanged {
        /// By whom.
        seat: Seat,
        /// One piece given.
        gave: Good,
        /// Goods gained.
        gained: Goods,
    },
    /// No good is exchanged with the Alchemist.
    ExchangeDeclined {
        /// By whom.
        seat: Seat,
    },
    /// Dice and used tokens leave the court (KIN-6.56).
    CourtCleared,
    /// A building is built (KIN-6.63).
    Built {
        /// By whom.
        seat: Seat,
        /// The building.
        building: Building,
        /// The price paid.
        paid: Goods,
        /// Victory points gained.
        vp: u8,
    },
    /// A player builds no more this season.
    BuildPassed {
        /// Who.
        seat: Seat,
        /// Was there no choice?
        auto: bool,
    },
    /// A +2 token from the Inn (KIN-7.5).
    InnToken {
        /// To whom.
        seat: Seat,
    },
    /// A victory point from the Embassy (KIN-7.20).
    EmbassyPoint {
        /// To whom.
        seat: Seat,
    },
    /// A +2 token from the Town Hall (KIN-6.70).
    TownHallToken {
        /// To whom.
        seat: Seat,
        /// Was there no choice?
        auto: bool,
    },
    /// A good is sold for a victory point (KIN-6.70).
    TownHallSale {
        /// By whom.
        seat: Seat,
        /// One piece of this.
        good: Good,
    },
    /// The white die of the Aid goes back (KIN-6.72).
    AidDieReturned {
        /// By whom.
        seat: Seat,
    },
    /// A victory point from the King's Reward (KIN-6.80).
    KingsRewardGiven {
        /// To whom.
        seat: Seat,
    },
    /// The envoy is given (KIN-6.85).
    EnvoyGiven {
        /// To whom.
        seat: Seat,
    },
    /// Nobody gets the envoy this year (KIN-6.85).
    EnvoyNotGiven,
    /// The envoy goes back unused at the end of autumn (KIN-6.72).
    EnvoyReturned {
        /// By whom.
        seat: Seat,
    },
    /// A soldier is recruited (KIN-6.90).
    SoldierRecruited {
        /// By whom.
        seat: Seat,
        /// The goods paid.
        paid: Goods,
    },
    /// A player recruits no more.
    RecruitPassed {
        /// Who.
        seat: Seat,
        /// Was there no choice?
        auto: bool,
    },
    /// The enemy comes (KIN-6.100).
    EnemyRevealed {
        /// The card.
        card: Enemy,
    },
    /// The King's reinforcement: so many soldiers for everybody (KIN-6.101).
    KingDieRolled {
        /// By the first player.
        seat: Seat,
        /// The face.
        value: u8,
    },
    /// A strength is counted (KIN-6.102).
    StrengthCounted {
        /// Whose.
        seat: Seat,
        /// How much.
        strength: i16,
        /// What comes of it.
        outcome: Outcome,
    },
    /// What a victory brings without a choice (KIN-6.104).
    EnemyRewarded {
        /// To whom.
        seat: Seat,
        /// Goods.
        goods: Goods,
        /// Victory points.
        vp: u8,
    },
    /// The good of his choice after a victory.
    RewardGoodChosen {
        /// To whom.
        seat: Seat,
        /// One piece of this.
        good: Good,
    },
    /// A victory point from the Fortress (KIN-7.16).
    FortressPoint {
        /// To whom.
        seat: Seat,
    },
    /// Goods that the card names are lost (KIN-6.104).
    GoodsLost {
        /// By whom.
        seat: Seat,
        /// The goods.
        goods: Goods,
    },
    /// Goods of the player's choice are lost (KIN-6.104).
    AnyGoodsLost {
        /// By whom.
        seat: Seat,
        /// The goods.
        goods: Goods,
        /// Was there no choice?
        auto: bool,
    },
    /// A building is lost with its points (KIN-6.105).
    BuildingLost {
        /// By whom.
        seat: Seat,
        /// The building.
        building: Building,
        /// Victory points lost.
        vp: u8,
        /// Was there no choice?
        auto: bool,
    },
    /// Victory points are lost (KIN-6.104).
    PointsLost {
        /// By whom.
        seat: Seat,
        /// How many.
        vp: u8,
    },
    /// A victory point for the strongest who won (KIN-6.107).
    StrongestPoint {
        /// To whom.
        seat: Seat,
    },
    /// The year is over: all soldiers go home (KIN-6.108).
    YearEnded {
        /// The year.
        year: u8,
    },
    /// Goods are exchanged for victory points in the Cathedral (KIN-8.2).
    CathedralExchange {
        /// By whom.
        seat: Seat,
        /// The goods given.
        goods: Goods,
        /// Victory points gained.
        vp: u8,
    },
    /// The game is over.
    GameEnded,
}

/// What a viewer may know of an event: all, but of a peek only that it happened (KIN-13.3).
pub(crate) fn seen_by(event: &Event, viewer: Viewer) -> Event {
    if let Event::EnemyPeeked {
        seat,
        advisor,
        year,
        card,
    } = *event
    {
        let card = card.filter(|_| viewer.sees(seat));
        return Event::EnemyPeeked {
            seat,
            advisor,
            year,
            card,
        };
    }
    event.clone()
}
