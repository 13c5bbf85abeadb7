//! The codes of refusals, and the rules that they name.

use super::{Price, Refusal};
use crate::mythotopia::data::Improvement;
use crate::table;

impl Refusal {
    /// All codes, in the order of MYT-6.11.
    pub const CODES: [&'static str; 53] = [
        "GAME_FINISHED",
        "WRONG_PHASE",
        "NOT_YOUR_TURN",
        "DECISION_PENDING",
        "NO_PENDING_DECISION",
        "ALREADY_SUBMITTED",
        "UNKNOWN_ID",
        "INVALID_ARGUMENT",
        "DUPLICATE_CARD",
        "NO_ACTIONS_LEFT",
        "ACTIONS_REMAINING",
        "FIRST_ACTION_ONLY",
        "AFTER_FREE_ACTION",
        "ALREADY_DRAFTED",
        "ALREADY_DONE_THIS_TURN",
        "CARD_NOT_AVAILABLE",
        "CARD_HAS_NO_SUCH_USE",
        "SYMBOL_NOT_ON_CARD",
        "ABILITY_NOT_IN_RESERVE",
        "ABILITY_ALREADY_USED",
        "CANNOT_CONVERT_SYMBOL",
        "TARGET_IS_OWN",
        "NOT_ADJACENT",
        "MOUNTAIN_BORDER",
        "NO_SEA_ROUTE",
        "NOT_CONTROLLED",
        "TARGET_PROTECTED",
        "OWN_RESERVE_ARMY",
        "NO_ARMY_PRESENT",
        "WAR_IN_PROGRESS",
        "NO_PORT",
        "NO_SHIPS_PRESENT",
        "NOT_AT_WAR",
        "NOT_A_PARTICIPANT",
        "NO_CLEAR_WINNER",
        "HERO_NOT_APPLICABLE",
        "POOL_EMPTY",
        "CARD_NOT_DISPLAYED",
        "RESERVE_FULL",
        "DECK_TOO_SMALL",
        "NO_TOWN_THERE",
        "CITADEL_PRESENT",
        "CASTLE_PRESENT",
        "ROAD_PRESENT",
        "SUPPLY_EMPTY",
        "CARD_NOT_IN_PLAY",
        "NO_TOKEN_AVAILABLE",
        "NOT_CONNECTED_BY_ROAD",
        "NOT_ENOUGH_EMPTY_CARDS",
        "NOT_STRICT_LEADER",
        "CANNOT_AFFORD",
        "SUPERFLUOUS_CARD",
        "STOCK_EMPTY",
    ];
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = &Self::CODES;

    #[rustfmt::skip]
    fn code(&self) -> &'static str {
        match self {
            Self::GameFinished => "GAME_FINISHED",
            Self::WrongPhase { .. } => "WRONG_PHASE",
            Self::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Self::DecisionPending { .. } => "DECISION_PENDING",
            Self::NoPendingDecision { .. } => "NO_PENDING_DECISION",
            Self::AlreadySubmitted { .. } => "ALREADY_SUBMITTED",
            Self::UnknownId { .. } => "UNKNOWN_ID",
            Self::InvalidArgument { .. } => "INVALID_ARGUMENT",
            Self::DuplicateCard { .. } => "DUPLICATE_CARD",
            Self::NoActionsLeft => "NO_ACTIONS_LEFT",
            Self::ActionsRemaining { .. } => "ACTIONS_REMAINING",
            Self::FirstActionOnly => "FIRST_ACTION_ONLY",
            Self::AfterFreeAction => "AFTER_FREE_ACTION",
            Self::AlreadyDrafted => "ALREADY_DRAFTED",
            Self::AlreadyDoneThisTurn { .. } => "ALREADY_DONE_THIS_TURN",
            Self::CardNotAvailable { .. } => "CARD_NOT_AVAILABLE",
            Self::CardHasNoSuchUse { .. } => "CARD_HAS_NO_SUCH_USE",
            Self::SymbolNotOnCard { .. } => "SYMBOL_NOT_ON_CARD",
            Self::AbilityNotInReserve { .. } => "ABILITY_NOT_IN_RESERVE",
            Self::AbilityAlreadyUsed { .. } => "ABILITY_ALREADY_USED",
            Self::CannotConvertSymbol { .. } => "CANNOT_CONVERT_SYMBOL",
            Self::TargetIsOwn { .. } => "TARGET_IS_OWN",
            Self::NotAdjacent { .. } => "NOT_ADJACENT",
            Self::MountainBorder { .. } => "MOUNTAIN_BORDER",
            Self::NoSeaRoute { .. } => "NO_SEA_ROUTE",
            Self::NotControlled { .. } => "NOT_CONTROLLED",
            Self::TargetProtected { .. } => "TARGET_PROTECTED",
            Self::OwnReserveArmy { .. } => "OWN_RESERVE_ARMY",
            Self::NoArmyPresent { .. } => "NO_ARMY_PRESENT",
            Self::WarInProgress { .. } => "WAR_IN_PROGRESS",
            Self::NoPort { .. } => "NO_PORT",
            Self::NoShipsPresent { .. } => "NO_SHIPS_PRESENT",
            Self::NotAtWar { .. } => "NOT_AT_WAR",
            Self::NotAParticipant { .. } => "NOT_A_PARTICIPANT",
            Self::NoClearWinner { .. } => "NO_CLEAR_WINNER",
            Self::HeroNotApplicable { .. } => "HERO_NOT_APPLICABLE",
            Self::PoolEmpty { .. } => "POOL_EMPTY",
            Self::CardNotDisplayed { .. } => "CARD_NOT_DISPLAYED",
            Self::ReserveFull { .. } => "RESERVE_FULL",
            Self::DeckTooSmall { .. } => "DECK_TOO_SMALL",
            Self::NoTownThere { .. } => "NO_TOWN_THERE",
            Self::CitadelPresent { .. } => "CITADEL_PRESENT",
            Self::CastlePresent { .. } => "CASTLE_PRESENT",
            Self::RoadPresent { .. } => "ROAD_PRESENT",
            Self::SupplyEmpty { .. } => "SUPPLY_EMPTY",
            Self::CardNotInPlay { .. } => "CARD_NOT_IN_PLAY",
            Self::NoTokenAvailable { .. } => "NO_TOKEN_AVAILABLE",
            Self::NotConnectedByRoad { .. } => "NOT_CONNECTED_BY_ROAD",
            Self::NotEnoughEmptyCards { .. } => "NOT_ENOUGH_EMPTY_CARDS",
            Self::NotStrictLeader { .. } => "NOT_STRICT_LEADER",
            Self::CannotAfford { .. } => "CANNOT_AFFORD",
            Self::SuperfluousCard { .. } => "SUPERFLUOUS_CARD",
            Self::StockEmpty { .. } => "STOCK_EMPTY",
        }
    }
}

impl Refusal {
    /// The rule that usually refuses so.
    #[rustfmt::skip]
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Self::NotControlled { rule, .. }
            | Self::NoArmyPresent { rule, .. }
            | Self::PoolEmpty { rule, .. }
            | Self::SupplyEmpty { rule, .. } => rule,
            Self::CardNotAvailable { place, .. } => place.rule(),
            Self::CardHasNoSuchUse { wanted, .. } => wanted.rule(),
            Self::AbilityNotInReserve { improvement: Improvement::Warehouse } => "MYT-6.6.2",
            Self::NoTokenAvailable { card: None, .. }
            | Self::CannotAfford { price: Price::Token { .. } } => "MYT-7.1",
            Self::GameFinished
            | Self::DecisionPending { .. } => "MYT-6.1",
            Self::WrongPhase { .. }
            | Self::NoPendingDecision { .. } => "MYT-14.3",
            Self::NotYourTurn { .. } => "MYT-6.1.5",
            Self::AlreadySubmitted { .. } => "MYT-6.10.1",
            Self::UnknownId { .. }
            | Self::InvalidArgument { .. } => "MYT-6.11",
            Self::DuplicateCard { .. } => "MYT-6.2.2",
            Self::NoActionsLeft => "MYT-6.5",
            Self::ActionsRemaining { .. } => "MYT-6.1.1",
            Self::FirstActionOnly
            | Self::AfterFreeAction => "MYT-6.1.4",
            Self::AlreadyDrafted
            | Self::CardNotDisplayed { .. } => "MYT-6.5.8",
            Self::AlreadyDoneThisTurn { .. } => "MYT-6.6",
            Self::SymbolNotOnCard { .. }
            | Self::AbilityNotInReserve { .. }
            | Self::AbilityAlreadyUsed { .. }
            | Self::CannotConvertSymbol { .. } => "MYT-6.3.1",
            Self::TargetIsOwn { .. }
            | Self::NotAdjacent { .. }
            | Self::MountainBorder { .. } => "MYT-6.5.1",
            Self::NoSeaRoute { .. } => "MYT-6.4.3",
            Self::TargetProtected { .. }
            | Self::OwnReserveArmy { .. } => "MYT-7.25",
            Self::WarInProgress { .. } => "MYT-6.5.3",
            Self::NoPort { .. } => "MYT-6.5.4",
            Self::NoShipsPresent { .. } => "MYT-6.5.5",
            Self::NotAtWar { .. }
            | Self::NotAParticipant { .. }
            | Self::NoClearWinner { .. }
            | Self::HeroNotApplicable { .. } => "MYT-6.5.6",
            Self::ReserveFull { .. } => "MYT-6.5.9",
            Self::DeckTooSmall { .. } => "MYT-6.5.11",
            Self::NoTownThere { .. }
            | Self::CitadelPresent { .. }
            | Self::CastlePresent { .. }
            | Self::RoadPresent { .. } => "MYT-6.5.12",
            Self::CardNotInPlay { .. }
            | Self::NoTokenAvailable { .. } => "MYT-6.5.14",
            Self::NotConnectedByRoad { .. } => "MYT-6.6.1",
            Self::NotEnoughEmptyCards { .. }
            | Self::NotStrictLeader { .. } => "MYT-6.5.16",
            Self::CannotAfford { .. }
            | Self::SuperfluousCard { .. } => "MYT-6.3.2",
            Self::StockEmpty { .. } => "MYT-6.3.3",
        }
    }
}

impl From<Refusal> for crate::table::Refused<Refusal> {
    fn from(why: Refusal) -> Self {
        Self {
            rule: why.rule(),
            why,
        }
    }
}
