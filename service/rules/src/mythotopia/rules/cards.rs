//! The cards of one action: are they there, can they do that, and what do they pay (MYT-6.2, 6.3)?

use crate::mythotopia::action::{Named, SymbolPlay};
use crate::mythotopia::data::{
    Card, CardSet, Converter, ConverterSet, Improvement, Piece, ProvinceSet, Symbol,
};
use crate::mythotopia::event::{PlayedCard, Purpose, Zone};
use crate::mythotopia::refusal::{
    Holder, No, Place, Price, Problem, Refusal, Shortage, Surplus, Use, ensure, known,
};
use crate::mythotopia::rules::actor::{Actor, Wants};
use crate::mythotopia::rules::borders::is_site;
use crate::mythotopia::stage::TurnMark;
use crate::table::Refusal as _;

/// What single cards of an action are for.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// Site card for one of these provinces.
    Site(ProvinceSet),
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
pub(crate) type Uses<'a> = (&'a [Named<Card>], Role);

/// Cards played for symbols of one kind.
pub(crate) type Pays<'a> = (&'a [SymbolPlay], Symbol);

/// The answer to one question: nothing, or why not.
type Asked = Result<(), No>;

/// All cards of an action, as they were sent.
pub(crate) struct Cards<'a> {
    pub(crate) uses: &'a [Uses<'a>],
    pub(crate) pays: &'a [Pays<'a>],
}

/// The cards of an action, once they are known to be there and of use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spend {
    /// All of them.
    pub(crate) used: CardSet,
    /// The cards that stay in the reserve: theirs are the continuous abilities (MYT-A9).
    pub(crate) kept: CardSet,
    /// Converters that did their work.
    pub(crate) converters: ConverterSet,
    /// What was played for what, if a permit is wanted.
    pub(crate) played: Vec<PlayedCard>,
}

/// What a theme says of an action: the cards that are spent, and what is to be done.
pub(crate) type Ruling<D> = Result<(Spend, D), No>;

/// What is done without cards.
pub(crate) fn no_cards<D>(deed: D) -> (Spend, D) {
    (Spend::default(), deed)
}

/// The cards of an action, each named once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    /// All of them.
    pub(crate) cards: CardSet,
    /// Is there a play with Merchant, Water Mill or a converter? Few have any, so most need not be
    /// asked about them.
    help: Help,
}

/// Do plays need more than their card?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Help {
    None,
    Some,
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

    /// Every id of the play names something.
    fn ids(play: &SymbolPlay) -> Result<(), No> {
        known(play.card)?;
        known(play.symbol)?;
        play.via.map_or(Ok(()), |via| known(via).map(drop))?;
        for card in [play.merchant, play.water_mill] {
            card.map_or(Ok(()), |card| known(card).map(drop))?;
        }
        Ok(())
    }

    /// Asks of each card: the card itself, then its helpers.
    fn each_card(self, mut ask: impl FnMut(Card) -> Asked) -> Asked {
        ask(self.card)?;
        self.merchant.map_or(Ok(()), &mut ask)?;
        self.water_mill.map_or(Ok(()), ask)
    }

    const fn is_helped(self) -> bool {
        self.via.is_some() || self.merchant.is_some() || self.water_mill.is_some()
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

    /// # Rule MYT-6.3.1
    /// Without Merchant the card, or its converter, gives the symbol itself.
    fn check_symbol(self) -> Result<(), No> {
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
            Refusal::SymbolNotOnCard { card, via, symbol }.at("MYT-6.3.1"),
        )
    }

    /// # Rule MYT-6.3.1, 14.10
    /// Merchant and Water Mill work on resources, and Merchant needs one to begin with.
    fn check_helpers(self) -> Result<(), No> {
        let Self { card, symbol, .. } = self;
        let from = match self.via {
            Some(via) => via.symbol().is_resource(),
            None => card.symbols().has_resource(),
        };
        let helped = self.merchant.is_some() || self.water_mill.is_some();
        let works = (!helped || symbol.is_resource()) && (self.merchant.is_none() || from);
        ensure(
            works,
            Refusal::CannotConvertSymbol { card, symbol }.at("MYT-6.3.1"),
        )
    }
}

impl Cards<'_> {
    /// Asks of each single card.
    fn each_single(&self, mut ask: impl FnMut(Card, Role) -> Asked) -> Asked {
        for &(cards, role) in self.uses {
            for &card in cards.iter().flatten() {
                ask(card, role)?;
            }
        }
        Ok(())
    }

    /// Asks of each play.
    fn each_play(&self, mut ask: impl FnMut(Known) -> Asked) -> Asked {
        for (plays, _) in self.pays {
            for play in plays.iter().filter_map(Known::of) {
                ask(play)?;
            }
        }
        Ok(())
    }

    /// Every id names something: `UNKNOWN_ID`.
    pub(crate) fn known(&self) -> Asked {
        for (cards, _) in self.uses {
            cards.iter().try_for_each(|&card| known(card).map(drop))?;
        }
        for (plays, _) in self.pays {
            plays.iter().try_for_each(Known::ids)?;
        }
        Ok(())
    }

    /// Payments are of the right kind, and every card is named once: `INVALID_ARGUMENT`,
    /// `DUPLICATE_CARD`. The caller has asked whether the ids are [`known`](Self::known) and the
    /// rest of the action is well formed.
    pub(crate) fn distinct(&self) -> Result<Used, No> {
        for &(plays, wanted) in self.pays {
            let others = plays.iter().filter(|play| play.symbol != Some(wanted));
            if let Some(Known { card, symbol, .. }) = others.filter_map(Known::of).next() {
                let other = Problem::OtherSymbol {
                    card,
                    given: symbol,
                    wanted,
                };
                return Err(other.at("MYT-6.3.2"));
            }
        }
        let (mut cards, mut help) = (CardSet::EMPTY, Help::None);
        let mut once = |card| {
            let before = cards;
            cards.insert(card);
            ensure(
                cards != before,
                Refusal::DuplicateCard { card }.at("MYT-6.2.2"),
            )
        };
        self.each_single(|card, _| once(card))?;
        self.each_play(|play| {
            if play.is_helped() {
                help = Help::Some;
            }
            play.each_card(&mut once)
        })?;
        Ok(Used { cards, help })
    }

    /// The cards are there and of use.
    ///
    /// # Rule MYT-6.11
    /// `CARD_NOT_AVAILABLE`, `CARD_HAS_NO_SUCH_USE`, `SYMBOL_NOT_ON_CARD`,
    /// `ABILITY_NOT_IN_RESERVE`, `ABILITY_ALREADY_USED`, `CANNOT_CONVERT_SYMBOL`: each is asked
    /// of all cards before the next.
    pub(crate) fn usable(&self, actor: Actor, used: Used) -> Result<Spend, No> {
        self.available(actor, used)?;
        self.of_use(actor, used)?;
        self.each_play(Known::check_symbol)?;
        let kept = actor.player().reserve - used.cards;
        let converters = match used.help {
            Help::None => ConverterSet::empty(),
            Help::Some => self.helped(actor, kept)?,
        };
        Ok(Spend {
            used: used.cards,
            kept,
            converters,
            played: match actor.wants {
                Wants::Answer => Vec::new(),
                Wants::Permit => self.played(actor),
            },
        })
    }

    /// `CARD_NOT_AVAILABLE`; of cards that are only moved nothing more is asked.
    pub(crate) fn available(&self, actor: Actor, used: Used) -> Asked {
        let player = actor.player();
        let check = |card, role| {
            let (zone, place) = match role {
                Role::FromHand => (player.hand, Place::Hand),
                Role::FromReserve => (player.reserve, Place::Reserve),
                Role::FromEither
                | Role::Site(_)
                | Role::Transport
                | Role::Build
                | Role::Ability(_) => (player.playable(), Place::HandOrReserve),
            };
            let there = zone.contains(card);
            ensure(
                there,
                Refusal::CardNotAvailable { card, place }.at("MYT-6.2.1"),
            )
        };
        self.each_single(check)?;
        if (used.cards - player.playable()).is_empty() {
            return Ok(());
        }
        self.each_play(|play| play.each_card(|card| check(card, Role::FromEither)))
    }

    fn of_use(&self, actor: Actor, used: Used) -> Asked {
        let check = |card, role| {
            let (fits, wanted, rule) = match role {
                Role::Site(provinces) => {
                    let fits = is_site(actor, card, provinces);
                    (fits, Use::Site(provinces), "MYT-6.4.2")
                }
                Role::Transport => (card.is_ship(), Use::Ship, "MYT-6.4.3"),
                Role::Build => (card.is_build(), Use::Build, "MYT-6.5.12"),
                Role::Ability(improvement) => {
                    let fits = card == Card::improvement(improvement);
                    (fits, Use::Ability(improvement), "MYT-6.2.2")
                }
                Role::FromHand | Role::FromReserve | Role::FromEither => return Ok(()),
            };
            ensure(fits, Refusal::CardHasNoSuchUse { card, wanted }.at(rule))
        };
        let helps = |card: Option<Card>, helper| {
            card.map_or(Ok(()), |card| check(card, Role::Ability(helper)))
        };
        self.each_single(check)?;
        if used.help == Help::None {
            return Ok(());
        }
        self.each_play(|play| {
            helps(play.merchant, Improvement::Merchant)?;
            helps(play.water_mill, Improvement::WaterMill)
        })
    }

    /// The converters of the plays that need help.
    fn helped(&self, actor: Actor, kept: CardSet) -> Result<ConverterSet, No> {
        let each_via = |ask: &mut dyn FnMut(Converter) -> Asked| {
            self.each_play(|play| play.via.map_or(Ok(()), &mut *ask))
        };
        each_via(&mut |via| {
            let improvement = via.improvement();
            let there = kept.contains(via.card());
            ensure(
                there,
                Refusal::AbilityNotInReserve { improvement }.at("MYT-6.3.1"),
            )
        })?;
        let mut converters = ConverterSet::empty();
        each_via(&mut |converter| {
            let before = actor.state.turn.marks.contains(TurnMark::from(converter));
            let twice = before || converters.contains(converter);
            ensure(
                !twice,
                Refusal::AbilityAlreadyUsed { converter }.at("MYT-6.3.1"),
            )?;
            converters.insert(converter);
            Ok(())
        })?;
        self.each_play(Known::check_helpers)?;
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
        for &(cards, role) in self.uses {
            let purpose = match role {
                Role::Site(_) => Purpose::Site,
                Role::Ability(Improvement::Portal) => Purpose::Portal,
                Role::Transport => Purpose::Transport,
                Role::Build | Role::Ability(_) => Purpose::Ability,
                Role::FromHand | Role::FromReserve | Role::FromEither => continue,
            };
            cards.iter().flatten().for_each(|&card| note(card, purpose));
        }
        for (plays, _) in self.pays {
            for play in plays.iter().filter_map(Known::of) {
                let symbol = Purpose::Symbol(play.symbol);
                let purpose = |via| Purpose::Converted(via, play.symbol);
                note(play.card, play.via.map_or(symbol, purpose));
                play.merchant.inspect(|&card| note(card, Purpose::Merchant));
                play.water_mill
                    .inspect(|&card| note(card, Purpose::WaterMill));
            }
        }
        played
    }
}

/// The symbols that a list of plays gives.
pub(crate) fn total(plays: &[SymbolPlay]) -> u16 {
    plays
        .iter()
        .filter_map(Known::of)
        .map(Known::gives)
        .fold(0, u16::saturating_add)
}

/// A price in one kind of symbol, and the cards that are given for it.
#[derive(Clone, Copy)]
pub(crate) struct Cost<'a> {
    plays: &'a [SymbolPlay],
    symbol: Symbol,
    price: u16,
    given: u16,
}

impl<'a> Cost<'a> {
    pub(crate) fn new(plays: &'a [SymbolPlay], symbol: Symbol, price: impl Into<u16>) -> Self {
        Self {
            plays,
            symbol,
            price: price.into(),
            given: total(plays),
        }
    }
}

/// # Rule MYT-6.3.2
/// Every cost is paid: less is `CANNOT_AFFORD`.
pub(crate) fn afford(costs: &[Cost]) -> Result<(), No> {
    costs.iter().try_for_each(|cost| {
        let price = Price::Symbols {
            symbol: cost.symbol,
            needed: cost.price,
            given: cost.given,
        };
        ensure(
            cost.given >= cost.price,
            Refusal::CannotAfford { price }.at("MYT-6.3.2"),
        )
    })
}

/// # Rule MYT-6.3.2
/// Nothing is paid beyond: more, or a Merchant who does nothing, is `SUPERFLUOUS_CARD`.
pub(crate) fn exact(costs: &[Cost]) -> Result<(), No> {
    costs.iter().try_for_each(|&cost| {
        let Cost {
            plays,
            symbol,
            price,
            given,
        } = cost;
        let traded = plays.iter().filter(|play| play.merchant.is_some());
        let mut traded = traded.filter_map(Known::of);
        if let Some(idle) = traded.find(|play| play.merchant_is_idle()) {
            let surplus = Surplus::Merchant {
                card: idle.card,
                symbol,
            };
            return Err(Refusal::SuperfluousCard { surplus }.at("MYT-6.3.1"));
        }
        let surplus = Surplus::Symbols {
            symbol,
            needed: price,
            given,
        };
        ensure(
            given == price,
            Refusal::SuperfluousCard { surplus }.at("MYT-6.3.2"),
        )
    })
}

/// # Rule MYT-6.3.2
/// Paying means giving exactly the cost.
pub(crate) fn pay(costs: &[Cost]) -> Result<(), No> {
    afford(costs)?;
    exact(costs)
}

/// The armies that these plays place out of a stock.
///
/// # Rule MYT-6.3.3, 14.11
/// As many as the symbols say; the stock must hold them. The last army of a stock may be placed
/// with one card of more symbols.
pub(crate) fn armies_placed(plays: &[SymbolPlay], stock: u8) -> Result<u8, No> {
    let shortage = Shortage {
        holder: Holder::Stock,
        piece: Piece::Army,
        there: stock,
        needed: total(plays),
    };
    match shortage.met() {
        Some(armies) => Ok(armies),
        None if stock == 1 && plays.len() == 1 => Ok(1),
        None => Err(Refusal::StockEmpty { shortage }.at("MYT-6.3.3")),
    }
}
