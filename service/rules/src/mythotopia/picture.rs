//! The table as a picture: the map, wars, point cards, improvements, the viewer's hand, the players.

pub mod cards;
pub mod map;
pub mod player;
pub mod side;

use super::components;
use super::data::{ACTIONS, Card, Color, Improvement, PointCard, Province, Sea};
use super::view::View;
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Column, Heading, Look, Paint, Plate, framed};

/// The map of wide drawings.
const MAP: Area = Area::new(8, 54, 838, 510);

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
        |canvas| phone(canvas, view),
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

/// Draws the board first, in one column. Returns the height.
fn phone(canvas: &mut Canvas<'_>, view: &View) -> i32 {
    let mut column = Column::new(canvas);
    map::map(canvas, view, column.next(380));
    side::wars(canvas, view, column.next(126));
    cards::hand(canvas, view, column.next(260));
    for seat in seats_in_order(view) {
        player::player(canvas, view, seat, column.next(196));
    }
    side::points(canvas, view, column.next(154));
    cards::display(canvas, view, column.next(cards::display_height(view)));
    side::supply(canvas, view, column.next(48));
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
            .at(map::tile(province, MAP))
            .beside(neighbors.chain(seas).collect())
    });
    let seas = Sea::ALL.map(|sea| {
        let coast = sea.coast().iter().map(components::province);
        let next = sea.adjacent().iter().map(components::sea);
        Plate::new(components::sea(sea), sea.name())
            .colored(Paint::River.light())
            .at(map::waters(sea, MAP))
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
