//! How many resources each caller holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Role;

/// Counts what callers hold at the moment, such as calls in flight, up to a limit for each.
pub struct Tally {
    max: usize,
    counts: Mutex<HashMap<Role, usize>>,
}

impl Tally {
    /// Nobody holds anything yet; each may hold this many.
    #[must_use]
    pub fn new(max: usize) -> Arc<Self> {
        let counts = Mutex::default();
        Arc::new(Self { max, counts })
    }

    /// One more for this caller; `None` at the limit. Without tokens callers cannot be told apart,
    /// and there is no limit.
    #[must_use]
    pub fn take(self: &Arc<Self>, caller: &Role) -> Option<Taken> {
        if *caller == Role::Open {
            return Some(Taken(None));
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(caller.clone()).or_default();
        if *count >= self.max {
            return None;
        }
        *count += 1;
        Some(Taken(Some((Arc::clone(self), caller.clone()))))
    }
}

/// Something that a caller holds, for as long as this lives.
pub struct Taken(Option<(Arc<Tally>, Role)>);

impl Drop for Taken {
    fn drop(&mut self) {
        let Some((tally, caller)) = &self.0 else {
            return;
        };
        let mut counts = tally.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(caller) {
            *count -= 1;
            if *count == 0 {
                counts.remove(caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_limit_and_gives_back() {
        let tally = Tally::new(2);
        let red = Role::Tenant(String::from("red"));
        let first = tally.take(&red).unwrap();
        let _second = tally.take(&red).unwrap();
        assert!(tally.take(&red).is_none());
        let others: Vec<_> = (0..2).map(|_| tally.take(&Role::Operator)).collect();
        assert!(others.iter().all(Option::is_some), "others have their own");
        drop(first);
        assert!(tally.take(&red).is_some());
    }

    #[test]
    fn callers_that_cannot_be_told_apart_are_not_limited() {
        let tally = Tally::new(1);
        let taken: Vec<_> = (0..3).map(|_| tally.take(&Role::Open)).collect();
        assert!(taken.iter().all(Option::is_some));
    }

    #[test]
    fn nothing_is_kept_of_callers_that_are_gone() {
        let tally = Tally::new(1);
        drop(tally.take(&Role::Operator));
        assert!(tally.counts.lock().unwrap().is_empty());
    }
}
