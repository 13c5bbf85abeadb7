//! All refusals (KIN-6i). A refusal cites the paragraph of the action that was sent (KIN-16.17).

use super::data::{Advisor, Building, Color, Good, Goods, counted, plus2_tokens};
use crate::table::{Count, MaybeKnown, Refusal as _, refusals};

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document.
    Refusal of "Kingsburg" {
        #[error("There is no die {die} this season.")]
        UnknownDie { die: u32 },
        #[error("Die {die} is named twice.")]
        DuplicateDie { die: u8 },
        #[error("Name at least one die.")]
        EmptyDiceSet,
        #[error("Die {die} has already been placed or set aside.")]
        DieNotAvailable { die: u8 },
        #[error("A group of dice needs at least one die of your own color.")]
        WhiteDiceOnly,
        #[error("There is no advisor {advisor}: advisors are numbered 1 to 18.")]
        AdvisorOutOfRange { advisor: i32 },
        #[error("The Market changes the total by -1 or +1, not by {market_offset}.")]
        InvalidMarketOffset { market_offset: i32 },
        #[error("You do not have a Market.")]
        MarketNotOwned,
        #[error("You have already used your Market this season.")]
        MarketAlreadyUsed,
        #[error("You cannot use {} with {}: one token for each die.", plus2_tokens(*plus2), counted(*dice))]
        Plus2ExceedsDice { plus2: u32, dice: usize },
        #[error("You cannot use {}: you have {owned}.", plus2_tokens(*plus2))]
        NotEnoughPlus2 { plus2: u32, owned: u8 },
        #[error("The total is {total}, but the {advisor} needs exactly {}.", advisor.number())]
        SumMismatch { total: i32, advisor: Advisor },
        #[error("The {advisor} has already been influenced.")]
        AdvisorOccupied { advisor: Advisor },
        #[error("You have no King's Envoy to use.")]
        EnvoyNotAvailable,
        #[error("Nobody has influenced the {advisor}: you do not need the King's Envoy.")]
        EnvoyNotNeeded { advisor: Advisor },
        #[error("The {advisor} does not give {good}.")]
        GoodNotOffered { good: Good, advisor: Advisor },
        #[error("You have no {good}.")]
        GoodNotOwned { good: Good },
        #[error("You have already built the {building}.")]
        AlreadyBuilt { building: Building },
        #[error("Build the {needs} before the {building}.")]
        PrerequisiteMissing { building: Building, needs: Building },
        /// `building` is `None` for goods that were offered as a payment.
        #[error("{} {price}, but you have {owned}.", bought(*building))]
        CannotAfford {
            building: Option<Building>,
            price: Goods,
            owned: Goods,
        },
        #[error("Pay exactly {}, not {paid}.", Count(*due, "good"))]
        InvalidPayment { paid: u64, due: u8 },
        #[error("The {building} is not one of your rightmost buildings.")]
        NotRightmost { building: Building },
        #[error("The option `{field}` does not take this value.")]
        InvalidOption { field: &'static str },
        common InvalidPlayerCount,
        #[error("Two players cannot both have the color {color}.")]
        DuplicateColor { color: Color },
    }
}

/// Returns the value that a client named, or refuses a name that is missing or unknown.
///
/// # Rule KIN-16.9
/// A name that is missing or names nothing is refused before the other checks of the action.
pub fn require_known<T>(
    named: MaybeKnown<T>,
    field: &'static str,
    rule: &'static str,
) -> Result<T, RefusedAction> {
    named.ok_or(Refusal::UnknownId { field }.citing(rule))
}

/// The subject of a refused price: the building, or the goods offered.
fn bought(building: Option<Building>) -> String {
    building.map_or_else(
        || String::from("You offered"),
        |building| format!("The {building} costs"),
    )
}
