//! The special buildings before the bridge, and workers.

use crate::caylus::action::Target;
use crate::caylus::components;
use crate::caylus::data::Special;
use crate::caylus::view::View;
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};
use crate::table::{Component, Seat};

/// The special buildings, in the order of their activation.
pub(super) fn special(canvas: &mut Canvas<'_>, view: &View, area: Area, columns: usize) {
    let rows = Special::COUNT.div_ceil(columns);
    for (index, special) in Special::ALL.into_iter().enumerate() {
        let cell = area.cell(index, (columns, rows), 6);
        building(canvas, view, special, cell);
    }
}

/// The effect of a special building, in few words.
const fn brief(special: Special) -> &'static str {
    match special {
        Special::Gate => "move to any place",
        Special::TradingPost => "gain 3 deniers",
        Special::MerchantsGuild => "move the provost",
        Special::JoustField => "1 denier, 1 cloth: favor",
        Special::Stables => "first in turn order",
        Special::Inn => "workers for 1 denier",
    }
}

fn building(canvas: &mut Canvas<'_>, view: &View, special: Special, area: Area) {
    let component = components::special(special);
    let title = format!("{special}: {}", special.text());
    canvas.part(component, title, &Outline::Rect(area), |canvas| {
        canvas.bordered(area, 6, (Paint::SoftViolet, Some((Paint::Line, 1))));
        let width = area.w - 12;
        let font = canvas.font(14).bold().down_to(11, special.name(), width);
        canvas.name(area.corner().by(7, 18), special.name(), font, width);
        let at = area.corner().by(7, 33);
        canvas.lines(at, brief(special), canvas.font(11), (width, 2));
    });
    for (index, (seat, component)) in guests(view, special).into_iter().enumerate() {
        let x = area.x + 20 + super::times(index, 30);
        worker(canvas, (seat, component), Point::new(x, area.bottom() - 17));
    }
}

/// Lists the workers on a special building, the left circle of the Inn first.
fn guests(view: &View, special: Special) -> Vec<(Seat, Component)> {
    let there = |seat: &Seat| (*seat, components::worker(*seat, Target::Special(special)));
    let only = |seat: Option<Seat>| seat.iter().map(there).collect();
    match special {
        Special::Gate => only(view.special.gate),
        Special::TradingPost => only(view.special.trading_post),
        Special::MerchantsGuild => only(view.special.merchants_guild),
        Special::JoustField => only(view.special.joust_field),
        Special::Stables => view.special.stables.iter().map(there).collect(),
        Special::Inn => {
            let right = view.special.inn_right;
            let right = right.map(|seat| (seat, components::guest(seat)));
            view.special
                .inn_left
                .iter()
                .map(there)
                .chain(right)
                .collect()
        }
    }
}

/// A worker in the color and with the number of its player.
pub(super) fn worker(canvas: &mut Canvas<'_>, (seat, component): (Seat, Component), at: Point) {
    let title = format!("worker of {}", canvas.look.names.of(seat));
    let outline = Outline::Disc(Area::around(at, 30));
    canvas.part(component, title, &outline, |canvas| {
        let paint = Paint::of_seat(seat);
        canvas.shape(Shape::Worker, at, 26, paint);
        let font = canvas.font(13).bold().middle().paint(paint.on());
        canvas.label(at.by(0, 7), seat.number(), font);
    });
}
