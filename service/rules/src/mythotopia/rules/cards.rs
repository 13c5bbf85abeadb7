//! The cards of one action: are they there, can they do that, and what do they pay (MYT-6.2, 6.3)?

use super::borders::is_site;
use super::{Actor, ensure, known};
use crate::mythotopia::action::{Named, SymbolPlay};
use crate::mythotopia::data::{
    Card, CardSet, Converter, ConverterSet, Improvement, ProvinceSet, Symbol,
};
use crate::mythotopia::event::{PlayedCard, Purpose, Zone};
use crate::mythotopia::refusal::Refusal;
use crate::mythotopia::state::TurnMark;

const MERCHANT: Card = Card::improvement(Improvement::Merchant);
const WATER_MILL: Card = Card::improvement(Improvement::WaterMill);

/// What single cards of an action are for.
#[derive(Clone, Copy)]
pub(in crate::mythotopia) enum Role {
    /// Site card for one of these provinces.
    Site(ProvinceSet),
    /// Instead of an origin.
    Portal,
    /// Over a sea.
    Transport,
    /// To build.
    Build,
    /// For the ability of this improvement.
    Ability(Improvement),
    /// Not played, but moved: a card of the hand.
    FromHand,
    /// Not played, but moved: a card of the reserve.
    FromReserve,
    /// Not played, but moved: a card of hand or reserve.
    FromEither,
}

/// Single cards with what they are for.
pub(in crate::mythotopia) type Uses<'a> = (&'a [Named<Card>], Role);

/// Cards played for symbols of one kind.
pub(in crate::mythotopia) type Pays<'a> = (&'a [SymbolPlay], Symbol);

/// All cards of an action, as they were sent.
pub(in crate::mythotopia) struct Cards<'a> {
    pub(in crate::mythotopia) uses: &'a [Uses<'a>],
    pub(in crate::mythotopia) pays: &'a [Pays<'a>],
}

/// The cards of an action, once they are known to be there and of use.
#[derive(Clone, Debug, Default)]
pub(in crate::mythotopia) struct Spend {
    /// All of them.
    pub(in crate::mythotopia) used: CardSet,
    /// The cards that stay in the reserve: theirs are the continuous abilities (MYT-A9).
    pub(in crate::mythotopia) kept: CardSet,
    /// Converters that did their work.
    pub(in crate::mythotopia) converters: ConverterSet,
    /// What was played for what.
    pub(in crate::mythotopia) played: Vec<PlayedCard>,
}

/// A symbol play that names known things.
#[derive(Clone, Copy)]
struct Known {
    card: Card,
    symbol: Symbol,
    via: Option<Converter>,
    merchant: Option<Card>,
    water_mill: Option<Card>,
}

impl Known {
    fn of(play: &SymbolPlay) -> Option<Self> {
        let named = |card: Option<Named<Card>>| card.map_or(Some(None), |card| card.map(Some));
        Some(Self {
            card: play.card?,
            symbol: play.symbol?,
            via: play.via.map_or(Some(None), |via| via.map(Some))?,
            merchant: named(play.merchant)?,
            water_mill: named(play.water_mill)?,
        })
    }

    fn cards(self) -> impl Iterator<Item = Card> {
        [Some(self.card), self.merchant, self.water_mill]
            .into_iter()
            .flatten()
    }

    /// # Rule MYT-6.3.1
    /// As many symbols as printed; one, if converted or traded (MYT-14.10); twice that with Water
    /// Mill.
    fn gives(self) -> u16 {
        let printed = self.card.symbols().count(self.symbol);
        let single = self.via.is_some() || self.merchant.is_some();
        let base = if single { 1 } else { u16::from(printed) };
        base * if self.water_mill.is_some() { 2 } else { 1 }
    }

    /// # Rule MYT-6.3.1, 14.10
    /// Merchant does nothing where the card or the converter gives the wanted resource anyway.
    fn merchant_is_idle(self) -> bool {
        let converted = self.via.is_some_and(|via| via.symbol() == self.symbol);
        let printed = self.card.symbols().count(self.symbol) > 0;
        self.merchant.is_some() && (converted || printed)
    }

    fn symbol_is_there(self) -> bool {
        let there = match self.via {
            Some(via) => via.symbol() == self.symbol,
            None => self.card.symbols().count(self.symbol) > 0,
        };
        self.merchant.is_some() || there
    }

    /// # Rule MYT-6.3.1, 14.10
    /// Merchant and Water Mill work on resources, and Merchant needs one to begin with.
    fn is_convertible(self) -> bool {
        let from = match self.via {
            Some(via) => via.symbol().is_resource(),
            None => self.card.symbols().has_resource(),
        };
        let helped = self.merchant.is_some() || self.water_mill.is_some();
        (!helped || self.symbol.is_resource()) && (self.merchant.is_none() || from)
    }
}

impl<'a> Cards<'a> {
    fn singles(&self) -> impl Iterator<Item = (Card, Role)> + use<'a> {
        let known = |&(cards, role): &'a Uses<'a>| {
            cards
                .iter()
                .filter_map(move |card| card.map(|card| (card, role)))
        };
        self.uses.iter().flat_map(known)
    }

    fn plays(&self) -> impl Iterator<Item = Known> + use<'a> {
        self.pays
            .iter()
            .flat_map(|(plays, _)| plays.iter().filter_map(Known::of))
    }

    /// Every id names something: `UNKNOWN_ID`.
    pub(in crate::mythotopia) fn known(&self) -> Result<(), Refusal> {
        let mut singles = self.uses.iter().flat_map(|(cards, _)| cards.iter());
        singles.try_for_each(|&card| known(card).map(drop))?;
        let mut plays = self.pays.iter().flat_map(|(plays, _)| plays.iter());
        plays.try_for_each(|play| known(Known::of(play)).map(drop))
    }

    /// Payments are of the right kind, and every card is named once: `INVALID_ARGUMENT`,
    /// `DUPLICATE_CARD`. The caller has asked whether the ids are [`known`](Self::known) and the
    /// rest of the action is well formed.
    pub(in crate::mythotopia) fn distinct(&self) -> Result<CardSet, Refusal> {
        for &(plays, symbol) in self.pays {
            let right = plays.iter().all(|play| play.symbol == Some(symbol));
            ensure(right, Refusal::InvalidArgument)?;
        }
        let mut used = CardSet::EMPTY;
        let singles = self.singles().map(|(card, _)| card);
        for card in singles.chain(self.plays().flat_map(Known::cards)) {
            ensure(!used.contains(card), Refusal::DuplicateCard)?;
            used.insert(card);
        }
        Ok(used)
    }

    /// The cards are there and of use.
    ///
    /// # Rule MYT-6.11
    /// `CARD_NOT_AVAILABLE`, `CARD_HAS_NO_SUCH_USE`, `SYMBOL_NOT_ON_CARD`,
    /// `ABILITY_NOT_IN_RESERVE`, `ABILITY_ALREADY_USED`, `CANNOT_CONVERT_SYMBOL`: each is asked
    /// of all cards before the next.
    pub(in crate::mythotopia) fn usable(
        &self,
        actor: Actor,
        used: CardSet,
    ) -> Result<Spend, Refusal> {
        self.available(actor)?;
        self.of_use(actor)?;
        let symbols = self.plays().all(Known::symbol_is_there);
        ensure(symbols, Refusal::SymbolNotOnCard)?;
        let kept = actor.player().reserve - used;
        let mut vias = self.plays().filter_map(|play| play.via);
        let there = vias.all(|via| kept.contains(via.card()));
        ensure(there, Refusal::AbilityNotInReserve)?;
        let converters = self.converters(actor)?;
        let convertible = self.plays().all(Known::is_convertible);
        ensure(convertible, Refusal::CannotConvertSymbol)?;
        Ok(Spend {
            used,
            kept,
            converters,
            played: self.played(actor),
        })
    }

    fn available(&self, actor: Actor) -> Result<(), Refusal> {
        let player = actor.player();
        let there = self.singles().all(|(card, role)| match role {
            Role::FromHand => player.hand.contains(card),
            Role::FromReserve => player.reserve.contains(card),
            Role::FromEither
            | Role::Site(_)
            | Role::Portal
            | Role::Transport
            | Role::Build
            | Role::Ability(_) => player.playable().contains(card),
        });
        let mut played = self.plays().flat_map(Known::cards);
        let played = played.all(|card| player.playable().contains(card));
        ensure(there && played, Refusal::CardNotAvailable)
    }

    fn of_use(&self, actor: Actor) -> Result<(), Refusal> {
        for (card, role) in self.singles() {
            let fits = match role {
                Role::Site(provinces) => is_site(actor, card, provinces).is_ok(),
                Role::Portal => card == Card::improvement(Improvement::Portal),
                Role::Transport => card.is_ship(),
                Role::Build => card.is_build(),
                Role::Ability(improvement) => card == Card::improvement(improvement),
                Role::FromHand | Role::FromReserve | Role::FromEither => true,
            };
            ensure(fits, Refusal::CardHasNoSuchUse)?;
        }
        let fits = |play: Known| {
            play.merchant.is_none_or(|card| card == MERCHANT)
                && play.water_mill.is_none_or(|card| card == WATER_MILL)
        };
        ensure(self.plays().all(fits), Refusal::CardHasNoSuchUse)
    }

    fn converters(&self, actor: Actor) -> Result<ConverterSet, Refusal> {
        let mut converters = ConverterSet::EMPTY;
        for via in self.plays().filter_map(|play| play.via) {
            let before = actor.state.turn.marks.contains(TurnMark::from(via));
            let twice = before || converters.contains(via);
            ensure(!twice, Refusal::AbilityAlreadyUsed)?;
            converters.insert(via);
        }
        Ok(converters)
    }

    fn played(&self, actor: Actor) -> Vec<PlayedCard> {
        let mut played = Vec::new();
        let mut note = |card, purpose| {
            let zone = if actor.player().hand.contains(card) {
                Zone::Hand
            } else {
                Zone::Reserve
            };
            played.push(PlayedCard {
                card,
                zone,
                purpose,
            });
        };
        for (card, role) in self.singles() {
            match role {
                Role::Site(_) => note(card, Purpose::Site),
                Role::Portal => note(card, Purpose::Portal),
                Role::Transport => note(card, Purpose::Transport),
                Role::Build | Role::Ability(_) => note(card, Purpose::Ability),
                Role::FromHand | Role::FromReserve | Role::FromEither => {}
            }
        }
        for play in self.plays() {
            let symbol = Purpose::Symbol(play.symbol);
            let purpose = |via| Purpose::Converted(via, play.symbol);
            note(play.card, play.via.map_or(symbol, purpose));
            play.merchant.inspect(|&card| note(card, Purpose::Merchant));
            play.water_mill
                .inspect(|&card| note(card, Purpose::WaterMill));
        }
        played
    }
}

/// The symbols that a list of plays gives.
pub(in crate::mythotopia) fn total(plays: &[SymbolPlay]) -> u16 {
    plays
        .iter()
        .filter_map(Known::of)
        .map(Known::gives)
        .fold(0, u16::saturating_add)
}

/// A cost, and what is given for it.
pub(in crate::mythotopia) type Cost<'a> = (&'a [SymbolPlay], u16);

/// # Rule MYT-6.3.2
/// Every cost is paid: less is `CANNOT_AFFORD`.
pub(in crate::mythotopia) fn afford(costs: &[Cost]) -> Result<(), Refusal> {
    let enough = costs.iter().all(|&(plays, cost)| total(plays) >= cost);
    ensure(enough, Refusal::CannotAfford)
}

/// # Rule MYT-6.3.2
/// Nothing is paid beyond: more, or a Merchant who does nothing, is `SUPERFLUOUS_CARD`.
pub(in crate::mythotopia) fn exact(costs: &[Cost]) -> Result<(), Refusal> {
    let exact = costs.iter().all(|&(plays, cost)| {
        let idle = plays
            .iter()
            .filter_map(Known::of)
            .any(Known::merchant_is_idle);
        total(plays) == cost && !idle
    });
    ensure(exact, Refusal::SuperfluousCard)
}

/// # Rule MYT-6.3.2
/// Paying means giving exactly the cost.
pub(in crate::mythotopia) fn pay(costs: &[Cost]) -> Result<(), Refusal> {
    afford(costs)?;
    exact(costs)
}

/// The armies that these plays place out of a stock.
///
/// # Rule MYT-6.3.3, 14.11
/// As many as the symbols say; the stock must hold them. The last army of a stock may be placed
/// with one card of more symbols.
pub(in crate::mythotopia) fn armies_placed(plays: &[SymbolPlay], stock: u8) -> Result<u8, Refusal> {
    let symbols = total(plays);
    match u8::try_from(symbols) {
        Ok(armies) if armies <= stock => Ok(armies),
        Ok(_) | Err(_) if stock == 1 && plays.len() == 1 => Ok(1),
        Ok(_) | Err(_) => Err(Refusal::StockEmpty),
    }
}
