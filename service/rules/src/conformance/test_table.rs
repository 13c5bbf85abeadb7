//! The **tables of tests**: a test sets one up, plays on it and looks at it. What all rulesets do alike is here; a ruleset
//! adds how its own tables are set up.

use std::borrow::Borrow;
use std::ops::DerefMut;

use super::Audit;
use crate::ruleset::{
    ExecContextOf, JournalOf, RefusedBy, Ruleset, action_text_with_cost, apply_permitted, create,
    legal_actions,
};
use crate::table::text::plain;
use crate::table::{
    Chance, Detail, Draw, ExecContext, GameEvent as _, Journal, Names, Seat, Viewer,
};

/// A table, its luck, and what happened on it.
pub struct TestTable<R: Ruleset> {
    /// The table, hidden things included.
    pub state: R::State,
    /// The luck of what comes.
    pub luck: Chance,
    /// The consequences of the last action, or of what led to the first decision.
    pub log: JournalOf<R>,
    /// The events of all actions.
    pub history: Vec<R::Event>,
}

impl<R: Ruleset> Clone for TestTable<R> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            luck: self.luck.clone(),
            log: self.log.clone(),
            history: self.history.clone(),
        }
    }
}

impl<R: Ruleset> TestTable<R> {
    /// Begins at this state, without luck: whatever would be drawn must be scripted.
    #[must_use]
    pub fn at(state: R::State) -> Self {
        Self {
            state,
            luck: Chance::scripted([]),
            log: Journal::new(),
            history: Vec::new(),
        }
    }

    /// Creates a game with this luck; a script must fit. From then on there is none.
    #[must_use]
    #[track_caller]
    pub fn created(options: &R::Options, luck: Chance) -> Self {
        let game = create::<R>(options, luck);
        assert_eq!(game.chance.finish(), Ok(()));
        let mut table = Self::at(game.state);
        (table.log.events, table.log.automatic) = (game.events, game.automatic);
        table
    }

    /// Returns the table as the rules have it while an action is carried out. For what has no action, such as running on
    /// to the next decision.
    pub const fn context(&mut self) -> ExecContextOf<'_, R> {
        ExecContext {
            state: &mut self.state,
            chance: &mut self.luck,
            journal: &mut self.log,
        }
    }

    /// Scripts the next draws, in order: the name, the seat of a draw of one seat, the values.
    pub fn script(&mut self, draws: &[(&'static str, Option<Seat>, &[u16])]) {
        let draw = |&(name, seat, values): &(&'static str, _, &[u16])| Draw {
            name: name.into(),
            seat,
            values: values.to_vec(),
        };
        self.luck = Chance::scripted(draws.iter().map(draw));
    }

    /// Asserts that exactly the scripted draws were made.
    #[track_caller]
    pub fn script_is_used(&self) {
        assert_eq!(self.luck.clone().finish(), Ok(()));
    }
}

/// Playing on the table of a test, and looking at it. Actions are passed by value or by reference.
pub trait TestPlay<R: Audit>: DerefMut<Target = TestTable<R>> + From<TestTable<R>> {
    /// Plays an action. It must be allowed and listed, or another form of it if the rule document lists only one; and its
    /// events must account for every change.
    #[track_caller]
    fn play(&mut self, seat: Seat, action: impl Borrow<R::Action>) -> &mut Self {
        let action = action.borrow();
        let permit = R::check(&self.state, seat, action)
            .unwrap_or_else(|refusal| panic!("{action:?} of {seat}: {refusal}"));
        let mut listed = self.legal_of(seat).into_iter();
        let is_listed = listed.any(|listed| R::covers(&listed, action));
        assert!(is_listed, "{action:?} is not listed");
        let before = self.state.clone();
        let table = &mut **self;
        table.log.clear();
        apply_permitted::<R>(&mut table.state, permit, &mut table.luck, &mut table.log);
        R::step_invariants(&before, &table.state, &table.log.events)
            .unwrap_or_else(|fault| panic!("{action:?} of {seat}: {fault:?}"));
        table.history.extend_from_slice(&table.log.events);
        self
    }

    /// Returns the refusal of an action, which must not be listed.
    #[track_caller]
    fn refusal(&self, seat: Seat, action: impl Borrow<R::Action>) -> RefusedBy<R> {
        let action = action.borrow();
        assert!(!self.lists(seat, action), "{action:?} is listed");
        match R::check(&self.state, seat, action) {
            Err(refusal) => refusal,
            Ok(_) => panic!("{action:?} of {seat} is allowed"),
        }
    }

    /// Asserts that an action is refused with this code.
    #[track_caller]
    fn refuses(&self, seat: Seat, action: impl Borrow<R::Action>, code: &str) -> &Self {
        let action = action.borrow();
        assert_eq!(self.refusal(seat, action).code(), code, "{action:?}");
        self
    }

    /// Returns whether an action is allowed.
    fn allows(&self, seat: Seat, action: impl Borrow<R::Action>) -> bool {
        R::check(&self.state, seat, action.borrow()).is_ok()
    }

    /// Returns whether an action is listed in this very form.
    fn lists(&self, seat: Seat, action: impl Borrow<R::Action>) -> bool {
        self.legal_of(seat).contains(action.borrow())
    }

    /// Lists the legal actions of a seat.
    fn legal_of(&self, seat: Seat) -> Vec<R::Action> {
        legal_actions::<R>(&self.state, seat, Detail::Moves)
    }

    /// Lists the legal actions of the seat that is asked first. Nobody has one after the end of the game.
    fn legal(&self) -> Vec<R::Action> {
        let asked = self.asked();
        asked.map_or_else(Vec::new, |(seat, _)| self.legal_of(seat))
    }

    /// Returns the seat that is asked first, and the decision. Returns `None` if the game is over.
    fn asked(&self) -> Option<(Seat, &'static str)> {
        let pending = R::pending(&self.state);
        pending.first().map(|first| (first.seat, first.decision))
    }

    /// Returns an action in the words of the seat, with its costs and gains.
    fn said(&self, seat: Seat, action: impl Borrow<R::Action>) -> String {
        action_text_with_cost::<R>(&self.state, seat, action.borrow())
    }

    /// Returns whether the last action caused this event.
    fn happened(&self, event: &R::Event) -> bool {
        self.log.events.contains(event)
    }

    /// Returns whether the engine took this action for a seat after the last action, and it had an effect.
    fn forced(&self, seat: Seat, action: impl Borrow<R::Action>) -> bool {
        let action = action.borrow();
        let mut automatic = self.log.automatic.iter();
        automatic.any(|one| one.seat == seat && one.action == *action && one.first_event.is_some())
    }

    /// Returns the sentences of the last action.
    fn sentences(&self) -> Vec<String> {
        let events = self.log.events.iter();
        events.map(|event| event.sentence(Names::NONE)).collect()
    }

    /// Returns the table as a viewer sees it.
    fn view(&self, viewer: Viewer) -> R::View {
        R::view(&self.state, viewer)
    }

    /// Returns the table as text, without styles, in lines of 100 columns.
    fn board(&self, viewer: Viewer, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        plain(&R::board(&self.view(viewer), Names::new(&names), 100))
    }

    /// Returns seats, ranks and points at the end of the game, the winner's first.
    fn ranks(&self) -> Vec<(Seat, u8, i32)> {
        let ranking = R::ranking(&self.state).into_iter();
        let standings = ranking.flat_map(|ranking| ranking.standings);
        standings
            .map(|one| (one.seat, one.rank, one.score))
            .collect()
    }
}

impl<R: Audit, T: DerefMut<Target = TestTable<R>> + From<TestTable<R>>> TestPlay<R> for T {}

/// Defines a type of a test program around one of this crate, with all that it can do, so that the program can add
/// functions of its own: `test_type! { Table: TestTable<Goofspiel> }`.
#[macro_export]
macro_rules! test_type {
    ($Own:ident: $Common:ty) => {
        #[derive(Clone)]
        pub(crate) struct $Own($Common);

        impl From<$Common> for $Own {
            fn from(common: $Common) -> Self {
                Self(common)
            }
        }

        impl std::ops::Deref for $Own {
            type Target = $Common;

            fn deref(&self) -> &$Common {
                &self.0
            }
        }

        impl std::ops::DerefMut for $Own {
            fn deref_mut(&mut self) -> &mut $Common {
                &mut self.0
            }
        }
    };
}
