//! Players who seek what random players rarely reach.

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, Seat, Viewer};
use gamekeeper_wire::Wire;

use super::game::Plan;
use super::{Recorder, chance};

/// One time in this many, a player takes any action that they like.
const STRAY: u8 = 8;

/// A game of players with a taste.
pub struct Quest<W: Ruleset> {
    /// Their goal, as the title of the session.
    pub title: &'static str,
    /// The number of players.
    pub seats: usize,
    /// The seed of table, luck and play: one with which they reach the goal.
    pub seed: u64,
    /// The items they seek, such as `event stalemate`: the session ends when all are found. If empty,
    /// it ends with the last new item.
    pub until: &'static [&'static str],
    /// How much a player likes an action. They mostly take one of those that they like most, and
    /// never one that they do not like at all, unless there is no other.
    pub likes: fn(&W::View, Seat, &W::Action) -> u32,
}

impl<W: Wire + Audit> Recorder<W> {
    /// Plays a quest up to the last new item.
    pub(super) fn quest(&mut self, quest: &Quest<W>) {
        let mut luck = chance(quest.seed + 1_000);
        let plan = Plan {
            title: quest.title,
            seats: quest.seats,
            options: &W::table(quest.seats, quest.seed),
            seed: quest.seed,
            whole: false,
            until: quest.until,
        };
        self.play(&plan, &mut |state, seat, legal| {
            let view = W::view(state, Viewer::Seat(seat));
            let likes = |action| (quest.likes)(&view, seat, action);
            choose(legal.iter().map(likes).collect(), &mut luck)
        });
    }
}

fn choose(likes: Vec<u32>, luck: &mut Chance) -> usize {
    let most = likes.iter().copied().max().unwrap_or(0);
    let strays = luck.roll("stray", None, STRAY, 1) == [STRAY];
    let places: Vec<u16> = (0..)
        .zip(likes)
        .filter(|&(_, liked)| liked == most || strays && liked > 0)
        .map(|(place, _)| place)
        .collect();
    let place = luck.pick("play", None, &places).unwrap_or(0);
    drop(luck.take_record());
    usize::from(place)
}
