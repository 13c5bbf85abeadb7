//! The published strategies: the purchases of each, as a **priority list**. They are benchmarks for other players, and
//! buy by their list even where that loses the game. Most buy Treasures and one Action; the last three build a deck of
//! Actions (an **engine**).

use super::data::Card::{
    self, Adventurer, Chancellor, Chapel, Copper, CouncilRoom, Duchy, Estate, Gardens, Gold,
    Laboratory, Library, Market, Militia, Mine, Moneylender, Province, Silver, Smithy, Thief,
    Village, Witch, Workshop,
};
use super::menu::{BuyRule, buy};
use crate::bots::Strategy;

/// The names, in the order of [`MENUS`].
pub const NAMES: &[Strategy] = &[
    Strategy::of("bm0", "Provinces, Gold and Silver"),
    Strategy::of("duchy-p4", "Big money that buys Duchies at the end"),
    Strategy::of("bm-ultimate", "Big money that builds before it buys points"),
    Strategy::of("bm-adventurer1", "Big money with one Adventurer"),
    Strategy::of("bm-chancellor1", "Big money with one Chancellor"),
    Strategy::of("bm-chapel", "Big money with a Chapel"),
    Strategy::of("bm-chapel-witch", "Big money with a Chapel and a Witch"),
    Strategy::of("bm-council1", "Big money with one Council Room"),
    Strategy::of("bm-lab", "Big money with Laboratories"),
    Strategy::of("bm-library1", "Big money with one Library"),
    Strategy::of("bm-market", "Big money with Markets"),
    Strategy::of("bm-militia1", "Big money with one Militia"),
    Strategy::of("bm-mine1", "Big money with one Mine"),
    Strategy::of("bm-moneylender1", "Big money with one Moneylender"),
    Strategy::of("bm-smithy1", "Big money with one Smithy"),
    Strategy::of("bm-smithy2", "Big money with two Smithies"),
    Strategy::of(
        "bm-smithy2-duchy",
        "Big money with two Smithies and Duchies",
    ),
    Strategy::of("bm-thief1", "Big money with one Thief"),
    Strategy::of("bm-witch1", "Big money with one Witch"),
    Strategy::of("bm-witch1-duchy", "Big money with one Witch and Duchies"),
    Strategy::of(
        "gardens-rush",
        "Gardens, Workshops and whatever else is cheap",
    ),
    Strategy::of("village-smithy", "An engine of Villages and Smithies"),
    Strategy::of(
        "militia-smithy-market",
        "An engine of Markets with a Militia and a Smithy",
    ),
    Strategy::of(
        "chapel-lab-market",
        "An engine that thins its deck for Markets and a Laboratory",
    ),
];

/// The menu of each strategy.
pub const MENUS: &[&[BuyRule]] = &[
    &[buy(Province), buy(Gold), buy(Silver)],
    &[
        buy(Province),
        buy(Gold),
        buy(Duchy).at_provinces(4),
        buy(Silver),
    ],
    BM_ULTIMATE,
    &[
        buy(Province),
        buy(Adventurer).up_to(1),
        buy(Gold),
        buy(Silver),
    ],
    &one(Chancellor),
    &one(Chapel),
    BM_CHAPEL_WITCH,
    &one(CouncilRoom),
    &any_number_of(Laboratory),
    &one(Library),
    &any_number_of(Market),
    &one(Militia),
    &one(Mine),
    &one(Moneylender),
    &one(Smithy),
    &with(buy(Smithy).up_to(2)),
    &with_duchies(buy(Smithy).up_to(2)),
    &one(Thief),
    &one(Witch),
    &with_duchies(buy(Witch).up_to(1)),
    &[buy(Gardens), buy(Workshop), buy(Estate), buy(Copper)],
    VILLAGE_SMITHY,
    MILITIA_SMITHY_MARKET,
    CHAPEL_LAB_MARKET,
];

const _: () = assert!(NAMES.len() == MENUS.len());

const BM_ULTIMATE: &[BuyRule] = &[
    buy(Province).with_money(19),
    buy(Duchy).at_provinces(4),
    buy(Estate).at_provinces(2),
    buy(Gold),
    buy(Duchy).at_provinces(6),
    buy(Silver),
];

const BM_CHAPEL_WITCH: &[BuyRule] = &[
    buy(Province),
    buy(Duchy).at_provinces(4),
    buy(Estate).at_provinces(2),
    buy(Witch).up_to(1),
    buy(Gold),
    buy(Duchy).at_provinces(6),
    buy(Chapel).up_to(1),
    buy(Silver),
];

const VILLAGE_SMITHY: &[BuyRule] = &[
    buy(Province),
    buy(Duchy).at_provinces(4),
    buy(Estate).at_provinces(2),
    buy(Gold),
    buy(Smithy).one_in(8),
    buy(Duchy).at_provinces(6),
    buy(Silver).up_to(3),
    buy(Village).up_to(3),
    buy(Silver),
];

const MILITIA_SMITHY_MARKET: &[BuyRule] = &[
    buy(Province).with_money(8),
    buy(Duchy).at_provinces(4),
    buy(Estate).at_provinces(2),
    buy(Gold),
    buy(Market),
    buy(Militia).up_to(1),
    buy(Smithy).up_to(1),
    buy(Duchy).at_provinces(6),
    buy(Silver),
];

const CHAPEL_LAB_MARKET: &[BuyRule] = &[
    buy(Province).at_provinces(5),
    buy(Province).with_money(12),
    buy(Duchy).at_provinces(4),
    buy(Gold),
    buy(Estate).at_provinces(2),
    buy(Laboratory).up_to(1),
    buy(Market),
    buy(Chapel).up_to(1),
    buy(Silver),
];

/// Big money with an Action that comes before Silver.
const fn with(action: BuyRule) -> [BuyRule; 4] {
    [buy(Province), buy(Gold), action, buy(Silver)]
}

const fn one(action: Card) -> [BuyRule; 4] {
    with(buy(action).up_to(1))
}

const fn any_number_of(action: Card) -> [BuyRule; 4] {
    with(buy(action))
}

/// Big money with an Action, and with Duchies and Estates once few Provinces are left.
const fn with_duchies(action: BuyRule) -> [BuyRule; 7] {
    [
        buy(Province),
        buy(Duchy).at_provinces(4),
        buy(Estate).at_provinces(2),
        buy(Gold),
        action,
        buy(Duchy).at_provinces(6),
        buy(Silver),
    ]
}
