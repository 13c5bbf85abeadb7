//! The cults: ranks at the end, and the rewards of the rounds.

use super::figures::{CULT_SPREAD, REWARD, SPADE};
use super::goods::goods;
use super::{EvalContext, foretold};
use crate::terra_mystica::data::{CULT_VP, Cult, ROUNDS, ScoringReward, ScoringTile};
use crate::terra_mystica::stage::Stage;

impl EvalContext<'_> {
    fn steps(&self, cult: Cult) -> i32 {
        i32::from(self.player.cults[cult.index()])
    }

    pub(super) fn cults(&self) -> i32 {
        let spread = CULT_SPREAD.at(self.left);
        let track = |cult: Cult| {
            let steps = self.steps(cult);
            let rivals = self.seat.others(self.state.seats());
            let rivals =
                rivals.map(|rival| i32::from(self.state.players[rival].cults[cult.index()]));
            foretold(steps, rivals, spread, CULT_VP)
        };
        Cult::ALL.map(track).iter().sum()
    }

    /// The worth of the steps at the end of this round and of the next ones.
    ///
    /// # Rule TM-6.61
    /// In all rounds but the last.
    pub(super) fn cult_rewards(&self) -> i32 {
        let given = self.state.stage == Stage::Cult;
        let from = usize::from(self.state.round.max(1)) - 1 + usize::from(given);
        let rounds = self.state.scoring_tiles.iter().enumerate();
        let rounds = rounds.take(usize::from(ROUNDS) - 1).skip(from);
        let all: i32 = rounds
            .map(|(round, &tile)| {
                let passed = i32::try_from(round).unwrap_or(0) + 2;
                self.reward(tile, i32::from(ROUNDS) - passed)
            })
            .sum();
        all * REWARD.at(0) / 100
    }

    /// The reward of a tile, with this many rounds to come after the next one.
    fn reward(&self, tile: ScoringTile, left: i32) -> i32 {
        match tile.reward() {
            ScoringReward::Goods(cult, per, gain) => {
                self.steps(cult) / i32::from(per) * goods(gain, left)
            }
            ScoringReward::Spade(cult, per) => self.steps(cult) / i32::from(per) * SPADE.at(left),
            ScoringReward::PerPriest(gain) => {
                i32::from(self.state.priests_on_cults(self.seat)) * goods(gain, left)
            }
        }
    }
}
