//! What bots need to know of a ruleset.

use crate::ruleset::{Ruleset, carry_out};
use crate::table::{Chance, Journal, Seat};

/// A published strategy of one ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Its name.
    pub id: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
}

impl Strategy {
    pub(crate) const fn of(id: &'static str, about: &'static str) -> Self {
        Self { id, about }
    }
}

/// Strategic knowledge of a ruleset. All values are integers, so bots are as deterministic as rules.
#[diagnostic::on_unimplemented(
    message = "bots know nothing of the ruleset `{Self}`",
    note = "what they think of a table stands in `service/rules/src/<ruleset>/worth.rs`"
)]
pub trait Mind: Ruleset {
    /// The number of decisions in a playout of `search` before the table is evaluated.
    const HORIZON: u32;

    /// The published strategies that anyone can play against.
    const STRATEGIES: &'static [Strategy] = &[];

    /// The action of a strategy, by its place in [`STRATEGIES`](Self::STRATEGIES). It follows from what the seat knows
    /// and is legal. `None`: the seat owes no decision, or there is no such strategy.
    fn follow(_strategy: usize, _state: &Self::State, _seat: Seat) -> Option<Self::Action> {
        None
    }

    /// The action of a player with a good plan, without a comparison of all that are legal. Playouts follow it, and
    /// `search` leaves it only for an action that does better. `None`: bots choose by [`appeal`](Self::appeal).
    fn habit(_state: &Self::State, _seat: Seat) -> Option<Self::Action> {
        None
    }

    /// The maximum number of actions that `search` compares.
    const WIDTH: usize = 12;

    /// The number of standard errors by which an action must be better than the favorite of `search`.
    const DOUBT: u32 = 1;

    /// The number of playouts of `search` for a decision, unless the caller sets another.
    const PLAYOUTS: u32 = 64;

    /// The bonus for a won game, and the penalty for a lost one.
    const WON: i32 = 100;

    /// The number of seats of a table.
    fn players(state: &Self::State) -> usize;

    /// Does this action end the game in favor of the seat that plays it? Every policy takes it.
    fn ends(_action: &Self::Action) -> bool {
        false
    }

    /// The immediate value of the table for a seat: about ten for each victory point. `greedy`
    /// plays by this alone, unless the ruleset has a better [`glance`](Self::glance).
    fn worth(state: &Self::State, seat: Seat) -> i32;

    /// The expected value of the table for the seat, on the same scale: `search` compares it.
    fn promise(state: &Self::State, seat: Seat) -> i32 {
        Self::worth(state, seat)
    }

    /// `greedy` plays a random legal action once in this many decisions; 0: never. For rulesets in which
    /// two players who repeat themselves would never finish.
    const WHIM: usize = 0;

    /// The kinds of actions that bots avoid as long as there are others: repeated at random, they leave
    /// players who can never finish a game.
    const RUINOUS: &'static [&'static str] = &[];

    /// The kinds of actions that playouts consider, if one of them is legal; empty: all kinds.
    const LIKELY: &'static [&'static str] = &[];

    /// The immediate value of an action: `greedy` compares it.
    fn glance(state: &Self::State, seat: Seat, action: &Self::Action, luck: &Chance) -> i32 {
        worth_after::<Self>(state, seat, action, luck)
    }

    /// A rating of an action before it is tried, relative to the others of its list: playouts
    /// choose by it, and `search` tries the best first, and none of `i32::MIN` besides.
    fn appeal(state: &Self::State, seat: Seat, action: &Self::Action, luck: &Chance) -> i32 {
        promise_after::<Self>(state, seat, action, luck)
    }

    /// The value of an action by a look ahead of the ruleset's own: `search` compares it instead of playouts.
    /// `None`: it plays on.
    fn foresee(
        _state: &Self::State,
        _seat: Seat,
        _action: &Self::Action,
        _luck: &Chance,
    ) -> Option<i32> {
        None
    }
}

/// The table after an action, on a copy and with this luck; `None` if the action is refused.
pub(crate) fn after<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Chance,
) -> Option<R::State> {
    let permit = R::check(state, seat, action).ok()?;
    let (mut state, mut luck) = (state.clone(), luck.clone());
    carry_out::<R>(&mut state, permit, &mut luck, &mut Journal::new());
    Some(state)
}

/// The immediate value of the table after an action for the seat.
fn worth_after<R: Mind>(state: &R::State, seat: Seat, action: &R::Action, luck: &Chance) -> i32 {
    let Some(after) = after::<R>(state, seat, action, luck) else {
        return i32::MIN;
    };
    result::<R>(&after, seat).unwrap_or_else(|| R::worth(&after, seat))
}

/// The expected value of the table after an action for the seat.
pub(crate) fn promise_after<R: Mind>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Chance,
) -> i32 {
    let Some(after) = after::<R>(state, seat, action, luck) else {
        return i32::MIN;
    };
    result::<R>(&after, seat).unwrap_or_else(|| R::promise(&after, seat))
}

/// The lead of a seat: final, or expected.
pub(super) fn lead<R: Mind>(state: &R::State, seat: Seat) -> i32 {
    result::<R>(state, seat).unwrap_or_else(|| {
        let others = seat.others(R::players(state));
        let others = others.map(|other| R::promise(state, other)).max();
        R::promise(state, seat).saturating_sub(others.unwrap_or(0))
    })
}

/// The lead of a seat at the end: ten for each point, and more if it has won.
fn result<R: Mind>(state: &R::State, seat: Seat) -> Option<i32> {
    let ranking = R::ranking(state)?;
    let own = ranking.standings.iter().find(|one| one.seat == seat)?;
    let others = ranking.standings.iter().filter(|one| one.seat != seat);
    let best = others.map(|one| one.score).max().unwrap_or(0);
    let alone = ranking.winners().count() == 1;
    let bonus = match (own.rank, alone) {
        (1, true) => R::WON,
        (1, false) => 0,
        _ => -R::WON,
    };
    Some(bonus + 10 * (own.score - best))
}
