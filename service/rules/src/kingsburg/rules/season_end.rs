//! The end of a productive season (KIN-6d, step SEASON_END).

use std::ops::ControlFlow;

use super::common::owned;
use super::{envoy, year};
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, Good, Goods, Phase};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::No;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Play, PointSource, State};
use crate::table::{Lister, Named, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    TakeToken,
    SellGood(Good),
}

/// Resolves Inn, Embassy and Town Hall in turn order. Buildings of this season count.
///
/// # Rule KIN-6.70, KIN-6.71, KIN-16.14
pub fn enter(play: &mut Play<'_>, place: u8) -> ControlFlow<()> {
    let Some(seat) = play.state.at(place) else {
        close(play);
        return ControlFlow::Continue(());
    };
    let has = |play: &Play<'_>, building| play.state.players[seat].has(building);
    if play.state.phase == Phase::Summer && has(play, Building::Inn) {
        play.state.players[seat].plus2 += 1;
        play.tell(Event::InnToken { seat });
    }
    if has(play, Building::Embassy) {
        play.state.players[seat].score(PointSource::Embassy, 1);
        play.tell(Event::EmbassyPoint { seat });
    }
    if !has(play, Building::TownHall) {
        play.state.stage = Stage::SeasonEnd { place: place + 1 };
    } else if play.state.players[seat].goods.is_none() {
        let action = Action::TownHallTakeToken;
        play.automatic(seat, action, |play| take_token(play, seat));
    } else {
        return ControlFlow::Break(());
    }
    ControlFlow::Continue(())
}

/// Returns the white die and the envoy at the very end.
///
/// # Rule KIN-6.72, KIN-16.14
fn close(play: &mut Play<'_>) {
    if play.state.phase == Phase::Spring
        && let Some(seat) = play.state.aid_die.take()
    {
        play.tell(Event::AidDieReturned { seat });
    }
    if play.state.phase == Phase::Autumn {
        envoy::end_of_autumn(play);
    }
    year::next_phase(play);
}

/// Lists `town_hall_take_token`, then a sale of each kind owned.
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    list.visit(Action::TownHallTakeToken)?;
    let held = state.players[seat].goods;
    Good::ALL
        .into_iter()
        .filter(|&good| held.amount(good) > 0)
        .try_for_each(|good| list.visit(Action::TownHallSellGood { good: Some(good) }))
}

/// Judges `town_hall_sell_good`.
pub fn check(state: &State, seat: Seat, good: Named<Good>) -> Result<Deed, No> {
    let goods = state.players[seat].goods;
    owned(goods, good, "good", "KIN-6.70").map(Deed::SellGood)
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::TakeToken => take_token(play, seat),
        Deed::SellGood(good) => {
            let player = &mut play.state.players[seat];
            player.goods = player.goods.minus(Goods::of(good, 1));
            player.score(PointSource::TownHall, 1);
            play.tell(Event::TownHallSale { seat, good });
            next_player(play, seat);
        }
    }
}

fn take_token(play: &mut Play<'_>, seat: Seat) {
    play.state.players[seat].plus2 += 1;
    play.tell(Event::TownHallToken { seat });
    next_player(play, seat);
}

fn next_player(play: &mut Play<'_>, seat: Seat) {
    let place = play.state.place_of(seat) + 1;
    play.state.stage = Stage::SeasonEnd { place };
}
