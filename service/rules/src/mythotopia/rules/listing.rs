//! Listing legal actions (MYT-6.12, 14.16): every move once, or every way to make it.

use std::ops::ControlFlow;

use crate::mythotopia::action::{Action, Named};
use crate::mythotopia::data::{Card, CardSet, Numbered as _};
use crate::mythotopia::rules::actor::Actor;
use crate::table::{Detail, Visit};

/// Which actions belong in a list.
pub(crate) type Belongs = fn(Actor, &Action) -> bool;

/// A list that is being made for one seat. It asks of each action whether it belongs there: of several
/// ways to make a move the first that does is listed.
pub(crate) struct Listing<'a> {
    actor: Actor<'a>,
    detail: Detail,
    belongs: Belongs,
    visit: &'a mut dyn FnMut(Action) -> Visit,
}

impl<'a> Listing<'a> {
    pub(crate) fn new(
        actor: Actor<'a>,
        detail: Detail,
        belongs: Belongs,
        visit: &'a mut dyn FnMut(Action) -> Visit,
    ) -> Self {
        Self {
            actor,
            detail,
            belongs,
            visit,
        }
    }

    pub(crate) const fn actor(&self) -> Actor<'a> {
        self.actor
    }

    pub(crate) const fn detail(&self) -> Detail {
        self.detail
    }

    fn belongs(&self, action: &Action) -> bool {
        (self.belongs)(self.actor, action)
    }

    /// A move that can be made in one way.
    pub(crate) fn single(&mut self, action: Action) -> Visit {
        if self.belongs(&action) {
            (self.visit)(action)
        } else {
            Visit::Continue(())
        }
    }

    /// A move that can be made in several ways: the first that belongs in the list, or all.
    pub(crate) fn target(
        &mut self,
        ways: impl FnOnce(&mut dyn FnMut(Action) -> Visit) -> Visit,
    ) -> Visit {
        if self.detail == Detail::AllPayments {
            return ways(&mut |action| self.single(action));
        }
        let mut visited = Visit::Continue(());
        let _first = ways(&mut |action| {
            if self.belongs(&action) {
                visited = (self.visit)(action);
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        visited
    }

    /// Sets of at least one and at most `most` cards: one card at a time, or all sets.
    pub(crate) fn sets(
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
pub(crate) fn named(cards: &[Card]) -> Vec<Named<Card>> {
    cards.iter().copied().map(Some).collect()
}

/// Visits the sets of at least one and at most `most` cards, each before its extensions.
pub(crate) fn subsets(
    cards: CardSet,
    from: usize,
    most: usize,
    set: &mut Vec<Card>,
    visit: &mut dyn FnMut(&[Card]) -> Visit,
) -> Visit {
    if most == 0 {
        return Visit::Continue(());
    }
    for card in cards.since(from).iter() {
        set.push(card);
        visit(set)?;
        subsets(cards, card.index() + 1, most - 1, set, visit)?;
        set.pop();
    }
    Visit::Continue(())
}
