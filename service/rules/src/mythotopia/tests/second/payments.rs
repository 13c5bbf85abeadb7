//! Every way to give every card a symbol (MYT-6.3).

use super::Second;
use gamekeeper_rules::mythotopia::action::SymbolPlay;
use gamekeeper_rules::mythotopia::data::{Card, CardSet, Converter, Improvement, Symbol};
use gamekeeper_rules::mythotopia::stage::TurnMark;

/// A list of plays for each of two kinds of symbols.
#[derive(Clone, Default)]
pub(crate) struct Way {
    pub(crate) lists: [Vec<SymbolPlay>; 2],
    /// The symbols that the lists give.
    pub(crate) gives: [u8; 2],
    /// All cards of the action.
    pub(crate) used: CardSet,
    vias: Vec<Converter>,
}

/// The yield of a card, if it can be played in this way at all.
fn yields(
    card: Card,
    wanted: Symbol,
    via: Option<Converter>,
    merchant: bool,
    mill: bool,
) -> Option<u8> {
    let food_stone_gold = |symbol| [Symbol::Food, Symbol::Stone, Symbol::Gold].contains(&symbol);
    let shown = card.symbols();
    if (merchant || mill) && !food_stone_gold(wanted) {
        return None;
    }
    let base = match (via.map(Converter::symbol), merchant) {
        (None, false) => shown.count(wanted),
        (Some(made), false) => u8::from(made == wanted),
        (_, true) if shown.count(wanted) > 0 => 0,
        (None, true) => {
            let others = Symbol::ALL
                .iter()
                .filter(|&&symbol| food_stone_gold(symbol));
            others.map(|&symbol| shown.count(symbol)).sum::<u8>().min(1)
        }
        (Some(made), true) => u8::from(food_stone_gold(made) && made != wanted),
    };
    (base > 0).then_some(if mill { 2 * base } else { base })
}

impl Second<'_> {
    /// Every way to play the cards that are not used otherwise for two kinds of symbols.
    pub(crate) fn ways(self, used: CardSet, kinds: [Symbol; 2]) -> Vec<Way> {
        let none = Way {
            used,
            ..Way::default()
        };
        let mut ways = vec![none];
        for card in (self.cards() - used).iter() {
            let further: Vec<Way> = ways
                .iter()
                .flat_map(|way| self.with_card(way, card, kinds))
                .collect();
            ways.extend(further);
        }
        // A converter must not be played itself.
        ways.retain(|way| way.vias.iter().all(|via| !way.used.contains(via.card())));
        ways
    }

    /// Returns the way with one more card, for each kind and with every help.
    fn with_card(self, way: &Way, card: Card, kinds: [Symbol; 2]) -> Vec<Way> {
        let mut further = Vec::new();
        if way.used.contains(card) {
            return further;
        }
        let vias = Converter::ALL
            .iter()
            .copied()
            .filter(|&via| self.works(way, via));
        let vias: Vec<Option<Converter>> = [None].into_iter().chain(vias.map(Some)).collect();
        for (place, &kind) in kinds.iter().enumerate() {
            for &via in &vias {
                for merchant in self.helper(way, card, Improvement::Merchant) {
                    for mill in self.helper(way, card, Improvement::WaterMill) {
                        let (trades, doubles) = (merchant.is_some(), mill.is_some());
                        let gives = yields(card, kind, via, trades, doubles);
                        let Some(gives) = gives else { continue };
                        let mut next = way.clone();
                        next.lists[place].push(SymbolPlay {
                            card: Some(card),
                            symbol: Some(kind),
                            via: via.map(Some),
                            merchant: merchant.map(Some),
                            water_mill: mill.map(Some),
                        });
                        next.gives[place] += gives;
                        next.vias.extend(via);
                        for card in [Some(card), merchant, mill].into_iter().flatten() {
                            next.used.insert(card);
                        }
                        further.push(next);
                    }
                }
            }
        }
        further
    }

    /// Returns whether this converter can still work in this way.
    fn works(self, way: &Way, via: Converter) -> bool {
        let mark = match via {
            Converter::Farming => TurnMark::Farming,
            Converter::GoldMine => TurnMark::GoldMine,
            Converter::Quarry => TurnMark::Quarry,
            Converter::Levies => TurnMark::Levies,
        };
        self.player().reserve.contains(via.card())
            && !self.state.turn.marks.contains(mark)
            && !way.vias.contains(&via)
    }

    /// Returns the choices without this helper, and with it, if it is free.
    fn helper(self, way: &Way, card: Card, improvement: Improvement) -> Vec<Option<Card>> {
        let helper = self.playable_card(improvement);
        let free = helper.filter(|&helper| helper != card && !way.used.contains(helper));
        [None].into_iter().chain(free.map(Some)).collect()
    }

    /// Every way to pay exactly this in one kind of symbol.
    pub(crate) fn pays(self, used: CardSet, kind: Symbol, price: u8) -> Vec<Way> {
        // Ships serve as the second kind: nobody pays in ships.
        let mut ways = self.ways(used, [kind, Symbol::Ship]);
        ways.retain(|way| way.gives[0] == price && way.lists[1].is_empty());
        ways
    }

    /// Returns whether these plays place armies out of the stock (MYT-6.3.3).
    pub(crate) fn places(self, armies: &[SymbolPlay], gives: u8) -> bool {
        let stock = self.player().stock.armies;
        let last = stock == 1 && armies.len() == 1;
        !armies.is_empty() && (gives <= stock || last)
    }
}
