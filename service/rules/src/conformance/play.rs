//! Random games, checked after every action.

use std::collections::BTreeSet;
use std::fmt;

use super::audit::Audit;
use super::forced::{forced_is_forced, set_up_decides_nothing};
use super::foresight::foresight_holds;
use super::forks::{Version, forks_play_on};
use super::leaving::fallbacks_answer;
use super::lists::{lists_join, words_tell_apart};
use super::periods::prices_are_whole;
use super::prices::prices_hold;
use super::retelling::Audience;
use super::secrecy::{events_keep_secrets, state_keeps_secrets};
use super::take_backs::reveals_are_marked;
use super::universe::universe;
use super::worlds::{play_on, worlds_go_on, worlds_look_the_same};
use crate::ruleset::{Applied, apply, create, legal_actions};
use crate::table::{
    Chance, Detail, Fault, PerSeat, Seat, Seed, TextContext, Viewer, decode, encode,
};
use crate::table_life::{EntryStamp, Outcome, Table};

/// The number and length of the games to play, and the interval of the costly checks.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of games.
    pub games: u64,
    /// The seed of the first game; each further game has the next.
    pub first_seed: u64,
    /// The maximum number of actions; a game is left unfinished after them.
    pub max_actions: u64,
    /// The costly checks (universe, secrecy) are made in every state whose number is a multiple of this.
    pub closely_every: u64,
}

impl Plan {
    /// A plan for short games.
    pub const SHORT: Self = Self {
        games: 20,
        first_seed: 1,
        max_actions: 20_000,
        closely_every: 7,
    };
}

impl Default for Plan {
    fn default() -> Self {
        Self::SHORT
    }
}

/// Statistics of the games that were played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games begun.
    pub games: u64,
    /// Games that ended.
    pub finished: u64,
    /// Actions played, automatic ones not counted.
    pub actions: u64,
    /// The number of actions of the longest game.
    pub longest_game: u64,
    /// The length of the longest legal list.
    pub longest_list: usize,
    /// The size of the largest encoded state, in bytes.
    pub largest_state: usize,
    /// Actions that changed the holdings of their seat by exactly their price, with nothing drawn and no other
    /// consequence.
    pub exact: u64,
    /// States checked closely.
    pub closely: u64,
    /// Sampled worlds, one per game, that were played to the end.
    pub worlds_finished: u64,
}

/// A guarantee that did not hold, with the place where it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed of the game.
    pub seed: u64,
    /// The number of actions played before.
    pub actions: u64,
    /// The broken guarantee.
    pub fault: Fault,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}, after {} actions: {}",
            self.seed, self.actions, self.fault
        )
    }
}

impl std::error::Error for Failure {}

/// Plays random games of this many seats and checks every guarantee after every action.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn play_games<R: Audit>(seats: usize, plan: &Plan) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    for seed in plan.first_seed..plan.first_seed + plan.games {
        play_game::<R>(&R::table(seats, seed), seed, plan, &mut tally)?;
    }
    Ok(tally)
}

/// Plays one random game and checks every guarantee after every action.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn play_game<R: Audit>(
    options: &R::Options,
    seed: u64,
    plan: &Plan,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut game = Game::<R>::start(options, seed);
    tally.games += 1;
    let mut play = || -> Result<(), Fault> {
        text_context_is_kept::<R>(None, &game.now)?;
        set_up_decides_nothing::<R>(&game.now)?;
        game.look(plan, tally)?;
        game.audience.hear(&game.now)?;
        while game.actions < plan.max_actions && game.step(plan, tally)? {}
        let luck = |position| Chance::resume(&game.seed, position);
        forks_play_on(options, &game.versions, luck)?;
        game.play_a_world(plan, tally)
    };
    let result = play();
    tally.actions += game.actions;
    tally.longest_game = tally.longest_game.max(game.actions);
    tally.finished += u64::from(R::pending(&game.now.state).is_empty());
    result.map_err(|fault| Failure {
        seed,
        actions: game.actions,
        fault,
    })
}

/// The number of actions after which a world of the table is sampled and played.
const WORLD_AT: u64 = 3;

struct Game<R: Audit> {
    now: Applied<R>,
    seats: usize,
    /// The luck that chooses the actions; independent of the game's own luck.
    player: Chance,
    /// All versions, from the set-up on.
    versions: Vec<Version<R>>,
    /// The readers of the events.
    audience: Audience<R>,
    seed: Seed,
    actions: u64,
    /// The table at which a world is sampled and played.
    midway: Option<R::State>,
}

impl<R: Audit> Game<R> {
    fn start(options: &R::Options, seed: u64) -> Self {
        let player = Chance::from_seed(&Seed::from_number(seed ^ (1 << 63)));
        let seed = Seed::from_number(seed);
        let now = create::<R>(options, Chance::from_seed(&seed));
        Self {
            versions: vec![Version::new(None, &now)],
            audience: Audience::new(options),
            seed,
            now,
            seats: R::seats(options),
            player,
            actions: 0,
            midway: None,
        }
    }

    /// Plays one action. Returns false at the end of the game.
    fn step(&mut self, plan: &Plan, tally: &mut Tally) -> Result<bool, Fault> {
        let pending = R::pending(&self.now.state);
        let seats: Vec<Seat> = pending.iter().map(|pending| pending.seat).collect();
        let Some(seat) = self.player.pick("seat", None, &seats) else {
            return Ok(false);
        };
        let legal = legal_actions::<R>(&self.now.state, seat, Detail::Moves);
        let choice = R::choose(&self.now.state, seat, &legal, &mut self.player);
        drop(self.player.take_record());
        let action = legal[choice].clone();
        let next =
            apply::<R>(&self.now.state, &self.now.chance, seat, &action).map_err(|refusal| {
                Fault {
                    rule: "listed_is_accepted",
                    text: refusal.to_string(),
                }
            })?;
        R::step_invariants(&self.now.state, &next.state, &next.events)?;
        something_happened::<R>(&next, seat)?;
        text_context_is_kept::<R>(R::text_context(&self.now.state), &next)?;
        let played = (seat, &action);
        forced_is_forced::<R>(&self.now, &next, played)?;
        let mut luck = Chance::from_seed(&Seed::from_number(self.actions));
        let exact = prices_hold::<R>(&self.now, &next, played, &mut luck)?;
        tally.exact += u64::from(exact);
        if self.actions.is_multiple_of(plan.closely_every) {
            self.foresight_holds(&next, played)?;
        }
        prices_are_whole::<R>(&self.now.state, played, &mut luck)?;
        reveals_are_marked::<R>(&self.now, &next, played, self.seats, &mut self.player)?;
        self.versions
            .push(Version::new(Some((seat, action)), &next));
        self.now = next;
        self.actions += 1;
        self.look(plan, tally)?;
        self.audience.hear(&self.now)?;
        Ok(true)
    }

    fn foresight_holds(
        &mut self,
        next: &Applied<R>,
        (seat, action): (Seat, &R::Action),
    ) -> Result<(), Fault> {
        let table = Table {
            state: &self.now.state,
            chance: &self.now.chance,
            seats: self.seats,
            table_life: None,
        };
        let stamp = EntryStamp {
            version: self.actions + 2,
            at_ms: self.actions,
        };
        let after = Outcome::of(next, None, seat);
        foresight_holds::<R>(table, &after, (seat, action, stamp), &mut self.player)
    }

    fn look(&mut self, plan: &Plan, tally: &mut Tally) -> Result<(), Fault> {
        let state = &self.now.state;
        R::invariants(state)?;
        ends_with_a_ranking::<R>(state, self.seats)?;
        events_keep_secrets::<R>(&self.now.events, self.seats, &mut self.player)?;
        let bytes = encode(state);
        let again: R::State = decode(&bytes).map_err(|error| Fault {
            rule: "codec",
            text: error.to_string(),
        })?;
        Fault::unless(again == *state && encode(&again) == bytes, "codec", || {
            String::from("the state does not survive encoding")
        })?;
        tally.largest_state = tally.largest_state.max(bytes.len());
        for seat in Seat::all(self.seats) {
            let longest = list_is_whole::<R>(state, &again, seat)?;
            tally.longest_list = tally.longest_list.max(longest);
        }
        if self.actions.is_multiple_of(plan.closely_every) {
            look_closely::<R>(state, self.seats, &mut self.player)?;
            tally.closely += 1;
        }
        worlds_look_the_same::<R>(state, self.seats, &mut self.player)?;
        if self.actions == WORLD_AT {
            self.midway = Some(state.clone());
        }
        drop(self.player.take_record());
        // Play continues from the decoded state, so a difference from the original state would show later.
        self.now.state = again;
        Ok(())
    }

    /// Plays on in a world that the seat to move may have been in.
    fn play_a_world(&mut self, plan: &Plan, tally: &mut Tally) -> Result<(), Fault> {
        if let Some(state) = &self.midway {
            let pending = R::pending(state).first().copied();
            let seat = pending.map_or(Seat::FIRST, |pending| pending.seat);
            let ended = play_on::<R>(state, seat, plan.max_actions, &mut self.player)?;
            tally.worlds_finished += u64::from(ended);
        }
        Ok(())
    }
}

/// Checks that the acting seat sees at least one event, unless the game ended, which is reported beside the events.
/// Other seats may see none: the action may be secret.
fn something_happened<R: Audit>(next: &Applied<R>, seat: Seat) -> Result<(), Fault> {
    let heard = |event| R::event_view(event, Viewer::Seat(seat)).is_some();
    let ended = R::pending(&next.state).is_empty();
    Fault::unless(ended || next.events.iter().any(heard), "told", || {
        format!("{seat} hears nothing of the action")
    })
}

/// Checks that the events, applied to the text context, give that of the table after them.
fn text_context_is_kept<R: Audit>(
    before: Option<TextContext>,
    now: &Applied<R>,
) -> Result<(), Fault> {
    let mut scene = before.unwrap_or_default();
    for event in &now.events {
        R::update_text_context(&mut scene, event);
    }
    let actual = R::text_context(&now.state).unwrap_or_default();
    Fault::unless(scene == actual, "scene", || {
        format!("the events make {scene:?}, the table {actual:?}")
    })
}

fn ends_with_a_ranking<R: Audit>(state: &R::State, seats: usize) -> Result<(), Fault> {
    let over = R::pending(state).is_empty();
    let ranking = R::ranking(state);
    Fault::unless(over == ranking.is_some(), "ranking", || {
        format!("over: {over}, ranking: {ranking:?}")
    })?;
    // Scores must exist at any moment, because players may agree to end the game by its points.
    let scores = R::scores(state);
    Fault::unless(!over || scores == ranking, "ranking", || {
        format!("the game is over with {ranking:?}, but the points are {scores:?}")
    })?;
    let Some(ranking) = scores else {
        return Ok(());
    };
    let is_ordered = ranking.standings.is_sorted_by(|better, worse| {
        R::INFO.merit(worse.score) <= R::INFO.merit(better.score) && better.rank <= worse.rank
    });
    Fault::unless(is_ordered, "ranking", || {
        format!("out of order: {ranking:?}")
    })?;
    let sources = R::sources();
    let items = (ranking.standings.iter())
        .flat_map(|standing| standing.breakdown.iter().chain(&standing.tie_breaks));
    for item in items {
        Fault::unless(sources.contains(&item.source), "sources", || {
            format!("{:?} is not among {sources:?}", item.source)
        })?;
    }
    let ranked: BTreeSet<Seat> = ranking
        .standings
        .iter()
        .map(|standing| standing.seat)
        .collect();
    let sums = ranking.standings.iter().all(|standing| {
        standing.score
            == standing
                .breakdown
                .iter()
                .map(|item| item.points)
                .sum::<i32>()
    });
    Fault::unless(
        sums && ranked.len() == seats && ranking.standings.len() == seats,
        "ranking",
        || format!("{ranking:?}"),
    )
}

/// Checks that a seat has legal actions exactly if it owes a decision, also after saving and loading. Returns their
/// number.
fn list_is_whole<R: Audit>(state: &R::State, again: &R::State, seat: Seat) -> Result<usize, Fault> {
    let owes = R::pending(state).iter().any(|pending| pending.seat == seat);
    let legal = legal_actions::<R>(state, seat, Detail::Moves);
    Fault::unless(owes != legal.is_empty(), "no_dead_end", || {
        format!(
            "{seat} owes a decision: {owes}, legal actions: {}",
            legal.len()
        )
    })?;
    Fault::unless(
        legal == legal_actions::<R>(again, seat, Detail::Moves),
        "codec",
        || format!("the legal actions of {seat} change when the state is saved"),
    )?;
    Ok(legal.len())
}

/// Makes the costly checks: every seat tries a universe of actions, at this table and at twin tables.
fn look_closely<R: Audit>(
    state: &R::State,
    seats: usize,
    chance: &mut Chance,
) -> Result<(), Fault> {
    let tried = PerSeat::new(seats, |seat| universe::<R>(state, seat));
    for (seat, tried) in tried.entries() {
        list_is_the_judge::<R>(state, seat, tried)?;
        lists_join::<R>(state, seat)?;
        words_tell_apart::<R>(state, seat)?;
    }
    fallbacks_answer::<R>(state, seats, chance)?;
    worlds_go_on::<R>(state, &tried, chance)?;
    state_keeps_secrets::<R>(state, &tried, chance)
}

/// Checks that the legal list and `check` agree.
fn list_is_the_judge<R: Audit>(
    state: &R::State,
    seat: Seat,
    tried: &[R::Action],
) -> Result<(), Fault> {
    let legal = legal_actions::<R>(state, seat, Detail::Moves);
    let twice = (1..legal.len()).find(|&at| legal[..at].contains(&legal[at]));
    Fault::unless(twice.is_none(), "listed_once", || {
        format!("{seat}: {:?}", twice.map(|at| &legal[at]))
    })?;
    for action in tried {
        let accepted = R::check(state, seat, action).is_ok();
        let listed = || legal.iter().any(|listed| R::covers(listed, action));
        Fault::unless(!accepted || listed(), "accepted_is_listed", || {
            format!("{seat}: {action:?} is accepted, not listed")
        })?;
    }
    Ok(())
}
