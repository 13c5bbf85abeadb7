//! The recommended kingdoms (DOM-3.3).

use super::KINGDOM_SIZE;
use super::card::Card;
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
    /// Its ten cards, in canonical order.
    #[must_use]
    pub const fn cards(self) -> [Card; KINGDOM_SIZE] {
        match self {
            Self::FirstGame => [
                Card::Cellar,
                Card::Market,
                Card::Militia,
                Card::Mine,
                Card::Moat,
                Card::Remodel,
                Card::Smithy,
                Card::Village,
                Card::Woodcutter,
                Card::Workshop,
            ],
            Self::BigMoney => [
                Card::Adventurer,
                Card::Bureaucrat,
                Card::Chancellor,
                Card::Chapel,
                Card::Feast,
                Card::Laboratory,
                Card::Market,
                Card::Mine,
                Card::Moneylender,
                Card::ThroneRoom,
            ],
            Self::Interaction => [
                Card::Bureaucrat,
                Card::Chancellor,
                Card::CouncilRoom,
                Card::Festival,
                Card::Library,
                Card::Militia,
                Card::Moat,
                Card::Spy,
                Card::Thief,
                Card::Village,
            ],
            Self::SizeDistortion => [
                Card::Cellar,
                Card::Chapel,
                Card::Feast,
                Card::Gardens,
                Card::Laboratory,
                Card::Thief,
                Card::Village,
                Card::Witch,
                Card::Woodcutter,
                Card::Workshop,
            ],
            Self::VillageSquare => [
                Card::Bureaucrat,
                Card::Cellar,
                Card::Festival,
                Card::Library,
                Card::Market,
                Card::Remodel,
                Card::Smithy,
                Card::ThroneRoom,
                Card::Village,
                Card::Woodcutter,
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
