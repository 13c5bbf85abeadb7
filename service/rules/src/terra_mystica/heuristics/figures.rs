//! The weights of the **evaluation function**, in hundredths of a point. They were set by hand, and then tuned by the
//! evolution strategy **CMA-ES**: it raised the mean score of four bots, first of `greedy` and then of `search`, in
//! games with other seeds than those of the published tables.

use super::POINT;
use crate::terra_mystica::data::Faction;

/// A weight, and the amount that each round to come adds to it.
#[derive(Clone, Copy)]
pub(super) struct Figure(i32, i32);

impl Figure {
    /// The weight with this many rounds to come.
    pub(super) const fn at(self, left: i32) -> i32 {
        self.0 + self.1 * left
    }
}

/// Goods by the worth of spending them; power by the worth of gaining it.
pub(super) const COIN: Figure = Figure(30, 12);
pub(super) const WORKER: Figure = Figure(109, 5);
pub(super) const PRIEST: Figure = Figure(114, 21);
pub(super) const POWER: Figure = Figure(21, 7);
/// The number of coins that the workers in hand can use: some, and more for each worker.
pub(super) const SPARE_COINS: Figure = Figure(1, 0);
pub(super) const COINS_OF_WORKER: Figure = Figure(2, 0);
/// A good that can buy nothing anymore: a third of a point (TM-8.4).
pub(super) const UNSPENT: i32 = 33;

/// Tokens in bowls I, II and III.
pub(super) const BOWLS: [Figure; 3] = [Figure(15, 0), Figure(41, 8), Figure(59, 8)];

/// The first two trading houses as steps to temples and stronghold; the first temple as one to the sanctuary.
pub(super) const TRADING_HOUSE: Figure = Figure(69, 67);
pub(super) const TEMPLE: Figure = Figure(35, 27);
pub(super) const STRONGHOLD: Figure = Figure(77, 67);
pub(super) const SANCTUARY: Figure = Figure(35, 23);
/// A great structure left for a round that scores it.
pub(super) const KEPT_GREAT: Figure = Figure(221, 3);

/// A structure on the map, one of them in the largest area, one next to another player.
pub(super) const LAND: Figure = Figure(33, 27);
pub(super) const AREA: Figure = Figure(8, 0);
pub(super) const NEIGHBOR: Figure = Figure(8, 11);
/// A space to settle, which needs one spade.
pub(super) const SITE: Figure = Figure(17, 10);
/// The number of sites of a kind that count.
pub(super) const SITES: Figure = Figure(4, 0);
/// The number of steps on an area and on a cult that decide a rank.
pub(super) const AREA_SPREAD: Figure = Figure(2, 2);
pub(super) const CULT_SPREAD: Figure = Figure(4, 2);

/// A town before its tile is known, a key, a cult step of a town or favor tile.
pub(super) const TOWN: Figure = Figure(825, 16);
pub(super) const KEY: Figure = Figure(46, 7);
/// The percentage of the reward of a cult that is counted.
pub(super) const REWARD: Figure = Figure(110, 0);
/// A spade of a cult reward or of the Halflings' stronghold.
pub(super) const SPADE: Figure = Figure(87, 25);

/// A level of shipping and of the exchange track.
pub(super) const SHIPPING: Figure = Figure(23, 25);
pub(super) const EXCHANGE: Figure = Figure(1, 65);

/// Favor tiles that score: by the rounds in which they do, or once.
pub(super) const FAVOR_DWELLINGS: Figure = Figure(79, 322);
pub(super) const FAVOR_HOUSES: Figure = Figure(74, 132);
pub(super) const FAVOR_TOWNS: Figure = Figure(64, 37);
pub(super) const FAVOR_STEP: Figure = Figure(0, 89);
/// The percentage of the current points of the passing tile that each later pass scores.
pub(super) const FAVOR_PASS: Figure = Figure(71, 0);

/// Bonus cards: the spade, the cult step, the ship, and the percentage of the current points on passing.
pub(super) const CARD_SPADE: Figure = Figure(227, 3);
pub(super) const CARD_STEP: Figure = Figure(143, 0);
pub(super) const CARD_SHIP: Figure = Figure(67, 0);
pub(super) const CARD_POINTS: Figure = Figure(52, 0);
/// The risk that another player takes the best card.
pub(super) const CARD_RISK: Figure = Figure(17, 0);

/// Choices still open: a cult step, an ordination.
pub(super) const OPEN_STEP: Figure = Figure(90, 0);
pub(super) const OPEN_ORDINATION: Figure = Figure(113, 17);

/// The percentage of the immediate value of an action, since the others may come between.
pub(super) const AT_ONCE: Figure = Figure(25, 0);

/// The percentage of the lead at the end of a whole game in the value of a faction.
pub(super) const PLAYED_OUT: Figure = Figure(30, 0);

/// The share of a town in hundredths, by what its group lacks: two for each structure, one for further power.
pub(super) const NEAR_TOWN: [i32; 11] = [100, 80, 50, 36, 28, 7, 16, 8, 5, 2, 0];

/// The worth of the stronghold's ability in a round (TM-7.1).
pub(super) const fn ability(faction: Faction) -> i32 {
    match faction {
        Faction::Witches => 487,
        Faction::Swarmlings => 438,
        Faction::Nomads => 75,
        Faction::Giants => 87,
        Faction::Auren => 86,
        Faction::ChaosMagicians => 100,
        Faction::Dwarves => 91,
        Faction::Fakirs => 114,
        Faction::Alchemists => 33,
        Faction::Engineers => 54,
        Faction::Darklings | Faction::Halflings | Faction::Cultists | Faction::Mermaids => 0,
    }
}

/// The worth of a faction when it is chosen: its mean score among four bots that search, in 500 games with factions
/// drawn at random. The first four are higher than their means, in the order in which four such bots score most
/// together.
pub(super) const fn rating(faction: Faction) -> i32 {
    POINT
        * match faction {
            Faction::Swarmlings => 130,
            Faction::Darklings => 128,
            Faction::Dwarves => 126,
            Faction::Halflings => 124,
            Faction::Cultists => 123,
            Faction::Nomads => 114,
            Faction::Mermaids => 111,
            Faction::Fakirs => 110,
            Faction::ChaosMagicians => 108,
            Faction::Alchemists | Faction::Engineers => 107,
            Faction::Witches => 106,
            Faction::Auren => 105,
            Faction::Giants => 92,
        }
}
