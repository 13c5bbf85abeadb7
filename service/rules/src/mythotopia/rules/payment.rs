//! Symbol plays: the symbols that a card gives, and the costs that it pays (MYT-6.3).

use super::actor::ActorContext;
use crate::mythotopia::action::SymbolPlay;
use crate::mythotopia::data::{Card, Converter, Piece, Province, Symbol};
use crate::mythotopia::refusal::{Purchase, Refusal, RefusedAction, ensure, require_known};
use crate::table::MaybeKnown;
use crate::table::Refusal as _;

/// The result of one check.
pub type CheckOutcome = Result<(), RefusedAction>;

/// A symbol play that names known things.
#[derive(Clone, Copy)]
pub struct KnownPlay {
    pub card: Card,
    pub symbol: Symbol,
    pub via: Option<Converter>,
    pub merchant: Option<Card>,
    pub water_mill: Option<Card>,
}

impl KnownPlay {
    pub fn of(play: &SymbolPlay) -> Option<Self> {
        let named = |card: Option<MaybeKnown<Card>>| card.map_or(Some(None), |card| card.map(Some));
        Some(Self {
            card: play.card?,
            symbol: play.symbol?,
            via: play.via.map_or(Some(None), |via| via.map(Some))?,
            merchant: named(play.merchant)?,
            water_mill: named(play.water_mill)?,
        })
    }

    /// Checks that every id of the play names something.
    pub fn ids(play: &SymbolPlay, field: &'static str) -> Result<(), RefusedAction> {
        require_known(play.card, field)?;
        require_known(play.symbol, field)?;
        play.via
            .map_or(Ok(()), |via| require_known(via, field).map(drop))?;
        for card in [play.merchant, play.water_mill] {
            card.map_or(Ok(()), |card| require_known(card, field).map(drop))?;
        }
        Ok(())
    }

    /// Checks each card: the card itself, then its helpers.
    pub fn each_card(self, mut ask: impl FnMut(Card) -> CheckOutcome) -> CheckOutcome {
        ask(self.card)?;
        self.merchant.map_or(Ok(()), &mut ask)?;
        self.water_mill.map_or(Ok(()), ask)
    }

    pub const fn is_helped(self) -> bool {
        self.via.is_some() || self.merchant.is_some() || self.water_mill.is_some()
    }

    /// # Rule MYT-6.3.1
    /// As many symbols as printed; one, if converted or traded (MYT-14.10); twice that with Water
    /// Mill.
    pub fn gives(self) -> u32 {
        let printed = self.card.symbols().count(self.symbol);
        let single = self.via.is_some() || self.merchant.is_some();
        let base = if single { 1 } else { u32::from(printed) };
        base * if self.water_mill.is_some() { 2 } else { 1 }
    }

    /// # Rule MYT-6.3.1, 14.10
    /// Merchant has no effect where the card or the converter already gives the wanted resource.
    pub fn merchant_is_idle(self) -> bool {
        let converted = self.via.is_some_and(|via| via.symbol() == self.symbol);
        let printed = self.card.symbols().count(self.symbol) > 0;
        self.merchant.is_some() && (converted || printed)
    }

    /// # Rule MYT-6.3.1
    /// Without Merchant the card, or its converter, gives the symbol itself.
    pub fn check_symbol(self) -> Result<(), RefusedAction> {
        let Self {
            card, symbol, via, ..
        } = self;
        let there = match via {
            Some(via) => via.symbol() == symbol,
            None => card.symbols().count(symbol) > 0,
        };
        let gives = self.merchant.is_some() || there;
        ensure(
            gives,
            Refusal::SymbolNotOnCard { card, via, symbol }.citing("MYT-6.3.1"),
        )
    }

    /// # Rule MYT-6.3.1, 14.10
    /// Merchant and Water Mill work on resources, and Merchant needs one to begin with.
    pub fn check_helpers(self) -> Result<(), RefusedAction> {
        let Self { card, symbol, .. } = self;
        let from = match self.via {
            Some(via) => via.symbol().is_resource(),
            None => card.symbols().has_resource(),
        };
        let helped = self.merchant.is_some() || self.water_mill.is_some();
        let works = (!helped || symbol.is_resource()) && (self.merchant.is_none() || from);
        ensure(
            works,
            Refusal::CannotConvertSymbol { card, symbol }.citing("MYT-6.3.1"),
        )
    }
}

/// The symbols that a list of plays gives.
pub fn total(plays: &[SymbolPlay]) -> u32 {
    plays
        .iter()
        .filter_map(KnownPlay::of)
        .map(KnownPlay::gives)
        .fold(0, u32::saturating_add)
}

/// A price in one kind of symbol, and the cards that are given for it.
#[derive(Clone, Copy)]
pub struct Cost<'a> {
    purchase: Purchase,
    plays: &'a [SymbolPlay],
    symbol: Symbol,
    price: u32,
    given: u32,
}

impl<'a> Cost<'a> {
    pub fn new(
        purchase: Purchase,
        plays: &'a [SymbolPlay],
        symbol: Symbol,
        price: impl Into<u32>,
    ) -> Self {
        Self {
            purchase,
            plays,
            symbol,
            price: price.into(),
            given: total(plays),
        }
    }
}

/// # Rule MYT-6.3.2
/// Every cost is paid: less is `CANNOT_AFFORD`.
pub fn afford(costs: &[Cost]) -> Result<(), RefusedAction> {
    costs.iter().try_for_each(|cost| {
        let short = Refusal::CannotAfford {
            purchase: cost.purchase,
            symbol: Some(cost.symbol),
            price: cost.price,
            given: cost.given,
            token_value: None,
        };
        ensure(cost.given >= cost.price, short.citing("MYT-6.3.2"))
    })
}

/// # Rule MYT-6.3.2
/// Nothing more is paid: more, or a Merchant without effect, is `SUPERFLUOUS_CARD`.
pub fn exact(costs: &[Cost]) -> Result<(), RefusedAction> {
    costs.iter().try_for_each(|cost| {
        let surplus = |traded| Refusal::SuperfluousCard {
            purchase: cost.purchase,
            symbol: Some(cost.symbol),
            price: cost.price,
            given: cost.given,
            traded,
        };
        let traded = cost.plays.iter().filter(|play| play.merchant.is_some());
        let mut traded = traded.filter_map(KnownPlay::of);
        if let Some(idle) = traded.find(|play| play.merchant_is_idle()) {
            return Err(surplus(Some(idle.card)).citing("MYT-6.3.1"));
        }
        ensure(cost.given == cost.price, surplus(None).citing("MYT-6.3.2"))
    })
}

/// # Rule MYT-6.3.2
/// Paying means giving exactly the cost.
pub fn pay(costs: &[Cost]) -> Result<(), RefusedAction> {
    afford(costs)?;
    exact(costs)
}

/// Counts the armies that these plays place out of a stock.
///
/// # Rule MYT-6.3.3, 14.11
/// The number of symbols; the stock must have that many armies. The last army of a stock may be placed with one card of
/// more symbols.
pub fn armies_placed(plays: &[SymbolPlay], stock: u8) -> Result<u8, RefusedAction> {
    let needed = total(plays);
    match at_most(needed, stock) {
        Some(armies) => Ok(armies),
        None if stock == 1 && plays.len() == 1 => Ok(1),
        None => Err(Refusal::StockEmpty {
            piece: Piece::Army,
            there: stock,
            needed,
        }
        .citing("MYT-6.3.3")),
    }
}

/// Returns this number, if there are that many pieces.
pub fn at_most(needed: u32, there: u8) -> Option<u8> {
    let needed = u8::try_from(needed).ok();
    needed.filter(|&needed| needed <= there)
}

/// Checks that the player has an army there.
pub fn armed(
    actor: ActorContext,
    province: Province,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let there = actor.player().armies.at(province);
    let none = Refusal::NoArmyPresent {
        province,
        owner: None,
        piece: Piece::Army,
        there,
        needed: 1,
    };
    ensure(there > 0, none.citing(rule))
}
