//! The end of the game (CAY-8).

use serde::{Deserialize, Serialize};

use super::data::Resource;
use super::event::Event;
use super::options::SeatList;
use super::state::{Log, Phase, Player, State, Step};
use crate::table::{PerSeat, Ranking, ScoreItem};

/// The final score of one seat (CAY-8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalScore {
    /// Prestige points before final scoring.
    pub before: u16,
    /// 3 for each gold.
    pub gold: u16,
    /// 1 for 3 other cubes, whatever their kinds.
    pub cubes: u16,
    /// 1 for 4 deniers.
    pub deniers: u16,
}

impl FinalScore {
    /// Prestige points for each gold (CAY-8.2).
    const PER_GOLD: u16 = 3;
    /// Other cubes for one prestige point (CAY-8.2).
    const CUBES: u16 = 3;
    /// Deniers for one prestige point (CAY-8.2).
    const DENIERS: u16 = 4;

    /// What final scoring adds for this player; cubes and deniers are not spent.
    fn of(before: u16, player: &Player) -> Self {
        Self {
            before,
            gold: player.cubes.count(Resource::Gold) * Self::PER_GOLD,
            cubes: player.cubes.not_gold() / Self::CUBES,
            deniers: player.deniers / Self::DENIERS,
        }
    }

    /// What final scoring adds.
    const fn added(self) -> u16 {
        self.gold + self.cubes + self.deniers
    }

    /// The total.
    #[must_use]
    pub const fn total(self) -> u16 {
        self.before + self.added()
    }
}

/// Adds the final points and closes the game.
///
/// # Rule CAY-8.1, CAY-8.2
/// After the Towers: 3 VP for each gold, 1 for 3 other cubes, 1 for 4 deniers.
pub(super) fn finish(state: &mut State, journal: &mut Log) {
    state.enter(Phase::Finished);
    state.step = Step::Over;
    for player in state.players.iter_mut() {
        player.vp += FinalScore::of(0, player).added();
    }
    if let Some((scores, winners)) = result(state) {
        journal.event(Event::GameEnded { scores, winners });
    }
}

/// The final scores and the winners, once the game is over.
///
/// # Rule CAY-8.3
/// All players with the highest total win.
pub(super) fn result(state: &State) -> Option<(PerSeat<FinalScore>, SeatList)> {
    if state.phase != Phase::Finished {
        return None;
    }
    let scores = PerSeat::new(state.players.count(), |seat| {
        let player = &state.players[seat];
        let added = FinalScore::of(0, player).added();
        FinalScore::of(player.vp.saturating_sub(added), player)
    });
    let best = scores.iter().map(|score| score.total()).max();
    let winners = scores
        .entries()
        .filter(|(_, score)| Some(score.total()) == best)
        .map(|(seat, _)| seat)
        .collect();
    Some((scores, winners))
}

/// The ranking, once the game is over. There is no tie-break.
pub(super) fn ranking(state: &State) -> Option<Ranking> {
    let (scores, _) = result(state)?;
    Some(Ranking::of(
        scores
            .entries()
            .map(|(seat, &score)| (seat, breakdown(score), Vec::new())),
    ))
}

fn breakdown(score: FinalScore) -> Vec<ScoreItem> {
    let item = |source, points: u16| ScoreItem {
        source,
        points: i32::from(points),
    };
    vec![
        item("vp", score.before),
        item("gold", score.gold),
        item("cubes", score.cubes),
        item("deniers", score.deniers),
    ]
}
