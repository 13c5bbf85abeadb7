//! Phase 5: the buildings of the road, up to the provost (CAY-6.7).

use std::ops::ControlFlow;

use super::{building, castle};
use crate::caylus::action::Action;
use crate::caylus::data::{Cubes, Goods, Resource, Space};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Refusal, RefusedAction, require_known};
use crate::caylus::stage::{Decision, Stage};
use crate::caylus::state::{ExecContext, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Decline { space: Space },
    OwnerBonus { space: Space, resource: Resource },
}

/// # Rule CAY-6.7.1 to CAY-6.7.4
/// Along the road: workers up to the provost go to work, workers beyond it just leave. The provost
/// does not move in this phase, and no worker stays.
pub fn enter(ctx: &mut ExecContext<'_>) {
    while let Some(space) = Space::new(ctx.state.cursor) {
        let lot = &ctx.state.road[space];
        if let (Some(seat), Some(tile)) = (lot.worker, lot.tile) {
            if space <= ctx.state.provost {
                ctx.emit(Event::BuildingActivated { seat, space, tile });
                ctx.state.ask(seat, Decision::UseBuilding { space });
                ctx.state.stage = Stage::OwnerBonus;
            } else {
                ctx.state.stage = Stage::LeaveBuilding;
            }
            return;
        }
        ctx.state.cursor += 1;
    }
    castle::enter(ctx);
}

/// The building at the cursor, which has a worker.
fn activated(state: &State) -> Space {
    Space::new(state.cursor).unwrap_or_else(|| invariant_violated("CAY-14.5", state.cursor))
}

/// # Rule CAY-6.7.1, step 3
/// The owner of a stone production building takes a cube for another player's worker.
pub fn enter_owner_bonus(ctx: &mut ExecContext<'_>) {
    ctx.state.stage = Stage::LeaveBuilding;
    let space = activated(ctx.state);
    let gives = !ctx.state.road.tile(space).sheet().owner_bonus.is_empty();
    let lot = &ctx.state.road[space];
    if let Some(owner) = lot.owner.filter(|_| gives && lot.owner != lot.worker) {
        ctx.state.ask(owner, Decision::OwnerBonus { space });
    }
}

/// # Rule CAY-6.7.1, steps 4 and 5; CAY-6.7.2
/// The worker returns; then a transformation that waited for it is carried out.
pub fn enter_leaving(ctx: &mut ExecContext<'_>) {
    ctx.state.stage = Stage::Road;
    let space = activated(ctx.state);
    ctx.state.cursor += 1;
    if let Some(seat) = ctx.state.road[space].worker.take() {
        ctx.state.bring_home(seat);
        ctx.emit(Event::WorkerReturned {
            seat,
            space,
            beyond_provost: space > ctx.state.provost,
        });
    }
    if let Some(seat) = ctx.state.road[space].pending_transform.take() {
        building::carry_out_transform(ctx, seat, space);
    }
}

/// Lists the kinds of the bonus in resource order (CAY-14.10).
pub fn candidates_owner_bonus(
    state: &State,
    space: Space,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let kinds = state.road.tile(space).sheet().owner_bonus;
    for resource in Resource::ALL {
        if kinds.contains(&resource) {
            let resource = Some(resource);
            list.visit(Action::ChooseOwnerBonus { resource })?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-7.1
/// One of the two kinds that the building produces.
pub fn check_owner_bonus(
    state: &State,
    space: Space,
    resource: MaybeKnown<Resource>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-7.1";
    let resource = require_known(resource, "resource", rule)?;
    let allowed = state.road.tile(space).sheet().owner_bonus;
    if allowed.contains(&resource) {
        Ok(ValidAction::OwnerBonus { space, resource })
    } else {
        Err(Refusal::InvalidResource { resource, allowed }.citing(rule))
    }
}

/// # Rule CAY-7.1, CAY-7.10
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Decline { space } => ctx.emit(Event::EffectDeclined { seat, space }),
        ValidAction::OwnerBonus { space, resource } => {
            ctx.state.players[seat].gain(Goods::cubes(Cubes::of(1, resource)));
            ctx.emit(Event::OwnerBonus {
                seat,
                space,
                resource,
            });
        }
    }
}
