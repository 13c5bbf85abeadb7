//! Players who seek what random players rarely reach, and players who choose the action with the highest immediate
//! value.

use gamekeeper_rules::bots::{Budget, Heuristics, Policy};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, Seat, Viewer};
use gamekeeper_wire::Wire;

use super::game::{Extent, Plan, seats_of};
use super::{Recorder, chance};

/// A player takes an arbitrary action that they like once in this many times, on average.
const STRAY: u8 = 8;

/// A game of players who prefer some actions, to reach a goal.
pub struct Quest<W: Ruleset> {
    /// The goal of the players, as the title of the session.
    pub title: &'static str,
    /// The number of players.
    pub seats: usize,
    /// The seed of the table, the draws and the choices, with which the players reach the goal.
    pub seed: u64,
    /// The items that the players seek, such as `event stalemate`. The session ends when all are found. If empty, it
    /// ends with the last new item.
    pub until: &'static [&'static str],
    /// The preference of a player for an action. Players usually take an action with the highest preference, and never
    /// one with preference 0 unless there is no other.
    pub likes: fn(&W::View, Seat, &W::Action) -> u32,
}

impl<W: Wire + Audit + Heuristics> Recorder<W> {
    /// Records a whole game of players who choose the action with the highest immediate value, and sometimes any
    /// action, so that it reaches what games of people reach.
    pub(super) fn good_game(&mut self, number: u64) {
        let seats = seats_of::<W>(number);
        let mut luck = chance(number + 4_000);
        let plan = Plan {
            title: &format!("good game {number}"),
            seats,
            options: &W::table(seats, number),
            seed: number + 500,
            extent: Extent::Legal,
            until: &[],
        };
        self.play(&plan, &mut |state, seat, legal| {
            let is_stray = strays(&mut luck);
            let mut worlds = |_: &mut Chance| state.clone();
            let best =
                Policy::Greedy.choose::<W>(seat, &mut worlds, Budget::untimed(None), &mut luck);
            let best = best.filter(|_| !is_stray);
            let index = best.and_then(|best| legal.iter().position(|action| *action == best));
            let choice = index.unwrap_or_else(|| W::choose(state, seat, legal, &mut luck));
            drop(luck.take_record());
            choice
        });
    }

    /// Plays a quest up to the last new item.
    pub(super) fn quest(&mut self, quest: &Quest<W>) {
        self.seek(quest, Extent::News);
    }

    /// Plays a quest to the end of its game.
    pub(super) fn whole(&mut self, quest: &Quest<W>) {
        self.seek(quest, Extent::Legal);
    }

    fn seek(&mut self, quest: &Quest<W>, extent: Extent) {
        let mut luck = chance(quest.seed + 1_000);
        let plan = Plan {
            title: quest.title,
            seats: quest.seats,
            options: &W::table(quest.seats, quest.seed),
            seed: quest.seed,
            extent,
            until: quest.until,
        };
        self.play(&plan, &mut |state, seat, legal| {
            let view = W::view(state, Viewer::Seat(seat));
            let likes = |action| (quest.likes)(&view, seat, action);
            choose(legal.iter().map(likes).collect(), &mut luck)
        });
    }
}

/// Returns whether a player takes an arbitrary action this time.
fn strays(luck: &mut Chance) -> bool {
    luck.roll("stray", None, STRAY, 1) == [STRAY]
}

fn choose(likes: Vec<u32>, luck: &mut Chance) -> usize {
    let most = likes.iter().copied().max().unwrap_or(0);
    let strays = strays(luck);
    let indices: Vec<u16> = (0..)
        .zip(likes)
        .filter(|&(_, liked)| liked == most || strays && liked > 0)
        .map(|(index, _)| index)
        .collect();
    let index = luck.pick("play", None, &indices).unwrap_or(0);
    drop(luck.take_record());
    usize::from(index)
}
