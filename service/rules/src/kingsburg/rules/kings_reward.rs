//! Phase 3, the King's Reward (KIN-6e).

use super::year;
use crate::kingsburg::event::Event;
use crate::kingsburg::state::{ExecContext, PointSource};

/// Gives a point to every player with the most buildings, even with none at all (KIN-ADJ-20).
///
/// # Rule KIN-6.80
pub fn enter(ctx: &mut ExecContext<'_>) {
    let players = ctx.state.players.iter();
    let most = players.map(|player| player.province.count()).max();
    for seat in ctx.state.order.clone() {
        let player = &mut ctx.state.players[seat];
        if Some(player.province.count()) == most {
            player.score(PointSource::KingsReward, 1);
            ctx.emit(Event::KingsRewardGiven { seat });
        }
    }
    year::next_phase(ctx);
}
