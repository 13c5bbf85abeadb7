//! From the provinces to the first turn (MYT-5.8 to 5.11).

use super::{capture, drawing};
use crate::mythotopia::data::{FOURTH_PLAYER_EXTRA, HAND, Island, PointCard};
use crate::mythotopia::event::Event;
use crate::mythotopia::stage::Stage;
use crate::mythotopia::state::Play;
use crate::table::{Seat, broken};

/// Continues once every player has the provinces to begin with: citadels are placed if their card is in play.
///
/// # Rule MYT-5.8, A45
pub fn with_provinces(play: &mut Play<'_>) {
    if play.state.in_play.contains(PointCard::Citadel) {
        play.state.stage = Stage::SetupCitadel;
    } else {
        first_turn(play);
    }
}

/// Continues once nobody has anything left to choose: first player, decks, opening hands, islands.
///
/// # Rule MYT-5.9 to 5.11
pub fn first_turn(play: &mut Play<'_>) {
    let seats: Vec<Seat> = play.state.players.seats().collect();
    let Some(first) = play.chance.pick("first_player", None, &seats) else {
        broken("MYT-5.9", seats)
    };
    play.state.first = first;
    play.state.active = first;
    play.state.stage = Stage::Turns;
    play.tell(Event::FirstPlayer { seat: first });
    for &seat in &seats {
        let player = &mut play.state.players[seat];
        drawing::shuffle(player, seat, drawing::Shuffle::Beginning, play.chance);
    }
    for (place, seat) in first.clockwise(seats.len()).enumerate() {
        let extra = if place == 3 { FOURTH_PLAYER_EXTRA } else { 0 };
        drawing::draw(play, seat, HAND + extra);
    }
    for &seat in &seats {
        for island in Island::ALL {
            capture::complete_island(play.state, seat, island);
        }
    }
    play.tell(Event::TurnBegan { seat: first });
}
