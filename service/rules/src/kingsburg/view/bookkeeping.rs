//! The facts that the table keeps and that only the operator sees (KIN-13.7).

use crate::kingsburg::stage::{Decision, Stage};
use crate::kingsburg::state::{Player, PointSource, State};
use crate::table::{Pending, PendingList, Seat};

/// The facts that the table keeps and that no player needs to see: with them the view tells the whole table (KIN-13.7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookkeeping {
    /// The open decision. Empty when the game is over.
    pub open: PendingList,
    /// The seats that the King helps in this phase, in seat order. Empty unless they take goods.
    pub aided: Vec<Seat>,
    /// The number of groups on the advisor who helps that have been helped. 0 unless an advisor helps.
    pub helped: u8,
    /// The victory points of each player, in seat order.
    pub points: Vec<PointsView>,
    /// The Stone Walls in each battle, in order; last that of this winter.
    pub stone_walls: Vec<StoneWallsView>,
}

/// The victory points of one player by source, without those of standing buildings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsView {
    pub seat: Seat,
    pub advisors: i16,
    pub kings_reward: i16,
    pub town_hall: i16,
    pub embassy: i16,
    pub enemies: i16,
    pub fortress: i16,
    pub strongest: i16,
    pub cathedral: i16,
}

impl PointsView {
    /// The points from one source.
    pub const fn of(&self, source: PointSource) -> i16 {
        match source {
            PointSource::Advisors => self.advisors,
            PointSource::KingsReward => self.kings_reward,
            PointSource::TownHall => self.town_hall,
            PointSource::Embassy => self.embassy,
            PointSource::Enemies => self.enemies,
            PointSource::Fortress => self.fortress,
            PointSource::Strongest => self.strongest,
            PointSource::Cathedral => self.cathedral,
        }
    }
}

/// The players who had the Stone Wall when the strengths of a battle were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoneWallsView {
    /// The year of the battle, 1 to 5.
    pub year: u8,
    pub seats: Vec<Seat>,
}

/// # Rule KIN-13.7
pub(super) fn bookkeeping(state: &State) -> Bookkeeping {
    let mut kept = Bookkeeping::default();
    if let Stage::AidGood { tied, .. } = state.stage {
        kept.aided = tied.iter().collect();
    }
    if let Stage::Help { served, .. } = state.stage {
        kept.helped = served;
    }
    let battles = (1..).zip(state.history.iter().chain(&state.battle));
    let walls = battles.map(|(year, battle)| StoneWallsView {
        year,
        seats: battle.stone_walls.iter().collect(),
    });
    Bookkeeping {
        open: Pending::all(state.pending(), Decision::id),
        points: state.players.entries().map(points).collect(),
        stone_walls: walls.collect(),
        ..kept
    }
}

fn points((seat, player): (Seat, &Player)) -> PointsView {
    let points = |source| player.points(source);
    PointsView {
        seat,
        advisors: points(PointSource::Advisors),
        kings_reward: points(PointSource::KingsReward),
        town_hall: points(PointSource::TownHall),
        embassy: points(PointSource::Embassy),
        enemies: points(PointSource::Enemies),
        fortress: points(PointSource::Fortress),
        strongest: points(PointSource::Strongest),
        cathedral: points(PointSource::Cathedral),
    }
}
