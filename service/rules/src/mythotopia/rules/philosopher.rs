//! The choice of an improvement for Philosopher (MYT-7.19).

use super::listing::Listing;
use super::{Actor, Play, known};
use crate::mythotopia::action::{Action, Named};
use crate::mythotopia::data::{Card, Improvement};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Place, Refusal};
use crate::mythotopia::state::Stage;
use crate::table::{Seat, Visit};

/// May this improvement be taken (MYT-14.9)?
pub(in crate::mythotopia) fn check(
    actor: Actor,
    card: Named<Card>,
) -> Result<Improvement, Refusal> {
    let card = known(card)?;
    let shown = |improvement: &Improvement| {
        let mut shown = actor.state.inspected();
        shown.any(|other| other == *improvement)
    };
    let missing = Refusal::CardNotAvailable {
        card,
        place: Place::Shown,
    };
    card.as_improvement().filter(shown).ok_or(missing)
}

/// The improvement comes to the hand; the other two stay on top in their order.
pub(in crate::mythotopia) fn perform(play: &mut Play, seat: Seat, improvement: Improvement) {
    play.state
        .improvement_deck
        .retain(|&mut other| other != improvement);
    play.player(seat)
        .hand
        .insert(Card::improvement(improvement));
    play.state.stage = Stage::Turns;
    play.note(Event::ImprovementTaken {
        seat,
        improvement: Some(improvement),
    });
}

/// The improvements shown, from the top.
pub(in crate::mythotopia) fn list(list: &mut Listing) -> Visit {
    list.actor().state.inspected().try_for_each(|improvement| {
        list.single(Action::ChoosePhilosopherCard {
            card: Some(Card::improvement(improvement)),
        })
    })
}
