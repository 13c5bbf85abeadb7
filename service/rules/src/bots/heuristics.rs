//! The strategic knowledge of a ruleset that bots need: **evaluation functions** and published strategies.

use super::level::{Effort, Level};
use crate::ruleset::{Ruleset, apply_permitted};
use crate::table::{Chance, Journal, Seat};

/// A published strategy of one ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The name under which it can be chosen.
    pub id: &'static str,
    /// A description of the strategy, in a few words.
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
    note = "what they think of a table stands in `service/rules/src/<ruleset>/heuristics.rs`"
)]
pub trait Heuristics: Ruleset {
    /// The number of decisions in a playout of `search` before the table is evaluated.
    const HORIZON: u32;

    /// The published strategies that anyone can play against.
    const STRATEGIES: &'static [Strategy] = &[];

    /// Returns the action of a strategy, by its index in [`STRATEGIES`](Self::STRATEGIES). The action follows from
    /// what the seat knows and is legal. Returns `None` if the seat owes no decision, or if there is no such strategy.
    fn strategy_action(
        _strategy: usize,
        _state: &Self::State,
        _seat: Seat,
    ) -> Option<Self::Action> {
        None
    }

    /// Returns the action of a player with a good plan, without a comparison of all legal actions. Playouts follow it,
    /// and `search` deviates from it only for an action that does better. Returns `None` if bots choose by
    /// [`prior`](Self::prior).
    fn playout_policy(_state: &Self::State, _seat: Seat) -> Option<Self::Action> {
        None
    }

    /// The maximum number of actions that `search` compares.
    const WIDTH: usize = 12;

    /// The number of standard errors by which an action must be better than the favorite of `search`.
    const MIN_STD_ERRORS: u32 = 1;

    /// The number of playouts of `search` for a decision, unless the caller sets another.
    const PLAYOUTS: u32 = 64;

    /// How far the levels look, weakest first. They are set by measurement: see `client-cli/docs/bots.md`.
    const LEVELS: [Effort; Level::ALL.len()] = [
        Effort::of(8, Self::WIDTH, Self::HORIZON),
        Effort::of(32, Self::WIDTH, Self::HORIZON),
        Effort::of(128, Self::WIDTH, Self::HORIZON),
    ];

    /// The bonus for a won game, and the penalty for a lost one.
    const WON: i32 = 100;

    /// Returns the number of seats of a table.
    fn players(state: &Self::State) -> usize;

    /// Returns whether this action ends the game in favor of the seat that plays it. Every policy takes such an action.
    fn ends(_action: &Self::Action) -> bool {
        false
    }

    /// Returns the immediate value of the table for a seat: about ten for each victory point. `greedy` plays by this
    /// alone, unless the ruleset has a better [`greedy_score`](Self::greedy_score).
    fn evaluate(state: &Self::State, seat: Seat) -> i32;

    /// Returns the expected value of the table for the seat, on the same scale: `search` compares it.
    fn expected_value(state: &Self::State, seat: Seat) -> i32 {
        Self::evaluate(state, seat)
    }

    /// The interval, in decisions, at which `greedy` plays a random legal action on average; 0 means never. For
    /// rulesets in which two players who repeat themselves would never finish.
    const EPSILON_ONE_IN: usize = 0;

    /// The kinds of actions that bots avoid while there are others: repeated at random, they leave players who can
    /// never finish a game.
    const AVOIDED_KINDS: &'static [&'static str] = &[];

    /// The kinds of actions that playouts consider, if one of them is legal. Empty: all kinds.
    const PLAYOUT_KINDS: &'static [&'static str] = &[];

    /// Returns the immediate value of an action: `greedy` compares it.
    fn greedy_score(state: &Self::State, seat: Seat, action: &Self::Action, luck: &Chance) -> i32 {
        evaluate_after::<Self>(state, seat, action, luck)
    }

    /// Rates an action before it is tried, relative to the others of its list: the **prior**. Playouts choose by it,
    /// and `search` tries the actions with the highest rating and drops those rated `i32::MIN`.
    fn prior(state: &Self::State, seat: Seat, action: &Self::Action, luck: &Chance) -> i32 {
        expected_value_after::<Self>(state, seat, action, luck)
    }

    /// Returns the value of an action by the ruleset's own look ahead over this many decisions, which `search` compares
    /// instead of playouts. Returns `None` if `search` must use playouts.
    fn lookahead_value(
        _state: &Self::State,
        _seat: Seat,
        _action: &Self::Action,
        _horizon: u32,
        _luck: &Chance,
    ) -> Option<i32> {
        None
    }
}

/// Plays an action on a copy, with this luck, and returns the table after it; `None` if the action is refused.
pub fn state_after<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Chance,
) -> Option<R::State> {
    let permit = R::check(state, seat, action).ok()?;
    let (mut state, mut luck) = (state.clone(), luck.clone());
    apply_permitted::<R>(&mut state, permit, &mut luck, &mut Journal::new());
    Some(state)
}

/// Returns the immediate value of the table after an action for the seat.
fn evaluate_after<R: Heuristics>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Chance,
) -> i32 {
    let Some(next_state) = state_after::<R>(state, seat, action, luck) else {
        return i32::MIN;
    };
    final_margin::<R>(&next_state, seat).unwrap_or_else(|| R::evaluate(&next_state, seat))
}

/// Returns the expected value of the table after an action for the seat.
pub(crate) fn expected_value_after<R: Heuristics>(
    state: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Chance,
) -> i32 {
    let Some(next_state) = state_after::<R>(state, seat, action, luck) else {
        return i32::MIN;
    };
    final_margin::<R>(&next_state, seat).unwrap_or_else(|| R::expected_value(&next_state, seat))
}

/// Returns the lead of a seat: the final one if the game is over, otherwise the expected one.
pub(super) fn score_margin<R: Heuristics>(state: &R::State, seat: Seat) -> i32 {
    final_margin::<R>(state, seat).unwrap_or_else(|| {
        let others = seat.others(R::players(state));
        let others = others.map(|other| R::expected_value(state, other)).max();
        R::expected_value(state, seat).saturating_sub(others.unwrap_or(0))
    })
}

/// Returns the lead of a seat at the end: ten for each point, and more if it has won.
fn final_margin<R: Heuristics>(state: &R::State, seat: Seat) -> Option<i32> {
    let ranking = R::ranking(state)?;
    let standing = ranking.standings.iter().find(|one| one.seat == seat)?;
    let others = ranking.standings.iter().filter(|one| one.seat != seat);
    let best = others.map(|one| R::INFO.merit(one.score)).max();
    let lead = R::INFO.merit(standing.score) - best.unwrap_or(0);
    let alone = ranking.winners().count() == 1;
    let bonus = match (standing.rank, alone) {
        (1, true) => R::WON,
        (1, false) => 0,
        _ => -R::WON,
    };
    Some(bonus + 10 * lead)
}
