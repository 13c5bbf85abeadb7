//! The map: structures, the largest area, spaces to settle, and groups that become towns.

use super::figures::{AREA, AREA_SPREAD, KEY, LAND, NEAR_TOWN, NEIGHBOR, SITE, SITES, TOWN};
use super::{EvalContext, foretold};
use crate::terra_mystica::data::{
    AREA_VP, FavorTile, LandSet, Structure, TOWN_POWER, TOWN_STRUCTURES,
};
use crate::terra_mystica::rules::reach::LeapRule;

impl EvalContext<'_> {
    /// The worth of every structure, the rank of the largest area, and neighbors, who give power and make trading
    /// houses cheap (TM-6.31, TM-6.40).
    pub(super) fn land(&self) -> i32 {
        let state = self.state;
        let own = state.board.owned(self.seat);
        let others = state.board.occupied().minus(own);
        let mut near = 0;
        for land in own.iter() {
            near += i32::from(state.board.direct(land).meets(others));
        }
        let size = i32::from(state.largest_area(self.seat));
        let rivals = self.seat.others(state.seats());
        let rivals = rivals.map(|rival| i32::from(state.largest_area(rival)));
        let spread = AREA_SPREAD.at(self.left);
        i32::from(own.len()) * LAND.at(self.left)
            + size * AREA.at(self.left)
            + foretold(size, rivals, spread, AREA_VP)
            + near * NEIGHBOR.at(self.left)
    }

    /// The worth of the spaces within reach, by the spades that they need; more of a kind than can be settled soon do
    /// not count.
    pub(super) fn sites(&self) -> i32 {
        if !self.builds() {
            return 0;
        }
        let state = self.state;
        let reach = state.reach(self.seat, LeapRule::Allowed).all();
        let home = self.player.faction.home();
        let mut by_spades = [0; 4];
        for land in reach.minus(state.board.occupied()).iter() {
            by_spades[usize::from(state.board.terrain(land).spades_to(home))] += 1;
        }
        let stock = i32::from(state.board.left(self.seat, Structure::Dwelling));
        let most = SITES.at(0).min(stock);
        let [ready, one, two, _] = by_spades.map(|count: i32| count.min(most));
        (4 * ready + 2 * one + two) * SITE.at(self.left) / 2
    }

    /// The worth of the two groups that are nearest to a town, and of keys.
    pub(super) fn towns(&self) -> i32 {
        let keys = i32::from(self.player.keys) * KEY.at(0);
        if self.state.towns_left() == 0 || !self.builds() {
            return keys;
        }
        let in_towns = self.state.town_lands(self.seat);
        let (mut first, mut second) = (0, 0);
        for lands in self.state.components(self.seat) {
            let near = if lands.meets(in_towns) {
                0
            } else {
                self.near_town(lands)
            };
            if near > first {
                (first, second) = (near, first);
            } else {
                second = near.max(second);
            }
        }
        keys + (3 * first + 2 * second) * TOWN.at(self.left) / 300
    }

    /// The share of a town that a group is, in hundredths.
    ///
    /// # Rule TM-6.50
    /// Four structures of a power value of 7, or 6 with FAV5. A group that cannot grow is none.
    fn near_town(&self, lands: LandSet) -> i32 {
        let board = &self.state.board;
        let fav5 = self.player.favors.contains(FavorTile::Fav5);
        let needed = i32::from(TOWN_POWER) - i32::from(fav5);
        let structures = (i32::from(TOWN_STRUCTURES) - i32::from(lands.len())).max(0);
        let power = needed - i32::from(board.power_value(self.seat, lands)) - structures;
        let mut around = LandSet::EMPTY;
        for land in lands.iter() {
            around = around.or(board.direct(land));
        }
        let room = i32::from(around.minus(board.occupied()).len());
        let gaps = usize::try_from(2 * structures + power.max(0)).unwrap_or(0);
        let late = if self.left == 0 { 2 } else { 1 };
        match NEAR_TOWN.get(gaps) {
            Some(&share) if structures <= room => share / late,
            Some(_) | None => 0,
        }
    }
}
