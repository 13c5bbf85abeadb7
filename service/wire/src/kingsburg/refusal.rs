//! The values of refusals.

use gamekeeper_rules::kingsburg::Refusal;

use super::pb;
use crate::rows::refusals;

refusals! {
    Refusal in pb;
    UnknownDie { die },
    DuplicateDie { die },
    DieNotAvailable { die },
    AdvisorOutOfRange { advisor },
    InvalidMarketOffset { market_offset },
    Plus2ExceedsDice { plus2, dice },
    NotEnoughPlus2 { plus2, owned },
    SumMismatch { total, advisor },
    AdvisorOccupied { advisor },
    EnvoyNotNeeded { advisor },
    GoodNotOffered { good, advisor },
    GoodNotOwned { good },
    AlreadyBuilt { building },
    PrerequisiteMissing { building, needs },
    CannotAfford { building, price, owned },
    InvalidPayment { paid, due },
    NotRightmost { building },
    InvalidOption { field },
    DuplicateColor { color };
    bare EmptyDiceSet, WhiteDiceOnly, MarketNotOwned, MarketAlreadyUsed, EnvoyNotAvailable,
}
