//! Search: playouts of the most promising actions, by **sequential halving**.
//!
//! Each round plays every remaining action, and the favorite, in the same worlds with the same luck,
//! then drops the worse half, so that most of the time goes to the closest contenders.

use std::cmp::Reverse;

use super::playout::playout;
use super::{Heuristics, seed};
use crate::table::{Chance, Seat};

/// The source of a bot's tables, consistent with what its seat knows. Each call draws one of them.
pub type WorldSampler<'a, S> = &'a mut dyn FnMut(&mut Chance) -> S;

/// Maps the number of playouts made to the share spent, in thousandths.
pub type BudgetUsed<'a> = &'a mut dyn FnMut(u32) -> u32;

/// The whole budget of time or playouts, in thousandths.
const WHOLE_BUDGET: u32 = 1_000;

/// A candidate that is compared with the favorite, which is the habitual action or the one with the most appeal.
struct Candidate<A> {
    action: A,
    /// The lead over the favorite, summed over all playouts.
    lead_sum: i64,
    /// The sum of the squares of these differences.
    squared_sum: i64,
}

/// The actions to compare: the favorite, and those with the most appeal, best first.
struct CandidateSet<A> {
    favorite: A,
    candidates: Vec<Candidate<A>>,
    /// The luck with which their appeal was rated.
    luck: Chance,
}

impl<A> Candidate<A> {
    fn add_sample(&mut self, difference: i32) {
        let difference = i64::from(difference);
        self.lead_sum += difference;
        self.squared_sum += difference * difference;
    }

    /// Returns whether the action is better than the favorite by more than this many standard errors.
    fn is_significant(&self, errors: u32) -> bool {
        let errors = i64::from(errors);
        let threshold = self.squared_sum.saturating_mul(errors * errors);
        self.lead_sum > 0 && self.lead_sum.saturating_mul(self.lead_sum) > threshold
    }
}

/// Returns the action that does better in playouts than the favorite; otherwise the favorite.
pub(super) fn search<R: Heuristics>(
    seat: Seat,
    actions: Vec<R::Action>,
    worlds: WorldSampler<'_, R::State>,
    budget_used: BudgetUsed<'_>,
    chance: &mut Chance,
) -> Option<R::Action> {
    let world = worlds(chance);
    let set = select_candidates::<R>(&world, seat, actions, chance)?;
    if set.candidates.is_empty() || budget_used(0) >= WHOLE_BUDGET {
        return Some(set.favorite);
    }
    if let Some(base) = R::lookahead_value(&world, seat, &set.favorite, &set.luck) {
        return Some(best_by_lookahead::<R>(&world, seat, set, base, budget_used));
    }
    let CandidateSet {
        favorite,
        mut candidates,
        ..
    } = set;
    let rounds = (candidates.len() + 1).next_power_of_two().trailing_zeros();
    let mut playouts = 0;
    for round in 1..=rounds {
        loop {
            let world = worlds(chance);
            let luck = seed(chance);
            let base = playout::<R>(&world, seat, &favorite, &luck);
            for candidate in &mut candidates {
                candidate.add_sample(
                    playout::<R>(&world, seat, &candidate.action, &luck).saturating_sub(base),
                );
            }
            playouts += 1 + u32::try_from(candidates.len()).unwrap_or(0);
            if budget_used(playouts) >= WHOLE_BUDGET * round / rounds {
                break;
            }
        }
        // Equal sums keep the order of appeal.
        candidates.sort_by_key(|candidate| Reverse(candidate.lead_sum));
        candidates.truncate(candidates.len().div_ceil(2));
    }
    let best = candidates
        .into_iter()
        .next()
        .filter(|candidate| candidate.is_significant(R::MIN_STD_ERRORS));
    Some(best.map_or(favorite, |candidate| candidate.action))
}

/// Returns the action with the highest foreseen value, as far as the budget goes; among equals the one with more
/// appeal.
fn best_by_lookahead<R: Heuristics>(
    world: &R::State,
    seat: Seat,
    set: CandidateSet<R::Action>,
    base: i32,
    budget_used: BudgetUsed<'_>,
) -> R::Action {
    let (mut best, mut most) = (set.favorite, base);
    for (made, candidate) in (1..).zip(set.candidates) {
        if budget_used(made) >= WHOLE_BUDGET {
            break;
        }
        let value = R::lookahead_value(world, seat, &candidate.action, &set.luck);
        if let Some(value) = value.filter(|&value| value > most) {
            (best, most) = (candidate.action, value);
        }
    }
    best
}

/// Selects the actions to compare: the habitual action, and those with the most appeal, best first.
fn select_candidates<R: Heuristics>(
    world: &R::State,
    seat: Seat,
    actions: Vec<R::Action>,
    chance: &mut Chance,
) -> Option<CandidateSet<R::Action>> {
    let luck = Chance::from_seed(&seed(chance));
    let habitual = R::playout_policy(world, seat);
    let rated = actions.into_iter().map(|action| {
        let other = habitual.as_ref() != Some(&action);
        let prior = R::prior(world, seat, &action, &luck);
        ((other, Reverse(prior)), chance.uniform(1 << 16), action)
    });
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by_key(|&(rating, tie_break, _)| (rating, tie_break));
    rated.truncate(R::WIDTH);
    let mut rated = rated.into_iter();
    let (_, _, favorite) = rated.next()?;
    let candidates = rated.filter(|((_, Reverse(prior)), _, _)| *prior > i32::MIN);
    let candidates = candidates.map(|(_, _, action)| Candidate {
        action,
        lead_sum: 0,
        squared_sum: 0,
    });
    let candidates = candidates.collect();
    Some(CandidateSet {
        favorite,
        candidates,
        luck,
    })
}
