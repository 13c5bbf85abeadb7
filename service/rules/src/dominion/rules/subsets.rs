//! All ways to choose some of several cards (DOM-14.3).

use std::cell::OnceCell;

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::state::Cards;
use crate::table::{ActionEnumerator, MaybeKnown, VisitFlow};

/// Offers an action with every different group of `least` to `most` of these cards once. A group is
/// listed in canonical order; the groups come in dictionary order: none, Copper, Copper
/// Copper, Copper Silver, Silver.
///
/// Every group must be legal: groups are counted without being judged.
pub fn subsets(
    list: &mut ActionEnumerator<'_, Action>,
    from: &Cards,
    least: u16,
    most: u16,
    action: fn(Vec<MaybeKnown<Card>>) -> Action,
) -> VisitFlow {
    let all: Vec<Card> = from.each().collect();
    let groups = Groups {
        all: &all,
        least: usize::from(least),
        most: usize::from(most),
        of_size: OnceCell::new(),
    };
    let mut walk = Walk {
        groups: &groups,
        chosen: Vec::with_capacity(all.len()),
        action,
    };
    walk.go_on(list, 0)
}

/// The groups that can be chosen from some cards.
struct Groups<'a> {
    all: &'a [Card],
    least: usize,
    most: usize,
    /// The number of groups of each size among the cards from each index on; computed on demand.
    of_size: OnceCell<Vec<Vec<u64>>>,
}

impl Groups<'_> {
    /// The number of groups that begin with this many chosen cards, if further ones come from this index on.
    fn count(&self, chosen: usize, from: usize) -> u64 {
        let of_size = self.of_size.get_or_init(|| self.of_size());
        let sizes = self.least.saturating_sub(chosen)..=self.most.saturating_sub(chosen);
        let counts = sizes.filter_map(|size| of_size[from].get(size));
        counts.copied().fold(0, u64::saturating_add)
    }

    /// Counts groups by size: a group contains the next card, or none of its kind.
    fn of_size(&self) -> Vec<Vec<u64>> {
        let mut of_size = vec![Vec::new(); self.all.len()];
        // Without cards there is only the empty group.
        of_size.push(vec![1]);
        for place in (0..self.all.len()).rev() {
            let without = &of_size[place + self.equal(place)];
            let with = &of_size[place + 1];
            let sizes = 0..=self.all.len() - place;
            let count = |size: usize| {
                let without = without.get(size).copied().unwrap_or_default();
                let smaller = size.checked_sub(1).and_then(|size| with.get(size));
                let with = smaller.copied().unwrap_or_default();
                u64::saturating_add(without, with)
            };
            of_size[place] = sizes.map(count).collect();
        }
        of_size
    }

    /// The number of equal cards from this index on.
    fn equal(&self, place: usize) -> usize {
        let same = |card: &&Card| **card == self.all[place];
        self.all[place..].iter().take_while(same).count()
    }
}

struct Walk<'a> {
    groups: &'a Groups<'a>,
    chosen: Vec<MaybeKnown<Card>>,
    action: fn(Vec<MaybeKnown<Card>>) -> Action,
}

impl Walk<'_> {
    /// Offers the groups that begin with the chosen cards; further ones come from this index on.
    fn go_on(&mut self, list: &mut ActionEnumerator<'_, Action>, from: usize) -> VisitFlow {
        let groups = self.groups;
        if self.chosen.len() >= groups.least {
            list.visit((self.action)(self.chosen.clone()))?;
        }
        if self.chosen.len() >= groups.most {
            return VisitFlow::Continue(());
        }
        // Further indexes leave too few cards for the smallest group.
        let last = (groups.all.len() + self.chosen.len()).saturating_sub(groups.least);
        let mut place = from;
        while place < groups.all.len() && place <= last {
            self.chosen.push(Some(groups.all[place]));
            let (chosen, next) = (self.chosen.len(), place + 1);
            let count = || groups.count(chosen, next);
            list.counted(count, |list| self.go_on(list, next))?;
            self.chosen.pop();
            // Equal cards are the same choice.
            place += groups.equal(place);
        }
        VisitFlow::Continue(())
    }
}
