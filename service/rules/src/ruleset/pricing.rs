//! What actions cost and bring, found out by the rules themselves: the answer to a decision is carried out on a copy.

use super::{Applied, JournalOf, Ruleset, apply};
use crate::table::{Chance, Happening, Holdings, Journal, Play, Price, Seat, Seed};
#[cfg(any(test, feature = "conformance"))]
use crate::table::{Names, Viewer};

/// Finds out what the legal actions of a seat cost and bring.
///
/// It works on a world that the seat may be in, so that prices say nothing that the seat does not know. What an action
/// brings is what is certain: the same in every such world, whatever luck brings.
pub struct Pricing<R: Ruleset> {
    world: R::State,
    seat: Seat,
    before: Holdings,
    chance: Chance,
    journal: JournalOf<R>,
}

impl<R: Ruleset> Pricing<R> {
    /// For a seat of a table.
    #[must_use]
    pub fn new(state: &R::State, seat: Seat) -> Self {
        let mut chance = Chance::from_seed(&Seed::from_number(0));
        let world = R::sample(state, seat, &mut chance);
        Self::of_world(world, seat, chance)
    }

    /// For a seat of a table that it need not know.
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

    /// The price of an action; nothing for an action that is not allowed.
    #[must_use]
    pub fn price(&mut self, action: &R::Action) -> Price {
        let Ok(permit) = R::check(&self.world, self.seat, action) else {
            return Price::default();
        };
        let mut state = self.world.clone();
        let mut play = Play {
            state: &mut state,
            chance: &mut self.chance,
            journal: &mut self.journal,
        };
        R::answer(&mut play, permit);
        self.journal.clear();
        drop(self.chance.take_record());
        let after = holdings::<R>(&state, self.seat);
        self.before.change(&after, R::RESOURCES)
    }
}

/// The table after an action, as far as the seat can know it beforehand. `None`: luck decides, something is revealed, or
/// the action is not allowed.
///
/// Like prices, it is found out on a world that the seat may be in. Where nothing is drawn and nothing revealed, all
/// tables that look the same to the seat still do afterwards; so it sees there what it will see. The rest of the state is
/// that of the world: only what the seat may know of it must be shown.
#[must_use]
pub fn foresee<R: Ruleset>(state: &R::State, seat: Seat, action: &R::Action) -> Option<Applied<R>> {
    let mut chance = Chance::from_seed(&Seed::from_number(0));
    let world = R::sample(state, seat, &mut chance);
    let applied = apply::<R>(&world, &chance, seat, action).ok()?;
    let is_known = applied.draws.is_empty() && !applied.events.iter().any(Happening::reveals);
    is_known.then_some(applied)
}

/// What a seat has.
pub fn holdings<R: Ruleset>(state: &R::State, seat: Seat) -> Holdings {
    let mut holdings = Holdings::EMPTY;
    R::holdings(state, seat, &mut holdings);
    holdings
}

/// The sentence of an action with its price.
#[cfg(any(test, feature = "conformance"))]
pub fn priced<R: Ruleset>(state: &R::State, seat: Seat, action: &R::Action) -> String {
    let view = R::view(state, Viewer::Seat(seat));
    let sentence = R::action_text(&view, action, Names::NONE);
    Pricing::<R>::new(state, seat)
        .price(action)
        .beside(sentence)
}
