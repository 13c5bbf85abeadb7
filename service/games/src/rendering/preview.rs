//! **Dry runs**: the table after an action, as far as the acting seat can know it beforehand.

use gamekeeper_proto::raw;
use gamekeeper_rules::ruleset::preview;
use gamekeeper_rules::table::Seat;
use gamekeeper_rules::table_life::TableLife;
use gamekeeper_wire::{Wire, seat_number, wrap_view};

use crate::aggregate::game::Game;
use crate::rendering::projection::Projection;

/// Adds the requested parts to the response, whose table has the public facts before the action. Adds nothing if chance
/// or hidden information decides the outcome, or if the service acts for players who have left.
pub(crate) fn fill_preview<W: Wire>(
    response: &mut raw::ApplyActionResponse,
    game: &Game<W>,
    (seat, action): (Seat, &W::Action),
    show: Projection,
) {
    let wants_preview = show.view || show.events || show.board.is_some();
    let all_stay = game
        .table_life
        .as_deref()
        .map_or(&[][..], TableLife::left)
        .is_empty();
    if !wants_preview || !all_stay {
        return;
    }
    let Some(foreseen) = preview::<W>(&game.state, seat, action) else {
        return;
    };
    let names = show.names(game.players());
    if let Some(table) = &mut response.table {
        let view = W::view(&foreseen.state, show.viewer);
        table.view = show.view.then(|| wrap_view::<W>(&view));
        table.board = show.board_of::<W>(&view, names);
    }
    response.entry = show.events.then(|| {
        let mut scene = show.scene(game);
        raw::LogEntry {
            version: game.version + 1,
            seat: seat_number(seat),
            events: show.events::<W>(foreseen.events_with_forced(), game.players(), &mut scene),
            ..raw::LogEntry::default()
        }
    });
}
