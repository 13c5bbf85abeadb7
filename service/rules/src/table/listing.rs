//! How actions are listed: by a visitor, in slices. A list in memory is never longer than requested, and
//! a caller can stop after any step and resume later without repeating the steps before it.
//!
//! A listing is a tree of steps: a leaf offers one action, any other step holds steps of its own. The
//! numbers of the open steps, from the root on, are a [`Place`]. A lister that begins at a place counts
//! past the steps before it and never enters them, so resuming costs only the steps on the path to the place.

use std::cmp::Ordering;
use std::mem;
use std::ops::ControlFlow;

/// Says whether the listing goes on.
pub type Visit = ControlFlow<()>;

/// How finely actions are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Detail {
    /// Every distinct move once. Where the ways to pay for one move explode, one way to pay.
    #[default]
    Moves,
    /// Every way to pay for every move.
    AllPayments,
}

/// Which actions a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// How finely.
    pub detail: Detail,
    /// Only of these kinds; empty: of all.
    pub kinds: &'a [&'a str],
}

impl Wanted<'_> {
    /// Actions of all kinds.
    #[must_use]
    pub const fn all(detail: Detail) -> Self {
        let kinds = &[];
        Self { detail, kinds }
    }

    fn has(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// Where a listing goes on. It means something only for the same table, seat and detail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The numbers of the steps that are open; none: at the beginning.
    path: Vec<u32>,
    /// Was a way to make the open move found? Only for a lister that looks for what is left out.
    found: bool,
}

impl Place {
    /// The place of these numbers, as [`numbers`](Self::numbers) returned them.
    #[must_use]
    pub const fn at(path: Vec<u32>) -> Self {
        let found = false;
        Self { path, found }
    }

    /// The numbers that identify this place.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.path
    }
}

/// Visits those of a seat's actions that are wanted, from a place on, for this many steps.
///
/// A ruleset walks its actions in canonical order and offers each with [`visit`](Self::visit). Where
/// there may be more than a few hundred, it declares how they are grouped: [`part`](Self::part),
/// [`each`](Self::each), [`kind`](Self::kind). What [`Detail::Moves`] leaves out, it marks with
/// [`one_of`](Self::one_of) and [`beyond`](Self::beyond).
pub struct Lister<'a, A> {
    wanted: Wanted<'a>,
    kind_of: fn(&A) -> &'static str,
    is_legal: &'a dyn Fn(&A) -> bool,
    visit: &'a mut dyn FnMut(A) -> Visit,
    /// The numbers of the open steps; the last one is that of the next step.
    path: Vec<u32>,
    /// The place to begin at; empty as soon as it is reached.
    begin: Vec<u32>,
    steps_left: u32,
    /// The visitor or the steps said stop: other breaks end a move that was listed.
    stopped: bool,
    inside: Inside,
    left_out: LeftOut,
}

/// What the open steps are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Moves.
    Moves,
    /// Ways to make one move.
    Ways,
    /// What only the longer list shows.
    Beyond,
}

/// Does this lister look for what [`Detail::Moves`] leaves out?
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    /// No: it lists.
    NotAsked,
    /// Nothing so far; was a way to make the open move found?
    Unseen {
        found: bool,
    },
    Seen,
}

impl<'a, A> Lister<'a, A> {
    /// Lists all candidates, each move once. Stops before the step that the visitor does not take.
    pub fn new(kind_of: fn(&A) -> &'static str, visit: &'a mut dyn FnMut(A) -> Visit) -> Self {
        Self {
            wanted: Wanted::default(),
            kind_of,
            is_legal: &|_| true,
            visit,
            path: vec![0],
            begin: Vec::new(),
            steps_left: u32::MAX,
            stopped: false,
            inside: Inside::Moves,
            left_out: LeftOut::NotAsked,
        }
    }

    /// Lists only what is wanted.
    #[must_use]
    pub fn wanting(self, wanted: Wanted<'a>) -> Self {
        Self { wanted, ..self }
    }

    /// Lists only what this judge lets pass.
    #[must_use]
    pub fn judged_by(self, is_legal: &'a dyn Fn(&A) -> bool) -> Self {
        Self { is_legal, ..self }
    }

    /// Goes on at a place for this many steps, at least one.
    #[must_use]
    pub fn going_on(self, from: Place, steps: u32) -> Self {
        let left_out = match self.left_out {
            LeftOut::Unseen { .. } => LeftOut::Unseen { found: from.found },
            other @ (LeftOut::NotAsked | LeftOut::Seen) => other,
        };
        Self {
            begin: from.path,
            steps_left: steps.max(1),
            left_out,
            ..self
        }
    }

    /// Shows nothing: seeks what [`Detail::Moves`] leaves out, up to the first legal action.
    #[must_use]
    pub fn seeking_left_out(self) -> Self {
        let left_out = LeftOut::Unseen { found: false };
        Self { left_out, ..self }
    }

    /// Where the listing stopped.
    #[must_use]
    pub fn place(self) -> Place {
        Place {
            path: self.path,
            found: self.left_out == LeftOut::Unseen { found: true },
        }
    }

    /// Was something seen that [`Detail::Moves`] leaves out?
    #[must_use]
    pub fn saw_left_out(&self) -> bool {
        self.left_out == LeftOut::Seen
    }

    /// Offers an action.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn visit(&mut self, action: A) -> Visit {
        self.visit_if(action, |_| true)
    }

    /// Offers an action that may turn out not to belong in the list.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn visit_if(&mut self, action: A, belongs: impl FnOnce(&A) -> bool) -> Visit {
        if self.is_past() {
            return Visit::Continue(());
        }
        self.take_step()?;
        let matters = self.left_out == LeftOut::NotAsked || self.inside != Inside::Moves;
        if matters
            && self.wanted.has((self.kind_of)(&action))
            && belongs(&action)
            && (self.is_legal)(&action)
        {
            self.show(action)?;
        }
        self.done()
    }

    /// Steps that belong together.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn part(&mut self, steps: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.is_past() {
            return Visit::Continue(());
        }
        if self.begin.is_empty() {
            self.take_step()?;
        }
        self.path.push(0);
        steps(self)?;
        self.path.pop();
        // The place to begin at was in there, if it was anywhere.
        self.begin.clear();
        self.done()
    }

    /// This many parts, which can be entered at any number.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn each(&mut self, count: usize, mut part: impl FnMut(&mut Self, usize) -> Visit) -> Visit {
        self.part(|list| {
            let depth = list.path.len() - 1;
            if let Some(&begin) = list.begin.get(depth) {
                list.path[depth] = begin;
            }
            loop {
                let number = usize::try_from(list.path[depth]).unwrap_or(usize::MAX);
                if number >= count {
                    return Visit::Continue(());
                }
                list.part(|list| part(list, number))?;
            }
        })
    }

    /// Actions of one kind: entered only if the kind is wanted.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn kind(&mut self, kind: &str, steps: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.wanted.has(kind) {
            self.part(steps)
        } else {
            self.done()
        }
    }

    /// The ways to make one move: [`Detail::Moves`] shows the first.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn one_of(&mut self, ways: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.is_past() {
            return Visit::Continue(());
        }
        let depth = self.path.len();
        let outer = mem::replace(&mut self.inside, Inside::Ways);
        let listed = self.part(ways);
        self.inside = outer;
        if self.stopped {
            return listed;
        }
        if let LeftOut::Unseen { found } = &mut self.left_out {
            *found = false;
        }
        if listed.is_break() {
            self.path.truncate(depth);
            return self.done();
        }
        listed
    }

    /// What [`Detail::Moves`] leaves out.
    ///
    /// # Errors
    /// Breaks when the listing is to stop.
    pub fn beyond(&mut self, steps: impl FnOnce(&mut Self) -> Visit) -> Visit {
        if self.wanted.detail == Detail::Moves && self.left_out == LeftOut::NotAsked {
            return self.done();
        }
        let outer = mem::replace(&mut self.inside, Inside::Beyond);
        let listed = self.part(steps);
        self.inside = outer;
        listed
    }

    /// Was the next step done before the place to begin at? Then it is counted.
    fn is_past(&mut self) -> bool {
        let depth = self.path.len() - 1;
        let Some(begin) = self.begin.get(depth) else {
            return false;
        };
        match self.path[depth].cmp(begin) {
            Ordering::Less => {
                self.path[depth] += 1;
                true
            }
            Ordering::Equal if depth + 1 < self.begin.len() => false,
            // Here it is; or it was a place of another list.
            Ordering::Equal | Ordering::Greater => {
                self.begin.clear();
                false
            }
        }
    }

    fn take_step(&mut self) -> Visit {
        match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                Visit::Continue(())
            }
            None => self.stop(),
        }
    }

    fn done(&mut self) -> Visit {
        if let Some(number) = self.path.last_mut() {
            *number += 1;
        }
        Visit::Continue(())
    }

    fn stop(&mut self) -> Visit {
        self.stopped = true;
        Visit::Break(())
    }

    /// An action that belongs in the list.
    fn show(&mut self, action: A) -> Visit {
        match (&mut self.left_out, self.inside) {
            (LeftOut::NotAsked, inside) => {
                if (self.visit)(action).is_break() {
                    return self.stop();
                }
                if inside == Inside::Ways && self.wanted.detail == Detail::Moves {
                    return Visit::Break(());
                }
            }
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
