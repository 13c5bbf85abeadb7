//! Every way to say no. A refusal cites the paragraph of the action that was sent (KIN-16.17).

use super::data::{Advisor, Building, Color, Good, Goods, counted};
use super::stage::Decision;
use crate::table::{self, Count, Refused, Seat, ids};

/// A refusal, and the paragraph that refuses.
pub(crate) type No = Refused<Refusal>;

/// What a theme says of an action; nothing if the action answers another question.
pub(crate) type Answer<D> = Option<Result<D, No>>;

/// Why not; the values that broke the rule are named. In the order of the data file.
#[derive(
    Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum Refusal {
    #[error("the game is over")]
    GameOver,
    #[error("{seat} is not at this table")]
    NotAPlayer { seat: Seat },
    #[error("it is the turn of {actor}")]
    NotYourTurn { actor: Seat },
    #[error("the decision to make is {}", decision.name())]
    WrongDecision { decision: Decision },
    #[error("there is no such good")]
    InvalidGood,
    #[error("there is no die {die} this season")]
    UnknownDie { die: u32 },
    #[error("die {die} is named twice")]
    DuplicateDie { die: u8 },
    #[error("no die is named")]
    EmptyDiceSet,
    #[error("die {die} is placed or set aside")]
    DieNotAvailable { die: u8 },
    #[error("a group needs a die of your own")]
    WhiteDiceOnly,
    #[error("there is no advisor {advisor}")]
    AdvisorOutOfRange { advisor: i32 },
    #[error("the Market gives -1 or +1, not {offset}")]
    InvalidMarketOffset { offset: i32 },
    #[error("you have no Market")]
    MarketNotOwned,
    #[error("your Market was used this season")]
    MarketAlreadyUsed,
    #[error("{} cannot go with {}", Count(*plus2, "+2 token"), counted(*dice))]
    Plus2ExceedsDice { plus2: u32, dice: usize },
    #[error("you have {} and cannot use {plus2}", Count(*held, "+2 token"))]
    NotEnoughPlus2 { plus2: u32, held: u8 },
    #[error("the total is {total}, the advisor is {}", advisor.number())]
    SumMismatch { total: i32, advisor: Advisor },
    #[error("the {advisor} is influenced already")]
    AdvisorOccupied { advisor: Advisor },
    #[error("you have no envoy to send along")]
    EnvoyNotAvailable,
    #[error("the {advisor} is free: no envoy is needed")]
    EnvoyNotNeeded { advisor: Advisor },
    #[error("the {advisor} does not offer {good}")]
    GoodNotOffered { good: Good, advisor: Advisor },
    #[error("you have no {good}")]
    GoodNotOwned { good: Good },
    #[error("there is no such building")]
    UnknownBuilding,
    #[error("your {building} stands already")]
    AlreadyBuilt { building: Building },
    #[error("the {building} needs the {needs}")]
    PrerequisiteMissing { building: Building, needs: Building },
    #[error("you have {owned}, and that is not enough")]
    CannotAfford { owned: Goods },
    #[error("{} given, {due} due", Count(*paid, "good"))]
    InvalidPayment { paid: u64, due: u8 },
    #[error("the {building} is not among your rightmost buildings")]
    NotRightmost { building: Building },
    #[error("{option} has no such value")]
    InvalidOption { option: OptionName },
    #[error("Kingsburg is for 2 to 5 players, not for {players}")]
    InvalidPlayerCount { players: usize },
    #[error("the player {name:?} is named twice")]
    DuplicatePlayer { name: String },
    #[error("the colour {color} is given twice")]
    DuplicateColor { color: Color },
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}

ids! {
    /// Something with a closed set of values, of which a client named none; as its field is called.
    OptionName {
        Color "color",
        InitialOrder "initial_order",
        EnvoyUse "use",
    }
}
