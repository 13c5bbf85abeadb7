//! The castle: workers in it, and the parts of its three sections.

use super::{places, times};
use crate::caylus::action::Target;
use crate::caylus::components;
use crate::caylus::view::{SectionView, View};
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};

/// The number of parts in a line.
const LINE: usize = 7;

pub(super) fn castle(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let outline = Outline::Rect(area);
    canvas.part(components::castle(), "The castle", &outline, |canvas| {
        canvas.bordered(area, 6, (Paint::Panel, Some((Paint::Line, 1))));
        canvas.label(area.corner().by(10, 21), "Castle", canvas.font(14).bold());
    });
    for (index, seat) in view.castle.queue.iter().enumerate() {
        let at = Point::new(area.x + 84 + times(index, 30), area.y + 18);
        places::worker(
            canvas,
            (*seat, components::worker(*seat, Target::Castle)),
            at,
        );
    }
    let sections = area.inset(8).cut_top(26).1;
    let count = view.castle.sections.len();
    for (index, section) in view.castle.sections.iter().enumerate() {
        self::section(canvas, view, section, sections.row(index, count, 4));
    }
}

fn section(canvas: &mut Canvas<'_>, view: &View, section: &SectionView, area: Area) {
    let sheet = section.section.sheet();
    let name = section.section.name();
    let now = view.castle.current_section == Some(section.section);
    let title = format!("{name}: {} VP for each part", sheet.vp);
    let component = components::section(section.section);
    canvas.part(component, title, &Outline::Rect(area), |canvas| {
        let look = if now {
            (Paint::Glow, Some((Paint::Accent, 2)))
        } else {
            (Paint::Empty, None)
        };
        canvas.bordered(area, 4, look);
        let at = area.corner().by(7, 17);
        let font = canvas.font(13).bold();
        let font = if section.scored { font.faint() } else { font };
        canvas.label(at, name, font);
        let note = if section.scored {
            String::from("scored")
        } else {
            format!("{} VP a part, bailiff {}", sheet.vp, sheet.trigger.number())
        };
        canvas.lines(at.by(0, 15), &note, canvas.font(11).faint(), (110, 2));
        let parts = section.parts.iter().enumerate();
        let parts = parts.flat_map(|(seat, parts)| (0..*parts).map(move |_| Seat::at(seat)));
        let built: Vec<Seat> = parts.collect();
        for place in 0..usize::from(sheet.parts) {
            let (row, column) = (place / LINE, place % LINE);
            let at = area
                .corner()
                .by(134 + times(column, 26), 14 + times(row, 22));
            match built.get(place) {
                Some(seat) => house(canvas, *seat, at),
                None => canvas.bordered(
                    Area::around(at, 14),
                    3,
                    (Paint::Panel, Some((Paint::Line, 1))),
                ),
            }
        }
    });
}

fn house(canvas: &mut Canvas<'_>, seat: Seat, at: Point) {
    let paint = Paint::of_seat(seat);
    canvas.shape(Shape::House, at, 21, paint);
    let font = canvas.font(11).bold().middle().paint(paint.on());
    canvas.label(at.by(0, 7), seat.number(), font);
}
