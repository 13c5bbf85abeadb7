//! **Lazy enumeration** of actions: by a visitor, in slices, with a **cursor**. A list in memory is never longer than
//! requested, and a caller can stop after any step and resume later without repeating the steps before it.
//!
//! A listing is a tree of steps: a leaf offers one action, any other step contains steps. The numbers of the open
//! steps, from the root on, are a [`Place`]. A lister that begins at a place skips the steps before it by number and
//! never enters them, so resuming costs only the steps on the path to the place.
//!
//! A ruleset that knows the number of actions in a step declares it with [`counted`](Lister::counted). A lister that
//! [passes over](Lister::passing) such steps counts millions of actions without creating one.

use std::cmp::Ordering;
use std::mem;
use std::ops::ControlFlow;

use smallvec::SmallVec;

/// The numbers of steps from the root on. Few listings are deeper than twelve; only those allocate memory.
type Path = SmallVec<[u32; 12]>;

/// The visitor's decision whether the listing continues.
pub type Visit = ControlFlow<()>;

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
pub struct Place {
    /// The numbers of the open steps. Empty at the beginning.
    path: Path,
    /// Whether a way to make the open move was found. Only for a lister that seeks left-out actions.
    found: bool,
}

impl Place {
    /// Creates a place from its numbers, as [`numbers`](Self::numbers) returned them.
    #[must_use]
    pub fn at(path: Vec<u32>) -> Self {
        let (path, found) = (Path::from_vec(path), false);
        Self { path, found }
    }

    /// Returns the numbers that identify this place.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.path
    }
}

/// An item that a counting lister visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted<A> {
    /// An action.
    One(A),
    /// A step that contains this many actions; it is entered if the visitor does not accept the number.
    Many(u64),
}

/// Visits the wanted actions of a seat, from a place on, for a limited number of steps.
///
/// A ruleset walks its actions in canonical order and offers each with [`visit`](Self::visit). If there may be more
/// than a few hundred, it declares how they are grouped: [`part`](Self::part), [`each`](Self::each),
/// [`kind`](Self::kind). It marks the actions that [`Detail::Moves`] leaves out with [`one_of`](Self::one_of) and
/// [`beyond`](Self::beyond).
pub struct Lister<'a, A> {
    wanted: Wanted<'a>,
    kind_of: fn(&A) -> &'static str,
    /// The test of legality. Is `None` if every offered action is legal, or if the visitor judges.
    judge: Option<&'a dyn Fn(&A) -> bool>,
    visit: &'a mut dyn FnMut(A) -> Visit,
    /// Accepts the number of actions in a step, or asks to see them.
    pass: Option<&'a mut dyn FnMut(u64) -> bool>,
    /// The numbers of the open steps.
    path: Path,
    /// The number of the next step in the innermost open step.
    next: u32,
    /// The place to begin at; emptied when it is reached.
    begin: Path,
    steps_left: u32,
    /// Set when the visitor or the step limit stops the listing; any other break only ends a move that was listed.
    stopped: bool,
    inside: Inside,
    left_out: LeftOut,
    /// Whether everything is listed at once. The place of the lister is then never read, so it need not keep one.
    whole: bool,
}

/// The kind of the open steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Moves.
    Moves,
    /// Ways to make one move.
    Ways,
    /// Actions that only [`Detail::AllPayments`] shows.
    Beyond,
}

/// The progress of a search for actions that [`Detail::Moves`] leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    /// No search: the lister lists.
    NotAsked,
    /// No such action was found so far. `found`: was a way to make the open move found?
    Unseen {
        found: bool,
    },
    Seen,
}

impl<'a, A> Lister<'a, A> {
    /// Creates a lister of all candidates, each move once. It stops before the step that the visitor does not accept.
    #[inline]
    pub fn new(kind_of: fn(&A) -> &'static str, visit: &'a mut dyn FnMut(A) -> Visit) -> Self {
        Self {
            wanted: Wanted::default(),
            kind_of,
            judge: None,
            visit,
            pass: None,
            path: Path::new(),
            next: 0,
            begin: Path::new(),
            steps_left: u32::MAX,
            stopped: false,
            inside: Inside::Moves,
            left_out: LeftOut::NotAsked,
            whole: true,
        }
    }

    /// Lists only the wanted actions.
    #[must_use]
    pub fn wanting(self, wanted: Wanted<'a>) -> Self {
        let whole = self.whole && wanted.kinds.is_empty();
        Self {
            wanted,
            whole,
            ..self
        }
    }

    /// Lists only the actions that this judge accepts.
    #[must_use]
    pub fn judged_by(self, is_legal: &'a dyn Fn(&A) -> bool) -> Self {
        let judge = Some(is_legal);
        Self { judge, ..self }
    }

    /// Skips steps whose number of actions this visitor accepts, and enters the others.
    #[must_use]
    pub fn passing(self, pass: &'a mut dyn FnMut(u64) -> bool) -> Self {
        let pass = Some(pass);
        Self { pass, ..self }
    }

    /// Resumes at a place for this many steps, at least one.
    #[must_use]
    pub fn going_on(self, from: Place, steps: u32) -> Self {
        let left_out = match self.left_out {
            LeftOut::Unseen { .. } => LeftOut::Unseen { found: from.found },
            other @ (LeftOut::NotAsked | LeftOut::Seen) => other,
        };
        Self {
            whole: false,
            begin: from.path,
            steps_left: steps.max(1),
            left_out,
            ..self
        }
    }

    /// Turns the lister into a search, which shows nothing and stops at the first legal action that [`Detail::Moves`]
    /// leaves out.
    #[must_use]
    pub fn seeking_left_out(self) -> Self {
        let left_out = LeftOut::Unseen { found: false };
        Self {
            left_out,
            whole: false,
            ..self
        }
    }

    /// Returns the place where the listing stopped.
    ///
    /// # Panics
    /// Panics if the lister was not asked to [go on](Self::going_on) from a place: it keeps none.
    #[must_use]
    pub fn place(self) -> Place {
        assert!(!self.whole, "a lister that lists everything keeps no place");
        let mut path = self.path;
        path.push(self.next);
        Place {
            path,
            found: self.left_out == LeftOut::Unseen { found: true },
        }
    }

    /// Returns whether an action was found that [`Detail::Moves`] leaves out.
    #[must_use]
    pub fn saw_left_out(&self) -> bool {
        self.left_out == LeftOut::Seen
    }

    /// Offers an action.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    #[inline]
    pub fn visit(&mut self, action: A) -> Visit {
        if !self.whole {
            return self.visit_at_place(action);
        }
        if self.is_legal(&action) {
            return self.list(action);
        }
        Visit::Continue(())
    }

    #[inline]
    fn is_legal(&self, action: &A) -> bool {
        self.judge.is_none_or(|judge| judge(action))
    }

    /// Offers an action to a lister that keeps its place. Not inlined, so that the fast path of [`visit`](Self::visit)
    /// is.
    #[inline(never)]
    fn visit_at_place(&mut self, action: A) -> Visit {
        if self.is_past() {
            return Visit::Continue(());
        }
        self.take_step()?;
        let matters = self.left_out == LeftOut::NotAsked || self.inside != Inside::Moves;
        if matters && self.wanted.has(|| (self.kind_of)(&action)) && self.is_legal(&action) {
            self.show(action)?;
        }
        self.done()
    }

    /// Groups steps into one part, which can be skipped as a whole.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn part(&mut self, steps: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.whole {
            return steps(self);
        }
        if self.is_past() {
            return Visit::Continue(());
        }
        if self.begin.is_empty() {
            self.take_step()?;
        }
        self.path.push(self.next);
        self.next = 0;
        steps(self)?;
        self.next = self.path.pop().unwrap_or(0);
        // If the place to begin at was in this part, it is passed now.
        self.begin.clear();
        self.done()
    }

    /// Groups exactly `count` actions, all of them legal and of the kind that was entered.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn counted(
        &mut self,
        count: impl FnOnce() -> u64,
        steps: impl FnOnce(&mut Self) -> Visit,
    ) -> Visit {
        if self.is_past() {
            return Visit::Continue(());
        }
        // The count does not apply if only one of several ways to make a move is shown, or if the place to begin at
        // may be inside.
        let is_whole = self.begin.is_empty()
            && (self.inside != Inside::Ways || self.wanted.detail == Detail::AllPayments);
        let Some(pass) = self.pass.as_mut().filter(|_| is_whole) else {
            return self.part(steps);
        };
        if self.steps_left == 0 {
            return self.stop();
        }
        if !pass(count()) {
            return self.part(steps);
        }
        self.take_step()?;
        self.done()
    }

    /// Lists this many parts, which can be entered at any number.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn each(&mut self, count: usize, mut part: impl FnMut(&mut Self, usize) -> Visit) -> Visit {
        if self.whole {
            return (0..count).try_for_each(|number| part(self, number));
        }
        self.part(|list| {
            if let Some(&begin) = list.begin.get(list.path.len()) {
                list.next = begin;
            }
            loop {
                let number = usize::try_from(list.next).unwrap_or(usize::MAX);
                if number >= count {
                    return Visit::Continue(());
                }
                list.part(|list| part(list, number))?;
            }
        })
    }

    /// Groups actions of one kind, which are entered only if the kind is wanted.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn kind(&mut self, kind: &'static str, steps: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.wanted.has(|| kind) {
            self.part(steps)
        } else {
            self.done()
        }
    }

    /// Groups the ways to make one move, of which [`Detail::Moves`] shows the first.
    ///
    /// # Errors
    /// Breaks if the listing must stop.
    pub fn one_of(&mut self, ways: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.is_past() {
            return Visit::Continue(());
        }
        let (depth, number) = (self.path.len(), self.next);
        let outer = mem::replace(&mut self.inside, Inside::Ways);
        let listed = self.part(ways);
        self.inside = outer;
        if self.stopped {
            return listed;
        }
        if self.whole {
            return Visit::Continue(());
        }
        if let LeftOut::Unseen { found } = &mut self.left_out {
            *found = false;
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
    pub fn beyond(&mut self, steps: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.wanted.detail == Detail::Moves && self.left_out == LeftOut::NotAsked {
            return self.done();
        }
        let outer = mem::replace(&mut self.inside, Inside::Beyond);
        let listed = self.part(steps);
        self.inside = outer;
        listed
    }

    /// Returns whether the next step is before the place to begin at. If so, it is counted and skipped.
    #[inline]
    fn is_past(&mut self) -> bool {
        !self.begin.is_empty() && self.is_before_begin()
    }

    fn is_before_begin(&mut self) -> bool {
        let depth = self.path.len();
        let Some(begin) = self.begin.get(depth) else {
            return false;
        };
        match self.next.cmp(begin) {
            Ordering::Less => {
                self.next += 1;
                true
            }
            Ordering::Equal if depth + 1 < self.begin.len() => false,
            // The place is reached, or it belongs to another list.
            Ordering::Equal | Ordering::Greater => {
                self.begin.clear();
                false
            }
        }
    }

    #[inline]
    fn take_step(&mut self) -> Visit {
        match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                Visit::Continue(())
            }
            None => self.stop(),
        }
    }

    #[inline]
    fn done(&mut self) -> Visit {
        self.next += 1;
        Visit::Continue(())
    }

    fn stop(&mut self) -> Visit {
        self.stopped = true;
        Visit::Break(())
    }

    /// Lists an action. With [`Detail::Moves`] the first way to make a move ends the move.
    #[inline]
    fn list(&mut self, action: A) -> Visit {
        if (self.visit)(action).is_break() {
            return self.stop();
        }
        if self.inside == Inside::Ways && self.wanted.detail == Detail::Moves {
            return Visit::Break(());
        }
        Visit::Continue(())
    }

    /// Lists an action, or in a search notes whether lists leave it out.
    fn show(&mut self, action: A) -> Visit {
        match (&mut self.left_out, self.inside) {
            (LeftOut::NotAsked, _) => return self.list(action),
            (LeftOut::Unseen { .. } | LeftOut::Seen, Inside::Moves) => {}
            (LeftOut::Unseen { found }, Inside::Ways) if !*found => *found = true,
            (LeftOut::Unseen { .. } | LeftOut::Seen, Inside::Ways | Inside::Beyond) => {
                self.left_out = LeftOut::Seen;
                return self.stop();
            }
        }
        Visit::Continue(())
    }
}
