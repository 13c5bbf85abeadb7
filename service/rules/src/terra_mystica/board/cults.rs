//! The cult board: the markers on the four tracks, and the priests on their spaces.

use crate::table::text::{BOLD, Columns, DIM, styled, width, wrap};
use crate::terra_mystica::data::{CULT_TOP, Cult, PRIEST_SPACES, cult_power_between};
use crate::terra_mystica::view::View;

/// The tracks with the seats on their spaces and the priests behind them.
pub fn cults(view: &View, columns: usize) -> String {
    let board = board(view);
    if board.lines().all(|line| width(line) <= columns) {
        return board;
    }
    let lines = Cult::ALL.map(|track| narrow(view, track, columns));
    format!("{}\n{}", styled(BOLD, "Cults"), lines.join("\n"))
}

/// The positions of all players on one track, and the priests there: `fire  seat 1 on 3`.
fn narrow(view: &View, track: Cult, columns: usize) -> String {
    let places = view.players.iter().filter_map(|player| {
        let place = player.board.as_ref()?.cults[track.index()];
        Some(format!("{} on {place}", player.seat))
    });
    let priests = PRIEST_SPACES.iter().zip(view.priests[track.index()]);
    let priests = priests.filter_map(|(slot, holder)| {
        let slot = slot.id().to_lowercase();
        holder.map(|seat| format!("priest of {seat} on {slot}"))
    });
    let words: Vec<_> = places.chain(priests).collect();
    let first = format!("  {track:6}");
    wrap(&words, ", ", &first, "        ", columns)
}

/// The tracks side by side with the seats on their spaces. The power for reaching a space follows
/// it.
fn board(view: &View) -> String {
    let spaces = (1..=CULT_TOP).map(|space| match cult_power_between(space - 1, space) {
        0 => space.to_string(),
        power => format!("{space}+{power}"),
    });
    let slots = PRIEST_SPACES.map(|slot| format!("p{}", slot.steps()));
    let headings: Vec<String> = [String::from("Cults"), String::from("0")]
        .into_iter()
        .chain(spaces)
        .chain(slots)
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut columns = Columns::new(&headings);
    for track in Cult::ALL {
        let places = (0..=CULT_TOP).map(|place| seats_on(view, track, place));
        let name = styled(BOLD, track);
        let row = [format!("  {name}")].into_iter().chain(places);
        let priests = view.priests[track.index()].map(|holder| match holder {
            Some(seat) => seat.number().to_string(),
            None => styled(DIM, "-"),
        });
        columns.row(row.chain(priests));
    }
    columns.to_string()
}

/// The seats on a space, one digit each; a dot if it is empty.
fn seats_on(view: &View, track: Cult, place: u8) -> String {
    let on = view.players.iter().filter(|player| {
        let board = player.board.as_ref();
        board.is_some_and(|board| board.cults[track.index()] == place)
    });
    let seats: String = on.map(|player| player.seat.number().to_string()).collect();
    if seats.is_empty() {
        styled(DIM, ".")
    } else {
        seats
    }
}
