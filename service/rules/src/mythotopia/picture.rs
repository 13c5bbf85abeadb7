//! The table as a picture: the map, wars, point cards, improvements, the viewer's hand, the players.

pub mod cards;
pub mod map;
pub mod place;
pub mod player;
pub mod side;

use self::place::Map;
use super::components;
use super::data::{ACTIONS, Card, Color, Improvement, MapLayout, PointCard, Province, Sea};
use super::view::View;
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Column, Heading, Look, Paint, Plate, framed};

/// The map of wide drawings.
const MAP: Map = Map {
    layout: MapLayout::Broad,
    area: Area::new(8, 54, 838, 510),
};

/// The table as SVG.
pub(crate) fn picture(view: &View, look: &Look<'_>) -> String {
    let moment = match &view.turn {
        None => String::from("set-up"),
        Some(turn) => format!("{} of {ACTIONS} actions done", turn.actions_done),
    };
    let heading = Heading {
        title: "Mythotopia",
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
    map::map(canvas, view, MAP);
    side::wars(canvas, view, Area::new(854, 54, 338, 126));
    side::points(canvas, view, Area::new(854, 186, 338, 154));
    let side = Area::new(854, 346, 338, 446);
    let (display, side) = side.cut_top(cards::display_height(view));
    cards::display(canvas, view, display);
    let (supply, side) = side.cut_top(6).1.cut_top(48);
    side::supply(canvas, view, supply);
    cards::hand(canvas, view, side.cut_top(6).1);
    let players = Area::new(8, 572, 838, 220);
    let count = view.players.len();
    for (index, seat) in seats_in_order(view).into_iter().enumerate() {
        player::player(canvas, view, seat, players.column(index, count, 6));
    }
}

/// Draws the board first, and the rest below it. Returns the height.
fn stacked(canvas: &mut Canvas<'_>, view: &View) -> i32 {
    let mut column = Column::new(canvas);
    let (layout, height) = if canvas.is_phone() {
        (MapLayout::Upright, MapLayout::Upright.size().1)
    } else {
        (MapLayout::Broad, 500)
    };
    let area = column.next(height);
    map::map(canvas, view, Map { layout, area });
    let [wars, hand] = column.two([126, 260]);
    let (wars, below) = if canvas.is_phone() {
        (wars, None)
    } else {
        let (wars, points) = wars.cut_top(126);
        (wars, Some(points.cut_top(6).1))
    };
    side::wars(canvas, view, wars);
    cards::hand(canvas, view, hand);
    let seats = seats_in_order(view);
    for (seat, area) in seats.iter().zip(column.players(seats.len(), [196, 220])) {
        player::player(canvas, view, *seat, area);
    }
    let points = below.unwrap_or_else(|| column.next(154));
    side::points(canvas, view, points);
    let [display, supply] = column.two([cards::display_height(view), 48]);
    cards::display(canvas, view, display);
    side::supply(canvas, view, Area { h: 48, ..supply });
    column.height()
}

/// The seats in turn order; in seat order before there is one.
fn seats_in_order(view: &View) -> Vec<Seat> {
    if view.turn_order.is_empty() {
        return view.players.iter().map(|player| player.seat).collect();
    }
    view.turn_order.clone()
}

fn paint_of(view: &View, seat: Seat) -> Paint {
    let player = view.players.iter().find(|player| player.seat == seat);
    player.map_or(Paint::Gray, |player| match player.color {
        Color::Red => Paint::Vermilion,
        Color::Blue => Paint::Blue,
        Color::Yellow => Paint::Yellow,
        Color::Green => Paint::Green,
    })
}

/// The components that lie on every table, for the catalogue: the map with the places of wide drawings, all cards.
pub(crate) fn plates() -> Vec<Plate> {
    let provinces = Province::ALL.map(|province| {
        let neighbors = province.neighbors().iter().map(components::province);
        let seas = province.row().seas.iter().map(components::sea);
        Plate::new(components::province(province), province.name())
            .at(MAP.tile(province))
            .beside(neighbors.chain(seas).collect())
    });
    let seas = Sea::ALL.map(|sea| {
        let coast = sea.coast().iter().map(components::province);
        let next = sea.adjacent().iter().map(components::sea);
        Plate::new(components::sea(sea), sea.name())
            .colored(Paint::River.light())
            .at(MAP.waters(sea))
            .beside(coast.chain(next).collect())
    });
    let cards = Card::all().map(|card| Plate::new(components::card(card), card.to_string()));
    let points = PointCard::ALL.map(|card| Plate::new(components::point_card(card), card.name()));
    let piles = [
        Plate::new(components::bank(), "Bank"),
        Plate::new(components::display(), "Improvements"),
    ];
    let map = provinces.into_iter().chain(seas);
    map.chain(cards).chain(points).chain(piles).collect()
}

/// Returns the card of an improvement.
fn improvement(one: Improvement) -> Card {
    Card::improvement(one)
}
