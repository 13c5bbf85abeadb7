//! Listing legal actions (MYT-6.12, 14.16): every move once, or every way to make it.

use super::actor::Actor;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{Card, CardSet, Numbered as _};
use crate::table::{Lister, Named, Visit};

/// Decides which actions belong in a list.
pub(crate) type Belongs = fn(Actor, &Action) -> bool;

/// A list being made for one seat. It checks whether each action belongs there: of several ways to
/// make a move, the first that does is listed.
pub(crate) struct Listing<'a, 'l, 'v> {
    actor: Actor<'a>,
    belongs: Belongs,
    list: &'l mut Lister<'v, Action>,
}

impl<'a, 'l, 'v> Listing<'a, 'l, 'v> {
    pub(crate) fn new(
        actor: Actor<'a>,
        belongs: Belongs,
        list: &'l mut Lister<'v, Action>,
    ) -> Self {
        Self {
            actor,
            belongs,
            list,
        }
    }

    pub(crate) const fn actor(&self) -> Actor<'a> {
        self.actor
    }

    /// One way to make a move.
    pub(crate) fn offer(&mut self, action: Action) -> Visit {
        let Self { actor, belongs, .. } = *self;
        self.list.visit_if(action, |action| belongs(actor, action))
    }

    /// A move that can be made in several ways: the first that belongs in the list, or all.
    pub(crate) fn one_of(&mut self, ways: impl FnOnce(&mut Listing<'a, '_, 'v>) -> Visit) -> Visit {
        let Self { actor, belongs, .. } = *self;
        self.list
            .one_of(|list| ways(&mut Listing::new(actor, belongs, list)))
    }

    /// Actions that the default list leaves out.
    pub(crate) fn beyond(&mut self, more: impl FnOnce(&mut Listing<'a, '_, 'v>) -> Visit) -> Visit {
        let Self { actor, belongs, .. } = *self;
        self.list
            .beyond(|list| more(&mut Listing::new(actor, belongs, list)))
    }

    /// Actions that belong together, so that a list can resume after them.
    pub(crate) fn part(&mut self, part: impl FnOnce(&mut Listing<'a, '_, 'v>) -> Visit) -> Visit {
        let Self { actor, belongs, .. } = *self;
        self.list
            .part(|list| part(&mut Listing::new(actor, belongs, list)))
    }

    /// Actions of one kind.
    pub(crate) fn kind(
        &mut self,
        kind: &'static str,
        of_kind: impl FnOnce(&mut Listing<'a, '_, 'v>) -> Visit,
    ) -> Visit {
        let Self { actor, belongs, .. } = *self;
        self.list.kind(kind, |list| {
            of_kind(&mut Listing::new(actor, belongs, list))
        })
    }

    /// Sets of at least one and at most `most` cards: one card at a time, or all sets.
    pub(crate) fn sets(
        &mut self,
        cards: CardSet,
        most: usize,
        action: impl Fn(Vec<Named<Card>>) -> Action,
    ) -> Visit {
        self.subsets(cards, (1, most), &mut |list, set| {
            list.offer(action(named(set)))
        })
    }

    /// Sets of this many cards, each before its extensions; the default list has the smallest ones.
    pub(crate) fn subsets(
        &mut self,
        cards: CardSet,
        sizes: (usize, usize),
        visit: &mut dyn FnMut(&mut Listing, &[Card]) -> Visit,
    ) -> Visit {
        self.extended(cards, sizes, &mut Vec::new(), visit)
    }

    fn extended(
        &mut self,
        cards: CardSet,
        (least, most): (usize, usize),
        set: &mut Vec<Card>,
        visit: &mut dyn FnMut(&mut Listing, &[Card]) -> Visit,
    ) -> Visit {
        if set.len() >= most {
            return Visit::Continue(());
        }
        let from = set.last().map_or(0, |card| card.index() + 1);
        for card in cards.since(from).iter() {
            set.push(card);
            if set.len() < least {
                self.part(|list| list.extended(cards, (least, most), set, visit))?;
            } else {
                visit(self, set)?;
                self.beyond(|list| list.extended(cards, (least, most), set, visit))?;
            }
            set.pop();
        }
        Visit::Continue(())
    }
}

/// Cards as a client would name them.
pub(crate) fn named(cards: &[Card]) -> Vec<Named<Card>> {
    cards.iter().copied().map(Some).collect()
}
