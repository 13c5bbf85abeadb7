//! Listing legal actions (MYT-6.12, 14.16): every move once, or every way to make it.

use std::ops::ControlFlow;

use super::Actor;
use crate::mythotopia::action::{Action, Named};
use crate::mythotopia::data::{Card, CardSet};
use crate::mythotopia::legal;
use crate::table::{Detail, Visit};

/// A list that is being made for one seat. It asks [`legal::judge`] itself: of several ways to make a
/// move the first legal one is listed.
pub(in crate::mythotopia) struct Listing<'a> {
    actor: Actor<'a>,
    detail: Detail,
    visit: &'a mut dyn FnMut(Action) -> Visit,
}

impl<'a> Listing<'a> {
    pub(in crate::mythotopia) fn new(
        actor: Actor<'a>,
        detail: Detail,
        visit: &'a mut dyn FnMut(Action) -> Visit,
    ) -> Self {
        Self {
            actor,
            detail,
            visit,
        }
    }

    pub(in crate::mythotopia) const fn actor(&self) -> Actor<'a> {
        self.actor
    }

    pub(in crate::mythotopia) const fn detail(&self) -> Detail {
        self.detail
    }

    fn is_legal(&self, action: &Action) -> bool {
        legal::judge(self.actor, action).is_ok()
    }

    /// A move that can be made in one way.
    pub(in crate::mythotopia) fn single(&mut self, action: Action) -> Visit {
        if self.is_legal(&action) {
            (self.visit)(action)
        } else {
            Visit::Continue(())
        }
    }

    /// A move that can be made in several ways: the first legal one, or all.
    pub(in crate::mythotopia) fn target(
        &mut self,
        ways: impl FnOnce(&mut dyn FnMut(Action) -> Visit) -> Visit,
    ) -> Visit {
        if self.detail == Detail::AllPayments {
            return ways(&mut |action| self.single(action));
        }
        let mut visited = Visit::Continue(());
        let _first = ways(&mut |action| {
            if self.is_legal(&action) {
                visited = (self.visit)(action);
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        visited
    }

    /// Sets of at least one and at most `most` cards: one card at a time, or all sets.
    pub(in crate::mythotopia) fn sets(
        &mut self,
        cards: CardSet,
        most: usize,
        action: impl Fn(Vec<Named<Card>>) -> Action,
    ) -> Visit {
        match self.detail {
            Detail::Moves if most == 0 => Visit::Continue(()),
            Detail::Moves => cards
                .iter()
                .try_for_each(|card| self.single(action(vec![Some(card)]))),
            Detail::AllPayments => subsets(cards, 0, most, &mut Vec::new(), &mut |set| {
                self.single(action(named(set)))
            }),
        }
    }
}

/// Cards as a client would name them.
pub(in crate::mythotopia) fn named(cards: &[Card]) -> Vec<Named<Card>> {
    cards.iter().copied().map(Some).collect()
}

/// Visits the sets of at least one and at most `most` cards, each before its extensions.
pub(in crate::mythotopia) fn subsets(
    cards: CardSet,
    from: usize,
    most: usize,
    set: &mut Vec<Card>,
    visit: &mut dyn FnMut(&[Card]) -> Visit,
) -> Visit {
    if most == 0 {
        return Visit::Continue(());
    }
    for card in cards.iter().filter(|card| card.index() >= from) {
        set.push(card);
        visit(set)?;
        subsets(cards, card.index() + 1, most - 1, set, visit)?;
        set.pop();
    }
    Visit::Continue(())
}
