//! The candidates for procedure T (TM-6.20).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::table::{Seat, VisitFlow};
use crate::terra_mystica::action::{Direction, Transform, Transforms, Work};
use crate::terra_mystica::data::{Faction, Land, LandSet, Space, Terrain};
use crate::terra_mystica::rules::spades::{SpadeSource, may_buy_for, spade_price, spades_for};
use crate::terra_mystica::state::State;

/// A visitor of work, which turns it into the action that it belongs to.
type VisitWork<'v> = &'v mut dyn FnMut(Work) -> VisitFlow;

/// Visits procedure T with one space, or with a dwelling alone.
pub fn one_space(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    visit: VisitWork<'_>,
) -> VisitFlow {
    let reach = state.reach(seat, source.leaps());
    let free = reach.all().minus(state.board.occupied());
    let faction = state.faction(seat);
    let home = faction.home();
    for land in free.iter() {
        let space = Space::from(land);
        if state.board.terrain(land) == home && source.may_buy() {
            visit(Work {
                transforms: Transforms::new(),
                build_at: Some(space),
            })?;
        }
        for transform in transforms(state, seat, source, land) {
            let transforms: Transforms = [transform].into_iter().collect();
            with_dwellings(state, seat, source, &transforms, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// The transformations of one space that the spades of this source allow.
fn transforms(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    land: Land,
) -> ArrayVec<Transform, 12> {
    let (faction, terrain) = (state.faction(seat), state.board.terrain(land));
    let giants = faction == Faction::Giants;
    let may_buy = may_buy_for(source, faction, terrain);
    let targets = Terrain::ALL.into_iter();
    let targets = targets.filter(|&to| to != terrain && (!giants || to == faction.home()));
    let mut all = ArrayVec::new();
    for target in targets {
        for direction in [Direction::Short, Direction::Long] {
            let spades = spades_for(faction, terrain, target, direction);
            let bought = spades.saturating_sub(source.free());
            let price = spade_price(state, seat, bought);
            let payable = bought == 0 || may_buy && state.players[seat].can_pay(price);
            // The Giants' direction has no effect: only the short one is listed.
            if payable && !(giants && direction == Direction::Long) {
                all.push(Transform {
                    space: land.into(),
                    target,
                    direction,
                });
            }
        }
    }
    all
}

/// Visits work with these transformations: without a dwelling, and with one on each space that becomes home.
fn with_dwellings(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    transforms: &Transforms,
    visit: VisitWork<'_>,
) -> VisitFlow {
    visit(Work {
        transforms: transforms.clone(),
        build_at: None,
    })?;
    if matches!(source, SpadeSource::Cult(_)) {
        return ControlFlow::Continue(());
    }
    let home = state.faction(seat).home();
    for transform in transforms.iter().filter(|one| one.target == home) {
        visit(Work {
            transforms: transforms.clone(),
            build_at: Some(transform.space),
        })?;
    }
    ControlFlow::Continue(())
}

/// Visits procedure T with two or more spaces, in one of the equivalent orders: spaces that become home terrain in
/// reading order, then the one that does not (TM-14.9).
pub fn many_spaces(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    visit: VisitWork<'_>,
) -> VisitFlow {
    let reach = state.reach(seat, source.leaps());
    let free = reach.all().minus(state.board.occupied());
    extend(
        state,
        seat,
        source,
        &Transforms::new(),
        (free, source.free()),
        visit,
    )
}

/// Adds one more space to a list in every way, while free spades are left.
fn extend(
    state: &State,
    seat: Seat,
    source: SpadeSource,
    before: &Transforms,
    (free, spades): (LandSet, u8),
    visit: VisitWork<'_>,
) -> VisitFlow {
    let faction = state.faction(seat);
    let last = before.last().map(|transform| transform.space);
    for land in free.iter() {
        let space = Space::from(land);
        let behind = last.is_none_or(|last| last < space);
        for transform in transforms(state, seat, source, land) {
            let terrain = state.board.terrain(land);
            let needed = spades_for(faction, terrain, transform.target, transform.direction);
            let stays = transform.target == faction.home() || !source.home_first();
            if needed > spades || stays && !behind {
                continue;
            }
            let mut list = before.clone();
            list.push(transform);
            if !before.is_empty() {
                with_dwellings(state, seat, source, &list, visit)?;
            }
            if stays && needed < spades && list.len() < source.max_spaces() {
                let rest = (free.minus(LandSet::of(land)), spades - needed);
                extend(state, seat, source, &list, rest, visit)?;
            }
        }
    }
    ControlFlow::Continue(())
}
