//! Every way to say no (MYT-6.11). Texts name values, but only those that whoever asks may know.

mod codes;
mod words;

pub use words::{Holder, Place, Price, Problem, SeaProblem, Shortage, Surplus, Use};

use super::data::{
    ACTIONS, Border, Card, Converter, EMPTY_CARDS_TO_END, FEWEST_CARDS, Improvement, PointCard,
    Province, ProvinceSet, Sea, Symbol,
};
use super::pending::Phase;
use super::state::TurnMark;
use crate::table::{Count, Seat};

/// Why an action, or a set of options, is not allowed: one variant for each code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    GameFinished,
    /// Set-up actions belong to the set-up, all others to turns.
    #[error("{kind} does not belong to this phase: {due}")]
    WrongPhase {
        /// The kind of action.
        kind: &'static str,
        /// The decision that is due.
        due: Phase,
    },
    /// Somebody else's turn.
    #[error("it is the turn of {active}")]
    NotYourTurn {
        /// Whose turn it is.
        active: Seat,
    },
    /// A decision must be made first.
    #[error("{seat} must decide first: {due}")]
    DecisionPending {
        /// Who must decide.
        seat: Seat,
        /// What.
        due: Phase,
    },
    /// Nothing is to be decided.
    #[error("{kind} answers nothing: no decision is open")]
    NoPendingDecision {
        /// The kind of action.
        kind: &'static str,
    },
    /// A set-up choice is final.
    #[error("your {choice} is made and final")]
    AlreadySubmitted {
        /// The choice.
        choice: Phase,
    },
    /// An id that names nothing.
    #[error("there is no such {what}")]
    UnknownId {
        /// What it should have named.
        what: &'static str,
    },
    /// An action that is not well formed.
    #[error("{problem}")]
    InvalidArgument {
        /// What is wrong.
        problem: Problem,
    },
    /// One card, one reason.
    #[error("{card} is named twice; a card has one use in an action")]
    DuplicateCard {
        /// The card.
        card: Card,
    },
    /// Both actions are done.
    #[error("both actions of the turn are done")]
    NoActionsLeft,
    /// A turn has two actions.
    #[error("{done} of {ACTIONS} actions done; pass if you want no more")]
    ActionsRemaining {
        /// How many are done.
        done: u8,
    },
    /// Only the first action of a turn.
    #[error("this can only be the first action of a turn")]
    FirstActionOnly,
    /// Not after a free action.
    #[error("no free action may come before this")]
    AfterFreeAction,
    /// One draft a turn.
    #[error("you have drafted a card this turn")]
    AlreadyDrafted,
    /// Once a turn.
    #[error("{mark} in this turn, and once is all")]
    AlreadyDoneThisTurn {
        /// What was done.
        mark: TurnMark,
    },
    /// Not in the zone where it would have to be.
    #[error("{card} is not {place}")]
    CardNotAvailable {
        /// The card.
        card: Card,
        /// Where it would have to be.
        place: Place,
    },
    /// Not for this.
    #[error("{card} cannot be used as {wanted}")]
    CardHasNoSuchUse {
        /// The card.
        card: Card,
        /// What it would have to be good for.
        wanted: Use,
    },
    /// Not printed on it, or not what the converter gives.
    #[error("{} does not give {symbol}", through(*card, *via))]
    SymbolNotOnCard {
        /// The card.
        card: Card,
        /// The converter, if one is used.
        via: Option<Converter>,
        /// The symbol.
        symbol: Symbol,
    },
    /// The improvement does not lie in the reserve, or does not stay there.
    #[error("{improvement} must lie in your reserve and stay there")]
    AbilityNotInReserve {
        /// The improvement.
        improvement: Improvement,
    },
    /// Each converter once a turn.
    #[error("{converter} works once in a turn")]
    AbilityAlreadyUsed {
        /// The converter.
        converter: Converter,
    },
    /// Merchant and Water Mill work on resources.
    #[error("{}", unconvertible(*card, *symbol))]
    CannotConvertSymbol {
        /// The card.
        card: Card,
        /// The symbol that is wanted.
        symbol: Symbol,
    },
    /// One's own province.
    #[error("you control {province}")]
    TargetIsOwn {
        /// The province.
        province: Province,
    },
    /// No land border.
    #[error("{from} and {to} share no land border")]
    NotAdjacent {
        /// One province.
        from: Province,
        /// The other one.
        to: Province,
    },
    /// Mountains.
    #[error("mountains lie on the border {border}")]
    MountainBorder {
        /// The border.
        border: Border,
    },
    /// No way by sea.
    #[error("{problem}")]
    NoSeaRoute {
        /// What is missing.
        problem: SeaProblem,
    },
    /// Somebody else's province, or nobody's.
    #[error("you do not control {province}")]
    NotControlled {
        /// The province.
        province: Province,
        /// The rule that wants it.
        rule: &'static str,
    },
    /// Reserve Army keeps others out.
    #[error("{owner} is at war, and Reserve Army protects {province}")]
    TargetProtected {
        /// The province.
        province: Province,
        /// Who controls it.
        owner: Seat,
    },
    /// Reserve Army keeps its owner in.
    #[error("your Reserve Army allows no further war: you are at war in {wars}")]
    OwnReserveArmy {
        /// Where else the player is at war with players.
        wars: ProvinceSet,
    },
    /// No army, or too few.
    #[error("{shortage}")]
    NoArmyPresent {
        /// Where, and how many.
        shortage: Shortage,
        /// The rule that wants them.
        rule: &'static str,
    },
    /// Nobody leaves a war.
    #[error("a war is going on in {province}")]
    WarInProgress {
        /// Where.
        province: Province,
    },
    /// No province on that sea.
    #[error("you control no province on {sea}")]
    NoPort {
        /// The sea area.
        sea: Sea,
    },
    /// No ship, or too few.
    #[error("{shortage}")]
    NoShipsPresent {
        /// Where, and how many.
        shortage: Shortage,
    },
    /// Peace.
    #[error("there is no war in {province}")]
    NotAtWar {
        /// Where.
        province: Province,
    },
    /// Others fight.
    #[error("you take no part in the war in {province}")]
    NotAParticipant {
        /// Where.
        province: Province,
    },
    /// A tie.
    #[error("{sides} sides are equally strong in {province}, with {strength}")]
    NoClearWinner {
        /// Where.
        province: Province,
        /// The highest strength.
        strength: u8,
        /// How many have it.
        sides: usize,
    },
    /// Hero decides ties for the lead.
    #[error("{}", hero(*province, *strength, *sides))]
    HeroNotApplicable {
        /// Where.
        province: Province,
        /// The highest strength.
        strength: u8,
        /// How many have it.
        sides: usize,
    },
    /// Nothing left to buy.
    #[error("{shortage}")]
    PoolEmpty {
        /// How many are left.
        shortage: Shortage,
        /// The rule that takes them.
        rule: &'static str,
    },
    /// Not to be drafted.
    #[error("{card} lies neither on display nor among your removed cards")]
    CardNotDisplayed {
        /// The card.
        card: Card,
    },
    /// No room.
    #[error("your reserve holds {there} of {limit} cards; there is no room for {wanted} more")]
    ReserveFull {
        /// How many cards it holds.
        there: usize,
        /// How many it may hold.
        limit: u8,
        /// How many should come.
        wanted: usize,
    },
    /// Seven cards must remain.
    #[error("you own {total} cards; without {removed} of them fewer than {FEWEST_CARDS} remain")]
    DeckTooSmall {
        /// How many the player owns.
        total: usize,
        /// How many should go.
        removed: usize,
    },
    /// A city stands there.
    #[error("what stands in {province} is a city, not a town")]
    NoTownThere {
        /// Where.
        province: Province,
    },
    /// A citadel stands there.
    #[error("your citadel stands in {province}")]
    CitadelPresent {
        /// Where.
        province: Province,
    },
    /// A castle stands there.
    #[error("a castle stands in {province}")]
    CastlePresent {
        /// Where.
        province: Province,
    },
    /// A road lies there.
    #[error("a road lies on the border {border}")]
    RoadPresent {
        /// Where.
        border: Border,
    },
    /// No piece left.
    #[error("{shortage}")]
    SupplyEmpty {
        /// How many are left.
        shortage: Shortage,
        /// The rule that takes them.
        rule: &'static str,
    },
    /// Not one of the seven.
    #[error("{card} is not in play")]
    CardNotInPlay {
        /// The point card.
        card: PointCard,
    },
    /// No token to be had.
    #[error("{}", no_token(*card, *value))]
    NoTokenAvailable {
        /// The point card; none for Alchemist, who takes from the bank.
        card: Option<PointCard>,
        /// The value of the token.
        value: u8,
    },
    /// Not one network.
    #[error("your roads do not join {from} and {to}")]
    NotConnectedByRoad {
        /// One province.
        from: Province,
        /// The other one.
        to: Province,
    },
    /// The end is not near.
    #[error(
        "point cards without tokens: {empty}; to end the game there must be {EMPTY_CARDS_TO_END}"
    )]
    NotEnoughEmptyCards {
        /// How many are empty.
        empty: usize,
    },
    /// Somebody else would have as many points.
    #[error("after the last wars you would have {} and {rival} {others}", Count(*points, "point"))]
    NotStrictLeader {
        /// The points of the player.
        points: u8,
        /// The best of the others.
        rival: Seat,
        /// His points.
        others: u8,
    },
    /// Too little.
    #[error("{price}")]
    CannotAfford {
        /// What does not reach.
        price: Price,
    },
    /// Too much.
    #[error("{surplus}")]
    SuperfluousCard {
        /// What is too much.
        surplus: Surplus,
    },
    /// No pieces to place.
    #[error("{shortage}")]
    StockEmpty {
        /// How many there are.
        shortage: Shortage,
    },
}

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
