//! Phase 1, the Aid from the King (KIN-6c).

use std::ops::ControlFlow;

use super::common::poorest;
use super::year;
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Good, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{No, known};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::Play;
use crate::table::{Lister, Named, Seat, SeatSet, Visit, broken};

/// Gives the poorest player a white die for spring; tied players get goods instead.
///
/// # Rule KIN-6.11, KIN-6.12
pub fn enter(play: &mut Play<'_>) {
    let tied = poorest(play.state);
    if let Some(seat) = tied.only() {
        play.state.aid_die = Some(seat);
        play.tell(Event::AidDieGiven { seat });
        year::next_phase(play);
    } else {
        play.state.stage = Stage::AidGood { place: 0, tied };
    }
}

/// Asks the tied players in turn order. The tie was determined at the start of the phase.
///
/// # Rule KIN-6.12
pub fn enter_choice(play: &mut Play<'_>, place: u8, tied: SeatSet) -> ControlFlow<()> {
    match play.state.at(place) {
        Some(seat) if tied.contains(seat) => return ControlFlow::Break(()),
        Some(_) => {
            play.state.stage = Stage::AidGood {
                place: place + 1,
                tied,
            }
        }
        None => year::next_phase(play),
    }
    ControlFlow::Continue(())
}

/// Lists `choose_aid_good` for every kind.
pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    Good::ALL
        .into_iter()
        .try_for_each(|good| list.visit(Action::ChooseAidGood { good: Some(good) }))
}

/// Judges `choose_aid_good`.
pub fn check(good: Named<Good>) -> Result<Good, No> {
    known(good, "good", "KIN-6.12")
}

pub fn perform(play: &mut Play<'_>, seat: Seat, good: Good) {
    let Stage::AidGood { place, tied } = play.state.stage else {
        broken("KIN-6.12", play.state.stage)
    };
    let player = &mut play.state.players[seat];
    player.goods = player.goods.plus(Goods::of(good, 1));
    play.tell(Event::AidGoodChosen { seat, good });
    play.state.stage = Stage::AidGood {
        place: place + 1,
        tied,
    };
}
