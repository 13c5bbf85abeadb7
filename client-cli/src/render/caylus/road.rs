//! The road in order: what stands where, whose it is, who works there, provost and bailiff.

use gamekeeper_proto::gamekeeper::caylus::v1 as pb;

use super::names::Names;
use crate::output::{BOLD, Columns, DIM, styled};

/// The road from the bridge on, a line for each building; empty spaces side by side share one.
pub(super) fn road(view: &pb::View, names: &Names) -> String {
    let mut columns = Columns::plain();
    let mut rest = &view.road[..];
    while let [first, others @ ..] = rest {
        let empty = rest.iter().take_while(|space| is_plain(space, view, names));
        let run = empty.count();
        if run > 1 {
            columns.row(empty_run(first.space, run));
            rest = &rest[run..];
        } else {
            columns.row(row(first, view, names));
            rest = others;
        }
    }
    let legend = styled(DIM, "(B bailiff, P provost, > in use)");
    format!("{}  {legend}\n{columns}", styled(BOLD, "Road"))
}

/// An empty space of which there is nothing to say.
fn is_plain(space: &pb::SpaceView, view: &pb::View, names: &Names) -> bool {
    let number = space.space;
    space.tile.is_none()
        && ![view.bailiff, view.provost].contains(&number)
        && names.trigger(number).is_none()
}

fn empty_run(first: u32, count: usize) -> [String; 3] {
    let last = first as usize + count - 1;
    [
        format!("  {first:>2}-{last}"),
        String::new(),
        styled(DIM, "empty"),
    ]
}

fn row(space: &pb::SpaceView, view: &pb::View, names: &Names) -> Vec<String> {
    let number = space.space;
    let tile = match space.tile {
        Some(tile) => names.tile(tile),
        None => styled(DIM, "empty"),
    };
    let kind = space.tile.map_or_else(String::new, |tile| names.kind(tile));
    let owner = space.owner.map_or(kind.clone(), |owner| {
        format!("{kind} of {}", names.player(owner))
            .trim_start()
            .to_owned()
    });
    let worker = space.worker.map_or_else(String::new, |worker| {
        format!("worker {}", names.player(worker))
    });
    let mut cells = vec![
        format!("  {number:>2}"),
        marks(number, view),
        tile,
        owner,
        worker,
        notes(space, names),
    ];
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells
}

/// Bailiff, provost, and the building that the open decision is about.
fn marks(number: u32, view: &pb::View) -> String {
    let in_use = view.question.and_then(|question| question.space);
    let marks = [
        ("B", view.bailiff == number),
        ("P", view.provost == number),
        (">", in_use == Some(number)),
    ];
    marks
        .into_iter()
        .filter(|(_, here)| *here)
        .map(|(mark, _)| mark)
        .collect()
}

/// A section that is scored here, a transformation that waits.
fn notes(space: &pb::SpaceView, names: &Names) -> String {
    let scoring = names
        .trigger(space.space)
        .map(|section| format!("{section} scored here"));
    let waiting = space
        .pending_transform
        .map(|seat| format!("residence for {}", names.player(seat)));
    let notes: Vec<_> = scoring.into_iter().chain(waiting).collect();
    if notes.is_empty() {
        String::new()
    } else {
        styled(DIM, notes.join(", "))
    }
}
