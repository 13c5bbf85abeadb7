//! The end of a productive season (KIN-6.4, step SEASON_END).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Building, Good, Goods, Season};
use super::super::event::Event;
use super::super::pending::{Decision, Stage};
use super::super::state::{PointSource, State};
use super::{Answer, Decided, Deed, envoy, owned, year};
use crate::table::{Seat, Visit};

/// In turn order: Inn, Embassy, Town Hall. Buildings of this season take part.
///
/// # Rule KIN-6.70, KIN-6.71, KIN-16.14
pub(in super::super) fn enter(state: &mut State, place: u8, journal: &mut Log) -> ControlFlow<()> {
    let Some(seat) = state.at(place) else {
        close(state, journal);
        return ControlFlow::Continue(());
    };
    let summer = state.phase.season() == Some(Season::Summer);
    let player = &mut state.players[seat];
    if summer && player.has(Building::Inn) {
        player.plus2 += 1;
        journal.event(Event::InnToken { seat });
    }
    if player.has(Building::Embassy) {
        player.score(PointSource::Embassy, 1);
        journal.event(Event::EmbassyPoint { seat });
    }
    if !player.has(Building::TownHall) {
        state.stage = Stage::SeasonEnd { place: place + 1 };
    } else if player.goods.is_none() {
        journal.automatic(seat, Action::TownHallTakeToken);
        perform_token(state, seat, Decided::Auto, journal);
    } else {
        return ControlFlow::Break(());
    }
    ControlFlow::Continue(())
}

/// Last of all the white die and the envoy return.
///
/// # Rule KIN-6.72, KIN-16.14
fn close(state: &mut State, journal: &mut Log) {
    match state.phase.season() {
        Some(Season::Spring) => {
            if let Some(seat) = state.aid_die.take() {
                journal.event(Event::AidDieReturned { seat });
            }
        }
        Some(Season::Autumn) => envoy::end_of_autumn(state, journal),
        Some(Season::Summer) | None => {}
    }
    year::next_phase(state, journal);
}

/// Lists `town_hall_take_token`, then a sale of each kind owned.
pub(in super::super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    visit(Action::TownHallTakeToken)?;
    let held = state.players[seat].goods;
    Good::ALL
        .into_iter()
        .filter(|&good| held.amount(good) > 0)
        .try_for_each(|good| visit(Action::TownHallSellGood { good: Some(good) }))
}

/// Judges `town_hall_take_token` and `town_hall_sell_good`.
pub(in super::super) fn check(state: &State, seat: Seat, action: &Action) -> Answer {
    if let Action::TownHallSellGood { good } = *action {
        return Some(owned(state, seat, good, Decision::TownHall).map(Deed::SellGood));
    }
    matches!(action, Action::TownHallTakeToken).then_some(Ok(Deed::TakeToken))
}

/// Takes a +2 token.
pub(super) fn perform_token(state: &mut State, seat: Seat, decided: Decided, journal: &mut Log) {
    state.players[seat].plus2 += 1;
    journal.event(Event::TownHallToken {
        seat,
        auto: decided.is_auto(),
    });
    next_player(state, seat);
}

/// Sells one good for a victory point.
pub(super) fn perform_sale(state: &mut State, seat: Seat, good: Good, journal: &mut Log) {
    let player = &mut state.players[seat];
    player.goods = player.goods.minus(Goods::of(good, 1));
    player.score(PointSource::TownHall, 1);
    journal.event(Event::TownHallSale { seat, good });
    next_player(state, seat);
}

fn next_player(state: &mut State, seat: Seat) {
    let place = state.place_of(seat) + 1;
    state.stage = Stage::SeasonEnd { place };
}
