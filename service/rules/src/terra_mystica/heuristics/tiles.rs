//! Favor tiles, bonus cards, and the tiles that are still to be chosen.

use super::figures::{
    CARD_POINTS, CARD_RISK, CARD_SHIP, CARD_SPADE, CARD_STEP, COIN, FAVOR_DWELLINGS, FAVOR_HOUSES,
    FAVOR_PASS, FAVOR_STEP, FAVOR_TOWNS, OPEN_ORDINATION, OPEN_STEP, SPADE,
};
use super::goods::{goods, stream};
use super::{EvalContext, POINT};
use crate::terra_mystica::data::{
    BonusCard, CULT_TOP, Cult, FavorTile, PassBonus, STRONGHOLD_SPADES, ScoringTrigger,
    SpecialAction, Structure, TownTile,
};
use crate::terra_mystica::stage::Stage;

impl EvalContext<'_> {
    pub(super) fn favors(&self) -> i32 {
        let tiles = self.player.favors.iter();
        tiles.map(|tile| self.favor(tile)).sum()
    }

    /// The worth of a favor tile from now on besides steps and income.
    fn favor(&self, tile: FavorTile) -> i32 {
        let houses = usize::try_from(self.count(Structure::TradingHouse)).unwrap_or(0);
        match tile {
            FavorTile::Fav10 if self.builds() => FAVOR_HOUSES.at(self.left),
            FavorTile::Fav11 if self.builds() => FAVOR_DWELLINGS.at(self.left),
            FavorTile::Fav5 if self.builds() => FAVOR_TOWNS.at(self.left),
            FavorTile::Fav6 => {
                let used = self.player.used.contains(SpecialAction::Fav6);
                FAVOR_STEP.at(self.left + i32::from(self.active && !used))
            }
            FavorTile::Fav12 => {
                let vp = |houses: usize| POINT * i32::from(FavorTile::PASS_VP[houses]);
                let later = vp(houses.max(2)) * FAVOR_PASS.at(0) / 100;
                vp(houses) * i32::from(self.active) + later * self.left
            }
            FavorTile::Fav1
            | FavorTile::Fav2
            | FavorTile::Fav3
            | FavorTile::Fav4
            | FavorTile::Fav5
            | FavorTile::Fav7
            | FavorTile::Fav8
            | FavorTile::Fav9
            | FavorTile::Fav10
            | FavorTile::Fav11 => 0,
        }
    }

    /// The points of a card on passing as the table stands (TM-6.45).
    fn pass_points(&self, card: BonusCard) -> i32 {
        let (vp, count) = match card.pass_bonus() {
            PassBonus::None => return 0,
            PassBonus::GreatStructures(vp) => {
                let great = [Structure::Stronghold, Structure::Sanctuary];
                (
                    vp,
                    great.map(|structure| self.count(structure)).iter().sum(),
                )
            }
            PassBonus::TradingHouses(vp) => (vp, self.count(Structure::TradingHouse)),
            PassBonus::Dwellings(vp) => (vp, self.count(Structure::Dwelling)),
            PassBonus::Shipping(vp) => (vp, i32::from(self.player.shipping)),
        };
        POINT * i32::from(vp) * count
    }

    /// The worth of a card for the next round, with this many rounds to come after that.
    fn next_card(&self, card: BonusCard, left: i32) -> i32 {
        let action = match card {
            BonusCard::Bon1 => CARD_SPADE.at(left),
            BonusCard::Bon2 => CARD_STEP.at(left),
            BonusCard::Bon4 if self.player.sheet().shipping.is_some() => CARD_SHIP.at(left),
            BonusCard::Bon3
            | BonusCard::Bon4
            | BonusCard::Bon5
            | BonusCard::Bon6
            | BonusCard::Bon7
            | BonusCard::Bon8
            | BonusCard::Bon9
            | BonusCard::Bon10 => 0,
        };
        goods(card.income(), left) + self.pass_points(card) * CARD_POINTS.at(0) / 100 + action
    }

    /// The worth of the card in hand, and of the card that the next pass brings: a player who has passed has it
    /// already.
    pub(super) fn card(&self) -> i32 {
        let own = self.player.card;
        let left = self.left - 1;
        if self.state.round == 0 {
            return own.map_or(0, |card| self.next_card(card, self.left));
        }
        if !self.active {
            return own.map_or(0, |card| {
                if left < 0 {
                    0
                } else {
                    self.next_card(card, left)
                }
            });
        }
        let now = own.map_or(0, |card| self.pass_points(card));
        if left < 0 {
            return now;
        }
        let pool = self.state.pool.iter();
        let next = pool.map(|pooled| {
            self.next_card(pooled.card, left) + i32::from(pooled.coins) * COIN.at(left)
        });
        now + next.max().unwrap_or(0) - CARD_RISK.at(0)
    }

    /// The worth of choices that follow an action, and of spades of a cult reward.
    pub(super) fn pending(&self) -> i32 {
        let state = self.state;
        let own = state.cult_spades.iter().filter(|one| one.seat == self.seat);
        let spades: i32 = own.map(|one| i32::from(one.spades)).sum();
        let spade = SPADE.at(self.left);
        if state.turn.seat != self.seat || state.stage != Stage::Action {
            return spades * spade;
        }
        let open = state.turn.follow_ups;
        let favors = if open.favor_tiles == 0 {
            0
        } else {
            self.best_favor()
        };
        let step = if open.cult_step { OPEN_STEP.at(0) } else { 0 };
        let ordination = if open.ordination {
            OPEN_ORDINATION.at(self.left)
        } else {
            0
        };
        let stronghold = i32::from(open.stronghold_spades) * i32::from(STRONGHOLD_SPADES);
        let towns = i32::from(state.open_towns());
        let town = if towns == 0 { 0 } else { self.best_town() };
        i32::from(open.favor_tiles) * favors
            + step
            + ordination
            + (spades + stronghold) * spade
            + towns * town
    }

    /// The best favor tile that is left (TM-6.54).
    fn best_favor(&self) -> i32 {
        let free = |tile: &FavorTile| {
            self.state.favor_left(*tile) > 0 && !self.player.favors.contains(*tile)
        };
        let gain = |tile: FavorTile| {
            let from = self.player.cults[tile.cult().index()];
            let steps = (CULT_TOP - from).min(tile.steps());
            self.favor(tile) + stream(tile.income(), self.left) + i32::from(steps) * OPEN_STEP.at(0)
        };
        let tiles = FavorTile::ALL.into_iter().filter(free);
        tiles.map(gain).max().unwrap_or(0)
    }

    /// The best town tile that is left, with the points of the round (TM-6.55).
    fn best_town(&self) -> i32 {
        let gain = |tile: TownTile| {
            let steps = tile.cult_steps() * u8::try_from(Cult::COUNT).unwrap_or(0);
            POINT * i32::from(tile.vp())
                + goods(tile.gain(), self.left)
                + i32::from(steps) * OPEN_STEP.at(0)
        };
        let tiles = TownTile::ALL.into_iter();
        let tiles = tiles.filter(|&tile| self.state.town_tiles_left(tile) > 0);
        let scoring = self.state.scoring_tile();
        let round = match scoring.trigger() {
            ScoringTrigger::Town => POINT * i32::from(scoring.vp()),
            ScoringTrigger::Spade
            | ScoringTrigger::Dwelling
            | ScoringTrigger::TradingHouse
            | ScoringTrigger::Temple
            | ScoringTrigger::GreatStructure => 0,
        };
        tiles.map(gain).max().unwrap_or(0) + round
    }
}
