//! The figures of the judgment, in hundredths of a point. They were set by hand and compared by the mean scores of bots
//! at four seats, in games with other seeds than those of the published tables. There, changes of one group by a third
//! or a half moved the mean of `search` by less than its error.

use super::POINT;
use crate::terra_mystica::data::Faction;

/// A figure, and what each round to come adds to it.
#[derive(Clone, Copy)]
pub(super) struct Figure(i32, i32);

impl Figure {
    /// The figure with this many rounds to come.
    pub(super) const fn at(self, left: i32) -> i32 {
        self.0 + self.1 * left
    }
}

/// Goods as they can be spent; power as it is gained.
pub(super) const COIN: Figure = Figure(45, 6);
pub(super) const WORKER: Figure = Figure(100, 12);
pub(super) const PRIEST: Figure = Figure(180, 25);
pub(super) const POWER: Figure = Figure(26, 3);
/// The coins that the workers in hand can use: some, and more for each worker.
pub(super) const SPARE_COINS: Figure = Figure(8, 1);
pub(super) const COINS_OF_WORKER: Figure = Figure(2, 0);
/// A good that nothing is bought with: a third of a point (TM-8.4).
pub(super) const UNSPENT: i32 = 33;

/// Tokens in bowls I, II and III.
pub(super) const BOWLS: [Figure; 3] = [Figure(4, 2), Figure(34, 4), Figure(68, 6)];

/// The first two trading houses as steps to temples and stronghold; the first temple as one to the sanctuary.
pub(super) const TRADING_HOUSE: Figure = Figure(80, 75);
pub(super) const TEMPLE: Figure = Figure(40, 30);
pub(super) const STRONGHOLD: Figure = Figure(60, 50);
pub(super) const SANCTUARY: Figure = Figure(30, 20);
/// A great structure left for a round that scores it.
pub(super) const KEPT_GREAT: Figure = Figure(300, 0);

/// A structure on the map, one of them in the largest area, one next to somebody else.
pub(super) const LAND: Figure = Figure(40, 20);
pub(super) const AREA: Figure = Figure(25, 0);
pub(super) const NEIGHBOR: Figure = Figure(10, 12);
/// A space to settle, which needs one spade.
pub(super) const SITE: Figure = Figure(20, 10);
/// The sites of a kind that count.
pub(super) const SITES: Figure = Figure(3, 0);
/// The steps on an area and on a cult that decide a rank.
pub(super) const AREA_SPREAD: Figure = Figure(1, 2);
pub(super) const CULT_SPREAD: Figure = Figure(1, 2);

/// A town before its tile is known, a key, a cult step of a town or favor tile.
pub(super) const TOWN: Figure = Figure(800, 20);
pub(super) const KEY: Figure = Figure(40, 0);
/// A step on a cult besides ranks and rewards.
pub(super) const STEP: Figure = Figure(10, 5);
/// The percentage of the reward of a cult that is counted.
pub(super) const REWARD: Figure = Figure(90, 0);
/// A spade of a cult reward or of the Halflings' stronghold.
pub(super) const SPADE: Figure = Figure(120, 20);

/// A level of shipping and of the exchange track.
pub(super) const SHIPPING: Figure = Figure(30, 20);
pub(super) const EXCHANGE: Figure = Figure(0, 60);

/// Favor tiles that score: by the rounds in which they do, or once.
pub(super) const FAVOR_DWELLINGS: Figure = Figure(100, 200);
pub(super) const FAVOR_HOUSES: Figure = Figure(60, 120);
pub(super) const FAVOR_TOWNS: Figure = Figure(50, 30);
pub(super) const FAVOR_STEP: Figure = Figure(0, 80);
/// The percentage of today's points of the passing tile that each later pass scores.
pub(super) const FAVOR_PASS: Figure = Figure(80, 0);

/// Bonus cards: the spade, the cult step, the ship, and the percentage of today's points on passing.
pub(super) const CARD_SPADE: Figure = Figure(180, 0);
pub(super) const CARD_STEP: Figure = Figure(120, 0);
pub(super) const CARD_SHIP: Figure = Figure(80, 0);
pub(super) const CARD_POINTS: Figure = Figure(115, 0);
/// The risk that somebody else takes the best card.
pub(super) const CARD_RISK: Figure = Figure(30, 0);

/// Choices still open: a cult step, an ordination.
pub(super) const OPEN_STEP: Figure = Figure(80, 0);
pub(super) const OPEN_ORDINATION: Figure = Figure(150, 20);

/// The decisions of a seat's line ahead, and the percentage of what an action brings at once: the others may come
/// between.
pub(super) const LINE: Figure = Figure(12, 0);
pub(super) const AT_ONCE: Figure = Figure(25, 0);

/// The hundredths of a town by what its group lacks: two for each structure, one for further power.
pub(super) const NEAR_TOWN: [i32; 11] = [100, 65, 48, 36, 27, 20, 14, 9, 5, 2, 0];

/// What the stronghold's ability gives in a round (TM-7.1).
pub(super) const fn ability(faction: Faction) -> i32 {
    match faction {
        Faction::Witches => 350,
        Faction::Swarmlings => 300,
        Faction::Nomads => 280,
        Faction::Giants => 230,
        Faction::Auren => 140,
        Faction::ChaosMagicians => 120,
        Faction::Dwarves => 100,
        Faction::Fakirs => 80,
        Faction::Alchemists => 60,
        Faction::Engineers => 50,
        Faction::Darklings | Faction::Halflings | Faction::Cultists | Faction::Mermaids => 0,
    }
}

/// The mean score of a faction among four bots that search, in 155 games in which most factions were drawn at random.
pub(super) const fn rating(faction: Faction) -> i32 {
    POINT
        * match faction {
            Faction::Darklings => 115,
            Faction::Halflings => 112,
            Faction::Dwarves => 111,
            Faction::Swarmlings => 110,
            Faction::Mermaids => 109,
            Faction::Cultists => 108,
            Faction::Fakirs | Faction::Nomads => 106,
            Faction::Auren | Faction::Witches => 104,
            Faction::Alchemists => 103,
            Faction::ChaosMagicians => 101,
            Faction::Engineers => 93,
            Faction::Giants => 88,
        }
}
