//! Phase 5: the buildings of the road, up to the provost (CAY-6.7).

use std::ops::ControlFlow;

use crate::caylus::action::Action;
use crate::caylus::data::{Cubes, Goods, Resource, Space, Tile};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::pending::Decision;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::{building, castle, vocabulary};
use crate::caylus::state::{Log, State, Step};
use crate::table::{Seat, Visit};

/// # Rule CAY-6.7.1 to CAY-6.7.4
/// Along the road: workers up to the provost go to work, workers beyond him just leave. Nothing
/// moves him meanwhile, and no worker stays.
pub(in crate::caylus) fn walk(state: &mut State, journal: &mut Log) {
    while let Some(space) = Space::new(state.cursor) {
        let lot = &state.road[space];
        if let (Some(seat), Some(tile)) = (lot.worker, lot.tile) {
            if space <= state.provost {
                journal.event(Event::BuildingActivated { seat, space, tile });
                state.ask(seat, Decision::UseBuilding { space });
                state.step = Step::OwnerBonus;
            } else {
                state.step = Step::LeaveBuilding;
            }
            return;
        }
        state.cursor += 1;
    }
    castle::begin(state);
}

/// The building in which a worker is at work. There always is one where that is asked.
pub(in crate::caylus) fn tile_in_use(state: &State, space: Space) -> Tile {
    state.road[space].tile.unwrap_or(Tile::Residence)
}

/// # Rule CAY-7.10
pub(in crate::caylus) fn decline(seat: Seat, space: Space, journal: &mut Log) {
    journal.event(Event::EffectDeclined { seat, space });
}

/// # Rule CAY-6.7.1, step 3
/// The owner of a stone production building takes a cube for another player's worker.
pub(in crate::caylus) fn ask_owner(state: &mut State) {
    state.step = Step::LeaveBuilding;
    let Some(space) = Space::new(state.cursor) else {
        return;
    };
    let lot = &state.road[space];
    let gives = !tile_in_use(state, space).sheet().owner_bonus.is_empty();
    if let Some(owner) = lot.owner.filter(|_| gives && lot.owner != lot.worker) {
        state.ask(owner, Decision::OwnerBonus { space });
    }
}

/// # Rule CAY-7.1
/// One of the two kinds that the building produces.
pub(in crate::caylus) fn check_owner_bonus(
    state: &State,
    space: Space,
    resource: Option<Resource>,
) -> Result<Deed, Refusal> {
    let resource = vocabulary::resource(resource, "resource")?;
    let kinds = tile_in_use(state, space).sheet().owner_bonus;
    if kinds.contains(&resource) {
        Ok(Deed::OwnerBonus { space, resource })
    } else {
        Err(Refusal::InvalidResource {
            what: "resource",
            rule: "CAY-7.1",
        })
    }
}

/// In resource order (CAY-14.10).
pub(in crate::caylus) fn bonus_candidates(
    state: &State,
    space: Space,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let kinds = tile_in_use(state, space).sheet().owner_bonus;
    for resource in Resource::ALL {
        if kinds.contains(&resource) {
            let resource = Some(resource);
            visit(Action::ChooseOwnerBonus { resource })?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-7.1
pub(in crate::caylus) fn take_owner_bonus(
    state: &mut State,
    seat: Seat,
    space: Space,
    resource: Resource,
    journal: &mut Log,
) {
    state.players[seat].gain(Goods::cubes(Cubes::of(1, resource)));
    journal.event(Event::OwnerBonus {
        seat,
        space,
        resource,
    });
}

/// # Rule CAY-6.7.1, steps 4 and 5; CAY-6.7.2
/// The worker returns; then a transformation that waited for it is carried out.
pub(in crate::caylus) fn leave(state: &mut State, journal: &mut Log) {
    state.step = Step::Road;
    let Some(space) = Space::new(state.cursor) else {
        return;
    };
    state.cursor += 1;
    if let Some(seat) = state.road[space].worker.take() {
        state.bring_home(seat);
        journal.event(Event::WorkerReturned { seat, space });
    }
    if let Some(seat) = state.road[space].pending_transform.take() {
        building::carry_out_transform(state, seat, space, journal);
    }
}
