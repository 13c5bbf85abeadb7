//! The printed cards as a table (DOM-3.1, DOM-3.2).

use super::card::{Card, CardType, Group};
use crate::table::Count;

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
    /// Returns whether the bonus changes the counters of the turn.
    #[must_use]
    pub const fn counts(self) -> bool {
        self.actions > 0 || self.buys > 0 || self.coins > 0
    }
}

use CardType::{Action, Attack, Curse, Reaction, Treasure, Victory};

const fn kingdom(card: Card, types: &'static [CardType], cost: u8) -> CardSheet {
    let plus = Plus {
        cards: 0,
        actions: 0,
        buys: 0,
        coins: 0,
    };
    CardSheet {
        card,
        group: Group::Kingdom,
        types,
        cost,
        coins: 0,
        points: 0,
        plus,
        copies: 10,
        piles: [10; 3],
        text: "",
    }
}

const fn basic(card: Card, types: &'static [CardType], cost: u8) -> CardSheet {
    CardSheet {
        group: Group::Basic,
        ..kingdom(card, types, cost)
    }
}

impl CardSheet {
    /// The text of the card: `+1 card, +1 action.`, then its further effect.
    #[must_use]
    pub fn printed(&self) -> String {
        let Plus {
            cards,
            actions,
            buys,
            coins,
        } = self.plus;
        let given = [
            (cards, "card"),
            (actions, "action"),
            (buys, "buy"),
            (coins, "coin"),
        ];
        let given = given.into_iter().filter(|(amount, _)| *amount > 0);
        let given: Vec<String> = given
            .map(|(amount, what)| format!("+{}", Count(amount, what)))
            .collect();
        let sentences = [given.join(", "), self.text.trim_end_matches('.').to_owned()];
        let sentences = sentences.into_iter().filter(|said| !said.is_empty());
        sentences
            .map(|said| said + ".")
            .collect::<Vec<_>>()
            .join(" ")
    }

    const fn coins(mut self, coins: u8) -> Self {
        self.coins = coins;
        self
    }

    const fn points(mut self, points: i8) -> Self {
        self.points = points;
        self
    }

    const fn plus(mut self, cards: u8, actions: u8, buys: u8, coins: u8) -> Self {
        self.plus = Plus {
            cards,
            actions,
            buys,
            coins,
        };
        self
    }

    const fn supply(mut self, copies: u8, piles: [u8; 3]) -> Self {
        (self.copies, self.piles) = (copies, piles);
        self
    }

    const fn text(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }
}

#[rustfmt::skip]
const SHEETS: [CardSheet; Card::COUNT] = [
    basic(Card::Copper, &[Treasure], 0).coins(1).supply(60, [46, 39, 32])
        .text("Play in the Buy phase: +1 coin this turn."),
    basic(Card::Silver, &[Treasure], 3).coins(2).supply(40, [40, 40, 40])
        .text("Play in the Buy phase: +2 coins this turn."),
    basic(Card::Gold, &[Treasure], 6).coins(3).supply(30, [30, 30, 30])
        .text("Play in the Buy phase: +3 coins this turn."),
    basic(Card::Estate, &[Victory], 2).points(1).supply(24, [8, 12, 12])
        .text("Worth 1 victory point."),
    basic(Card::Duchy, &[Victory], 5).points(3).supply(12, [8, 12, 12])
        .text("Worth 3 victory points."),
    basic(Card::Province, &[Victory], 8).points(6).supply(12, [8, 12, 12])
        .text("Worth 6 victory points."),
    basic(Card::Curse, &[Curse], 0).points(-1).supply(30, [10, 20, 30])
        .text("Worth -1 victory point."),
    kingdom(Card::Adventurer, &[Action], 6)
        .text("Turn cards from your draw pile face up until two Treasures have appeared; those Treasures go to your hand, every other revealed card is discarded."),
    kingdom(Card::Bureaucrat, &[Action, Attack], 4)
        .text("Gain a Silver onto your draw pile. Each opponent shows one Victory card from hand and puts it on their draw pile; an opponent without one shows the whole hand."),
    kingdom(Card::Cellar, &[Action], 2).plus(0, 1, 0, 0)
        .text("Discard as many hand cards as you like, all at once, then draw that many."),
    kingdom(Card::Chancellor, &[Action], 3).plus(0, 0, 0, 2)
        .text("You may turn your whole draw pile over onto your discard pile."),
    kingdom(Card::Chapel, &[Action], 2)
        .text("Trash from zero to four cards out of your hand."),
    kingdom(Card::CouncilRoom, &[Action], 5).plus(4, 0, 1, 0)
        .text("Every opponent draws one card."),
    kingdom(Card::Feast, &[Action], 4)
        .text("Trash this card. Gain a card costing at most 5."),
    kingdom(Card::Festival, &[Action], 5).plus(0, 2, 1, 2),
    kingdom(Card::Gardens, &[Victory], 4).supply(12, [8, 12, 12])
        .text("Worth 1 victory point per 10 cards you own at the end, rounded down."),
    kingdom(Card::Laboratory, &[Action], 5).plus(2, 1, 0, 0),
    kingdom(Card::Library, &[Action], 5)
        .text("Draw one card at a time until you hold seven. Each Action drawn this way may be set aside instead of kept; set-aside cards are discarded once drawing stops."),
    kingdom(Card::Market, &[Action], 5).plus(1, 1, 1, 1),
    kingdom(Card::Militia, &[Action, Attack], 4).plus(0, 0, 0, 2)
        .text("Each opponent holding more than three cards discards down to three."),
    kingdom(Card::Mine, &[Action], 5)
        .text("Trash a Treasure from your hand; gain into your hand a Treasure costing at most 3 more."),
    kingdom(Card::Moat, &[Action, Reaction], 2).plus(2, 0, 0, 0)
        .text("Reaction: when an opponent plays an Attack, you may show this from your hand before that Attack does anything; that play of the Attack then leaves you untouched. The card stays in hand."),
    kingdom(Card::Moneylender, &[Action], 4)
        .text("Trash a Copper from your hand; if you did, +3 coins."),
    kingdom(Card::Remodel, &[Action], 4)
        .text("Trash a card from your hand; gain a card costing at most 2 more than it."),
    kingdom(Card::Smithy, &[Action], 4).plus(3, 0, 0, 0),
    kingdom(Card::Spy, &[Action, Attack], 4).plus(1, 1, 0, 0)
        .text("You first, then each opponent, show the top card of the draw pile; for each one you decide whether it is discarded or put back."),
    kingdom(Card::Thief, &[Action, Attack], 4)
        .text("Each opponent shows the top two cards of the draw pile; if Treasures are among them, one of your choice is trashed; the rest is discarded. Afterwards you may gain any of the Treasures trashed by this play."),
    kingdom(Card::ThroneRoom, &[Action], 4)
        .text("Pick an Action card from your hand and play it; when it is finished, play it again. Neither play uses up an action."),
    kingdom(Card::Village, &[Action], 3).plus(1, 2, 0, 0),
    kingdom(Card::Witch, &[Action, Attack], 5).plus(2, 0, 0, 0)
        .text("Each opponent gains a Curse, in turn order while any are left."),
    kingdom(Card::Woodcutter, &[Action], 3).plus(0, 0, 1, 2),
    kingdom(Card::Workshop, &[Action], 3)
        .text("Gain a card costing at most 4."),
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

    /// Returns whether this type is printed on the card.
    #[must_use]
    pub const fn is(self, card_type: CardType) -> bool {
        self.bit() & card_type.cards() != 0
    }
}

impl CardType {
    /// The set of cards of this type, one bit for each card.
    pub const fn cards(self) -> u32 {
        WITH_TYPE[self.index()]
    }
}
