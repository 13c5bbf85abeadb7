//! The road: 28 spaces on a winding way, with buildings, owners, workers, provost and bailiff.

use super::tiles::effect;
use super::{paint, places, times};
use crate::caylus::action::Target;
use crate::caylus::components;
use crate::caylus::data::{SPACES, Section, Space};
use crate::caylus::view::{SpaceView, View};
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};

/// The place of a space on a road that turns at the ends of rows with this many spaces.
pub(super) fn place(space: Space, area: Area, columns: usize) -> Area {
    let (row, step) = (space.index() / columns, space.index() % columns);
    let column = if row % 2 == 0 {
        step
    } else {
        columns - 1 - step
    };
    area.cell(row * columns + column, (columns, SPACES / columns), 12)
}

pub(super) fn road(canvas: &mut Canvas<'_>, view: &View, area: Area, columns: usize) {
    let way: Vec<Point> = Space::all()
        .map(|space| place(space, area, columns).middle())
        .collect();
    canvas.polyline(&way, (Paint::Copper, 34));
    canvas.polyline(&way, (Paint::SoftSand, 28));
    for lot in &view.road {
        space(canvas, view, lot, place(lot.space, area, columns));
    }
}

fn space(canvas: &mut Canvas<'_>, view: &View, lot: &SpaceView, area: Area) {
    let (component, outline) = (components::space(lot.space), Outline::Rect(area));
    canvas.part(component, title(canvas, lot), &outline, |canvas| {
        let fill = lot.tile.map_or(Paint::Empty, |tile| paint(tile.kind()));
        let in_use = view.question.and_then(|question| question.space);
        let edge = match lot.owner {
            _ if in_use == Some(lot.space) => (Paint::Accent, 4),
            Some(owner) => (Paint::of_seat(owner), 3),
            None => (Paint::Line, 1),
        };
        canvas.bordered(area, 6, (fill, Some(edge)));
        let number = canvas.font(11).end();
        let number = match lot.tile {
            Some(_) => number.paint(fill.on()),
            None => number.faint(),
        };
        let at = Point::new(area.right() - 5, area.bottom() - 5);
        canvas.label(at, lot.space.number(), number);
        building(canvas, lot, area);
        scored(canvas, lot, area);
    });
    people(canvas, view, lot, area);
}

fn title(canvas: &Canvas<'_>, lot: &SpaceView) -> String {
    let mut title = format!("Space {}", lot.space.number());
    if let Some(tile) = lot.tile {
        title += &format!(": {tile}, {}", tile.kind());
    }
    if let Some(owner) = lot.owner {
        title += &format!("; owned by {}", canvas.look.names.of(owner));
    }
    if let Some(worker) = lot.worker {
        title += &format!("; worker of {}", canvas.look.names.of(worker));
    }
    title
}

fn building(canvas: &mut Canvas<'_>, lot: &SpaceView, area: Area) {
    let Some(tile) = lot.tile else {
        return;
    };
    let font = canvas.font(14).bold().down_to(11, tile.name(), area.w - 10);
    canvas.name(area.corner().by(6, 17), tile.name(), font, area.w - 10);
    effect(
        canvas,
        tile,
        Area::new(area.x + 6, area.y + 22, area.w - 10, 30),
    );
    if let Some(owner) = lot.owner {
        let at = Point::new(area.x + 14, area.bottom() - 13);
        canvas.shape(Shape::House, at, 20, Paint::of_seat(owner));
        let font = canvas
            .font(11)
            .bold()
            .middle()
            .paint(Paint::of_seat(owner).on());
        canvas.label(at.by(0, 7), owner.number(), font);
    }
}

/// Names the section that is scored when the bailiff comes to this space, if it has no building.
fn scored(canvas: &mut Canvas<'_>, lot: &SpaceView, area: Area) {
    let mut sections = Section::ALL.into_iter();
    let section = sections.find(|section| section.sheet().trigger == lot.space);
    let Some(section) = section.filter(|_| lot.tile.is_none()) else {
        return;
    };
    let text = format!("{section} scored here");
    canvas.lines(
        area.corner().by(6, 16),
        &text,
        canvas.font(11).faint(),
        (area.w - 10, 2),
    );
}

/// Draws the worker, and bailiff and provost above the building.
fn people(canvas: &mut Canvas<'_>, view: &View, lot: &SpaceView, area: Area) {
    if let Some(seat) = lot.worker {
        let at = Point::new(area.middle().x + 2, area.bottom() - 16);
        places::worker(
            canvas,
            (seat, components::worker(seat, Target::Road(lot.space))),
            at,
        );
    }
    let pawns = [
        (components::bailiff(), "Bailiff", view.bailiff),
        (components::provost(), "Provost", view.provost),
    ];
    for (index, (component, name, on)) in pawns.into_iter().enumerate() {
        if on != lot.space {
            continue;
        }
        let at = Point::new(area.right() - 24 + times(index, 16), area.bottom() - 26);
        let outline = Outline::Disc(Area::around(at, 30));
        canvas.part(component, name, &outline, |canvas| {
            canvas.shape(Shape::Army, at, 28, Paint::White);
            let font = canvas.font(13).bold().middle().paint(Paint::Dark);
            canvas.label(at.by(0, 10), &name[..1], font);
        });
    }
}
