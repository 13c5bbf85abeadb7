//! The cult board: four tracks with the markers of the players, and the priests below them.

use super::{cult_paint, paint_of};
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape, int};
use crate::terra_mystica::components;
use crate::terra_mystica::data::{CULT_TOP, Cult, PRIEST_SPACES, cult_power_between};
use crate::terra_mystica::view::View;

/// The height of a step.
const STEP: i32 = 14;

pub(super) fn cults(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "");
    let (numbers, tracks) = inner.cut_left(40);
    steps(canvas, numbers);
    for (index, cult) in Cult::ALL.into_iter().enumerate() {
        track(canvas, view, cult, tracks.column(index, Cult::COUNT, 6));
    }
}

/// The base line of a step.
fn base(area: Area, step: u8) -> i32 {
    area.y + 30 + STEP * i32::from(CULT_TOP - step)
}

/// The numbers of the steps, with the power for reaching them.
fn steps(canvas: &mut Canvas<'_>, area: Area) {
    let font = Font::new(11).faint();
    for step in 0..=CULT_TOP {
        let y = base(area, step);
        canvas.label(Point::new(area.x + 13, y), step, font.end());
        let power = step
            .checked_sub(1)
            .map_or(0, |from| cult_power_between(from, step));
        if power > 0 {
            canvas.label(Point::new(area.x + 17, y), format_args!("+{power}"), font);
            let middle = Point::new(area.x + 35, y - 4);
            canvas.shape(Shape::Circle, middle, 8, Paint::Violet);
        }
    }
}

fn track(canvas: &mut Canvas<'_>, view: &View, cult: Cult, area: Area) {
    let paint = cult_paint(cult);
    canvas.part(
        components::cult(cult),
        format_args!("{cult} track"),
        &Outline::Rect(area),
        |canvas| {
            canvas.rect(area, 4, Paint::Empty);
            let (head, _) = area.cut_top(17);
            canvas.rect(head, 4, paint);
            let font = Font::new(12).bold().middle().paint(paint.on());
            canvas.label(head.middle().by(0, 4), cult, font);
        },
    );
    markers(canvas, view, cult, area);
    priests(canvas, view, cult, area);
}

fn markers(canvas: &mut Canvas<'_>, view: &View, cult: Cult, area: Area) {
    for step in 0..=CULT_TOP {
        let on = view.players.iter().filter(|player| {
            let board = player.board.as_ref();
            let at = board.and_then(|board| board.cults.get(cult.index()));
            at == Some(&step)
        });
        for (index, player) in on.enumerate() {
            let seat = player.seat;
            let at = Point::new(area.x + 8 + 12 * int(index), base(area, step) - 4);
            let title = format!("{} on {step}", canvas.look.names.of(seat));
            let outline = Outline::Disc(Area::around(at, 18));
            canvas.part(components::marker(seat, cult), title, &outline, |canvas| {
                canvas.seat_marker(seat, at, 15, paint_of(view, seat));
            });
        }
    }
}

fn priests(canvas: &mut Canvas<'_>, view: &View, cult: Cult, area: Area) {
    let holders = view.priests.get(cult.index()).copied().unwrap_or_default();
    let step = (area.w - 18) / int(PRIEST_SPACES.len() - 1);
    for ((place, slot), holder) in (0_u8..).zip(PRIEST_SPACES).zip(holders) {
        let at = Point::new(area.x + 9 + step * i32::from(place), area.bottom() - 9);
        let title = format!("{cult}: {} steps", slot.steps());
        let outline = Outline::Disc(Area::around(at, 18));
        canvas.part(
            components::priest_space(cult, place + 1),
            title,
            &outline,
            |canvas| match holder {
                Some(seat) => canvas.seat_marker(seat, at, 15, paint_of(view, seat)),
                None => {
                    canvas.disc(at, 7, (Paint::Panel, Some((Paint::Line, 1))));
                    let font = Font::new(11).middle().faint();
                    canvas.label(at.by(0, 4), slot.steps(), font);
                }
            },
        );
    }
}
