//! Structures by their prospects, and the tracks. Their gains in each round are income.

use super::figures::{
    EXCHANGE, KEPT_GREAT, SANCTUARY, SHIPPING, STRONGHOLD, TEMPLE, TRADING_HOUSE, ability,
};
use super::{EvalContext, POINT};
use crate::terra_mystica::data::{BRIDGE_SITES, Faction, ScoringTrigger, Structure};

/// Points of the Engineers with stronghold for each bridge on passing (TM-6.45).
const BRIDGE: i32 = 3 * POINT;

impl EvalContext<'_> {
    pub(super) fn count(&self, structure: Structure) -> i32 {
        i32::from(self.state.board.count(self.seat, structure))
    }

    pub(super) fn structures(&self) -> i32 {
        let left = self.left;
        let houses = self.count(Structure::TradingHouse).min(2);
        let stronghold = self.count(Structure::Stronghold);
        let sanctuary = self.count(Structure::Sanctuary);
        let temples = self.count(Structure::Temple).min(1 - sanctuary);
        let steps = if self.builds() {
            houses * TRADING_HOUSE.at(left) + temples * TEMPLE.at(left)
        } else {
            0
        };
        let unbuilt = 2 - stronghold - sanctuary;
        steps
            + stronghold * (STRONGHOLD.at(left) + self.abilities())
            + sanctuary * SANCTUARY.at(left)
            + self.later(ScoringTrigger::GreatStructure).min(unbuilt) * KEPT_GREAT.at(0)
    }

    /// The number of rounds to come whose tile scores this event.
    fn later(&self, trigger: ScoringTrigger) -> i32 {
        let tiles = self.state.scoring_tiles.iter();
        let tiles = tiles.skip(usize::from(self.state.round));
        tiles.map(|tile| i32::from(tile.trigger() == trigger)).sum()
    }

    /// The worth of the stronghold's ability from now on: a used action counts only from the next round on.
    fn abilities(&self) -> i32 {
        let action = self.player.sheet().stronghold_action;
        let used = action.is_some_and(|action| self.player.used.contains(action));
        let now = i32::from(self.active && !used);
        ability(self.player.faction) * (self.left + now)
    }

    /// The worth of bridges between own structures, which score with each pass.
    pub(super) fn bridges(&self) -> i32 {
        if self.player.faction != Faction::Engineers || !self.state.has_stronghold(self.seat) {
            return 0;
        }
        let own = self.state.board.owned(self.seat);
        let spans = self.state.board.bridges().filter(|&(site, owner)| {
            let ends = BRIDGE_SITES[site];
            owner == self.seat && own.contains(ends.a) && own.contains(ends.b)
        });
        spans.map(|_| BRIDGE).sum::<i32>() * self.rounds()
    }

    pub(super) fn tracks(&self) -> i32 {
        i32::from(self.player.shipping) * SHIPPING.at(self.left)
            + i32::from(self.player.terraforming) * EXCHANGE.at(self.left)
    }
}
