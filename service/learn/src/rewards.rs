//! The **rewards** of seats at the end of a game.

use gamekeeper_rules::ruleset::RulesetInfo;
use gamekeeper_rules::table::Ranking;

/// The result of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The rank, from 1; equal results share a rank.
    pub rank: u8,
    /// The score.
    pub score: i32,
    /// The score as a value of which more is better: its negative where the fewest points win.
    pub merit: i32,
}

impl Standing {
    /// Returns the results of all seats, in seat order.
    pub(crate) fn of_all(info: &RulesetInfo, ranking: &Ranking) -> Vec<Self> {
        let mut standings: Vec<_> = ranking.standings.iter().collect();
        standings.sort_by_key(|standing| standing.seat);
        let of = |standing: &&gamekeeper_rules::table::Standing| Self {
            rank: standing.rank,
            score: standing.score,
            merit: info.merit(standing.score),
        };
        standings.iter().map(of).collect()
    }
}

/// The reward function. A game that was cut off has rewards of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// By rank: 1 for the first, -1 for the last, evenly spaced between; shared ranks share their rewards. The sum is
    /// 0.
    #[default]
    Rank,
    /// 1 for a win, shared among the winners, and for the others -1 shared among them. The sum is 0.
    Win,
    /// The score itself, or its negative where the fewest points win.
    Score,
    /// The lead of the seat: the difference between its score and the best score of the others.
    Margin,
}

impl Reward {
    /// Returns the reward function of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "rank" => Some(Self::Rank),
            "win" => Some(Self::Win),
            "score" => Some(Self::Score),
            "margin" => Some(Self::Margin),
            _ => None,
        }
    }

    /// Returns the reward of a seat, rounded once: computed with 64 bits, as every client can.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a reward is rounded to the nearest number of 32 bits"
    )]
    pub fn of(self, standings: &[Standing], seat: usize) -> f32 {
        self.exact(standings, seat) as f32
    }

    fn exact(self, standings: &[Standing], seat: usize) -> f64 {
        let Some(standing) = standings.get(seat) else {
            return 0.0;
        };
        match self {
            Self::Rank => by_rank(standings, *standing),
            Self::Win => by_win(standings, *standing),
            Self::Score => standing.merit.into(),
            Self::Margin => {
                let others = standings.iter().enumerate();
                let others = others.filter(|(other, _)| *other != seat);
                let best = others.map(|(_, other)| other.merit).max();
                f64::from(standing.merit) - best.map_or(0.0, f64::from)
            }
        }
    }
}

fn by_rank(standings: &[Standing], standing: Standing) -> f64 {
    let tied = standings.iter().filter(|other| other.rank == standing.rank);
    let tied = count(tied.count());
    let middle = f64::from(standing.rank) - 1.0 + (tied - 1.0) / 2.0;
    1.0 - 2.0 * middle / (count(standings.len()) - 1.0)
}

fn by_win(standings: &[Standing], standing: Standing) -> f64 {
    let winners = standings.iter().filter(|other| other.rank == 1).count();
    let losers = standings.len() - winners;
    match (standing.rank, losers) {
        (_, 0) => 0.0,
        (1, _) => 1.0 / count(winners),
        _ => -1.0 / count(losers),
    }
}

fn count(seats: usize) -> f64 {
    u8::try_from(seats).map_or(0.0, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(of: &[(u8, i32)]) -> Vec<Standing> {
        let standing = |&(rank, score)| Standing {
            rank,
            score,
            merit: score,
        };
        of.iter().map(standing).collect()
    }

    #[test]
    fn rewards_by_rank_and_win_add_up_to_nothing() {
        for of in [
            &[(1, 30), (2, 20), (3, 10)][..],
            &[(1, 30), (1, 30), (3, 10)],
            &[(1, 5), (2, 4), (2, 4), (4, 0), (5, -3)],
            &[(1, 7), (1, 7)],
        ] {
            let standings = standings(of);
            for reward in [Reward::Rank, Reward::Win] {
                let sum: f32 = (0..of.len()).map(|seat| reward.of(&standings, seat)).sum();
                assert!(sum.abs() < 1e-6, "{of:?} {reward:?}");
            }
        }
    }

    #[test]
    fn a_reward_is_the_nearest_number() {
        let standings = standings(&[(1, 9), (2, 8), (3, 7), (4, 6)]);
        let rewards = [0, 1, 2, 3].map(|seat| Reward::Rank.of(&standings, seat));
        assert_eq!(
            rewards.map(f32::to_bits),
            [1.0, 1.0 / 3.0, -1.0 / 3.0, -1.0].map(f32::to_bits)
        );
    }

    #[test]
    fn each_reward_says_what_it_promises() {
        let standings = standings(&[(2, 20), (1, 30), (3, 10)]);
        let of = |reward: Reward| {
            (0..3)
                .map(|seat| reward.of(&standings, seat))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Reward::Rank), [0.0, 1.0, -1.0]);
        assert_eq!(of(Reward::Win), [-0.5, 1.0, -0.5]);
        assert_eq!(of(Reward::Score), [20.0, 30.0, 10.0]);
        assert_eq!(of(Reward::Margin), [-10.0, 10.0, -20.0]);
    }

    /// A seat earns more the better its rank is, whichever points win.
    #[test]
    fn rewards_follow_the_ranks_where_the_fewest_points_win() {
        let mut standings = standings(&[(2, 20), (1, 10), (3, 31)]);
        for standing in &mut standings {
            standing.merit = -standing.score;
        }
        let of = |reward: Reward| [0, 1, 2].map(|seat| reward.of(&standings, seat));
        assert_eq!(of(Reward::Score), [-20.0, -10.0, -31.0]);
        assert_eq!(of(Reward::Margin), [-10.0, 10.0, -21.0]);
    }
}
