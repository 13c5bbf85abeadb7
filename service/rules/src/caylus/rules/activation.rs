//! Phase 5: the buildings of the road, up to the provost (CAY-6.7).

use std::ops::ControlFlow;

use super::{building, castle};
use crate::caylus::action::Action;
use crate::caylus::data::{Cubes, Goods, Resource, Space};
use crate::caylus::event::Event;
use crate::caylus::refusal::{No, Refusal, known};
use crate::caylus::stage::{Decision, Stage};
use crate::caylus::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit, broken};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Decline { space: Space },
    OwnerBonus { space: Space, resource: Resource },
}

/// # Rule CAY-6.7.1 to CAY-6.7.4
/// Along the road: workers up to the provost go to work, workers beyond it just leave. The provost
/// does not move in this phase, and no worker stays.
pub fn enter(play: &mut Play<'_>) {
    while let Some(space) = Space::new(play.state.cursor) {
        let lot = &play.state.road[space];
        if let (Some(seat), Some(tile)) = (lot.worker, lot.tile) {
            if space <= play.state.provost {
                play.tell(Event::BuildingActivated { seat, space, tile });
                play.state.ask(seat, Decision::UseBuilding { space });
                play.state.stage = Stage::OwnerBonus;
            } else {
                play.state.stage = Stage::LeaveBuilding;
            }
            return;
        }
        play.state.cursor += 1;
    }
    castle::enter(play);
}

/// The building at the cursor, which has a worker.
fn activated(state: &State) -> Space {
    Space::new(state.cursor).unwrap_or_else(|| broken("CAY-14.5", state.cursor))
}

/// # Rule CAY-6.7.1, step 3
/// The owner of a stone production building takes a cube for another player's worker.
pub fn enter_owner_bonus(play: &mut Play<'_>) {
    play.state.stage = Stage::LeaveBuilding;
    let space = activated(play.state);
    let gives = !play.state.road.tile(space).sheet().owner_bonus.is_empty();
    let lot = &play.state.road[space];
    if let Some(owner) = lot.owner.filter(|_| gives && lot.owner != lot.worker) {
        play.state.ask(owner, Decision::OwnerBonus { space });
    }
}

/// # Rule CAY-6.7.1, steps 4 and 5; CAY-6.7.2
/// The worker returns; then a transformation that waited for it is carried out.
pub fn enter_leaving(play: &mut Play<'_>) {
    play.state.stage = Stage::Road;
    let space = activated(play.state);
    play.state.cursor += 1;
    if let Some(seat) = play.state.road[space].worker.take() {
        play.state.bring_home(seat);
        play.tell(Event::WorkerReturned { seat, space });
    }
    if let Some(seat) = play.state.road[space].pending_transform.take() {
        building::carry_out_transform(play, seat, space);
    }
}

/// Lists the kinds of the bonus in resource order (CAY-14.10).
pub fn candidates_owner_bonus(state: &State, space: Space, list: &mut Lister<'_, Action>) -> Visit {
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
    resource: Named<Resource>,
) -> Result<Deed, No> {
    let rule = "CAY-7.1";
    let resource = known(resource, "resource", rule)?;
    let allowed = state.road.tile(space).sheet().owner_bonus;
    if allowed.contains(&resource) {
        Ok(Deed::OwnerBonus { space, resource })
    } else {
        Err(Refusal::InvalidResource { resource, allowed }.at(rule))
    }
}

/// # Rule CAY-7.1, CAY-7.10
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Decline { space } => play.tell(Event::EffectDeclined { seat, space }),
        Deed::OwnerBonus { space, resource } => {
            play.state.players[seat].gain(Goods::cubes(Cubes::of(1, resource)));
            play.tell(Event::OwnerBonus {
                seat,
                space,
                resource,
            });
        }
    }
}
