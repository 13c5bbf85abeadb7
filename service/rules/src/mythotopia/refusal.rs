//! Every way to say no (MYT-6.11).

use crate::table;

macro_rules! refusals {
    ($($(#[doc = $doc:literal])* $variant:ident $code:literal $rule:literal $text:literal,)*) => {
        /// Every way to say no: one variant for each code of the rule document.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Refusal {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Refusal {
            /// Every refusal, in the order of the rule document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
        }

        impl table::Refusal for Refusal {
            fn code(&self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            fn rule(&self) -> &'static str {
                match self { $(Self::$variant => $rule,)* }
            }

            fn codes() -> Vec<&'static str> {
                vec![$($code),*]
            }
        }

        impl std::fmt::Display for Refusal {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $text,)* })
            }
        }
    };
}

refusals! {
    /// The game is over.
    GameFinished "GAME_FINISHED" "MYT-6.1" "the game is over",
    /// Set-up actions belong to the set-up, all others to turns.
    WrongPhase "WRONG_PHASE" "MYT-14.3" "this action does not belong to this phase of the game",
    /// Somebody else's turn.
    NotYourTurn "NOT_YOUR_TURN" "MYT-6.1.5" "it is not your turn",
    /// A decision must be made first.
    DecisionPending "DECISION_PENDING" "MYT-6.1" "a decision must be made first",
    /// Nothing is to be decided.
    NoPendingDecision "NO_PENDING_DECISION" "MYT-14.3" "there is nothing to decide",
    /// A set-up choice is final.
    AlreadySubmitted "ALREADY_SUBMITTED" "MYT-6.10.1" "your choice is made and final",
    /// An id that names nothing.
    UnknownId "UNKNOWN_ID" "MYT-6.11" "there is no such thing",
    /// An action that is not well formed.
    InvalidArgument "INVALID_ARGUMENT" "MYT-6.11" "the action is not well formed",
    /// One card, one reason.
    DuplicateCard "DUPLICATE_CARD" "MYT-6.2.2" "a card can be used once in an action",
    /// Both actions are done.
    NoActionsLeft "NO_ACTIONS_LEFT" "MYT-6.5" "both actions of the turn are done",
    /// A turn has two actions.
    ActionsRemaining "ACTIONS_REMAINING" "MYT-6.1.1" "a turn has two actions; pass if you want none",
    /// Only the first action of a turn.
    FirstActionOnly "FIRST_ACTION_ONLY" "MYT-6.1.4" "this can only be the first action of a turn",
    /// Not after a free action.
    AfterFreeAction "AFTER_FREE_ACTION" "MYT-6.1.4" "no free action may come before this",
    /// One draft a turn.
    AlreadyDrafted "ALREADY_DRAFTED" "MYT-6.5.8" "you have drafted a card this turn",
    /// Once a turn.
    AlreadyDoneThisTurn "ALREADY_DONE_THIS_TURN" "MYT-6.6" "this can be done once in a turn",
    /// Not in the zone where it would have to be.
    CardNotAvailable "CARD_NOT_AVAILABLE" "MYT-6.2.1" "you do not have that card where you would need it",
    /// Not for this.
    CardHasNoSuchUse "CARD_HAS_NO_SUCH_USE" "MYT-6.4.2" "the card cannot be used for this",
    /// Not printed on it.
    SymbolNotOnCard "SYMBOL_NOT_ON_CARD" "MYT-6.3.1" "the card does not have that symbol",
    /// The improvement does not lie in the reserve.
    AbilityNotInReserve "ABILITY_NOT_IN_RESERVE" "MYT-6.3.1" "that improvement does not lie in your reserve",
    /// Each converter once a turn.
    AbilityAlreadyUsed "ABILITY_ALREADY_USED" "MYT-6.3.1" "that improvement has done its work this turn",
    /// Merchant and Water Mill work on resources.
    CannotConvertSymbol "CANNOT_CONVERT_SYMBOL" "MYT-6.3.1" "only food, stone and gold can be changed or doubled",
    /// One's own province.
    TargetIsOwn "TARGET_IS_OWN" "MYT-6.5.1" "you control that province",
    /// No land border.
    NotAdjacent "NOT_ADJACENT" "MYT-6.5.1" "the provinces share no land border",
    /// Mountains.
    MountainBorder "MOUNTAIN_BORDER" "MYT-6.5.1" "mountains lie between the provinces",
    /// No way by sea.
    NoSeaRoute "NO_SEA_ROUTE" "MYT-6.4.3" "there is no such way by sea with these ships",
    /// Somebody else's province, or nobody's.
    NotControlled "NOT_CONTROLLED" "MYT-6.4.2" "you do not control that province",
    /// Reserve Army keeps others out.
    TargetProtected "TARGET_PROTECTED" "MYT-7.25" "a Reserve Army protects that province",
    /// Reserve Army keeps its owner in.
    OwnReserveArmy "OWN_RESERVE_ARMY" "MYT-7.25" "your Reserve Army allows one war with players at a time",
    /// No army, or too few.
    NoArmyPresent "NO_ARMY_PRESENT" "MYT-6.5.2" "there are not enough such armies in that province",
    /// Nobody leaves a war.
    WarInProgress "WAR_IN_PROGRESS" "MYT-6.5.3" "a war is going on there",
    /// No province on that sea.
    NoPort "NO_PORT" "MYT-6.5.4" "you control no province on that sea",
    /// No ship, or too few.
    NoShipsPresent "NO_SHIPS_PRESENT" "MYT-6.5.5" "you do not have so many ships there",
    /// Peace.
    NotAtWar "NOT_AT_WAR" "MYT-6.5.6" "there is no war in that province",
    /// Others fight.
    NotAParticipant "NOT_A_PARTICIPANT" "MYT-6.5.6" "you take no part in that war",
    /// A tie.
    NoClearWinner "NO_CLEAR_WINNER" "MYT-6.5.6" "several are equally strong",
    /// Hero decides ties for the lead.
    HeroNotApplicable "HERO_NOT_APPLICABLE" "MYT-6.5.6" "Hero decides only a tie for the highest strength that you are part of",
    /// Nothing left to buy.
    PoolEmpty "POOL_EMPTY" "MYT-6.5.7" "the pool does not hold so many of your pieces",
    /// Not to be drafted.
    CardNotDisplayed "CARD_NOT_DISPLAYED" "MYT-6.5.8" "that card cannot be drafted",
    /// No room.
    ReserveFull "RESERVE_FULL" "MYT-6.5.9" "your reserve has no room for that",
    /// Seven cards must remain.
    DeckTooSmall "DECK_TOO_SMALL" "MYT-6.5.11" "you must keep at least seven cards",
    /// A city stands there.
    NoTownThere "NO_TOWN_THERE" "MYT-6.5.12" "there is no town of yours in that province",
    /// A citadel stands there.
    CitadelPresent "CITADEL_PRESENT" "MYT-6.5.12" "your citadel stands there",
    /// A castle stands there.
    CastlePresent "CASTLE_PRESENT" "MYT-6.5.12" "a castle stands there",
    /// A road lies there.
    RoadPresent "ROAD_PRESENT" "MYT-6.5.12" "a road lies there",
    /// No piece left.
    SupplyEmpty "SUPPLY_EMPTY" "MYT-6.5.12" "there are no such pieces left",
    /// Not one of the seven.
    CardNotInPlay "CARD_NOT_IN_PLAY" "MYT-6.5.14" "that point card is not in play",
    /// No token to be had.
    NoTokenAvailable "NO_TOKEN_AVAILABLE" "MYT-6.5.14" "there is no such token to be had",
    /// Not one network.
    NotConnectedByRoad "NOT_CONNECTED_BY_ROAD" "MYT-6.6.1" "your roads do not join these provinces",
    /// The end is not near.
    NotEnoughEmptyCards "NOT_ENOUGH_EMPTY_CARDS" "MYT-6.5.16" "fewer than four point cards are empty",
    /// Somebody else would have as many points.
    NotStrictLeader "NOT_STRICT_LEADER" "MYT-6.5.16" "you would not have more points than everybody else",
    /// Too little.
    CannotAfford "CANNOT_AFFORD" "MYT-6.3.2" "that does not pay the cost",
    /// Too much.
    SuperfluousCard "SUPERFLUOUS_CARD" "MYT-6.3.2" "a card is more than needed",
    /// No pieces to place.
    StockEmpty "STOCK_EMPTY" "MYT-6.3.3" "your stock does not hold so many pieces",
}
