//! The end of the game (CAY-8).

use crate::caylus::data::Resource;
use crate::caylus::event::Event;
use crate::caylus::stage::{Phase, Stage};
use crate::caylus::state::{ExecContext, Player, State};
use crate::table::PerSeat;

/// Prestige points for each gold (CAY-8.2).
const PER_GOLD: u16 = 3;
/// Other cubes for one prestige point (CAY-8.2).
const CUBES: u16 = 3;
/// Deniers for one prestige point (CAY-8.2).
const DENIERS: u16 = 4;

/// The final score of one seat: prestige points before final scoring, and the points for each gold, 3 other cubes and
/// 4 deniers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalScore {
    pub before: u16,
    pub gold: u16,
    pub cubes: u16,
    pub deniers: u16,
}

impl FinalScore {
    /// Adds the final scoring of this player to this many points; cubes and deniers are not spent.
    fn of(before: u16, player: &Player) -> Self {
        Self {
            before,
            gold: player.cubes.count(Resource::Gold) * PER_GOLD,
            cubes: player.cubes.not_gold() / CUBES,
            deniers: player.deniers / DENIERS,
        }
    }

    const fn total(self) -> u16 {
        self.before + self.gold + self.cubes + self.deniers
    }
}

/// Adds the final points and closes the game.
///
/// # Rule CAY-8.1, CAY-8.2
/// After the Towers: 3 VP for each gold, 1 for 3 other cubes, 1 for 4 deniers.
pub fn finish(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.players.seats() {
        let player = &mut ctx.state.players[seat];
        let added = FinalScore::of(0, player);
        player.vp += added.total();
        let FinalScore {
            gold,
            cubes,
            deniers,
            ..
        } = added;
        ctx.emit(Event::FinalScored {
            seat,
            gold,
            cubes,
            deniers,
        });
    }
    ctx.state.enter(Phase::Over);
    ctx.state.stage = Stage::Over;
}

/// The final scores, as they are or as they would be if the game ended now.
pub fn scores(state: &State) -> PerSeat<FinalScore> {
    let is_counted = state.phase == Phase::Over;
    PerSeat::new(state.seats(), |seat| {
        let player = &state.players[seat];
        let counted = match is_counted {
            true => FinalScore::of(0, player).total(),
            false => 0,
        };
        FinalScore::of(player.vp.saturating_sub(counted), player)
    })
}
