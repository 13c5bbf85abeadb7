//! The table as a picture: court, enemies and calendar, dice and points, provinces.

pub mod court;
pub mod province;
pub mod side;

use super::components;
use super::data::{Advisor, Color, DieId, Enemy, Good, MAX_PLAYERS, Phase};
use super::view::{PlayerView, View};
use crate::table::Seat;
use crate::table::picture::{
    Area, Canvas, Column, Heading, Look, Paint, Plate, Shape, framed, int,
};

/// The court of wide drawings.
const COURT: Area = Area::new(8, 56, 704, 408);

/// The table as SVG.
pub(crate) fn picture(view: &View, look: &Look<'_>) -> String {
    let moment = format!("year {} of 5, {}", view.year, view.phase.name());
    let heading = Heading {
        title: "Kingsburg",
        moment: &moment,
        unit: "VP",
        paint: &|seat| paint_of(view, seat),
    };
    framed(
        look,
        &heading,
        |canvas| wide(canvas, view),
        |canvas| stacked(canvas, view),
    )
}

fn wide(canvas: &mut Canvas<'_>, view: &View) {
    court::pyramid(canvas, view, COURT);
    side::calendar(canvas, view, Area::new(718, 56, 474, 112));
    side::standings(canvas, view, Area::new(718, 174, 474, 290));
    let provinces = Area::new(8, 472, 1184, 320);
    let count = view.players.len();
    for (index, player) in in_turn_order(view).enumerate() {
        province::province(canvas, view, player, provinces.column(index, count, 6));
    }
}

/// Draws the board first, and the rest below it. Returns the height.
fn stacked(canvas: &mut Canvas<'_>, view: &View) -> i32 {
    let mut column = Column::new(canvas);
    if canvas.is_phone() {
        court::rows(canvas, view, column.next(384));
    } else {
        court::pyramid(canvas, view, column.next(408));
    }
    let players = view.players.len();
    let [standings, calendar] = column.two([28 + 44 * int(players), 112]);
    side::standings(canvas, view, standings);
    side::calendar(canvas, view, Area { h: 112, ..calendar });
    for (player, area) in in_turn_order(view).zip(column.players(players, [250, 300])) {
        province::province(canvas, view, player, area);
    }
    column.height()
}

/// The players in turn order.
fn in_turn_order(view: &View) -> impl Iterator<Item = &PlayerView> {
    view.turn_order.iter().filter_map(|seat| view.player(*seat))
}

fn paint_of(view: &View, seat: Seat) -> Paint {
    view.player(seat).map_or(Paint::Gray, paint)
}

fn paint(player: &PlayerView) -> Paint {
    match player.color {
        Color::Yellow => Paint::Yellow,
        Color::Green => Paint::Green,
        Color::Blue => Paint::Blue,
        Color::Red => Paint::Vermilion,
        Color::Black => Paint::Black,
    }
}

fn sign(good: Good) -> (Shape, Paint) {
    match good {
        Good::Gold => (Shape::Coin, Paint::Gold),
        Good::Wood => (Shape::Plank, Paint::Brown),
        Good::Stone => (Shape::Rock, Paint::Stone),
    }
}

/// The components that lie on every table, for the catalogue: the court, with the places of wide drawings, and the
/// enemies of five years.
pub(crate) fn plates() -> Vec<Plate> {
    let advisors = Advisor::ALL.map(|advisor| {
        let plate = Plate::new(components::advisor(advisor), advisor.name());
        plate.at(court::place(advisor, COURT))
    });
    let enemies = Enemy::backs().map(|back| {
        let title = format!("Enemy of year {}", back.year);
        Plate::new(components::enemy(back.year), title)
    });
    let phases = Phase::ALL.map(|phase| Plate::new(components::phase(phase), phase.name()));
    let dice = Seat::all(MAX_PLAYERS.into()).flat_map(|seat| {
        DieId::ALL.map(|die| {
            let title = if die.is_white() { "White die" } else { "Die" };
            Plate::new(components::die(seat, die), format!("{title} of {seat}"))
        })
    });
    let envoy = Plate::new(components::envoy(), "King's Envoy");
    let all = advisors.into_iter().chain(enemies).chain(phases);
    all.chain(dice).chain([envoy]).collect()
}
