//! **Dry runs**: the table after an action, as far as the acting seat can know it beforehand.

use gamekeeper_proto::raw;
use gamekeeper_rules::life::Life;
use gamekeeper_rules::ruleset::foresee;
use gamekeeper_rules::table::{Names, Seat};
use gamekeeper_wire::{Wire, joined_view, seat_number};

use crate::heart::game::Game;
use crate::heart::show::Show;

/// Adds the requested parts to the response, whose table has the public facts before the action. Adds nothing if chance
/// or hidden information decides the outcome, or if the service acts for players who have left.
pub(crate) fn add<W: Wire>(
    answer: &mut raw::ApplyActionResponse,
    game: &Game<W>,
    (seat, action): (Seat, &W::Action),
    show: Show,
) {
    let is_asked = show.view || show.events || show.board.is_some();
    let all_stay = game.life.as_deref().map_or(&[][..], Life::left).is_empty();
    if !is_asked || !all_stay {
        return;
    }
    let Some(after) = foresee::<W>(&game.state, seat, action) else {
        return;
    };
    let names = Names::new(game.players());
    if let Some(table) = &mut answer.table {
        let view = W::view(&after.state, show.viewer);
        table.view = show.view.then(|| joined_view::<W>(&view));
        table.board = show.board_of::<W>(&view, names);
    }
    answer.entry = show.events.then(|| {
        let mut scene = show.scene(game);
        raw::LogEntry {
            version: game.version + 1,
            seat: seat_number(seat),
            events: show.events::<W>(after.told(), game.players(), &mut scene),
            ..raw::LogEntry::default()
        }
    });
}
