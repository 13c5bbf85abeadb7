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
    InvalidCardCount { min, max, given },
    WrongSymbol { card, symbol, wanted },
    InvalidMercenaryCount { max, given },
    InvalidTokenValue { max, given },
    InvalidAreaCount { max, given },
    EmptyMove { from_province, to_province },
    SameProvince { province },
    DuplicateMove { from_province, to_province },
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
    NotAdjacent { from_province, to_province },
    MountainBorder { border },
    NoSeaRoute { from_province, to_province, missing_ships },
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
    DeckTooSmall { total, removed, min },
    NoTownThere { province },
    CitadelPresent { province },
    CastlePresent { province },
    RoadPresent { border },
    SupplyEmpty { piece, there, needed },
    CardNotInPlay { card },
    NoTokenAvailable { card, value },
    NotConnectedByRoad { from_province, to_province },
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
