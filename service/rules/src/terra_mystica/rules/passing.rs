//! Bonus cards and passing (TM-6.45).

use super::goods::{receive, score};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::data::{
    BRIDGE_SITES, BonusCard, Faction, FavorTile, Goods, PassBonus, ROUNDS, Structure,
};
use crate::terra_mystica::event::{Event, GoodsSource, VpSource};
use crate::terra_mystica::refusal::{Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, PoolCard, State};

/// VP of the Engineers with stronghold for each bridge.
const BRIDGE_VP: u16 = 3;

/// The index of a card in the pool. Only `check_card` makes one.
#[derive(Clone, Copy, Debug)]
pub struct PoolPlace(usize);

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.visit(Action::PassTurn { card: None })?;
    let pool = BonusCard::ALL.into_iter();
    pool.filter(|&card| state.place_in_pool(card).is_some())
        .map(|card| Action::PassTurn { card: Some(card) })
        .try_for_each(|action| list.visit(action))
}

/// Checks that the card is in the pool.
pub fn check_card(
    state: &State,
    card: BonusCard,
    rule: &'static str,
) -> Result<PoolPlace, RefusedAction> {
    let place = state.place_in_pool(card).map(PoolPlace);
    place.ok_or(Refusal::CardNotAvailable { card }.citing(rule))
}

/// # Rule TM-6.45
/// In rounds 1 to 5 a card of the pool is taken, in round 6 none.
pub fn check(state: &State, card: Option<BonusCard>) -> Result<Option<PoolPlace>, RefusedAction> {
    let rule = "TM-6.45";
    match card {
        Some(_) if state.round >= ROUNDS => Err(Refusal::CardNotAllowed.citing(rule)),
        None if state.round < ROUNDS => Err(Refusal::CardRequired.citing(rule)),
        Some(card) => check_card(state, card, rule).map(Some),
        None => Ok(None),
    }
}

impl State {
    /// The VP of the bonus card on passing.
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

    /// The number of own bridges with own structures at both ends.
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

/// Scores, changes the bonus card, and leaves the round.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, place: Option<PoolPlace>) {
    ctx.emit(Event::Passed { seat });
    score_pass(ctx, seat);
    let old = ctx.state.players[seat].card.take();
    if let Some(place) = place {
        take_card(ctx, seat, place);
    }
    if let Some(card) = old {
        ctx.state.pool.push(PoolCard { card, coins: 0 });
        ctx.emit(Event::BonusCardReturned { seat, card });
    }
    ctx.state.passed.push(seat);
}

fn score_pass(ctx: &mut ExecContext<'_>, seat: Seat) {
    if let Some(card) = ctx.state.players[seat].card {
        let vp = ctx.state.card_vp(seat, card);
        score(ctx, seat, vp, VpSource::BonusCard(card));
    }
    if ctx.state.players[seat].favors.contains(FavorTile::Fav12) {
        let houses = ctx.state.board.count(seat, Structure::TradingHouse);
        let vp = FavorTile::PASS_VP[usize::from(houses)];
        score(ctx, seat, vp, VpSource::FavorTile(FavorTile::Fav12));
    }
    if ctx.state.faction(seat) == Faction::Engineers && ctx.state.has_stronghold(seat) {
        let vp = BRIDGE_VP * ctx.state.bridges_between_own(seat);
        score(ctx, seat, vp, VpSource::Bridges);
    }
}

/// Takes a card of the pool with the coins on it (TM-10.26).
pub fn take_card(ctx: &mut ExecContext<'_>, seat: Seat, PoolPlace(place): PoolPlace) {
    let PoolCard { card, coins } = ctx.state.pool.remove(place);
    let coins = u16::from(coins);
    ctx.state.players[seat].card = Some(card);
    ctx.emit(Event::BonusCardTaken { seat, card, coins });
    receive(ctx, seat, Goods::coins(coins), GoodsSource::BonusCard(card));
}
