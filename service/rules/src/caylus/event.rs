//! What happened. Everything is public (CAY-13.1); the events alone give every player's account.

mod sentence;

use serde::{Deserialize, Serialize};

use super::action::Target;
use super::data::{Cubes, FavorLine, Goods, Resource, Section, Space, Tile};
use super::options::SeatList;
use super::score::FinalScore;
use crate::table::{PerSeat, Seat};

/// What happened. Prices and gains are included: adding them up gives what everybody has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// The table is set (CAY-5).
    GameCreated {
        /// Every favor gives 3 VP at once.
        simplified_favors: bool,
        /// The neutral tiles on spaces 1 to 6.
        neutral_order: [Tile; 6],
        /// The turn order of turn 1.
        turn_order: SeatList,
    },
    /// A turn begins (CAY-6.3.1).
    TurnStarted {
        /// Its number, from 1.
        turn: u8,
    },
    /// The stables, or a new turn of 2 players, changed the order (CAY-6.5.5, CAY-9.2).
    TurnOrderChanged {
        /// The new order.
        turn_order: SeatList,
    },
    /// A player gained income (CAY-6.3.2).
    Income {
        /// Whose income.
        seat: Seat,
        /// How many deniers.
        deniers: u16,
    },
    /// A player placed a worker (CAY-6.4.4).
    WorkerPlaced {
        /// Whose worker.
        seat: Seat,
        /// Where.
        target: Target,
        /// The price in deniers.
        price: u16,
        /// The other player who owns the building and gains 1 VP.
        owner: Option<Seat>,
    },
    /// A player passed (CAY-6.4.6).
    Passed {
        /// Who.
        seat: Seat,
        /// Deniers for being the first.
        bonus: u16,
    },
    /// The gate's worker went elsewhere (CAY-6.5.1).
    GateMoved {
        /// Whose worker.
        seat: Seat,
        /// Where to.
        target: Target,
        /// The other player who owns the building and gains 1 VP.
        owner: Option<Seat>,
    },
    /// The gate's worker was taken back (CAY-6.5.1).
    GateRecalled {
        /// Whose worker.
        seat: Seat,
    },
    /// The trading post gave deniers; its worker returned (CAY-6.5.2).
    TradingPostPaid {
        /// Whose worker.
        seat: Seat,
        /// How many deniers.
        deniers: u16,
    },
    /// The provost was moved, or left where he is (CAY-6.5.3, CAY-6.6.1).
    ProvostMoved {
        /// Who moved him.
        seat: Seat,
        /// Where he stood.
        from: Space,
        /// Where he stands.
        to: Space,
        /// The deniers paid.
        paid: u16,
    },
    /// A player bought a favor at the joust field, or did not (CAY-6.5.4).
    Jousted {
        /// Whose worker; he returned.
        seat: Seat,
        /// What was paid; nothing: declined.
        paid: Option<Goods>,
    },
    /// The workers of the inn changed (CAY-6.5.6).
    InnChanged {
        /// Whose worker returned from the right circle.
        returned: Option<Seat>,
        /// Whose worker stands on the right circle.
        right: Option<Seat>,
    },
    /// The worker in a building goes to work (CAY-6.7.1).
    BuildingActivated {
        /// Whose worker.
        seat: Seat,
        /// Where.
        space: Space,
        /// In which building.
        tile: Tile,
    },
    /// Cubes were produced (CAY-7.1).
    Produced {
        /// Who gained them.
        seat: Seat,
        /// Which cubes.
        cubes: Cubes,
    },
    /// Goods were sold, bought or traded (CAY-7.2, CAY-7.3, CAY-7.7, CAY-7.8).
    Traded {
        /// Who traded.
        seat: Seat,
        /// What was paid.
        paid: Goods,
        /// What was gained.
        gained: Goods,
    },
    /// A player did without the effect of a building (CAY-7.10).
    EffectDeclined {
        /// Who.
        seat: Seat,
        /// Where.
        space: Space,
    },
    /// A wood or stone tile was built (CAY-7.4).
    TileBuilt {
        /// Who built it and owns it.
        seat: Seat,
        /// Which tile.
        tile: Tile,
        /// Where.
        space: Space,
        /// What was paid.
        paid: Cubes,
        /// The prestige points gained.
        vp: u16,
    },
    /// A transformation was paid (CAY-7.5).
    TransformPaid {
        /// Who paid.
        seat: Seat,
        /// The space to be transformed.
        space: Space,
        /// What was paid.
        paid: Goods,
        /// Whose worker must leave first.
        waits_for: Option<Seat>,
    },
    /// A transformation was carried out (CAY-7.5).
    TransformDone {
        /// Who owns the residence.
        seat: Seat,
        /// Where.
        space: Space,
        /// The building that was there.
        replaced: Tile,
        /// The prestige points gained.
        vp: u16,
    },
    /// A prestige tile replaced a residence (CAY-7.6).
    PrestigeBuilt {
        /// Who built it and owns it.
        seat: Seat,
        /// Which tile.
        tile: Tile,
        /// Where.
        space: Space,
        /// What was paid.
        paid: Cubes,
        /// The prestige points gained.
        vp: u16,
    },
    /// The owner took a cube for another player's worker (CAY-7.1).
    OwnerBonus {
        /// The owner.
        seat: Seat,
        /// Where.
        space: Space,
        /// Which kind.
        resource: Resource,
    },
    /// A worker came home from the road (CAY-6.7.1, CAY-6.7.2).
    WorkerReturned {
        /// Whose worker.
        seat: Seat,
        /// Where he was.
        space: Space,
    },
    /// A part of the castle was built (CAY-6.8.4).
    CastleBatch {
        /// Who built it.
        seat: Seat,
        /// In which section.
        section: Section,
        /// What was paid.
        paid: Cubes,
        /// The prestige points gained.
        vp: u16,
    },
    /// A castle builder without a batch lost prestige points (CAY-6.8.6).
    CastlePenalty {
        /// Who.
        seat: Seat,
        /// How many, 0 to 2.
        vp: u16,
    },
    /// A player built the most batches of this turn (CAY-6.8.7).
    MostBatches {
        /// Who.
        seat: Seat,
        /// How many.
        batches: u8,
    },
    /// The castle workers came home (CAY-6.8.7).
    CastleLeft {
        /// Whose workers.
        seats: SeatList,
    },
    /// A player gained favors (CAY-6.10).
    FavorsGained {
        /// Who.
        seat: Seat,
        /// How many.
        count: u8,
    },
    /// Simplified favors gave prestige points at once (CAY-6.10.1).
    FavorsSimplified {
        /// Who.
        seat: Seat,
        /// How many favors.
        count: u8,
        /// The prestige points gained.
        vp: u16,
    },
    /// A favor was used (CAY-6.10.4). What it builds or transforms is told by further events.
    FavorTaken {
        /// Who.
        seat: Seat,
        /// The line.
        line: FavorLine,
        /// Where the marker stands now.
        marker: u8,
        /// The column used; 0: none.
        column: u8,
        /// What was paid.
        paid: Goods,
        /// What was gained.
        gained: Goods,
    },
    /// Favors were lost, since all lines had been used in this phase (CAY-6.10.2).
    FavorsLost {
        /// Who.
        seat: Seat,
        /// How many.
        count: u8,
    },
    /// The bailiff went on, and the provost joined him (CAY-6.9.1).
    BailiffMoved {
        /// Where the bailiff stood.
        from: Space,
        /// Where both stand.
        to: Space,
    },
    /// A section of the castle is being scored (CAY-6.9.2).
    SectionScoring {
        /// Which one.
        section: Section,
    },
    /// A player without a part of the section lost prestige points (CAY-6.9.4).
    SectionPenalty {
        /// Who.
        seat: Seat,
        /// Which section.
        section: Section,
        /// How many, 0 to 4.
        vp: u16,
    },
    /// The section is scored and closed (CAY-6.9.2).
    SectionScored {
        /// Which one.
        section: Section,
    },
    /// The game is over (CAY-8).
    GameEnded {
        /// The final score of each seat.
        scores: PerSeat<FinalScore>,
        /// The seats with the highest total.
        winners: SeatList,
    },
    /// A castle builder has done his part, or found no room, and loses nothing (CAY-6.8.6). The last
    /// variant, since logs know variants by their place.
    CastleFinished {
        /// Who.
        seat: Seat,
        /// How many parts he built in this turn.
        batches: u8,
    },
}
