//! A player: points, deniers, workers, cubes.

use super::{cube, times};
use crate::caylus::components;
use crate::caylus::data::Resource;
use crate::caylus::view::{PlayerView, View};
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Outline, Paint, PlayerRow, Shape};

pub(super) fn player(canvas: &mut Canvas<'_>, view: &View, seat: Seat, area: Area) {
    let Some(player) = view.players.iter().find(|player| player.seat == seat) else {
        return;
    };
    let note = match view.pass_order.iter().position(|passed| *passed == seat) {
        Some(place) => format!("passed {}", ordinal(place)),
        None => player
            .placement_price
            .map_or_else(String::new, |price| format!("next worker for {price} d")),
    };
    let strip = PlayerRow {
        seat,
        paint: Paint::of_seat(seat),
        points: Some(player.vp.into()),
        unit: "VP",
        leads: view.players.iter().all(|other| other.vp <= player.vp),
        role: "",
        state: &note,
    };
    canvas.player(area, &strip, |canvas, inner| {
        let (purse, rest) = inner.cut_top(36);
        money_and_workers(canvas, player, purse);
        let narrow = inner.w < 230;
        let rows = if narrow { 2 } else { 1 };
        let columns = Resource::COUNT.div_ceil(rows);
        let rest = Area {
            h: rest.h.min(times(rows, 44)),
            ..rest
        };
        for (index, resource) in Resource::ALL.into_iter().enumerate() {
            cubes(
                canvas,
                (seat, resource, player.cubes.count(resource)),
                rest.cell(index, (columns, rows), 2),
            );
        }
    });
}

const fn ordinal(place: usize) -> &'static str {
    match place {
        0 => "first",
        1 => "second",
        2 => "third",
        3 => "fourth",
        _ => "last",
    }
}

fn money_and_workers(canvas: &mut Canvas<'_>, player: &PlayerView, area: Area) {
    let seat = player.seat;
    let (purse, hand) = area.cut_left(58);
    let title = format!("{} deniers", player.deniers);
    let outline = Outline::Rect(Area { h: 28, ..purse });
    canvas.part(components::deniers(seat), title, &outline, |canvas| {
        let sign = (Shape::Coin, Paint::Silver);
        canvas.amount(
            purse.corner().by(2, 14),
            sign,
            player.deniers,
            canvas.font(17).bold(),
        );
    });
    let title = format!("{} workers", player.workers_available);
    let outline = Outline::Rect(Area { h: 28, ..hand });
    canvas.part(components::workers(seat), title, &outline, |canvas| {
        let paint = Paint::of_seat(seat);
        let step = if hand.w < 120 { 13 } else { 19 };
        for place in 0..usize::from(player.workers_available) {
            canvas.shape(
                Shape::Worker,
                hand.corner().by(12 + times(place, step), 14),
                20,
                paint,
            );
        }
        if player.workers_available == 0 {
            canvas.label(
                hand.corner().by(4, 18),
                "no worker left",
                canvas.font(11).faint(),
            );
        }
    });
}

fn cubes(canvas: &mut Canvas<'_>, (seat, resource, count): (Seat, Resource, u16), cell: Area) {
    let title = format!("{count} {resource}");
    let outline = Outline::Rect(cell);
    canvas.part(
        components::cubes(seat, resource),
        title,
        &outline,
        |canvas| {
            let at = cell.corner().by(14, cell.h / 2);
            let (paint, letter) = cube(resource);
            canvas.shape(Shape::Cube, at, 24, paint);
            let font = canvas.font(13).bold().middle().paint(paint.on());
            canvas.label(at.by(0, 5), letter, font);
            let font = canvas.font(17).bold();
            let font = if count == 0 { font.faint() } else { font };
            canvas.label(at.by(16, 6), count, font);
        },
    );
}
