//! All ways to choose some of several cards (DOM-14.3).

use crate::dominion::action::{Action, Named};
use crate::dominion::data::Card;
use crate::dominion::state::Cards;
use crate::table::{Lister, Visit};

/// Offers an action with every different group of `least` to `most` of these cards once. A group is
/// listed in canonical order; the groups come in the order of a dictionary: none, Copper, Copper
/// Copper, Copper Silver, Silver.
pub(crate) fn subsets(
    list: &mut Lister<'_, Action>,
    from: &Cards,
    least: u16,
    most: u16,
    action: fn(Vec<Named>) -> Action,
) -> Visit {
    let all: Vec<Card> = from.each().collect();
    let mut walk = Walk {
        all: &all,
        least: usize::from(least),
        most: usize::from(most),
        chosen: Vec::with_capacity(all.len()),
        action,
    };
    walk.go_on(list, 0)
}

struct Walk<'a> {
    all: &'a [Card],
    least: usize,
    most: usize,
    chosen: Vec<Named>,
    action: fn(Vec<Named>) -> Action,
}

impl Walk<'_> {
    /// Offers the groups that begin with the chosen cards; further ones come from this place on.
    fn go_on(&mut self, list: &mut Lister<'_, Action>, from: usize) -> Visit {
        if self.chosen.len() >= self.least {
            list.visit((self.action)(self.chosen.clone()))?;
        }
        if self.chosen.len() >= self.most {
            return Visit::Continue(());
        }
        // Too few cards left for the smallest group: nothing further on fits.
        let last = (self.all.len() + self.chosen.len()).saturating_sub(self.least);
        let mut place = from;
        while place < self.all.len() && place <= last {
            let card = self.all[place];
            self.chosen.push(Some(card));
            list.part(|list| self.go_on(list, place + 1))?;
            self.chosen.pop();
            // Equal cards are the same choice.
            place += self.all[place..]
                .iter()
                .take_while(|&&same| same == card)
                .count();
        }
        Visit::Continue(())
    }
}
