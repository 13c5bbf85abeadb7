//! The cult board: who stands where on the four tracks, and whose priests lie on their spaces.

use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;

use super::names::{Names, cult, told};
use crate::output::{BOLD, Columns, DIM, shown, styled, wrap};

const CULTS: [pb::Cult; 4] = [
    pb::Cult::Fire,
    pb::Cult::Water,
    pb::Cult::Earth,
    pb::Cult::Air,
];

/// The tracks with the seats on their spaces and the priests behind them.
pub(super) fn cults(view: &pb::View, names: &Names<'_>, width: usize) -> String {
    let board = board(view, names);
    if board.lines().all(|line| shown(line) <= width) {
        return board;
    }
    let lines = CULTS.map(|track| narrow(view, track, width));
    format!("{}\n{}", styled(BOLD, "Cults"), lines.join("\n"))
}

/// Everybody's places on one track, and the priests there: `fire  Ann 3`.
fn narrow(view: &pb::View, track: pb::Cult, width: usize) -> String {
    let places = view.players.iter().filter_map(|player| {
        let counts = player.board.as_ref()?.cults?;
        Some(format!("seat {} on {}", player.seat, of(counts, track)))
    });
    let priests = view.priests.iter().filter(|one| one.cult() == track);
    let priests = priests.map(|priest| {
        let slot = told(priest.slot().as_str_name(), "PRIEST_SLOT_");
        format!("priest of seat {} on {slot}", priest.seat)
    });
    let words: Vec<_> = places.chain(priests).collect();
    let first = format!("  {:6}", cult(track.into()));
    wrap(&words, ", ", &first, "        ", width)
}

/// The tracks side by side with the seats on their spaces. Behind a space stands the power for
/// reaching it.
fn board(view: &pb::View, names: &Names<'_>) -> String {
    let power = names.catalogue.cult_power.iter();
    let spaces = (1..)
        .zip(power)
        .map(|(space, power): (u32, _)| match power {
            0 => space.to_string(),
            _ => format!("{space}+{power}"),
        });
    let steps: Vec<u32> = names.catalogue.priest_spaces.clone();
    let headings: Vec<String> = [String::from("Cults"), String::from("0")]
        .into_iter()
        .chain(spaces)
        .chain(steps.iter().map(|steps| format!("p{steps}")))
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut columns = Columns::new(&headings);
    for track in CULTS {
        let places = 0..=names.catalogue.cult_power.len();
        let places = places.map(|place| seats_on(view, track, place));
        let name = styled(BOLD, cult(track.into()));
        let row = [format!("  {name}")].into_iter().chain(places);
        columns.row(row.chain(priests(view, track, &steps)));
    }
    columns.to_string()
}

/// The seats on a space, one digit each; a dot where nobody is.
fn seats_on(view: &pb::View, track: pb::Cult, place: usize) -> String {
    let on = |player: &&pb::PlayerView| {
        let counts = player.board.as_ref().and_then(|board| board.cults);
        counts.is_some_and(|counts| of(counts, track) as usize == place)
    };
    let seats = view.players.iter().filter(on);
    let seats: String = seats.map(|player| player.seat.to_string()).collect();
    if seats.is_empty() {
        styled(DIM, ".")
    } else {
        seats
    }
}

/// The seats on the priest spaces, each space in its column.
fn priests(view: &pb::View, track: pb::Cult, steps: &[u32]) -> Vec<String> {
    let on = |slot: pb::PriestSlot| {
        view.priests
            .iter()
            .filter(move |priest| priest.cult() == track && priest.slot() == slot)
    };
    let (mut three, mut two) = (on(pb::PriestSlot::Three), on(pb::PriestSlot::Two));
    let mut next = |steps: &u32| {
        let priest = if *steps == 3 {
            three.next()
        } else {
            two.next()
        };
        priest.map_or_else(|| styled(DIM, "-"), |priest| priest.seat.to_string())
    };
    steps.iter().map(&mut next).collect()
}

/// The place on one track.
const fn of(counts: pb::CultCounts, track: pb::Cult) -> u32 {
    match track {
        pb::Cult::Fire => counts.fire,
        pb::Cult::Water => counts.water,
        pb::Cult::Earth => counts.earth,
        pb::Cult::Air => counts.air,
        pb::Cult::Unspecified => 0,
    }
}
