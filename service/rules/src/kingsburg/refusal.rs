//! Every way to say no, and the rule that says it.

use super::data::{Advisor, Building, Color, Good, Goods, counted};
use super::pending::Decision;
use crate::table::{self, Count, Seat};

/// A refusal; the values that broke the rule are named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// `GAME_OVER`: the game is finished.
    #[error("the game is over")]
    GameOver,
    /// `NOT_A_PLAYER`: nobody sits there.
    #[error("{0} is not at this table")]
    NotAPlayer(Seat),
    /// `NOT_YOUR_TURN`: somebody else owes the decision.
    #[error("it is the turn of {0}")]
    NotYourTurn(Seat),
    /// `WRONG_DECISION`: the action answers another question.
    #[error("the decision to make is {}", .0.name())]
    WrongDecision(Decision),
    /// `INVALID_GOOD`: no such kind of goods.
    #[error("there is no such good")]
    InvalidGood,
    /// `UNKNOWN_DIE`: the player has no such die this season.
    #[error("there is no die {die} this season")]
    UnknownDie {
        /// The number of the die.
        die: u32,
        /// The decision.
        decision: Decision,
    },
    /// `DUPLICATE_DIE`: a die twice in one group.
    #[error("die {0} is named twice")]
    DuplicateDie(u8),
    /// `EMPTY_DICE_SET`: no die is placed.
    #[error("no die is named")]
    EmptyDiceSet,
    /// `DIE_NOT_AVAILABLE`: the die is on the court or set aside.
    #[error("die {0} is placed or set aside")]
    DieNotAvailable(u8),
    /// `WHITE_DICE_ONLY`: a white die needs an own die in its group.
    #[error("a group needs a die of your own")]
    WhiteDiceOnly,
    /// `ADVISOR_OUT_OF_RANGE`: no such advisor.
    #[error("there is no advisor {0}")]
    AdvisorOutOfRange(i32),
    /// `INVALID_MARKET_OFFSET`: the Market gives one more or one less.
    #[error("the Market gives -1 or +1, not {0}")]
    InvalidMarketOffset(i32),
    /// `MARKET_NOT_OWNED`: an offset needs the Market.
    #[error("you have no Market")]
    MarketNotOwned,
    /// `MARKET_ALREADY_USED`: the Market works once a season.
    #[error("your Market was used this season")]
    MarketAlreadyUsed,
    /// `PLUS2_EXCEEDS_DICE`: more tokens than dice in the group.
    #[error("{} cannot go with {}", Count(*plus2, "+2 token"), counted(*dice))]
    Plus2ExceedsDice {
        /// Tokens asked for.
        plus2: u32,
        /// Dice in the group.
        dice: u8,
    },
    /// `NOT_ENOUGH_PLUS2`: more tokens than in hand.
    #[error("you have {} and cannot use {plus2}", Count(*held, "+2 token"))]
    NotEnoughPlus2 {
        /// Tokens asked for.
        plus2: u32,
        /// Tokens in hand.
        held: u8,
    },
    /// `SUM_MISMATCH`: the total is not the advisor's number.
    #[error("the total is {total}, the advisor is {}", advisor.number())]
    SumMismatch {
        /// The total placed.
        total: i32,
        /// The advisor asked for.
        advisor: Advisor,
    },
    /// `ADVISOR_OCCUPIED`: somebody influences the advisor.
    #[error("the {} is influenced already", .0.name())]
    AdvisorOccupied(Advisor),
    /// `ENVOY_NOT_AVAILABLE`: no envoy to send along.
    #[error("you have no envoy to send along")]
    EnvoyNotAvailable,
    /// `ENVOY_NOT_NEEDED`: nobody influences the advisor.
    #[error("the {} is free: no envoy is needed", .0.name())]
    EnvoyNotNeeded(Advisor),
    /// `GOOD_NOT_OFFERED`: the advisor does not give this.
    #[error("the {} does not offer {}", advisor.name(), good.name())]
    GoodNotOffered {
        /// The kind asked for.
        good: Good,
        /// The advisor.
        advisor: Advisor,
    },
    /// `GOOD_NOT_OWNED`: the player has none of it.
    #[error("you have no {}", good.name())]
    GoodNotOwned {
        /// The kind asked for.
        good: Good,
        /// The decision.
        decision: Decision,
    },
    /// `UNKNOWN_BUILDING`: no such building.
    #[error("there is no such building")]
    UnknownBuilding(Decision),
    /// `ALREADY_BUILT`: the building stands.
    #[error("your {} stands already", .0.name())]
    AlreadyBuilt(Building),
    /// `PREREQUISITE_MISSING`: the building before it in the row is missing.
    #[error("the {} needs the {}", building.name(), needs.name())]
    PrerequisiteMissing {
        /// The building asked for.
        building: Building,
        /// The building before it.
        needs: Building,
    },
    /// `CANNOT_AFFORD`: the goods are not there.
    #[error("you have {owned}, and that is not enough")]
    CannotAfford {
        /// The goods of the player.
        owned: Goods,
        /// The decision.
        decision: Decision,
    },
    /// `INVALID_PAYMENT`: not the number of goods asked for.
    #[error("{} given, {due} due", Count(*paid, "good"))]
    InvalidPayment {
        /// Goods offered.
        paid: u64,
        /// Goods due.
        due: u8,
        /// The decision.
        decision: Decision,
    },
    /// `NOT_RIGHTMOST`: another building must go.
    #[error("the {} is not among your rightmost buildings", .0.name())]
    NotRightmost(Building),
    /// `INVALID_OPTION`: no such option, or no such value of it.
    #[error("{0} has no such value")]
    InvalidOption(OptionName),
    /// `INVALID_PLAYER_COUNT`: not 2 to 5 players.
    #[error("Kingsburg is for 2 to 5 players, not for {0}")]
    InvalidPlayerCount(usize),
    /// `DUPLICATE_PLAYER`: a name twice.
    #[error("the player {0:?} is named twice")]
    DuplicatePlayer(String),
    /// `DUPLICATE_COLOR`: a colour twice.
    #[error("the colour {} is given twice", .0.name())]
    DuplicateColor(Color),
}

/// Something with a closed set of values, of which a client named none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionName {
    /// The colour of a player.
    Color,
    /// How the first turn order comes about.
    InitialOrder,
    /// What the envoy is used for.
    EnvoyUse,
}

impl std::fmt::Display for OptionName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Color => "color",
            Self::InitialOrder => "initial_order",
            Self::EnvoyUse => "use",
        })
    }
}

impl Refusal {
    /// All codes, in the order of the data file.
    pub const CODES: [&'static str; 32] = [
        "GAME_OVER",
        "NOT_A_PLAYER",
        "NOT_YOUR_TURN",
        "WRONG_DECISION",
        "INVALID_GOOD",
        "UNKNOWN_DIE",
        "DUPLICATE_DIE",
        "EMPTY_DICE_SET",
        "DIE_NOT_AVAILABLE",
        "WHITE_DICE_ONLY",
        "ADVISOR_OUT_OF_RANGE",
        "INVALID_MARKET_OFFSET",
        "MARKET_NOT_OWNED",
        "MARKET_ALREADY_USED",
        "PLUS2_EXCEEDS_DICE",
        "NOT_ENOUGH_PLUS2",
        "SUM_MISMATCH",
        "ADVISOR_OCCUPIED",
        "ENVOY_NOT_AVAILABLE",
        "ENVOY_NOT_NEEDED",
        "GOOD_NOT_OFFERED",
        "GOOD_NOT_OWNED",
        "UNKNOWN_BUILDING",
        "ALREADY_BUILT",
        "PREREQUISITE_MISSING",
        "CANNOT_AFFORD",
        "INVALID_PAYMENT",
        "NOT_RIGHTMOST",
        "INVALID_OPTION",
        "INVALID_PLAYER_COUNT",
        "DUPLICATE_PLAYER",
        "DUPLICATE_COLOR",
    ];
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = &Self::CODES;

    fn code(&self) -> &'static str {
        match self {
            Self::GameOver => "GAME_OVER",
            Self::NotAPlayer(_) => "NOT_A_PLAYER",
            Self::NotYourTurn(_) => "NOT_YOUR_TURN",
            Self::WrongDecision(_) => "WRONG_DECISION",
            Self::InvalidGood => "INVALID_GOOD",
            Self::UnknownDie { .. } => "UNKNOWN_DIE",
            Self::DuplicateDie(_) => "DUPLICATE_DIE",
            Self::EmptyDiceSet => "EMPTY_DICE_SET",
            Self::DieNotAvailable(_) => "DIE_NOT_AVAILABLE",
            Self::WhiteDiceOnly => "WHITE_DICE_ONLY",
            Self::AdvisorOutOfRange(_) => "ADVISOR_OUT_OF_RANGE",
            Self::InvalidMarketOffset(_) => "INVALID_MARKET_OFFSET",
            Self::MarketNotOwned => "MARKET_NOT_OWNED",
            Self::MarketAlreadyUsed => "MARKET_ALREADY_USED",
            Self::Plus2ExceedsDice { .. } => "PLUS2_EXCEEDS_DICE",
            Self::NotEnoughPlus2 { .. } => "NOT_ENOUGH_PLUS2",
            Self::SumMismatch { .. } => "SUM_MISMATCH",
            Self::AdvisorOccupied(_) => "ADVISOR_OCCUPIED",
            Self::EnvoyNotAvailable => "ENVOY_NOT_AVAILABLE",
            Self::EnvoyNotNeeded(_) => "ENVOY_NOT_NEEDED",
            Self::GoodNotOffered { .. } => "GOOD_NOT_OFFERED",
            Self::GoodNotOwned { .. } => "GOOD_NOT_OWNED",
            Self::UnknownBuilding(_) => "UNKNOWN_BUILDING",
            Self::AlreadyBuilt(_) => "ALREADY_BUILT",
            Self::PrerequisiteMissing { .. } => "PREREQUISITE_MISSING",
            Self::CannotAfford { .. } => "CANNOT_AFFORD",
            Self::InvalidPayment { .. } => "INVALID_PAYMENT",
            Self::NotRightmost(_) => "NOT_RIGHTMOST",
            Self::InvalidOption(_) => "INVALID_OPTION",
            Self::InvalidPlayerCount(_) => "INVALID_PLAYER_COUNT",
            Self::DuplicatePlayer(_) => "DUPLICATE_PLAYER",
            Self::DuplicateColor(_) => "DUPLICATE_COLOR",
        }
    }
}

impl Refusal {
    /// The rule that usually refuses so.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Self::GameOver
            | Self::NotAPlayer(_)
            | Self::NotYourTurn(_)
            | Self::WrongDecision(_) => "KIN-6.3",
            Self::InvalidGood => "KIN-16.9",
            Self::UnknownDie { decision, .. }
            | Self::GoodNotOwned { decision, .. }
            | Self::UnknownBuilding(decision)
            | Self::CannotAfford { decision, .. }
            | Self::InvalidPayment { decision, .. } => decision.rule(),
            Self::DuplicateDie(_)
            | Self::EmptyDiceSet
            | Self::DieNotAvailable(_)
            | Self::WhiteDiceOnly
            | Self::AdvisorOutOfRange(_)
            | Self::InvalidMarketOffset(_)
            | Self::MarketNotOwned
            | Self::MarketAlreadyUsed
            | Self::Plus2ExceedsDice { .. }
            | Self::NotEnoughPlus2 { .. }
            | Self::SumMismatch { .. }
            | Self::AdvisorOccupied(_)
            | Self::EnvoyNotAvailable
            | Self::EnvoyNotNeeded(_) => "KIN-6.42",
            Self::GoodNotOffered { .. } => "KIN-6.51",
            Self::AlreadyBuilt(_) | Self::PrerequisiteMissing { .. } => "KIN-6.62",
            Self::NotRightmost(_) => "KIN-6.105",
            Self::InvalidOption(OptionName::EnvoyUse) => "KIN-6.20",
            Self::InvalidOption(OptionName::Color) => "KIN-16.10",
            Self::InvalidOption(OptionName::InitialOrder) => "KIN-5.2",
            Self::InvalidPlayerCount(_) | Self::DuplicatePlayer(_) | Self::DuplicateColor(_) => {
                "KIN-5.1"
            }
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
