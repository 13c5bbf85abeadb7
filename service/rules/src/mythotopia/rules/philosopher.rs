//! The choice of an improvement for Philosopher (MYT-7.19).

use super::actor::Actor;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{Card, Improvement};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{No, Place, Refusal, known};
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::Play;
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// Checks that this improvement may be taken (MYT-14.9).
pub fn check(actor: Actor, card: Named<Card>) -> Result<Improvement, No> {
    let card = known(card, "card")?;
    let shown = |improvement: &Improvement| {
        let mut shown = actor.state.inspected();
        shown.any(|other| other == *improvement)
    };
    let missing = Refusal::CardNotAvailable {
        card,
        place: Place::Shown,
    }
    .at("MYT-7.19");
    card.as_improvement().filter(shown).ok_or(missing)
}

/// Moves the improvement to the hand; the other two stay on top in their order.
pub fn perform(play: &mut Play<'_>, seat: Seat, improvement: Improvement) {
    play.state
        .improvement_deck
        .retain(|&mut other| other != improvement);
    let player = &mut play.state.players[seat];
    player.hand.insert(Card::improvement(improvement));
    player.secret = Some(improvement);
    player.has_looked = true;
    play.state.stage = Stage::Turns;
    play.tell(Event::ImprovementTaken {
        seat,
        improvement: Some(improvement),
    });
}

/// Lists the improvements shown, from the top.
pub fn candidates(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    actor.state.inspected().try_for_each(|improvement| {
        list.visit(Action::ChoosePhilosopherCard {
            card: Some(Card::improvement(improvement)),
        })
    })
}
