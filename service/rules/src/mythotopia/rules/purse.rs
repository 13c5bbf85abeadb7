//! Every way to pay (MYT-6.12): a purse holds the cards that an action may still use.

use arrayvec::ArrayVec;

use super::actor::ActorContext;
use crate::mythotopia::action::{Action, SymbolPlay};
use crate::mythotopia::data::{
    Card, CardSet, Converter, ConverterSet, Improvement, Numbered as _, Symbol,
};
use crate::mythotopia::stage::TurnMark;
use crate::table::{ActionEnumerator, VisitFlow};

const MERCHANT: Card = Card::improvement(Improvement::Merchant);
const WATER_MILL: Card = Card::improvement(Improvement::WaterMill);

/// The maximum number of plays: no purchase costs more symbols, no stock has more pieces, and every play gives at least
/// one.
const MAX_PLAYS: usize = 14;

/// A list of plays.
pub type Plays = ArrayVec<SymbolPlay, MAX_PLAYS>;

/// The cards and converters that an action under construction has not used yet.
#[derive(Clone, Copy)]
pub struct Purse {
    free: CardSet,
    open: ConverterSet,
}

/// The continuation once a list of plays is complete.
pub type Continuation<'a> =
    dyn FnMut(&mut ActionEnumerator<'_, Action>, Purse, &[SymbolPlay]) -> VisitFlow + 'a;

/// One card played for symbols of one kind.
struct Way {
    play: SymbolPlay,
    card: Card,
    gives: u8,
    rest: Purse,
}

impl Purse {
    /// All cards of hand and reserve, and the converters that have not worked this turn.
    pub fn of(actor: ActorContext) -> Self {
        let ready = |converter: &Converter| {
            actor.player().reserve.contains(converter.card())
                && !actor.state.turn.marks.contains(TurnMark::from(*converter))
        };
        Self {
            free: actor.player().playable(),
            open: Converter::ALL.iter().copied().filter(ready).collect(),
        }
    }

    /// The cards left.
    pub const fn free(self) -> CardSet {
        self.free
    }

    /// The purse after this card was used. A played converter does not convert.
    pub fn without(self, card: Card) -> Self {
        let mut rest = self;
        rest.free.remove(card);
        for converter in self.open.iter() {
            if converter.card() == card {
                rest.open.remove(converter);
            }
        }
        rest
    }

    /// The purse after this card was used, if it is available.
    pub fn with_played(self, card: Card) -> Option<Self> {
        self.free.contains(card).then(|| self.without(card))
    }

    /// The purse after this converter has worked. Its card must stay in the reserve.
    fn converting(self, converter: Converter) -> Self {
        let mut rest = self;
        rest.open.remove(converter);
        rest.free.remove(converter.card());
        rest
    }

    /// Visits every list of plays that gives exactly this many symbols of a resource: sets of cards in ascending order.
    pub fn pay(
        self,
        symbol: Symbol,
        cost: u8,
        list: &mut ActionEnumerator<'_, Action>,
        then: &mut Continuation,
    ) -> VisitFlow {
        // The bound saves nothing for one symbol: that search is as short.
        if cost > 1 && usize::from(cost) > self.most(symbol) {
            return VisitFlow::Continue(());
        }
        self.pay_rest(symbol, (cost, 0), &mut Plays::new(), list, then)
    }

    /// An upper bound of the symbols of a resource in any payment: a card each, one through the converter, one through
    /// Merchant, and one of them doubled.
    pub fn most(self, symbol: Symbol) -> usize {
        let shown = (self.free & Card::showing(symbol)).len();
        let converted = self.open.iter().any(|via| via.symbol() == symbol);
        let helpers = [
            converted,
            self.free.contains(MERCHANT),
            self.free.contains(WATER_MILL),
        ];
        shown + helpers.into_iter().filter(|&there| there).count()
    }

    /// The cards that can give a symbol at all: those that show it, and all others if a converter
    /// or Merchant can change them.
    pub fn giving(self, symbol: Symbol) -> CardSet {
        let converted = self.open.iter().any(|via| via.symbol() == symbol);
        let traded = symbol.is_resource() && self.free.contains(MERCHANT);
        if converted || traded {
            self.free
        } else {
            self.free & Card::showing(symbol)
        }
    }

    fn pay_rest(
        self,
        symbol: Symbol,
        (left, from): (u8, usize),
        plays: &mut Plays,
        list: &mut ActionEnumerator<'_, Action>,
        then: &mut Continuation,
    ) -> VisitFlow {
        if left == 0 {
            return then(list, self, plays);
        }
        self.ways(symbol, from, &mut |way| {
            list.group(|list| {
                if way.gives > left {
                    return VisitFlow::Continue(());
                }
                plays.push(way.play);
                let next = (left - way.gives, way.card.index() + 1);
                let visit = way.rest.pay_rest(symbol, next, plays, list, then);
                plays.pop();
                visit
            })
        })
    }

    /// Visits every list of plays that places pieces out of a stock. By default only lists of one card: if any list is
    /// possible, one of its cards is possible alone.
    ///
    /// # Rule MYT-6.3.3, 6.3.4
    /// The stock has the pieces; the last army may be placed with a card of two symbols.
    pub fn place(
        self,
        symbol: Symbol,
        stock: u8,
        list: &mut ActionEnumerator<'_, Action>,
        then: &mut dyn FnMut(&mut ActionEnumerator<'_, Action>, &[SymbolPlay]) -> VisitFlow,
    ) -> VisitFlow {
        if stock == 0 {
            return VisitFlow::Continue(());
        }
        if stock == 1 && symbol == Symbol::Army {
            return self.ways(symbol, 0, &mut |way| {
                list.group(|list| then(list, &[way.play]))
            });
        }
        self.place_rest(symbol, (stock, 0), &mut Plays::new(), list, then)
    }

    fn place_rest(
        self,
        symbol: Symbol,
        (left, from): (u8, usize),
        plays: &mut Plays,
        list: &mut ActionEnumerator<'_, Action>,
        then: &mut dyn FnMut(&mut ActionEnumerator<'_, Action>, &[SymbolPlay]) -> VisitFlow,
    ) -> VisitFlow {
        self.ways(symbol, from, &mut |way| {
            list.group(|list| {
                if way.gives > left {
                    return VisitFlow::Continue(());
                }
                plays.push(way.play);
                then(list, plays)?;
                let next = (left - way.gives, way.card.index() + 1);
                list.only_in_full(|list| way.rest.place_rest(symbol, next, plays, list, then))?;
                plays.pop();
                VisitFlow::Continue(())
            })
        })
    }

    /// Visits every way to play one card, from this index of all cards on, for symbols of one kind.
    fn ways(
        self,
        symbol: Symbol,
        from: usize,
        visit: &mut dyn FnMut(Way) -> VisitFlow,
    ) -> VisitFlow {
        for card in self.giving(symbol).since(from).iter() {
            let rest = self.without(card);
            let printed = card.symbols().count(symbol);
            if printed > 0 {
                rest.doubled(card, symbol, printed, None, None, visit)?;
            }
            for via in rest.open.iter().filter(|via| via.symbol() == symbol) {
                let rest = rest.converting(via);
                rest.doubled(card, symbol, 1, Some(via), None, visit)?;
            }
            if printed == 0 && symbol.is_resource() {
                rest.traded(card, symbol, visit)?;
            }
        }
        VisitFlow::Continue(())
    }

    /// Visits the plays of a card whose resource Merchant changes, as printed or as converted (MYT-6.3.1, 14.10).
    fn traded(
        self,
        card: Card,
        symbol: Symbol,
        visit: &mut dyn FnMut(Way) -> VisitFlow,
    ) -> VisitFlow {
        let Some(rest) = self.with_played(MERCHANT) else {
            return VisitFlow::Continue(());
        };
        if card.symbols().has_resource() {
            rest.doubled(card, symbol, 1, None, Some(MERCHANT), visit)?;
        }
        for via in rest.open.iter() {
            if via.symbol().is_resource() && via.symbol() != symbol {
                let rest = rest.converting(via);
                rest.doubled(card, symbol, 1, Some(via), Some(MERCHANT), visit)?;
            }
        }
        VisitFlow::Continue(())
    }

    /// Visits a play without Water Mill and, for resources, with it.
    fn doubled(
        self,
        card: Card,
        symbol: Symbol,
        gives: u8,
        via: Option<Converter>,
        merchant: Option<Card>,
        visit: &mut dyn FnMut(Way) -> VisitFlow,
    ) -> VisitFlow {
        let play = SymbolPlay {
            card: Some(card),
            symbol: Some(symbol),
            via: via.map(Some),
            merchant: merchant.map(Some),
            water_mill: None,
        };
        visit(Way {
            play,
            card,
            gives,
            rest: self,
        })?;
        match self.with_played(WATER_MILL) {
            Some(rest) if symbol.is_resource() => visit(Way {
                play: SymbolPlay {
                    water_mill: Some(Some(WATER_MILL)),
                    ..play
                },
                card,
                gives: 2 * gives,
                rest,
            }),
            Some(_) | None => VisitFlow::Continue(()),
        }
    }
}
