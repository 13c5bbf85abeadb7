//! Every way to say no (MYT-6.11). Texts name values, but only those that whoever asks may know.

mod words;

pub use words::{Holder, Place, Price, Problem, SeaProblem, Shortage, Surplus, Use};

use super::action::TokenSource;
use super::data::{
    ACTIONS, Border, Card, Converter, EMPTY_CARDS_TO_END, FEWEST_CARDS, Improvement, PointCard,
    Province, ProvinceSet, Sea, Symbol,
};
use super::stage::{Phase, TurnMark};
use crate::table::{self, Commas, Count, Refused, Seat};

/// Why an action, or a set of options, is not allowed: a row for each code.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum Refusal {
    #[error("the game is over")]
    GameFinished,
    #[error("{kind} does not belong to this phase: {due}")]
    WrongPhase { kind: &'static str, due: Phase },
    #[error("it is the turn of {active}")]
    NotYourTurn { active: Seat },
    #[error("{seat} must decide first: {due}")]
    DecisionPending { seat: Seat, due: Phase },
    #[error("{kind} answers nothing: no decision is open")]
    NoPendingDecision { kind: &'static str },
    #[error("your {choice} is made and final")]
    AlreadySubmitted { choice: Phase },
    #[error("there is no such {what}")]
    UnknownId { what: &'static str },
    #[error("{problem}")]
    InvalidArgument { problem: Problem },
    #[error("{card} is named twice; a card has one use in an action")]
    DuplicateCard { card: Card },
    #[error("both actions of the turn are done")]
    NoActionsLeft,
    #[error("{done} of {ACTIONS} actions done; pass if you want no more")]
    ActionsRemaining { done: u8 },
    #[error("this can only be the first action of a turn")]
    FirstActionOnly,
    #[error("no free action may come before this")]
    AfterFreeAction,
    #[error("you have drafted a card this turn")]
    AlreadyDrafted,
    #[error("{mark} in this turn, and once is all")]
    AlreadyDoneThisTurn { mark: TurnMark },
    #[error("{card} is not {place}")]
    CardNotAvailable { card: Card, place: Place },
    #[error("{card} cannot be used as {wanted}")]
    CardHasNoSuchUse { card: Card, wanted: Use },
    #[error("{} does not give {symbol}", through(*card, *via))]
    SymbolNotOnCard {
        card: Card,
        via: Option<Converter>,
        symbol: Symbol,
    },
    #[error("{improvement} must lie in your reserve and stay there")]
    AbilityNotInReserve { improvement: Improvement },
    #[error("{converter} works once in a turn")]
    AbilityAlreadyUsed { converter: Converter },
    #[error("{}", unconvertible(*card, *symbol))]
    CannotConvertSymbol { card: Card, symbol: Symbol },
    #[error("you control {province}")]
    TargetIsOwn { province: Province },
    #[error("{from} and {to} share no land border")]
    NotAdjacent { from: Province, to: Province },
    #[error("mountains lie on the border {border}")]
    MountainBorder { border: Border },
    #[error("{problem}")]
    NoSeaRoute { problem: SeaProblem },
    #[error("you do not control {province}")]
    NotControlled { province: Province },
    #[error("{owner} is at war, and Reserve Army protects {province}")]
    TargetProtected { province: Province, owner: Seat },
    #[error("your Reserve Army allows no further war: you are at war in {}", Commas(wars.iter()))]
    OwnReserveArmy { wars: ProvinceSet },
    #[error("{shortage}")]
    NoArmyPresent { shortage: Shortage },
    #[error("a war is going on in {province}")]
    WarInProgress { province: Province },
    #[error("you control no province on {sea}")]
    NoPort { sea: Sea },
    #[error("{shortage}")]
    NoShipsPresent { shortage: Shortage },
    #[error("there is no war in {province}")]
    NotAtWar { province: Province },
    #[error("you take no part in the war in {province}")]
    NotAParticipant { province: Province },
    #[error("{sides} sides are equally strong in {province}, with {strength}")]
    NoClearWinner {
        province: Province,
        strength: u8,
        sides: usize,
    },
    #[error("{}", hero(*province, *strength, *sides))]
    HeroNotApplicable {
        province: Province,
        strength: u8,
        sides: usize,
    },
    #[error("{shortage}")]
    PoolEmpty { shortage: Shortage },
    #[error("{card} lies neither on display nor among your removed cards")]
    CardNotDisplayed { card: Card },
    #[error("your reserve holds {there} of {limit} cards; there is no room for {wanted} more")]
    ReserveFull {
        there: usize,
        limit: u8,
        wanted: usize,
    },
    #[error("you own {total} cards; without {removed} of them fewer than {FEWEST_CARDS} remain")]
    DeckTooSmall { total: usize, removed: usize },
    #[error("what stands in {province} is a city, not a town")]
    NoTownThere { province: Province },
    #[error("your citadel stands in {province}")]
    CitadelPresent { province: Province },
    #[error("a castle stands in {province}")]
    CastlePresent { province: Province },
    #[error("a road lies on the border {border}")]
    RoadPresent { border: Border },
    #[error("{shortage}")]
    SupplyEmpty { shortage: Shortage },
    #[error("{card} is not in play")]
    CardNotInPlay { card: PointCard },
    #[error("{}", no_token(*card, *value))]
    NoTokenAvailable { card: Option<PointCard>, value: u8 },
    #[error("your roads do not join {from} and {to}")]
    NotConnectedByRoad { from: Province, to: Province },
    #[error(
        "point cards without tokens: {empty}; to end the game there must be {EMPTY_CARDS_TO_END}"
    )]
    NotEnoughEmptyCards { empty: usize },
    #[error("after the last wars you would have {} and {rival} {others}", Count(*points, "point"))]
    NotStrictLeader { points: u8, rival: Seat, others: u8 },
    #[error("{price}")]
    CannotAfford { price: Price },
    #[error("{surplus}")]
    SuperfluousCard { surplus: Surplus },
    #[error("{shortage}")]
    StockEmpty { shortage: Shortage },
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}

/// A refusal with the paragraph that refuses.
pub(crate) type No = Refused<Refusal>;

fn through(card: Card, via: Option<Converter>) -> String {
    via.map_or_else(|| card.to_string(), |via| format!("{card} through {via}"))
}

fn unconvertible(card: Card, symbol: Symbol) -> String {
    if symbol.is_resource() {
        format!("{card} shows no food, stone or gold that Merchant could change")
    } else {
        format!("Merchant and Water Mill work on food, stone and gold, not on {symbol}")
    }
}

fn hero(province: Province, strength: u8, sides: usize) -> String {
    if sides == 1 {
        format!(
            "one side alone is strongest in {province}, with {strength}; Hero decides only ties"
        )
    } else {
        format!("you are not among the strongest in {province}, who have {strength}")
    }
}

fn no_token(card: Option<PointCard>, value: u8) -> String {
    match card {
        Some(card) => format!("there is no token of {card} to be had"),
        None => format!("the bank has no token of value {value}"),
    }
}

impl Problem {
    /// An action, or a set of options, that is not well formed.
    pub(crate) fn at(self, rule: &'static str) -> No {
        table::Refusal::at(Refusal::InvalidArgument { problem: self }, rule)
    }
}

/// A condition, or else this refusal.
pub(crate) fn ensure(holds: bool, no: No) -> Result<(), No> {
    if holds { Ok(()) } else { Err(no) }
}

/// What a client names by an id.
pub(crate) trait Noun {
    /// The word for it.
    const NOUN: &'static str;
}

macro_rules! nouns {
    ($($name:ident $noun:literal,)*) => {
        $(impl Noun for $name {
            const NOUN: &'static str = $noun;
        })*
    };
}

nouns! {
    Card "card",
    Province "province",
    Sea "sea area",
    Symbol "symbol",
    Converter "converter",
    Seat "player",
    TokenSource "source of a token",
}

/// An id that a client sent must name something.
///
/// # Rule MYT-6.11
pub(crate) fn known<T: Noun>(named: Option<T>) -> Result<T, No> {
    named.ok_or_else(|| table::Refusal::at(Refusal::UnknownId { what: T::NOUN }, "MYT-6.11"))
}
