//! The road in order: buildings, owners, workers, provost and bailiff.

use crate::caylus::data::{Section, Space};
use crate::caylus::view::{SpaceView, View};
use crate::table::text::{BOLD, Columns, DIM, styled};
use crate::table::{JoinCommas, Names};

/// The road from the bridge on, a line for each building; empty spaces side by side share one.
pub fn road(view: &View, names: Names<'_>) -> String {
    let mut columns = Columns::plain();
    let mut rest = &view.road[..];
    while let [first, others @ ..] = rest {
        let run = rest.iter().take_while(|lot| is_plain(lot, view)).count();
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

/// An empty space with nothing to report.
fn is_plain(lot: &SpaceView, view: &View) -> bool {
    let officials = [view.bailiff, view.provost].contains(&lot.space);
    lot.tile.is_none() && !officials && trigger(lot.space).is_none()
}

/// The section that is scored when the bailiff comes to this space.
fn trigger(space: Space) -> Option<Section> {
    let mut sections = Section::ALL.into_iter();
    sections.find(|section| section.sheet().trigger == space)
}

fn empty_run(first: Space, count: usize) -> [String; 3] {
    let last = first.index() + count;
    [
        format!("  {:>2}-{last}", first.number()),
        String::new(),
        styled(DIM, "empty"),
    ]
}

fn row(lot: &SpaceView, view: &View, names: Names<'_>) -> Vec<String> {
    let (tile, kind) = match lot.tile {
        Some(tile) => (tile.to_string(), tile.kind().to_string()),
        None => (styled(DIM, "empty"), String::new()),
    };
    let owner = match lot.owner {
        Some(owner) => format!("{kind} of {}", names.of(owner)),
        None => kind,
    };
    let worker = lot
        .worker
        .map_or_else(String::new, |seat| format!("worker {}", names.of(seat)));
    let mut cells = vec![
        format!("  {:>2}", lot.space.number()),
        marks(lot.space, view),
        tile,
        owner,
        worker,
        notes(lot, names),
    ];
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells
}

/// Bailiff, provost, and the building that the open decision is about.
fn marks(space: Space, view: &View) -> String {
    let in_use = view.question.and_then(|question| question.space);
    let marks = [
        ("B", view.bailiff == space),
        ("P", view.provost == space),
        (">", in_use == Some(space)),
    ];
    let here = marks.into_iter().filter(|(_, here)| *here);
    here.map(|(marker, _)| marker).collect()
}

/// A section that is scored here, a transformation that is waiting.
fn notes(lot: &SpaceView, names: Names<'_>) -> String {
    let scoring = trigger(lot.space).map(|section| format!("{section} scored here"));
    let waiting = lot.pending_transform;
    let waiting = waiting.map(|seat| format!("residence for {}", names.of(seat)));
    let notes: Vec<_> = scoring.into_iter().chain(waiting).collect();
    if notes.is_empty() {
        String::new()
    } else {
        styled(DIM, JoinCommas(notes))
    }
}
