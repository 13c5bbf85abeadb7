//! The **descriptions of tables** that tests write, and what becomes of them.

use std::ops::DerefMut;

use super::changed_tables::changed_tables_are_judged;
use super::{Audit, TestTable};
use crate::ruleset::Ruleset;
use crate::table::{Chance, PositionError, Seed, Viewer};

/// A description that is being written: the view, and the options of the game.
pub struct DescribedTable<R: Ruleset> {
    /// The table as the operator describes it.
    pub view: R::View,
    /// The options of the request.
    pub options: R::Options,
    /// Adds to the view what a test leaves out and a description needs.
    pub completed_by: fn(&mut R::View),
}

impl<R: Ruleset> Clone for DescribedTable<R> {
    fn clone(&self) -> Self {
        Self {
            view: self.view.clone(),
            options: self.options.clone(),
            completed_by: self.completed_by,
        }
    }
}

impl<R: Ruleset> DescribedTable<R> {
    /// Begins with this description.
    #[must_use]
    pub const fn of(view: R::View, options: R::Options) -> Self {
        Self {
            view,
            options,
            completed_by: |_| {},
        }
    }

    /// Begins with the description of a table.
    #[must_use]
    pub fn of_state(state: &R::State, options: R::Options) -> Self {
        Self::of(R::view(state, Viewer::Operator), options)
    }

    /// Makes the table. What is hidden and left out is dealt from a seed.
    ///
    /// # Errors
    /// The first part of the view that no table has.
    pub fn judged(&self) -> Result<R::State, PositionError> {
        self.dealt(&mut Chance::from_seed(&Seed::from_number(1)))
    }

    /// Makes the table with this luck.
    ///
    /// # Errors
    /// The first part of the view that no table has.
    pub fn dealt(&self, luck: &mut Chance) -> Result<R::State, PositionError> {
        let mut view = self.view.clone();
        (self.completed_by)(&mut view);
        R::position(&self.options, &view, luck)
    }

    /// Makes the table, which must be accepted, and the names of what was drawn for it.
    #[must_use]
    #[track_caller]
    pub fn drawn(&self) -> (R::State, Vec<String>) {
        let mut luck = Chance::from_seed(&Seed::from_number(1));
        let state = self
            .dealt(&mut luck)
            .unwrap_or_else(|error| panic!("{error}"));
        let draws = luck.take_record().into_iter();
        (state, draws.map(|draw| draw.name.into_owned()).collect())
    }

    /// Makes the table, which must be accepted. Where nothing is hidden, nothing is drawn.
    #[must_use]
    #[track_caller]
    pub fn made(&self) -> TestTable<R> {
        let (state, draws) = self.drawn();
        assert!(R::HAS_HIDDEN_INFORMATION || draws.is_empty(), "{draws:?}");
        TestTable::at(state)
    }

    /// Asserts that the table is refused by this rule, because of the field at this path.
    #[track_caller]
    pub fn breaks(&self, rule: &str, path: &str) {
        match self.judged() {
            Ok(state) => panic!("{path} is accepted: {state:?}"),
            Err(error) => {
                assert_eq!((error.rule, &*error.path), (rule, path), "{error}");
                assert_ne!(error.found, error.allowed);
            }
        }
    }
}

/// Changing the description of a test.
pub trait TestDescription<R: Ruleset>:
    DerefMut<Target = DescribedTable<R>> + From<DescribedTable<R>> + Clone
{
    /// Changes the view by hand.
    #[must_use]
    fn with(mut self, change: impl FnOnce(&mut R::View)) -> Self {
        change(&mut self.view);
        self
    }

    /// Asserts that the table is accepted, and that after this change it is refused by this rule, because of the field at
    /// this path.
    #[track_caller]
    fn broken_by(&self, change: impl FnOnce(&mut R::View), rule: &str, path: &str) {
        let _accepted = self.made();
        self.clone().with(change).breaks(rule, path);
    }
}

impl<R: Ruleset, T> TestDescription<R> for T where
    T: DerefMut<Target = DescribedTable<R>> + From<DescribedTable<R>> + Clone
{
}

/// Asserts that each of many changed tables is refused or played on, and that at least every tenth is accepted: `change`
/// must change enough, and not too much.
#[track_caller]
pub fn assert_changed_tables_are_judged<R: Audit>(
    tables: u64,
    change: impl Fn(&mut R::View, &mut Chance),
) {
    let judged =
        changed_tables_are_judged::<R>(tables, change).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert!(judged.changed >= 2 * tables, "{judged:?}");
    assert!(judged.accepted * 10 >= judged.changed, "{judged:?}");
}
