//! From the provinces to the first turn (MYT-5.8 to 5.11).

use super::{capture, drawing};
use crate::mythotopia::data::{FOURTH_PLAYER_EXTRA, HAND, Island, PointCard};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::ExecContext;
use crate::table::{Seat, invariant_violated};

/// Continues once every player has the provinces to begin with: citadels are placed if their card is in play.
///
/// # Rule MYT-5.8, A45
pub fn with_provinces(ctx: &mut ExecContext<'_>) {
    if ctx.state.in_play.contains(PointCard::Citadel) {
        ctx.state.stage = Stage::SetupCitadel;
    } else {
        first_turn(ctx);
    }
}

/// Continues once nobody has anything left to choose: first player, decks, opening hands, islands.
///
/// # Rule MYT-5.9 to 5.11
pub fn first_turn(ctx: &mut ExecContext<'_>) {
    let seats: Vec<Seat> = ctx.state.players.seats().collect();
    let Some(first) = ctx.chance.pick("first_player", None, &seats) else {
        invariant_violated("MYT-5.9", seats)
    };
    ctx.state.first = first;
    ctx.state.active = first;
    ctx.state.stage = Stage::Turns;
    ctx.emit(Event::FirstPlayer { seat: first });
    for &seat in &seats {
        let player = &mut ctx.state.players[seat];
        drawing::shuffle(player, seat, drawing::Shuffle::Beginning, ctx.chance);
    }
    for (index, seat) in first.clockwise(seats.len()).enumerate() {
        let extra = if index == 3 { FOURTH_PLAYER_EXTRA } else { 0 };
        drawing::draw(ctx, seat, HAND + extra);
    }
    for &seat in &seats {
        for island in Island::ALL {
            capture::complete_island(ctx.state, seat, island);
        }
    }
    ctx.emit(Event::TurnBegan { seat: first });
}
