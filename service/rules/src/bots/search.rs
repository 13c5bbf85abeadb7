//! Search: playouts of the most promising actions, by **sequential halving**.
//!
//! Each round plays every remaining action, and the favorite, in the same worlds with the same luck,
//! then drops the worse half, so that most of the time goes to the closest contenders.

use std::cmp::Reverse;

use super::level::Effort;
use super::playout::playout;
use super::{Heuristics, seed};
use crate::table::{Chance, Seat};

/// The source of a bot's tables, consistent with what its seat knows. Each call draws one of them.
pub type WorldSampler<'a, S> = &'a mut dyn FnMut(&mut Chance) -> S;

/// The budget of one decision of `search`. Playouts set its strength; time is only a bound.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The number of playouts of `search`; levels have their own. `None` if it is the ruleset's default.
    pub playouts: Option<u32>,
    /// Returns whether the time is over, so that the bot decides by what it has seen.
    pub is_over: &'a dyn Fn() -> bool,
}

impl Budget<'static> {
    /// Returns a budget without a bound of time.
    #[must_use]
    pub const fn untimed(playouts: Option<u32>) -> Self {
        Self {
            playouts,
            is_over: &|| false,
        }
    }
}

/// The findings of `search` about an action. Values are those of [`Heuristics`]: about ten for each victory point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating<A> {
    /// The action.
    pub action: A,
    /// The number of playouts of the action; 1 if the ruleset looks ahead by itself, 0 if the action was not compared.
    pub count: u32,
    /// The lead of the seat after the action, summed over these playouts.
    pub value_sum: i64,
    /// The difference from the favorite in the same worlds with the same luck, summed over these playouts. 0 for the
    /// favorite.
    pub lead_sum: i64,
    /// The sum of the squares of these differences.
    pub squared_sum: i64,
}

/// The actions to compare: the favorite, and those with the most appeal, best first.
struct CandidateSet<A> {
    favorite: Rating<A>,
    candidates: Vec<Rating<A>>,
    /// The luck with which their appeal was rated.
    luck: Chance,
}

impl<A> CandidateSet<A> {
    /// Keeps the best candidates, as many as can be looked at beside the favorite.
    fn limit(&mut self, playouts: u32) {
        let most = usize::try_from(playouts.saturating_sub(1)).unwrap_or(usize::MAX);
        self.candidates.truncate(most);
    }
}

impl<A> Rating<A> {
    /// Creates the rating of an action that was not compared yet.
    pub(super) const fn new(action: A) -> Self {
        Self {
            action,
            count: 0,
            value_sum: 0,
            lead_sum: 0,
            squared_sum: 0,
        }
    }

    /// Adds a value of the action, and that of the favorite in the same world.
    fn add_sample(&mut self, value: i32, base: i32) {
        let difference = i64::from(value.saturating_sub(base));
        self.count += 1;
        self.value_sum += i64::from(value);
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

/// Rates the most promising actions, best first: the one that does better in playouts than the favorite, otherwise the
/// favorite. Returns an empty list if there are no actions.
pub(super) fn search<R: Heuristics>(
    seat: Seat,
    actions: Vec<R::Action>,
    worlds: WorldSampler<'_, R::State>,
    (effort, is_over): (Effort, &dyn Fn() -> bool),
    chance: &mut Chance,
) -> Vec<Rating<R::Action>> {
    let world = worlds(chance);
    let Some(mut set) = select_candidates::<R>(&world, seat, actions, effort.width, chance) else {
        return Vec::new();
    };
    if let Some(base) = R::lookahead_value(
        &world,
        seat,
        &set.favorite.action,
        effort.horizon,
        &set.luck,
    ) {
        set.limit(effort.playouts);
        set.favorite.add_sample(base, base);
        return rate_by_lookahead::<R>(&world, seat, set, (base, effort.horizon), is_over);
    }
    while playouts_needed(set.candidates.len()) > effort.playouts {
        set.candidates.pop();
    }
    let CandidateSet {
        mut favorite,
        mut candidates,
        ..
    } = set;
    let mut dropped = Vec::new();
    let (rounds, mut playouts) = (rounds(candidates.len()), 0);
    'search: for round in 1..=rounds {
        let cost = 1 + count(candidates.len());
        let due = effort.playouts.saturating_mul(round) / rounds;
        while playouts < due && playouts + cost <= effort.playouts {
            if is_over() {
                break 'search;
            }
            let world = worlds(chance);
            let luck = seed(chance);
            let base = playout::<R>(&world, seat, &favorite.action, effort.horizon, &luck);
            favorite.add_sample(base, base);
            for candidate in &mut candidates {
                let value = playout::<R>(&world, seat, &candidate.action, effort.horizon, &luck);
                candidate.add_sample(value, base);
            }
            playouts += cost;
        }
        // Equal sums keep the order of appeal.
        candidates.sort_by_key(|candidate| Reverse(candidate.lead_sum));
        let lost = candidates.split_off(candidates.len().div_ceil(2));
        dropped.splice(0..0, lost);
    }
    candidates.sort_by_key(|candidate| Reverse(candidate.lead_sum));
    candidates.append(&mut dropped);
    let is_better = |best: &Rating<_>| best.is_significant(R::MIN_STD_ERRORS);
    let place = usize::from(candidates.first().is_some_and(is_better));
    candidates.insert(place, favorite);
    candidates
}

fn count(candidates: usize) -> u32 {
    u32::try_from(candidates).unwrap_or(u32::MAX)
}

/// Returns the number of rounds that halve this many candidates and their favorite until one is left.
fn rounds(candidates: usize) -> u32 {
    (candidates + 1).next_power_of_two().trailing_zeros()
}

/// Returns the number of playouts with which every round can play all that are left.
fn playouts_needed(candidates: usize) -> u32 {
    rounds(candidates).saturating_mul(1 + count(candidates))
}

/// Rates the actions by their foreseen values until the time is over, best first; among equals the one with more appeal.
fn rate_by_lookahead<R: Heuristics>(
    world: &R::State,
    seat: Seat,
    set: CandidateSet<R::Action>,
    (base, horizon): (i32, u32),
    is_over: &dyn Fn() -> bool,
) -> Vec<Rating<R::Action>> {
    let mut rated = vec![set.favorite];
    for mut candidate in set.candidates {
        if is_over() {
            break;
        }
        if let Some(value) = R::lookahead_value(world, seat, &candidate.action, horizon, &set.luck)
        {
            candidate.add_sample(value, base);
            rated.push(candidate);
        }
    }
    rated.sort_by_key(|rating| Reverse(rating.value_sum));
    rated
}

/// Selects the actions to compare: the habitual action, and those with the most appeal, best first.
fn select_candidates<R: Heuristics>(
    world: &R::State,
    seat: Seat,
    actions: Vec<R::Action>,
    width: usize,
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
    rated.truncate(width);
    let mut rated = rated.into_iter();
    let (_, _, favorite) = rated.next()?;
    let candidates = rated.filter(|((_, Reverse(prior)), _, _)| *prior > i32::MIN);
    Some(CandidateSet {
        favorite: Rating::new(favorite),
        candidates: candidates
            .map(|(_, _, action)| Rating::new(action))
            .collect(),
        luck,
    })
}
