//! Listing what procedure T may do (TM-6.20).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::super::super::action::{Action, Direction, Transform, Transforms, Work};
use super::super::super::data::{Faction, Land, LandSet, Space, Terrain};
use super::super::reach::Reach;
use super::super::transform::{SpadeSource, spade_price, spades_for};
use super::Lister;
use crate::table::Visit;

/// Wraps work into the action that it belongs to.
type Wrap<'w> = &'w dyn Fn(Work) -> Action;

impl Lister<'_> {
    /// Procedure T with one space, or with a dwelling alone.
    pub(super) fn works(&mut self, source: SpadeSource, wrap: Wrap<'_>) -> Visit {
        let (state, seat) = (self.state, self.seat);
        let Reach {
            reachable,
            leapable,
        } = state.reach(seat, source.leaps());
        let free = reachable.or(leapable).minus(state.board.occupied());
        let faction = state.faction(seat);
        let home = faction.home();
        for land in free.iter() {
            let space = Space::from(land);
            if state.board.terrain(land) == home && source.may_buy() {
                self.add(wrap(Work {
                    transforms: Transforms::new(),
                    build_at: Some(space),
                }))?;
            }
            for transform in self.transforms(source, land) {
                let transforms: Transforms = [transform].into_iter().collect();
                self.with_dwellings(source, &transforms, wrap)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The transformations of one space that this source can make, as far as spades go.
    fn transforms(&self, source: SpadeSource, land: Land) -> ArrayVec<Transform, 12> {
        let (state, seat) = (self.state, self.seat);
        let (faction, terrain) = (state.faction(seat), state.board.terrain(land));
        let giants = faction == Faction::Giants;
        let targets = Terrain::ALL.iter().copied();
        let targets = targets.filter(|&to| to != terrain && (!giants || to == faction.home()));
        let mut all = ArrayVec::new();
        for target in targets {
            for direction in [Direction::Short, Direction::Long] {
                let spades = spades_for(faction, terrain, target, direction);
                let bought = spades.saturating_sub(source.free());
                let price = spade_price(state, seat, bought);
                let payable = bought == 0 || source.may_buy() && state.players[seat].can_pay(price);
                // The Giants' direction means nothing: only the usual one is listed.
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

    /// These transformations without a dwelling, and with one on each space that becomes home.
    fn with_dwellings(
        &mut self,
        source: SpadeSource,
        transforms: &Transforms,
        wrap: Wrap<'_>,
    ) -> Visit {
        self.add(wrap(Work {
            transforms: transforms.clone(),
            build_at: None,
        }))?;
        if matches!(source, SpadeSource::Cult(_)) {
            return ControlFlow::Continue(());
        }
        let home = self.state.faction(self.seat).home();
        for transform in transforms.iter().filter(|one| one.target == home) {
            self.add(wrap(Work {
                transforms: transforms.clone(),
                build_at: Some(transform.space),
            }))?;
        }
        ControlFlow::Continue(())
    }

    /// Procedure T with two spaces and more, in one order of those that mean the same: spaces that
    /// become home terrain in reading order, then the one that does not (TM-14.9).
    pub(super) fn many_spaces(&mut self, source: SpadeSource, wrap: Wrap<'_>) -> Visit {
        let (state, seat) = (self.state, self.seat);
        let Reach {
            reachable,
            leapable,
        } = state.reach(seat, source.leaps());
        let free = reachable.or(leapable).minus(state.board.occupied());
        self.extend(source, &Transforms::new(), (free, source.free()), wrap)
    }

    /// Adds one more space to a list in every way, as long as free spades are left.
    fn extend(
        &mut self,
        source: SpadeSource,
        before: &Transforms,
        (free, spades): (LandSet, u8),
        wrap: Wrap<'_>,
    ) -> Visit {
        let (state, faction) = (self.state, self.state.faction(self.seat));
        let last = before.last().map(|transform| transform.space);
        for land in free.iter() {
            let space = Space::from(land);
            let behind = last.is_none_or(|last| last < space);
            for transform in self.transforms(source, land) {
                let terrain = state.board.terrain(land);
                let needed = spades_for(faction, terrain, transform.target, transform.direction);
                let stays = transform.target == faction.home() || !source.home_first();
                if needed > spades || stays && !behind {
                    continue;
                }
                let mut list = before.clone();
                list.push(transform);
                if !before.is_empty() {
                    self.with_dwellings(source, &list, wrap)?;
                }
                if stays && needed < spades && list.len() < source.most_spaces() {
                    let rest = (free.minus(LandSet::of(land)), spades - needed);
                    self.extend(source, &list, rest, wrap)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
