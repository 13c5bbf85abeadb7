//! The values of refusals.

use gamekeeper_rules::mythotopia::{CardUse, Place, Purchase, Refusal};

use super::pb;
use crate::rows::{names, refusals};

names! {
    Place => pb::Place,
    CardUse => pb::CardUse,
    Purchase => pb::Purchase,
}

refusals! {
    Refusal in pb;
    AlreadySubmitted { decision },
    EmptyList { field },
    InvalidCardCount { least, most, given },
    WrongSymbol { card, symbol, wanted },
    InvalidMercenaryCount { most, given },
    InvalidTokenValue { most, given },
    InvalidAreaCount { most, given },
    EmptyMove { from, to },
    SameProvince { province },
    DuplicateMove { from, to },
    SourceNotOffered { token_source },
    DuplicateCard { card },
    ActionsRemaining { left },
    CardNotAvailable { card, place },
    CardHasNoSuchUse { card, wanted, provinces, improvement },
    SymbolNotOnCard { card, via, symbol },
    AbilityNotInReserve { improvement },
    AbilityAlreadyUsed { converter },
    CannotConvertSymbol { card, symbol },
    TargetIsOwn { province },
    NotAdjacent { from, to },
    MountainBorder { border },
    NoSeaRoute { from, to, missing_ships },
    NotControlled { province },
    TargetProtected { province, owner },
    OwnReserveArmy { wars },
    NoArmyPresent { province, owner, piece, there, needed },
    WarInProgress { province },
    NoPort { sea },
    NoShipsPresent { sea, there, needed },
    NotAtWar { province },
    NotAParticipant { province },
    NoClearWinner { province, strength, sides },
    HeroNotApplicable { province, strength, sides },
    PoolEmpty { piece, there, needed },
    CardNotDisplayed { card },
    ReserveFull { there, limit, wanted },
    DeckTooSmall { total, removed, least },
    NoTownThere { province },
    CitadelPresent { province },
    CastlePresent { province },
    RoadPresent { border },
    SupplyEmpty { piece, there, needed },
    CardNotInPlay { card },
    NoTokenAvailable { card, value },
    NotConnectedByRoad { from, to },
    NotEnoughEmptyCards { empty, needed },
    NotStrictLeader { points, rival, rival_points },
    CannotAfford { purchase, symbol, price, given, token_value },
    SuperfluousCard { purchase, symbol, price, given, traded },
    StockEmpty { piece, there, needed },
    InvalidOption { field },
    DuplicateColor { color };
    bare NoPieces, RouteMissing, RouteNotAllowed, NoActionsLeft, FirstActionOnly,
    AfterFreeAction, AlreadyDrafted, AlreadyDoneThisTurn,
}
