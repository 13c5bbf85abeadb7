//! Phase III: rewards of the cults, and their spades (TM-6.61, TM-6.62).

use super::goods::receive;
use super::reach::LeapRule;
use super::spades::{SpadeSource, halfling_spades, spades_unused};
use super::transform::{self, PricedTransform};
use crate::table::{ActionEnumerator, Seat, VisitFlow, invariant_violated};
use crate::terra_mystica::action::{Action, Transforms, Work};
use crate::terra_mystica::data::{Cult, Faction, ScoringReward};
use crate::terra_mystica::event::{Event, GoodsSource};
use crate::terra_mystica::refusal::RefusedAction;
use crate::terra_mystica::state::{CultSpades, ExecContext, State};

impl State {
    /// The spades of the seat that decides in phase III.
    fn asked_spades(&self) -> SpadeSource {
        match self.cult_spades.first() {
            Some(queued) => SpadeSource::Cult(queued.spades),
            None => invariant_violated("TM-6.62", &self.stage),
        }
    }

    /// Returns whether any of these spades can be used (TM-6.62).
    pub fn can_use_spades(&self, spades: CultSpades) -> bool {
        let CultSpades { seat, spades } = spades;
        let lands = self.reach(seat, LeapRule::Forbidden).reachable;
        let mut free = lands.minus(self.board.occupied()).iter();
        if self.faction(seat) == Faction::Giants {
            let home = Faction::Giants.home();
            spades >= 2 && free.any(|land| self.board.terrain(land) != home)
        } else {
            free.next().is_some()
        }
    }
}

/// # Rule TM-6.61
/// Goods at once, in the turn order of the next round; spades are queued.
pub fn enter(ctx: &mut ExecContext<'_>) {
    let tile = ctx.state.scoring_tile();
    for seat in ctx.state.next_turn_order() {
        let steps = |cult: Cult| ctx.state.players[seat].cults[cult.index()];
        match tile.reward() {
            ScoringReward::Goods(cult, per, goods) => {
                let goods = goods.times(u16::from(steps(cult) / per));
                receive(ctx, seat, goods, GoodsSource::CultReward(tile));
            }
            ScoringReward::PerPriest(goods) => {
                let priests = ctx.state.priests_on_cults(seat);
                let goods = goods.times(priests);
                receive(ctx, seat, goods, GoodsSource::CultReward(tile));
            }
            ScoringReward::Spade(cult, per) => {
                let spades = steps(cult) / per;
                grant_cult_spades(ctx, seat, spades);
            }
        }
    }
}

/// Grants spades. Halflings score these spades when they get them, usable or not (TM-14.7).
fn grant_cult_spades(ctx: &mut ExecContext<'_>, seat: Seat, spades: u8) {
    if spades > 0 {
        ctx.emit(Event::CultSpadesGranted { seat, spades });
        halfling_spades(ctx, seat, spades);
        ctx.state.cult_spades.push(CultSpades { seat, spades });
    }
}

/// Skips players who cannot use any spade.
///
/// # Rule TM-6.62
/// The next seat of the queue that can use a spade decides.
pub fn skip_useless(ctx: &mut ExecContext<'_>) {
    while let Some(&queued) = ctx.state.cult_spades.first() {
        if ctx.state.can_use_spades(queued) {
            return;
        }
        let nowhere = Action::UseCultSpades {
            transforms: Transforms::default(),
        };
        ctx.execute_forced(queued.seat, nowhere, |ctx| {
            ctx.state.cult_spades.remove(0);
            spades_unused(ctx, queued.seat, queued.spades);
        });
    }
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let mut visit = |work: Work| {
        list.visit(Action::UseCultSpades {
            transforms: work.transforms,
        })
    };
    let source = state.asked_spades();
    visit(Work::default())?;
    transform::one_space(state, seat, source, &mut visit)?;
    transform::many_spaces(state, seat, source, &mut visit)
}

/// # Rule TM-6.62
/// Transformations only.
pub fn check(
    state: &State,
    seat: Seat,
    transforms: &Transforms,
) -> Result<PricedTransform, RefusedAction> {
    let work = Work {
        transforms: transforms.clone(),
        build_at: None,
    };
    transform::check(state, seat, state.asked_spades(), &work)
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, priced: &PricedTransform) {
    ctx.state.cult_spades.remove(0);
    transform::execute(ctx, seat, priced);
}
