//! The recommended kingdoms (DOM-3.3).

use super::KINGDOM_SIZE;
use super::card::Card::{
    self, Adventurer, Bureaucrat, Cellar, Chancellor, Chapel, CouncilRoom, Feast, Festival,
    Gardens, Laboratory, Library, Market, Militia, Mine, Moat, Moneylender, Remodel, Smithy, Spy,
    Thief, ThroneRoom, Village, Witch, Woodcutter, Workshop,
};
use crate::table::ids;

ids! {
    /// A recommended kingdom.
    #[derive(Default)]
    KingdomSet {
        #[default]
        FirstGame "first_game" "First Game",
        BigMoney "big_money" "Big Money",
        Interaction "interaction" "Interaction",
        SizeDistortion "size_distortion" "Size Distortion",
        VillageSquare "village_square" "Village Square",
    }
}

impl KingdomSet {
    /// The ten cards of the set, in canonical order.
    #[must_use]
    pub const fn cards(self) -> [Card; KINGDOM_SIZE] {
        match self {
            Self::FirstGame => [
                Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop,
            ],
            Self::BigMoney => [
                Adventurer,
                Bureaucrat,
                Chancellor,
                Chapel,
                Feast,
                Laboratory,
                Market,
                Mine,
                Moneylender,
                ThroneRoom,
            ],
            Self::Interaction => [
                Bureaucrat,
                Chancellor,
                CouncilRoom,
                Festival,
                Library,
                Militia,
                Moat,
                Spy,
                Thief,
                Village,
            ],
            Self::SizeDistortion => [
                Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter,
                Workshop,
            ],
            Self::VillageSquare => [
                Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, ThroneRoom,
                Village, Woodcutter,
            ],
        }
    }
}

/// The cards are in canonical order; checked while compiling.
const _: () = {
    let mut set = 0;
    while set < KingdomSet::COUNT {
        let cards = KingdomSet::ALL[set].cards();
        let mut at = 1;
        while at < KINGDOM_SIZE {
            assert!(cards[at - 1].index() < cards[at].index());
            at += 1;
        }
        set += 1;
    }
};
