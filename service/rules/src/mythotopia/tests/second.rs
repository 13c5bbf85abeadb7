//! A **second implementation** of the legal actions of a turn (MYT-6.2 to 6.6, chapter 7), slow and plain: every card
//! gets every role, and all combinations stay that no rule forbids. It shares the printed tables and the state with the
//! engine, but no rule.

mod board;
mod ending;
mod payments;
mod turn;

use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Card, CardSet, Improvement};
use gamekeeper_rules::mythotopia::state::{Player, State};
use gamekeeper_rules::table::Seat;

/// A table from the point of view of its active player.
#[derive(Clone, Copy)]
pub(crate) struct Second<'a> {
    state: &'a State,
    seat: Seat,
}

impl<'a> Second<'a> {
    pub(crate) fn new(state: &'a State, seat: Seat) -> Self {
        Self { state, seat }
    }

    /// Everything that is legal now; cards in ascending order.
    pub(crate) fn legal(self) -> Vec<Action> {
        let mut all = Vec::new();
        if self.state.turn.actions_done < 2 {
            self.invasions(&mut all);
            self.armies(&mut all);
            self.ships(&mut all);
            self.wars(&mut all);
            self.purchases(&mut all);
            self.buildings(&mut all);
            self.card_sets(&mut all);
            all.push(Action::PassTurn);
            all.extend(self.may_end().then_some(Action::EndGame));
        } else {
            all.push(Action::EndTurn);
        }
        self.free_actions(&mut all);
        all
    }

    fn player(self) -> &'a Player {
        &self.state.players[self.seat]
    }

    fn cards(self) -> CardSet {
        self.player().hand | self.player().reserve
    }

    /// The card of an improvement, if it can be played.
    fn playable_card(self, improvement: Improvement) -> Option<Card> {
        let card = Card::improvement(improvement);
        self.cards().contains(card).then_some(card)
    }

    /// Returns whether an improvement helps an action that uses these cards.
    fn helps(self, improvement: Improvement, used: CardSet) -> bool {
        let card = Card::improvement(improvement);
        self.player().reserve.contains(card) && !used.contains(card)
    }
}

/// All sets of cards, the empty one included.
fn sets(cards: CardSet) -> Vec<Vec<Card>> {
    let mut sets = vec![Vec::new()];
    for card in cards.iter() {
        let with: Vec<Vec<Card>> = sets
            .iter()
            .map(|set| [&set[..], &[card]].concat())
            .collect();
        sets.extend(with);
    }
    sets
}
