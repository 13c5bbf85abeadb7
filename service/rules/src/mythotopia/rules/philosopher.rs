//! The choice of an improvement for Philosopher (MYT-7.19).

use super::actor::ActorContext;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{Card, Improvement};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Place, Refusal, RefusedAction, require_known};
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// Checks that this improvement may be taken (MYT-14.9).
pub fn check(actor: ActorContext, card: MaybeKnown<Card>) -> Result<Improvement, RefusedAction> {
    let card = require_known(card, "card")?;
    let shown = |improvement: &Improvement| {
        let mut shown = actor.state.inspected();
        shown.any(|other| other == *improvement)
    };
    let missing = Refusal::CardNotAvailable {
        card,
        place: Place::Shown,
    }
    .citing("MYT-7.19");
    card.as_improvement().filter(shown).ok_or(missing)
}

/// Moves the improvement to the hand; the other two stay on top in their order.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, improvement: Improvement) {
    ctx.state
        .improvement_deck
        .retain(|&mut other| other != improvement);
    let player = &mut ctx.state.players[seat];
    player.hand.insert(Card::improvement(improvement));
    player.secret = Some(improvement);
    player.has_looked = true;
    ctx.state.stage = Stage::Turns;
    ctx.emit(Event::ImprovementTaken {
        seat,
        improvement: Some(improvement),
    });
}

/// Lists the improvements shown, from the top.
pub fn candidates(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    actor.state.inspected().try_for_each(|improvement| {
        list.visit(Action::ChoosePhilosopherCard {
            card: Some(Card::improvement(improvement)),
        })
    })
}
