//! Search: playouts of the most promising actions, by **sequential halving**.
//!
//! Each round plays every remaining action, and the favorite, in the same worlds with the same luck,
//! then drops the worse half, so that most of the time goes to the closest contenders.

use std::cmp::Reverse;

use super::playout::playout;
use super::{Mind, seed};
use crate::table::{Chance, Seat};

/// The source of a bot's tables, consistent with what its seat knows. Each call draws one of them.
pub type Worlds<'a, S> = &'a mut dyn FnMut(&mut Chance) -> S;

/// Maps the number of playouts made to the share spent, in thousandths.
pub type Spent<'a> = &'a mut dyn FnMut(u32) -> u32;

/// The whole budget of time or playouts, in thousandths.
const ALL: u32 = 1_000;

/// A candidate that is compared with the favorite, which is the habitual action or the one with the most appeal.
struct Idea<A> {
    action: A,
    /// The lead over the favorite, summed over all playouts.
    ahead: i64,
    /// The sum of the squares of these differences.
    squares: i64,
}

/// The actions to compare: the favorite, and those with the most appeal, best first.
struct Choice<A> {
    favorite: A,
    ideas: Vec<Idea<A>>,
    /// The luck with which their appeal was rated.
    luck: Chance,
}

impl<A> Idea<A> {
    fn note(&mut self, difference: i32) {
        let difference = i64::from(difference);
        self.ahead += difference;
        self.squares += difference * difference;
    }

    /// Returns whether the action is better than the favorite by more than this many standard errors.
    fn convinces(&self, errors: u32) -> bool {
        let errors = i64::from(errors);
        let doubt = self.squares.saturating_mul(errors * errors);
        self.ahead > 0 && self.ahead.saturating_mul(self.ahead) > doubt
    }
}

/// Returns the action that does better in playouts than the favorite; otherwise the favorite.
pub(super) fn search<R: Mind>(
    seat: Seat,
    actions: Vec<R::Action>,
    worlds: Worlds<'_, R::State>,
    spent: Spent<'_>,
    chance: &mut Chance,
) -> Option<R::Action> {
    let world = worlds(chance);
    let choice = promising::<R>(&world, seat, actions, chance)?;
    if choice.ideas.is_empty() || spent(0) >= ALL {
        return Some(choice.favorite);
    }
    if let Some(base) = R::foresee(&world, seat, &choice.favorite, &choice.luck) {
        return Some(foremost::<R>(&world, seat, choice, base, spent));
    }
    let Choice {
        favorite,
        mut ideas,
        ..
    } = choice;
    let rounds = (ideas.len() + 1).next_power_of_two().trailing_zeros();
    let mut playouts = 0;
    for round in 1..=rounds {
        loop {
            let world = worlds(chance);
            let luck = seed(chance);
            let base = playout::<R>(&world, seat, &favorite, &luck);
            for idea in &mut ideas {
                idea.note(playout::<R>(&world, seat, &idea.action, &luck).saturating_sub(base));
            }
            playouts += 1 + u32::try_from(ideas.len()).unwrap_or(0);
            if spent(playouts) >= ALL * round / rounds {
                break;
            }
        }
        // Equal sums keep the order of appeal.
        ideas.sort_by_key(|idea| Reverse(idea.ahead));
        ideas.truncate(ideas.len().div_ceil(2));
    }
    let best = ideas
        .into_iter()
        .next()
        .filter(|idea| idea.convinces(R::DOUBT));
    Some(best.map_or(favorite, |idea| idea.action))
}

/// Returns the action with the highest foreseen value, as far as the budget goes; among equals the one with more
/// appeal.
fn foremost<R: Mind>(
    world: &R::State,
    seat: Seat,
    choice: Choice<R::Action>,
    base: i32,
    spent: Spent<'_>,
) -> R::Action {
    let (mut best, mut most) = (choice.favorite, base);
    for (made, idea) in (1..).zip(choice.ideas) {
        if spent(made) >= ALL {
            break;
        }
        let value = R::foresee(world, seat, &idea.action, &choice.luck);
        if let Some(value) = value.filter(|&value| value > most) {
            (best, most) = (idea.action, value);
        }
    }
    best
}

/// Selects the actions to compare: the habitual action, and those with the most appeal, best first.
fn promising<R: Mind>(
    world: &R::State,
    seat: Seat,
    actions: Vec<R::Action>,
    chance: &mut Chance,
) -> Option<Choice<R::Action>> {
    let luck = Chance::from_seed(&seed(chance));
    let habit = R::habit(world, seat);
    let rated = actions.into_iter().map(|action| {
        let other = habit.as_ref() != Some(&action);
        let appeal = R::appeal(world, seat, &action, &luck);
        ((other, Reverse(appeal)), chance.below(1 << 16), action)
    });
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by_key(|&(appeal, whim, _)| (appeal, whim));
    rated.truncate(R::WIDTH);
    let mut rated = rated.into_iter();
    let (_, _, favorite) = rated.next()?;
    let ideas = rated.filter(|((_, Reverse(appeal)), _, _)| *appeal > i32::MIN);
    let ideas = ideas.map(|(_, _, action)| Idea {
        action,
        ahead: 0,
        squares: 0,
    });
    let ideas = ideas.collect();
    Some(Choice {
        favorite,
        ideas,
        luck,
    })
}
