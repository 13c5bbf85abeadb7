//! **Lazy enumeration** of actions: by a visitor, in slices, with a **cursor**. A list in memory is never longer than
//! requested, and a caller can stop after any step and resume later without repeating the steps before it.
//!
//! A listing is a tree of steps: a leaf offers one action, any other step contains steps. The numbers of the open
//! steps, from the root on, are an [`ActionCursor`]. An enumerator that begins at a cursor skips the steps before it by
//! number and never enters them, so resuming costs only the steps on the path to the cursor.
//!
//! A ruleset that knows the number of actions in a step declares it with [`counted`](ActionEnumerator::counted). An
//! enumerator that [passes over](ActionEnumerator::counting) such steps counts millions of actions without creating
//! one.

use std::cmp::Ordering;
use std::mem;
use std::ops::ControlFlow;

use smallvec::SmallVec;

/// The numbers of steps from the root on. Few listings are deeper than twelve; only those allocate memory.
type Path = SmallVec<[u32; 12]>;

/// The visitor's decision whether the listing continues.
pub type VisitFlow = ControlFlow<()>;

/// The level of detail of a list of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Detail {
    /// Every distinct move once. If a move can be paid for in very many ways, only one of them.
    #[default]
    Moves,
    /// Every way to pay for every move.
    AllPayments,
}

/// The filter of a list of actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// The level of detail.
    pub detail: Detail,
    /// The kinds to show. Empty: all kinds.
    pub kinds: &'a [&'a str],
}

impl Wanted<'_> {
    /// Selects actions of all kinds.
    #[must_use]
    pub const fn all(detail: Detail) -> Self {
        let kinds = &[];
        Self { detail, kinds }
    }

    fn has(&self, kind: impl FnOnce() -> &'static str) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind())
    }
}

/// The **cursor** at which a listing resumes. It is valid only for the same table, seat and detail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionCursor {
    /// The numbers of the open steps. Empty at the beginning.
    path: Path,
    /// Whether a way to make the open move was found. Only for an enumerator that searches omitted actions.
    way_listed: bool,
}

impl ActionCursor {
    /// Creates a cursor from its numbers, as [`numbers`](Self::numbers) returned them.
    #[must_use]
    pub fn from_numbers(path: Vec<u32>) -> Self {
        let (path, way_listed) = (Path::from_vec(path), false);
        Self { path, way_listed }
    }

    /// Returns the numbers that identify this cursor.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.path
    }
}

/// An item that a counting enumerator visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted<A> {
    /// An action.
    One(A),
    /// A step that contains this many actions; it is entered if the visitor does not accept the number.
    Many(u64),
}

/// Visits the wanted actions of a seat, from a cursor on, for a limited number of steps.
///
/// A ruleset walks its actions in canonical order and offers each with [`visit`](Self::visit). If there may be more
/// than a few hundred, it declares how they are grouped: [`group`](Self::group), [`indexed`](Self::indexed),
/// [`kind`](Self::kind). It marks the actions that [`Detail::Moves`] leaves out with
/// [`alternatives`](Self::alternatives) and [`only_in_full`](Self::only_in_full).
pub struct ActionEnumerator<'a, A> {
    wanted: Wanted<'a>,
    kind_of: fn(&A) -> &'static str,
    /// The test of legality. Is `None` if every offered action is legal, or if the visitor judges.
    judge: Option<&'a dyn Fn(&A) -> bool>,
    visit: &'a mut dyn FnMut(A) -> VisitFlow,
    /// Accepts the number of actions in a step, or asks to see them.
    accept_count: Option<&'a mut dyn FnMut(u64) -> bool>,
    /// The numbers of the open steps.
    path: Path,
    /// The number of the next step in the innermost open step.
    next: u32,
    /// The cursor to begin at; emptied when it is reached.
    resume_path: Path,
    steps_left: u32,
    /// Set when the visitor or the step limit stops the listing; any other break only ends a move that was listed.
    stopped: bool,
    inside: Inside,
    omitted_search: OmittedSearch,
    /// Whether everything is listed at once. Its cursor is then never read, so none is kept.
    lists_all: bool,
}

/// The kind of the open steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Moves.
    Moves,
    /// Ways to make one move.
    Ways,
    /// Actions that only [`Detail::AllPayments`] shows.
    OnlyInFull,
}

/// The progress of a search for actions that [`Detail::Moves`] leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OmittedSearch {
    /// No search: the enumerator lists.
    Off,
    /// No such action was found so far. `way_listed` says whether a way to make the open move was found.
    Searching {
        way_listed: bool,
    },
    Found,
}

impl<'a, A> ActionEnumerator<'a, A> {
    /// Creates an enumerator of all candidates, each move once. It stops before the step that the visitor does not
    /// accept.
    #[inline]
    pub fn new(kind_of: fn(&A) -> &'static str, visit: &'a mut dyn FnMut(A) -> VisitFlow) -> Self {
        Self {
            wanted: Wanted::default(),
            kind_of,
            judge: None,
            visit,
            accept_count: None,
            path: Path::new(),
            next: 0,
            resume_path: Path::new(),
            steps_left: u32::MAX,
            stopped: false,
            inside: Inside::Moves,
            omitted_search: OmittedSearch::Off,
            lists_all: true,
        }
    }

    /// Lists only the wanted actions.
    #[must_use]
    pub fn filtered(self, wanted: Wanted<'a>) -> Self {
        let lists_all = self.lists_all && wanted.kinds.is_empty();
        Self {
            wanted,
            lists_all,
            ..self
        }
    }

    /// Lists only the actions that this judge accepts.
    #[must_use]
    pub fn checked_by(self, is_legal: &'a dyn Fn(&A) -> bool) -> Self {
        let judge = Some(is_legal);
        Self { judge, ..self }
    }

    /// Skips steps whose number of actions this visitor accepts, and enters the others.
    #[must_use]
    pub fn counting(self, accept_count: &'a mut dyn FnMut(u64) -> bool) -> Self {
        let pass = Some(accept_count);
        Self {
            accept_count: pass,
            ..self
        }
    }

    /// Resumes at a cursor for this many steps, at least one.
    #[must_use]
    pub fn resume_at(self, from: ActionCursor, steps: u32) -> Self {
        let omitted_search = match self.omitted_search {
            OmittedSearch::Searching { .. } => OmittedSearch::Searching {
                way_listed: from.way_listed,
            },
            other @ (OmittedSearch::Off | OmittedSearch::Found) => other,
        };
        Self {
            lists_all: false,
            resume_path: from.path,
            steps_left: steps.max(1),
            omitted_search,
            ..self
        }
    }

    /// Turns the enumerator into a search, which shows nothing and stops at the first legal action that
    /// [`Detail::Moves`] leaves out.
    #[must_use]
    pub fn searching_omitted(self) -> Self {
        let omitted_search = OmittedSearch::Searching { way_listed: false };
        Self {
            omitted_search,
            lists_all: false,
            ..self
        }
    }

    /// Returns the cursor at which the listing stopped.
    ///
    /// # Panics
    /// Panics if the enumerator was not asked to [resume](Self::resume_at) at a cursor: it keeps none.
    #[must_use]
    pub fn cursor(self) -> ActionCursor {
        assert!(
            !self.lists_all,
            "an enumerator that lists everything keeps no position"
        );
        let mut path = self.path;
        path.push(self.next);
        ActionCursor {
            path,
            way_listed: self.omitted_search == OmittedSearch::Searching { way_listed: true },
        }
    }

    /// Returns whether an action was found that [`Detail::Moves`] leaves out.
    #[must_use]
    pub fn found_omitted(&self) -> bool {
        self.omitted_search == OmittedSearch::Found
    }

    /// Offers an action.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    #[inline]
    pub fn visit(&mut self, action: A) -> VisitFlow {
        if !self.lists_all {
            return self.visit_with_cursor(action);
        }
        if self.is_legal(&action) {
            return self.list(action);
        }
        VisitFlow::Continue(())
    }

    #[inline]
    fn is_legal(&self, action: &A) -> bool {
        self.judge.is_none_or(|judge| judge(action))
    }

    /// Offers an action to an enumerator that keeps its cursor. Not inlined, so that the fast path of
    /// [`visit`](Self::visit) is.
    #[inline(never)]
    fn visit_with_cursor(&mut self, action: A) -> VisitFlow {
        if self.skips_next() {
            return VisitFlow::Continue(());
        }
        self.take_step()?;
        let matters = self.omitted_search == OmittedSearch::Off || self.inside != Inside::Moves;
        if matters && self.wanted.has(|| (self.kind_of)(&action)) && self.is_legal(&action) {
            self.show(action)?;
        }
        self.done()
    }

    /// Groups steps into one part, which can be skipped as a whole.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn group(&mut self, steps: impl FnOnce(&mut Self) -> VisitFlow) -> VisitFlow {
        if self.lists_all {
            return steps(self);
        }
        if self.skips_next() {
            return VisitFlow::Continue(());
        }
        if self.resume_path.is_empty() {
            self.take_step()?;
        }
        self.path.push(self.next);
        self.next = 0;
        steps(self)?;
        self.next = self.path.pop().unwrap_or(0);
        // If the cursor to begin at was in this part, it is passed now.
        self.resume_path.clear();
        self.done()
    }

    /// Groups exactly `count` actions, all of them legal and of the kind that was entered.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn counted(
        &mut self,
        count: impl FnOnce() -> u64,
        steps: impl FnOnce(&mut Self) -> VisitFlow,
    ) -> VisitFlow {
        if self.skips_next() {
            return VisitFlow::Continue(());
        }
        // The count does not apply if only one of several ways to make a move is shown, or if the cursor to begin at
        // may be inside.
        let is_whole = self.resume_path.is_empty()
            && (self.inside != Inside::Ways || self.wanted.detail == Detail::AllPayments);
        let Some(accept_count) = self.accept_count.as_mut().filter(|_| is_whole) else {
            return self.group(steps);
        };
        if self.steps_left == 0 {
            return self.stop();
        }
        if !accept_count(count()) {
            return self.group(steps);
        }
        self.take_step()?;
        self.done()
    }

    /// Lists this many parts, which can be entered at any number.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn indexed(
        &mut self,
        count: usize,
        mut group: impl FnMut(&mut Self, usize) -> VisitFlow,
    ) -> VisitFlow {
        if self.lists_all {
            return (0..count).try_for_each(|number| group(self, number));
        }
        self.group(|list| {
            if let Some(&resume_number) = list.resume_path.get(list.path.len()) {
                list.next = resume_number;
            }
            loop {
                let number = usize::try_from(list.next).unwrap_or(usize::MAX);
                if number >= count {
                    return VisitFlow::Continue(());
                }
                list.group(|list| group(list, number))?;
            }
        })
    }

    /// Groups actions of one kind, which are entered only if the kind is wanted.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn kind(
        &mut self,
        kind: &'static str,
        steps: impl FnOnce(&mut Self) -> VisitFlow,
    ) -> VisitFlow {
        if self.wanted.has(|| kind) {
            self.group(steps)
        } else {
            self.done()
        }
    }

    /// Groups the ways to make one move, of which [`Detail::Moves`] shows the first.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn alternatives(&mut self, ways: impl FnOnce(&mut Self) -> VisitFlow) -> VisitFlow {
        if self.skips_next() {
            return VisitFlow::Continue(());
        }
        let (depth, number) = (self.path.len(), self.next);
        let outer = mem::replace(&mut self.inside, Inside::Ways);
        let listed = self.group(ways);
        self.inside = outer;
        if self.stopped {
            return listed;
        }
        if self.lists_all {
            return VisitFlow::Continue(());
        }
        if let OmittedSearch::Searching { way_listed } = &mut self.omitted_search {
            *way_listed = false;
        }
        if listed.is_break() {
            self.path.truncate(depth);
            self.next = number;
            return self.done();
        }
        listed
    }

    /// Groups steps that [`Detail::Moves`] leaves out.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn only_in_full(&mut self, steps: impl FnOnce(&mut Self) -> VisitFlow) -> VisitFlow {
        if self.wanted.detail == Detail::Moves && self.omitted_search == OmittedSearch::Off {
            return self.done();
        }
        let outer = mem::replace(&mut self.inside, Inside::OnlyInFull);
        let listed = self.group(steps);
        self.inside = outer;
        listed
    }

    /// Returns whether the next step is before the cursor to begin at. If so, it is counted and skipped.
    #[inline]
    fn skips_next(&mut self) -> bool {
        !self.resume_path.is_empty() && self.is_before_begin()
    }

    fn is_before_begin(&mut self) -> bool {
        let depth = self.path.len();
        let Some(resume_number) = self.resume_path.get(depth) else {
            return false;
        };
        match self.next.cmp(resume_number) {
            Ordering::Less => {
                self.next += 1;
                true
            }
            Ordering::Equal if depth + 1 < self.resume_path.len() => false,
            // The cursor is reached, or it belongs to another list.
            Ordering::Equal | Ordering::Greater => {
                self.resume_path.clear();
                false
            }
        }
    }

    #[inline]
    fn take_step(&mut self) -> VisitFlow {
        match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                VisitFlow::Continue(())
            }
            None => self.stop(),
        }
    }

    #[inline]
    fn done(&mut self) -> VisitFlow {
        self.next += 1;
        VisitFlow::Continue(())
    }

    fn stop(&mut self) -> VisitFlow {
        self.stopped = true;
        VisitFlow::Break(())
    }

    /// Lists an action. With [`Detail::Moves`] the first way to make a move ends the move.
    #[inline]
    fn list(&mut self, action: A) -> VisitFlow {
        if (self.visit)(action).is_break() {
            return self.stop();
        }
        if self.inside == Inside::Ways && self.wanted.detail == Detail::Moves {
            return VisitFlow::Break(());
        }
        VisitFlow::Continue(())
    }

    /// Lists an action, or in a search notes whether lists leave it out.
    fn show(&mut self, action: A) -> VisitFlow {
        match (&mut self.omitted_search, self.inside) {
            (OmittedSearch::Off, _) => return self.list(action),
            (OmittedSearch::Searching { .. } | OmittedSearch::Found, Inside::Moves) => {}
            (OmittedSearch::Searching { way_listed }, Inside::Ways) if !*way_listed => {
                *way_listed = true;
            }
            (
                OmittedSearch::Searching { .. } | OmittedSearch::Found,
                Inside::Ways | Inside::OnlyInFull,
            ) => {
                self.omitted_search = OmittedSearch::Found;
                return self.stop();
            }
        }
        VisitFlow::Continue(())
    }
}
