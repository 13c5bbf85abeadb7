//! The costs and gains of actions, found by a **dry run**: the answer to a decision is carried out on a copy.

use super::{JournalOf, Ruleset};
use crate::table::{Chance, ExecContext, Flow, Holdings, Journal, Price, Seat, Seed};
#[cfg(feature = "conformance")]
use crate::table::{Names, Viewer};

/// Finds out what the legal actions of a seat cost and bring.
///
/// The dry run happens in a world that the seat may be in, so that prices reveal nothing hidden. The gain of an action
/// is the certain part: the same in every such world, whatever luck brings.
pub struct CostPreview<R: Ruleset> {
    world: R::State,
    seat: Seat,
    before: Holdings,
    chance: Chance,
    journal: JournalOf<R>,
}

impl<R: Ruleset> CostPreview<R> {
    /// Creates the cost preview of a seat of a table, in a world sampled for this seat.
    #[must_use]
    pub fn new(state: &R::State, seat: Seat) -> Self {
        let mut chance = Chance::from_seed(&Seed::from_number(0));
        let world = R::sample_world(state, seat, &mut chance);
        Self::of_world(world, seat, chance)
    }

    /// Creates the cost preview in a given world, which may be the real table: for the checks of the suite.
    pub(crate) fn of_world(world: R::State, seat: Seat, chance: Chance) -> Self {
        let before = holdings::<R>(&world, seat);
        Self {
            world,
            seat,
            before,
            chance,
            journal: Journal::new(),
        }
    }

    /// Returns the price of an action; an empty price for an action that is not allowed.
    #[must_use]
    pub fn price(&mut self, action: &R::Action) -> Price {
        let Ok(permit) = R::check(&self.world, self.seat, action) else {
            return Price::default();
        };
        let mut state = self.world.clone();
        let mut ctx = ExecContext {
            state: &mut state,
            chance: &mut self.chance,
            journal: &mut self.journal,
        };
        R::execute_immediate(&mut ctx, permit);
        let mut flow = Flow::NONE;
        for event in &self.journal.events {
            R::flow(event, self.seat, &mut flow);
        }
        self.journal.clear();
        drop(self.chance.take_record());
        let after = holdings::<R>(&state, self.seat);
        self.before.change(&after, &flow, R::RESOURCES)
    }
}

/// Counts the resources of a seat.
pub fn holdings<R: Ruleset>(state: &R::State, seat: Seat) -> Holdings {
    let mut holdings = Holdings::EMPTY;
    R::holdings(state, seat, &mut holdings);
    holdings
}

/// Returns the sentence of an action with its price.
#[cfg(feature = "conformance")]
pub fn action_text_with_cost<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
) -> String {
    let view = R::view(state, Viewer::Seat(seat));
    let sentence = R::action_text(&view, action, Names::NONE);
    CostPreview::<R>::new(state, seat)
        .price(action)
        .annotate(sentence)
}
