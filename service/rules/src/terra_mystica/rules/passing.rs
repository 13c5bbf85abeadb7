//! Passing (TM-6.45).

use super::super::data::{
    BRIDGE_SITES, BonusCard, Faction, FavorTile, PassBonus, ROUNDS, Structure,
};
use super::super::event::{Event, GoodsSource, VpSource};
use super::super::refusal::Refusal;
use super::super::state::{PoolCard, State};
use super::Play;
use crate::table::Seat;

/// VP of the Engineers with stronghold for each bridge.
const BRIDGE_VP: u16 = 3;

/// # Rule TM-6.45
/// Rounds 1 to 5 take a card of the pool, round 6 takes none.
pub(in super::super) fn check_pass(
    state: &State,
    card: Option<BonusCard>,
) -> Result<Option<BonusCard>, Refusal> {
    match card {
        Some(_) if state.round >= ROUNDS => Err(Refusal::CardNotAllowed),
        None if state.round < ROUNDS => Err(Refusal::CardRequired),
        Some(card) if !state.in_pool(card) => Err(Refusal::CardNotAvailable { card }),
        Some(_) | None => Ok(card),
    }
}

impl State {
    /// What the bonus card scores on passing.
    fn card_vp(&self, seat: Seat, card: BonusCard) -> u16 {
        let count = |structure| u16::from(self.board.count(seat, structure));
        match card.pass_bonus() {
            PassBonus::None => 0,
            PassBonus::GreatStructures(vp) => {
                vp * (count(Structure::Stronghold) + count(Structure::Sanctuary))
            }
            PassBonus::TradingHouses(vp) => vp * count(Structure::TradingHouse),
            PassBonus::Dwellings(vp) => vp * count(Structure::Dwelling),
            PassBonus::Shipping(vp) => vp * u16::from(self.players[seat].shipping),
        }
    }

    /// Own bridges both of whose ends carry own structures.
    fn bridges_between_own(&self, seat: Seat) -> u16 {
        let own = self.board.owned(seat);
        self.board
            .bridges()
            .filter(|&(site, owner)| {
                let ends = BRIDGE_SITES[site];
                owner == seat && own.contains(ends.a) && own.contains(ends.b)
            })
            .fold(0, |count, _| count + 1)
    }
}

impl Play<'_> {
    /// Scores, changes the bonus card, and leaves the round.
    pub(in super::super) fn perform_pass(&mut self, seat: Seat, card: Option<BonusCard>) {
        self.tell(Event::Passed { seat });
        self.score_pass(seat);
        let old = self.state.players[seat].card.take();
        if let Some(card) = card {
            self.take_card(seat, card);
        }
        if let Some(card) = old {
            self.state.pool.push(PoolCard { card, coins: 0 });
            self.tell(Event::BonusCardReturned { seat, card });
        }
        self.state.passed.push(seat);
        self.next_turn();
    }

    fn score_pass(&mut self, seat: Seat) {
        if let Some(card) = self.state.players[seat].card {
            let vp = self.state.card_vp(seat, card);
            self.score(seat, vp, VpSource::BonusCard(card));
        }
        if self.state.players[seat].favors.has(FavorTile::Fav12) {
            let houses = self.state.board.count(seat, Structure::TradingHouse);
            let vp = FavorTile::PASS_VP[usize::from(houses)];
            self.score(seat, vp, VpSource::FavorTile(FavorTile::Fav12));
        }
        if self.state.faction(seat) == Faction::Engineers && self.state.has_stronghold(seat) {
            let vp = BRIDGE_VP * self.state.bridges_between_own(seat);
            self.score(seat, vp, VpSource::Bridges);
        }
    }

    /// Takes a card of the pool with the coins on it (TM-10.26).
    pub(super) fn take_card(&mut self, seat: Seat, card: BonusCard) {
        let mut pool = self.state.pool.iter();
        let Some(place) = pool.position(|pooled| pooled.card == card) else {
            return;
        };
        let coins = u16::from(self.state.pool.remove(place).coins);
        self.state.players[seat].card = Some(card);
        self.tell(Event::BonusCardTaken { seat, card, coins });
        let goods = super::super::data::Goods::coins(coins);
        self.receive(seat, goods, GoodsSource::BonusCard(card));
    }
}
