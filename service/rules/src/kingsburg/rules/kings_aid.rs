//! Phase 1, the Aid from the King (KIN-6.3).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Good, Goods};
use super::super::event::Event;
use super::super::pending::Stage;
use super::super::state::{SeatSet, State};
use super::{Answer, Deed, known, year};
use crate::table::{Seat, Visit};

/// The players with the fewest buildings, and of those the ones with the fewest goods. Tokens,
/// soldiers and points do not count (KIN-ADJ-18).
///
/// # Rule KIN-6.10
pub(super) fn poorest(state: &State) -> SeatSet {
    let wealth = |seat: Seat| {
        let player = &state.players[seat];
        (player.province.count(), player.goods.total())
    };
    let least = state.players.seats().map(wealth).min();
    let seats = state.players.seats();
    seats.filter(|&seat| Some(wealth(seat)) == least).collect()
}

/// One player alone gets a white die for spring; tied players get goods instead.
///
/// # Rule KIN-6.11, KIN-6.12
pub(in super::super) fn enter(state: &mut State, journal: &mut Log) {
    let tied = poorest(state);
    if let Some(seat) = tied.only() {
        state.aid_die = Some(seat);
        journal.event(Event::AidDieGiven { seat });
        year::next_phase(state, journal);
    } else {
        state.stage = Stage::AidGood { place: 0, tied };
    }
}

/// The tied players choose in turn order. Who is tied was fixed at the start of the phase.
///
/// # Rule KIN-6.12
pub(in super::super) fn enter_choice(
    state: &mut State,
    place: u8,
    tied: SeatSet,
    journal: &mut Log,
) -> ControlFlow<()> {
    match state.at(place) {
        Some(seat) if tied.contains(seat) => return ControlFlow::Break(()),
        Some(_) => {
            state.stage = Stage::AidGood {
                place: place + 1,
                tied,
            }
        }
        None => year::next_phase(state, journal),
    }
    ControlFlow::Continue(())
}

/// Lists `choose_aid_good` for every kind.
pub(in super::super) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    Good::ALL
        .into_iter()
        .try_for_each(|good| visit(Action::ChooseAidGood { good: Some(good) }))
}

/// Judges `choose_aid_good`.
pub(in super::super) fn check(action: &Action) -> Answer {
    let Action::ChooseAidGood { good } = *action else {
        return None;
    };
    Some(known(good).map(Deed::ChooseAidGood))
}

/// Takes the good.
pub(super) fn perform(state: &mut State, seat: Seat, good: Good, journal: &mut Log) {
    let player = &mut state.players[seat];
    player.goods = player.goods.plus(Goods::of(good, 1));
    journal.event(Event::AidGoodChosen { seat, good });
    if let Stage::AidGood { place, .. } = &mut state.stage {
        *place += 1;
    }
}
