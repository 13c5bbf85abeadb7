//! The printed cards as a table (DOM-3.1, DOM-3.2).

use super::card::{Card, CardType, Group};

/// Everything printed on one kind of card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CardSheet {
    pub card: Card,
    pub group: Group,
    pub types: &'static [CardType],
    pub cost: u8,
    /// Coins when played as a Treasure.
    pub coins: u8,
    /// Victory points at the end; 0 for Gardens, which are counted by DOM-7.9.
    pub points: i8,
    /// The bonuses that come first when the card is played.
    pub plus: Plus,
    /// Cards of this kind in the box.
    pub copies: u8,
    /// The Supply pile of a new game with 2, 3 and 4 players.
    pub piles: [u8; 3],
    /// The effect in brief.
    pub text: &'static str,
}

/// The printed bonuses of an Action card, in the order in which they are carried out (DOM-6.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Plus {
    pub cards: u8,
    pub actions: u8,
    pub buys: u8,
    pub coins: u8,
}

impl Plus {
    /// Does the bonus change the counters of the turn?
    #[must_use]
    pub const fn counts(self) -> bool {
        self.actions > 0 || self.buys > 0 || self.coins > 0
    }
}

const fn plus(cards: u8, actions: u8, buys: u8, coins: u8) -> Plus {
    Plus {
        cards,
        actions,
        buys,
        coins,
    }
}

/// Defaults for kingdom cards.
const KINGDOM: CardSheet = CardSheet {
    card: Card::Copper,
    group: Group::Kingdom,
    types: &[],
    cost: 0,
    coins: 0,
    points: 0,
    plus: plus(0, 0, 0, 0),
    copies: 10,
    piles: [10, 10, 10],
    text: "",
};

const BASIC: CardSheet = CardSheet {
    group: Group::Basic,
    ..KINGDOM
};

const SHEETS: [CardSheet; Card::COUNT] = [
    CardSheet {
        card: Card::Copper,
        types: &[CardType::Treasure],
        coins: 1,
        copies: 60,
        piles: [46, 39, 32],
        text: "Play in the Buy phase: +1 coin this turn.",
        ..BASIC
    },
    CardSheet {
        card: Card::Silver,
        types: &[CardType::Treasure],
        cost: 3,
        coins: 2,
        copies: 40,
        piles: [40, 40, 40],
        text: "Play in the Buy phase: +2 coins this turn.",
        ..BASIC
    },
    CardSheet {
        card: Card::Gold,
        types: &[CardType::Treasure],
        cost: 6,
        coins: 3,
        copies: 30,
        piles: [30, 30, 30],
        text: "Play in the Buy phase: +3 coins this turn.",
        ..BASIC
    },
    CardSheet {
        card: Card::Estate,
        types: &[CardType::Victory],
        cost: 2,
        points: 1,
        copies: 24,
        piles: [8, 12, 12],
        text: "Worth 1 victory point.",
        ..BASIC
    },
    CardSheet {
        card: Card::Duchy,
        types: &[CardType::Victory],
        cost: 5,
        points: 3,
        copies: 12,
        piles: [8, 12, 12],
        text: "Worth 3 victory points.",
        ..BASIC
    },
    CardSheet {
        card: Card::Province,
        types: &[CardType::Victory],
        cost: 8,
        points: 6,
        copies: 12,
        piles: [8, 12, 12],
        text: "Worth 6 victory points.",
        ..BASIC
    },
    CardSheet {
        card: Card::Curse,
        types: &[CardType::Curse],
        points: -1,
        copies: 30,
        piles: [10, 20, 30],
        text: "Worth -1 victory point.",
        ..BASIC
    },
    CardSheet {
        card: Card::Adventurer,
        types: &[CardType::Action],
        cost: 6,
        text: "Turn cards from your draw pile face up until two Treasures have appeared; those Treasures go to your hand, every other revealed card is discarded.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Bureaucrat,
        types: &[CardType::Action, CardType::Attack],
        cost: 4,
        text: "Gain a Silver onto your draw pile. Each opponent shows one Victory card from hand and puts it on their draw pile; an opponent without one shows the whole hand.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Cellar,
        types: &[CardType::Action],
        cost: 2,
        plus: plus(0, 1, 0, 0),
        text: "Discard as many hand cards as you like, all at once, then draw that many.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Chancellor,
        types: &[CardType::Action],
        cost: 3,
        plus: plus(0, 0, 0, 2),
        text: "You may turn your whole draw pile over onto your discard pile.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Chapel,
        types: &[CardType::Action],
        cost: 2,
        text: "Trash from zero to four cards out of your hand.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::CouncilRoom,
        types: &[CardType::Action],
        cost: 5,
        plus: plus(4, 0, 1, 0),
        text: "Every opponent draws one card.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Feast,
        types: &[CardType::Action],
        cost: 4,
        text: "Trash this card. Gain a card costing at most 5.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Festival,
        types: &[CardType::Action],
        cost: 5,
        plus: plus(0, 2, 1, 2),
        text: "Bonuses only.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Gardens,
        types: &[CardType::Victory],
        cost: 4,
        copies: 12,
        piles: [8, 12, 12],
        text: "Worth 1 victory point per 10 cards you own at the end, rounded down.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Laboratory,
        types: &[CardType::Action],
        cost: 5,
        plus: plus(2, 1, 0, 0),
        text: "Bonuses only.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Library,
        types: &[CardType::Action],
        cost: 5,
        text: "Draw one card at a time until you hold seven. Each Action drawn this way may be set aside instead of kept; set-aside cards are discarded once drawing stops.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Market,
        types: &[CardType::Action],
        cost: 5,
        plus: plus(1, 1, 1, 1),
        text: "Bonuses only.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Militia,
        types: &[CardType::Action, CardType::Attack],
        cost: 4,
        plus: plus(0, 0, 0, 2),
        text: "Each opponent holding more than three cards discards down to three.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Mine,
        types: &[CardType::Action],
        cost: 5,
        text: "Trash a Treasure from your hand; gain into your hand a Treasure costing at most 3 more.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Moat,
        types: &[CardType::Action, CardType::Reaction],
        cost: 2,
        plus: plus(2, 0, 0, 0),
        text: "Reaction: when an opponent plays an Attack, you may show this from your hand before that Attack does anything; that play of the Attack then leaves you untouched. The card stays in hand.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Moneylender,
        types: &[CardType::Action],
        cost: 4,
        text: "Trash a Copper from your hand; if you did, +3 coins.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Remodel,
        types: &[CardType::Action],
        cost: 4,
        text: "Trash a card from your hand; gain a card costing at most 2 more than it.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Smithy,
        types: &[CardType::Action],
        cost: 4,
        plus: plus(3, 0, 0, 0),
        text: "Bonuses only.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Spy,
        types: &[CardType::Action, CardType::Attack],
        cost: 4,
        plus: plus(1, 1, 0, 0),
        text: "You first, then each opponent, show the top card of the draw pile; for each one you decide whether it is discarded or put back.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Thief,
        types: &[CardType::Action, CardType::Attack],
        cost: 4,
        text: "Each opponent shows the top two cards of the draw pile; if Treasures are among them, one of your choice is trashed; the rest is discarded. Afterwards you may gain any of the Treasures trashed by this play.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::ThroneRoom,
        types: &[CardType::Action],
        cost: 4,
        text: "Pick an Action card from your hand and play it; when it is finished, play it again. Neither play uses up an action.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Village,
        types: &[CardType::Action],
        cost: 3,
        plus: plus(1, 2, 0, 0),
        text: "Bonuses only.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Witch,
        types: &[CardType::Action, CardType::Attack],
        cost: 5,
        plus: plus(2, 0, 0, 0),
        text: "Each opponent gains a Curse, in turn order while any are left.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Woodcutter,
        types: &[CardType::Action],
        cost: 3,
        plus: plus(0, 0, 1, 2),
        text: "Bonuses only.",
        ..KINGDOM
    },
    CardSheet {
        card: Card::Workshop,
        types: &[CardType::Action],
        cost: 3,
        text: "Gain a card costing at most 4.",
        ..KINGDOM
    },
];

/// The rows are in canonical order; checked while compiling.
const _: () = {
    let mut row = 0;
    while row < SHEETS.len() {
        assert!(SHEETS[row].card.index() == row);
        row += 1;
    }
};

/// For each type the set of cards that have it, one bit for each card.
const WITH_TYPE: [u32; CardType::COUNT] = {
    let mut sets = [0; CardType::COUNT];
    let mut row = 0;
    while row < SHEETS.len() {
        let mut at = 0;
        while at < SHEETS[row].types.len() {
            sets[SHEETS[row].types[at] as usize] |= 1 << row;
            at += 1;
        }
        row += 1;
    }
    sets
};

impl Card {
    /// Everything printed on the card.
    #[must_use]
    pub const fn sheet(self) -> &'static CardSheet {
        &SHEETS[self.index()]
    }

    /// The printed cost in coins. It never changes (DOM-10.26).
    #[must_use]
    pub const fn cost(self) -> u8 {
        self.sheet().cost
    }

    /// Is this type printed on the card?
    #[must_use]
    pub const fn is(self, card_type: CardType) -> bool {
        self.bit() & card_type.cards() != 0
    }
}

impl CardType {
    /// The set of cards of this type, one bit for each card.
    pub(crate) const fn cards(self) -> u32 {
        WITH_TYPE[self.index()]
    }
}
