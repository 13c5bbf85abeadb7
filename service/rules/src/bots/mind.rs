//! What a ruleset tells bots about itself.

use crate::ruleset::{Ruleset, carry_out};
use crate::table::{Chance, Journal, Seat};

/// What a player of this ruleset knows besides the rules. Whole numbers: bots are as exact as rules.
pub trait Mind: Ruleset {
    /// The decisions that a playout of `search` goes through before the table is judged.
    const HORIZON: u32;

    /// The number of seats of a table.
    fn players(state: &Self::State) -> usize;

    /// Does this action end the game in favor of the seat that plays it? Every policy takes it.
    fn ends(_action: &Self::Action) -> bool {
        false
    }

    /// What the table is worth to a seat at first sight: about ten for each victory point. `greedy`
    /// plays by this alone, unless the ruleset has a better [`glance`](Self::glance).
    fn worth(state: &Self::State, seat: Seat) -> i32;

    /// What the seat can expect of the table, on the same scale: what `search` compares.
    fn promise(state: &Self::State, seat: Seat) -> i32 {
        Self::worth(state, seat)
    }

    /// `greedy` plays a random legal action once in this many decisions; 0: never. For rulesets in which
    /// two players who repeat themselves would never finish.
    const WHIM: usize = 0;

    /// The kinds of actions that bots leave alone as long as there are others: repeated at random, they
    /// leave players who can never bring a game to its end.
    const RUINOUS: &'static [&'static str] = &[];

    /// The kinds of actions that playouts look at, if one of them is legal; empty: all kinds.
    const LIKELY: &'static [&'static str] = &[];

    /// How good an action looks at first sight: what `greedy` compares.
    fn glance(state: &Self::State, seat: Seat, action: &Self::Action, luck: &Chance) -> i32 {
        worth_after::<Self>(state, seat, action, luck)
    }

    /// How good an action looks before it is tried, to compare it with the others of its list:
    /// playouts choose by this, and `search` tries the best first.
    fn appeal(state: &Self::State, seat: Seat, action: &Self::Action, luck: &Chance) -> i32 {
        promise_after::<Self>(state, seat, action, luck)
    }
}

/// What a won game adds to its score, and a lost one takes away.
const WON: i32 = 100;

/// The table after an action, on a copy and with this luck; nothing, if the action is refused.
pub(super) fn after<R: Ruleset>(
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

/// What the table after an action is worth to the seat at first sight.
fn worth_after<R: Mind>(state: &R::State, seat: Seat, action: &R::Action, luck: &Chance) -> i32 {
    let Some(after) = after::<R>(state, seat, action, luck) else {
        return i32::MIN;
    };
    result::<R>(&after, seat).unwrap_or_else(|| R::worth(&after, seat))
}

/// What the seat can expect of the table after an action.
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

/// How far a seat leads, at the end or by what it can expect.
pub(super) fn lead<R: Mind>(state: &R::State, seat: Seat) -> i32 {
    result::<R>(state, seat).unwrap_or_else(|| {
        let others = seat.others(R::players(state));
        let others = others.map(|other| R::promise(state, other)).max();
        R::promise(state, seat).saturating_sub(others.unwrap_or(0))
    })
}

/// How far a seat led at the end: ten for each point, and more if it has won.
fn result<R: Ruleset>(state: &R::State, seat: Seat) -> Option<i32> {
    let ranking = R::ranking(state)?;
    let own = ranking.standings.iter().find(|one| one.seat == seat)?;
    let others = ranking.standings.iter().filter(|one| one.seat != seat);
    let best = others.map(|one| one.score).max().unwrap_or(0);
    let alone = ranking.winners().count() == 1;
    let bonus = match (own.rank, alone) {
        (1, true) => WON,
        (1, false) => 0,
        _ => -WON,
    };
    Some(bonus + 10 * (own.score - best))
}
