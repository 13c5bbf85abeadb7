//! The strategy of a bot: its purchases and its answers. A bot only asks the rules which actions are allowed.

use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Action, Choice, Dominion, Permit, State};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{MaybeKnown, Seat, Viewer};

/// The condition under which a card of the list is wanted.
#[derive(Clone, Copy)]
pub(crate) enum When {
    /// Always.
    Always,
    /// While the bot owns none.
    NoneOwned,
    /// While at most four Provinces are left.
    LateInTheGame,
}

/// The cards to buy, best first.
pub(crate) type Buys = &'static [(Card, When)];

use When::{Always, LateInTheGame, NoneOwned};

pub(crate) const BM0: Buys = &[
    (Card::Province, Always),
    (Card::Gold, Always),
    (Card::Silver, Always),
];
pub(crate) const DUCHY_P4: Buys = &[
    (Card::Province, Always),
    (Card::Gold, Always),
    (Card::Duchy, LateInTheGame),
    (Card::Silver, Always),
];
pub(crate) const BM_SMITHY_1: Buys = &big_money_with(Card::Smithy, NoneOwned);
pub(crate) const BM_LAB: Buys = &big_money_with(Card::Laboratory, Always);
pub(crate) const BM_MARKET: Buys = &big_money_with(Card::Market, Always);
pub(crate) const BM_COUNCIL_1: Buys = &big_money_with(Card::CouncilRoom, NoneOwned);
pub(crate) const BM_MILITIA_1: Buys = &big_money_with(Card::Militia, NoneOwned);
pub(crate) const BM_THIEF_1: Buys = &big_money_with(Card::Thief, NoneOwned);
pub(crate) const BM_WITCH_1: Buys = &big_money_with(Card::Witch, NoneOwned);
pub(crate) const BM_ADVENTURER_1: Buys = &[
    (Card::Province, Always),
    (Card::Adventurer, NoneOwned),
    (Card::Gold, Always),
    (Card::Silver, Always),
];
pub(crate) const GARDENS_RUSH: Buys = &[
    (Card::Gardens, Always),
    (Card::Workshop, Always),
    (Card::Estate, Always),
    (Card::Copper, Always),
];

const fn big_money_with(card: Card, when: When) -> [(Card, When); 4] {
    [
        (Card::Province, Always),
        (Card::Gold, Always),
        (card, when),
        (Card::Silver, Always),
    ]
}

/// Action cards in the order in which they are played.
const PLAYS: [Card; 9] = [
    Card::Laboratory,
    Card::Market,
    Card::Witch,
    Card::Smithy,
    Card::CouncilRoom,
    Card::Adventurer,
    Card::Militia,
    Card::Thief,
    Card::Workshop,
];

/// The discards of Militia's victim, in order.
const DISCARDS: [Card; 7] = [
    Card::Province,
    Card::Duchy,
    Card::Estate,
    Card::Curse,
    Card::Copper,
    Card::Silver,
    Card::Gold,
];

/// The cards to trash with Thief, best first.
const LOOT: [Card; 3] = [Card::Gold, Card::Silver, Card::Copper];

/// The cards to gain with Workshop, best first.
const GAINS: [Card; 4] = [Card::Gardens, Card::Workshop, Card::Estate, Card::Copper];

/// A bot at one seat.
pub(crate) struct Bot {
    seat: Seat,
    buys: Buys,
    /// The Action cards that occur in the list, in playing order.
    plays: Vec<Card>,
    /// The cards that it has gained; all bots begin with Coppers and Estates only.
    pub(crate) gained: Vec<Card>,
}

impl Bot {
    pub(crate) fn new(seat: Seat, buys: Buys) -> Self {
        let listed = |card: &Card| buys.iter().any(|(bought, _)| bought == card);
        Self {
            seat,
            buys,
            plays: PLAYS.into_iter().filter(listed).collect(),
            gained: Vec::new(),
        }
    }

    /// Answers the pending decision with an action that the rules allow.
    pub(crate) fn decide(&self, state: &State, decision: &str, provinces_left: u32) -> Permit {
        let answer = match decision {
            "action_phase" => self.play(state),
            "buy_phase" => self.spend(state, provinces_left),
            "gain_card" => self.first(state, GAINS, |card| Action::GainCard { card }),
            "militia_discard" => self.allowed(state, &self.discard(state)),
            "thief_trash" => self.first(state, LOOT, |card| Action::ThiefTrash { card }),
            "thief_gain" => self.allowed(state, &self.take_loot(state)),
            other => panic!("no bot has an answer to {other}"),
        };
        answer.expect("the rules allow what the bot wants")
    }

    fn play(&self, state: &State) -> Option<Permit> {
        self.first(state, self.plays.iter().copied(), |card| {
            Action::PlayAction { card }
        })
        .or_else(|| self.allowed(state, &Action::EndActionPhase))
    }

    /// Plays all Treasures, then buys the first card of the list that can be bought, then ends the turn.
    fn spend(&self, state: &State, provinces_left: u32) -> Option<Permit> {
        let wanted = self.buys.iter().filter(|(card, when)| match when {
            Always => true,
            NoneOwned => !self.gained.contains(card),
            LateInTheGame => provinces_left <= 4,
        });
        let wanted = wanted.map(|(card, _)| *card);
        self.allowed(state, &Action::PlayAllTreasures)
            .or_else(|| self.first(state, wanted, |card| Action::BuyCard { card }))
            .or_else(|| self.allowed(state, &Action::EndTurn { discard_top: None }))
    }

    fn discard(&self, state: &State) -> Action {
        let choice = self.choice(state);
        let junk = DISCARDS
            .into_iter()
            .flat_map(|card| std::iter::repeat_n(card, usize::from(choice.cards.count(card))));
        let actions = choice.cards.each().filter(|card| !DISCARDS.contains(card));
        Action::MilitiaDiscard {
            cards: junk
                .chain(actions)
                .take(usize::from(choice.max))
                .map(Some)
                .collect(),
        }
    }

    /// Takes Golds and Silvers, never Coppers.
    fn take_loot(&self, state: &State) -> Action {
        let loot = self.choice(state).cards.each();
        Action::ThiefGain {
            cards: loot
                .filter(|card| *card != Card::Copper)
                .map(Some)
                .collect(),
        }
    }

    fn choice(&self, state: &State) -> Choice {
        let question = Dominion::view(state, Viewer::Seat(self.seat)).question;
        let choice = question.and_then(|question| question.choice);
        choice.expect("the bot sees what it may choose from")
    }

    fn allowed(&self, state: &State, action: &Action) -> Option<Permit> {
        Dominion::check(state, self.seat, action).ok()
    }

    /// Returns the action with the first of these cards for which it is allowed.
    fn first(
        &self,
        state: &State,
        cards: impl IntoIterator<Item = Card>,
        action: impl Fn(MaybeKnown<Card>) -> Action,
    ) -> Option<Permit> {
        let mut actions = cards.into_iter().map(|card| action(Some(card)));
        actions.find_map(|action| self.allowed(state, &action))
    }
}
