//! The end of the game (CAY-8).

use crate::caylus::data::Resource;
use crate::caylus::event::{Event, FinalScore};
use crate::caylus::stage::{Phase, SeatList, Stage};
use crate::caylus::state::{Play, Player, State};
use crate::table::PerSeat;

/// Prestige points for each gold (CAY-8.2).
const PER_GOLD: u16 = 3;
/// Other cubes for one prestige point (CAY-8.2).
const CUBES: u16 = 3;
/// Deniers for one prestige point (CAY-8.2).
const DENIERS: u16 = 4;

/// Final scoring of this player, added to this many points; cubes and deniers are not spent.
fn score(before: u16, player: &Player) -> FinalScore {
    FinalScore {
        before,
        gold: player.cubes.count(Resource::Gold) * PER_GOLD,
        cubes: player.cubes.not_gold() / CUBES,
        deniers: player.deniers / DENIERS,
    }
}

/// Adds the final points and closes the game.
///
/// # Rule CAY-8.1, CAY-8.2
/// After the Towers: 3 VP for each gold, 1 for 3 other cubes, 1 for 4 deniers.
pub(crate) fn finish(play: &mut Play<'_>) {
    for player in play.state.players.iter_mut() {
        player.vp = score(player.vp, player).total();
    }
    play.state.enter(Phase::Finished);
    play.state.stage = Stage::Over;
    let (scores, winners) = final_scores(play.state);
    play.tell(Event::GameEnded { scores, winners });
}

/// The final scores and the winners, once the game is over.
pub(crate) fn result(state: &State) -> Option<(PerSeat<FinalScore>, SeatList)> {
    (state.phase == Phase::Finished).then(|| final_scores(state))
}

/// # Rule CAY-8.3
/// All players with the highest total win.
fn final_scores(state: &State) -> (PerSeat<FinalScore>, SeatList) {
    let scores = PerSeat::new(state.seats(), |seat| {
        let player = &state.players[seat];
        let added = score(0, player).total();
        score(player.vp.saturating_sub(added), player)
    });
    let best = scores.iter().map(|score| score.total()).max();
    let winners = scores
        .entries()
        .filter(|(_, score)| Some(score.total()) == best)
        .map(|(seat, _)| seat)
        .collect();
    (scores, winners)
}
