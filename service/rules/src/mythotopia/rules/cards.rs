//! The cards of one action: availability, uses, and payments (MYT-6.2, 6.3).

use super::actor::{ActorContext, CheckMode};
use super::borders::is_site;
use super::payment::{CheckOutcome, KnownPlay};
use crate::mythotopia::action::SymbolPlay;
use crate::mythotopia::data::{
    Card, CardSet, Converter, ConverterSet, Improvement, ProvinceSet, Symbol,
};
use crate::mythotopia::event::{PlayedCard, Purpose};
use crate::mythotopia::refusal::{CardUse, Place, Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::{TurnMark, Zone};
use crate::table::MaybeKnown;
use crate::table::Refusal as _;

/// The role of a single card in an action.
#[derive(Clone, Copy)]
pub enum Role {
    /// Site card for one of these provinces.
    Site(ProvinceSet),
    /// Carries armies over a sea.
    Transport,
    Build,
    /// Played for the ability of this improvement.
    Ability(Improvement),
    /// Not played, but moved: a card of the hand.
    FromHand,
    /// Not played, but moved: a card of the reserve.
    FromReserve,
    /// Not played, but moved: a card of hand or reserve.
    FromEither,
}

/// Single cards with the name of their field and their role.
pub type Uses<'a> = (&'static str, &'a [MaybeKnown<Card>], Role);

/// Cards played for symbols of one kind, with the name of their field.
pub type Pays<'a> = (&'static str, &'a [SymbolPlay], Symbol);

/// All cards of an action, as they were sent.
pub struct Cards<'a> {
    pub uses: &'a [Uses<'a>],
    pub pays: &'a [Pays<'a>],
}

/// The cards of an action, after they were found to be available and usable.
#[derive(Clone, Debug, Default)]
pub struct Spend {
    /// All cards of the action.
    pub used: CardSet,
    /// The cards that stay in the reserve: their continuous abilities apply (MYT-A9).
    pub reserve_left: CardSet,
    /// The converters that were used.
    pub converters: ConverterSet,
    /// The cards played, each with its purpose, if a permit is wanted.
    pub played: Vec<PlayedCard>,
}

/// The verdict of a theme on an action: the cards to spend, and the validated action.
pub type CheckResult<D> = Result<(Spend, D), RefusedAction>;

/// A validated action without cards.
pub fn no_cards<D>(valid_action: D) -> (Spend, D) {
    (Spend::default(), valid_action)
}

/// The cards of an action, each named once.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// All cards of the action.
    pub cards: CardSet,
    /// Whether a play uses Merchant, Water Mill or a converter. Few do, so the checks of these are skipped for most
    /// actions.
    help: Help,
}

/// Whether plays need more than their card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Help {
    None,
    Some,
}

impl Cards<'_> {
    /// Runs a check on each single card.
    fn each_single(&self, mut ask: impl FnMut(Card, Role) -> CheckOutcome) -> CheckOutcome {
        for &(_, cards, role) in self.uses {
            for &card in cards.iter().flatten() {
                ask(card, role)?;
            }
        }
        Ok(())
    }

    /// Runs a check on each play.
    fn each_play(&self, mut ask: impl FnMut(KnownPlay) -> CheckOutcome) -> CheckOutcome {
        for (_, plays, _) in self.pays {
            for play in plays.iter().filter_map(KnownPlay::of) {
                ask(play)?;
            }
        }
        Ok(())
    }

    /// Checks that every id names something: `UNKNOWN_ID`.
    pub fn require_known(&self) -> CheckOutcome {
        for &(field, cards, _) in self.uses {
            cards
                .iter()
                .try_for_each(|&card| require_known(card, field).map(drop))?;
        }
        for &(field, plays, _) in self.pays {
            plays
                .iter()
                .try_for_each(|play| KnownPlay::ids(play, field))?;
        }
        Ok(())
    }

    /// Checks that payments are of the right kind, and that every card is named once: `WRONG_SYMBOL`, `DUPLICATE_CARD`.
    /// The caller has checked that the ids are [`require_known`](Self::require_known) and the rest of the action is well formed.
    pub fn distinct(&self) -> Result<Used, RefusedAction> {
        for &(_, plays, wanted) in self.pays {
            let others = plays.iter().filter(|play| play.symbol != Some(wanted));
            if let Some(KnownPlay { card, symbol, .. }) = others.filter_map(KnownPlay::of).next() {
                let other = Refusal::WrongSymbol {
                    card,
                    symbol,
                    wanted,
                };
                return Err(other.citing("MYT-6.3.2"));
            }
        }
        let (mut cards, mut help) = (CardSet::EMPTY, Help::None);
        let mut once = |card| {
            let before = cards;
            cards.insert(card);
            ensure(
                cards != before,
                Refusal::DuplicateCard { card }.citing("MYT-6.2.2"),
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

    /// Checks that the cards are available and usable.
    ///
    /// # Rule MYT-6.11
    /// `CARD_NOT_AVAILABLE`, `CARD_HAS_NO_SUCH_USE`, `SYMBOL_NOT_ON_CARD`,
    /// `ABILITY_NOT_IN_RESERVE`, `ABILITY_ALREADY_USED`, `CANNOT_CONVERT_SYMBOL`: each is checked
    /// for all cards before the next.
    pub fn usable(&self, actor: ActorContext, used: Used) -> Result<Spend, RefusedAction> {
        self.available(actor, used)?;
        self.of_use(actor, used)?;
        self.each_play(KnownPlay::check_symbol)?;
        let reserve_left = actor.player().reserve - used.cards;
        let converters = match used.help {
            Help::None => ConverterSet::empty(),
            Help::Some => self.helped(actor, reserve_left)?,
        };
        Ok(Spend {
            used: used.cards,
            reserve_left,
            converters,
            played: match actor.mode {
                CheckMode::LegalityOnly => Vec::new(),
                CheckMode::Permit => self.played(actor),
            },
        })
    }

    /// Checks `CARD_NOT_AVAILABLE`; nothing more is checked for cards that are only moved.
    pub fn available(&self, actor: ActorContext, used: Used) -> CheckOutcome {
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
                Refusal::CardNotAvailable { card, place }.citing("MYT-6.2.1"),
            )
        };
        self.each_single(check)?;
        if (used.cards - player.playable()).is_empty() {
            return Ok(());
        }
        self.each_play(|play| play.each_card(|card| check(card, Role::FromEither)))
    }

    fn of_use(&self, actor: ActorContext, used: Used) -> CheckOutcome {
        let check = |card, role| {
            let (mut provinces, mut improvement) = (ProvinceSet::empty(), None);
            let (fits, wanted, rule) = match role {
                Role::Site(sites) => {
                    provinces = sites;
                    (is_site(actor, card, sites), CardUse::Site, "MYT-6.4.2")
                }
                Role::Transport => (card.is_ship(), CardUse::Ship, "MYT-6.4.3"),
                Role::Build => (card.is_build(), CardUse::Build, "MYT-6.5.12"),
                Role::Ability(ability) => {
                    improvement = Some(ability);
                    let fits = card == Card::improvement(ability);
                    (fits, CardUse::Ability, "MYT-6.2.2")
                }
                Role::FromHand | Role::FromReserve | Role::FromEither => return Ok(()),
            };
            let useless = Refusal::CardHasNoSuchUse {
                card,
                wanted,
                provinces,
                improvement,
            };
            ensure(fits, useless.citing(rule))
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
    fn helped(
        &self,
        actor: ActorContext,
        reserve_left: CardSet,
    ) -> Result<ConverterSet, RefusedAction> {
        let each_via = |ask: &mut dyn FnMut(Converter) -> CheckOutcome| {
            self.each_play(|play| play.via.map_or(Ok(()), &mut *ask))
        };
        each_via(&mut |via| {
            let improvement = via.improvement();
            let there = reserve_left.contains(via.card());
            ensure(
                there,
                Refusal::AbilityNotInReserve { improvement }.citing("MYT-6.3.1"),
            )
        })?;
        let mut converters = ConverterSet::empty();
        each_via(&mut |converter| {
            let before = actor.state.turn.marks.contains(TurnMark::from(converter));
            let twice = before || converters.contains(converter);
            ensure(
                !twice,
                Refusal::AbilityAlreadyUsed { converter }.citing("MYT-6.3.1"),
            )?;
            converters.insert(converter);
            Ok(())
        })?;
        self.each_play(KnownPlay::check_helpers)?;
        Ok(converters)
    }

    fn played(&self, actor: ActorContext) -> Vec<PlayedCard> {
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
        for &(_, cards, role) in self.uses {
            let purpose = match role {
                Role::Site(_) => Purpose::Site,
                Role::Ability(Improvement::Portal) => Purpose::Portal,
                Role::Transport => Purpose::Transport,
                Role::Build | Role::Ability(_) => Purpose::Ability,
                Role::FromHand | Role::FromReserve | Role::FromEither => continue,
            };
            cards.iter().flatten().for_each(|&card| note(card, purpose));
        }
        for (_, plays, _) in self.pays {
            for play in plays.iter().filter_map(KnownPlay::of) {
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
