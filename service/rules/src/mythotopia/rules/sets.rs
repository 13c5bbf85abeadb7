//! Listing sets of cards (MYT-6.12, 14.16): each before its extensions.

use crate::mythotopia::action::Action;
use crate::mythotopia::data::{Card, CardSet, Numbered as _};
use crate::table::{ActionEnumerator, MaybeKnown, VisitFlow};

/// Visits sets of at least one and at most `most` cards: one card at a time, or all sets.
pub fn sets(
    list: &mut ActionEnumerator<'_, Action>,
    cards: CardSet,
    most: usize,
    action: impl Fn(Vec<MaybeKnown<Card>>) -> Action,
) -> VisitFlow {
    subsets(list, cards, (1, most), &mut |list, set| {
        list.visit(action(named(set)))
    })
}

/// Visits sets of this many cards, each before its extensions; the default list has the smallest ones.
pub fn subsets(
    list: &mut ActionEnumerator<'_, Action>,
    cards: CardSet,
    sizes: (usize, usize),
    visit: &mut dyn FnMut(&mut ActionEnumerator<'_, Action>, &[Card]) -> VisitFlow,
) -> VisitFlow {
    extended(list, cards, sizes, &mut Vec::new(), visit)
}

fn extended(
    list: &mut ActionEnumerator<'_, Action>,
    cards: CardSet,
    (least, most): (usize, usize),
    set: &mut Vec<Card>,
    visit: &mut dyn FnMut(&mut ActionEnumerator<'_, Action>, &[Card]) -> VisitFlow,
) -> VisitFlow {
    if set.len() >= most {
        return VisitFlow::Continue(());
    }
    let from = set.last().map_or(0, |card| card.index() + 1);
    for card in cards.since(from).iter() {
        set.push(card);
        if set.len() < least {
            list.group(|list| extended(list, cards, (least, most), set, visit))?;
        } else {
            visit(list, set)?;
            list.only_in_full(|list| extended(list, cards, (least, most), set, visit))?;
        }
        set.pop();
    }
    VisitFlow::Continue(())
}

/// Cards as a client would name them.
pub fn named(cards: &[Card]) -> Vec<MaybeKnown<Card>> {
    cards.iter().copied().map(Some).collect()
}
