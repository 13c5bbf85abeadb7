//! The table as a picture: special buildings and the road, castle, favors, tiles, players.

pub mod castle;
pub mod favors;
pub mod places;
pub mod player;
pub mod road;
pub mod tiles;

use super::components;
use super::data::{FavorLine, Kind, MAX_MARKER, Resource, Section, Space, Special, Tile};
use super::view::View;
use crate::table::picture::{Area, Canvas, Column, Heading, Look, Paint, Plate, framed, int};

/// The board of wide drawings.
const BOARD: Area = Area::new(8, 56, 838, 536);

/// The table as SVG.
pub(crate) fn picture(view: &View, look: &Look<'_>) -> String {
    let moment = format!("turn {}, {}", view.turn, view.phase.name());
    let heading = Heading {
        title: "Caylus",
        moment: &moment,
        unit: "VP",
        paint: &Paint::of_seat,
    };
    framed(
        look,
        &heading,
        |canvas| wide(canvas, view),
        |canvas| stacked(canvas, view),
    )
}

fn wide(canvas: &mut Canvas<'_>, view: &View) {
    let (special, road) = BOARD.cut_top(88);
    places::special(canvas, view, special, 6);
    road::road(canvas, view, road.cut_top(8).1, 7);
    castle::castle(canvas, view, Area::new(854, 56, 338, 186));
    favors::favors(canvas, view, Area::new(854, 248, 338, 190));
    tiles::supply(canvas, view, Area::new(854, 444, 338, 348), 3);
    let players = Area::new(8, 600, 838, 192);
    let count = view.players.len();
    for (index, seat) in view.turn_order.iter().enumerate() {
        player::player(canvas, view, *seat, players.column(index, count, 6));
    }
}

/// Draws the board first, and the rest below it. Returns the height.
fn stacked(canvas: &mut Canvas<'_>, view: &View) -> i32 {
    let mut column = Column::new(canvas);
    let (special, columns) = if canvas.is_phone() { (166, 3) } else { (88, 6) };
    places::special(canvas, view, column.next(special), columns);
    let (road, columns) = if canvas.is_phone() {
        (7 * 98, 4)
    } else {
        (440, 7)
    };
    road::road(canvas, view, column.next(road), columns);
    let seats = &view.turn_order;
    for (seat, area) in seats.iter().zip(column.players(seats.len(), [128, 192])) {
        player::player(canvas, view, *seat, area);
    }
    let [castle, favors] = column.two([186, 190]);
    castle::castle(canvas, view, castle);
    favors::favors(canvas, view, favors);
    let (supply, columns) = if canvas.is_phone() {
        (348, 3)
    } else {
        (200, 6)
    };
    tiles::supply(canvas, view, column.next(supply), columns);
    column.height()
}

/// The color of a kind of building.
const fn paint(kind: Kind) -> Paint {
    match kind {
        Kind::Neutral => Paint::SoftRed,
        Kind::Fixed => Paint::SoftSand,
        Kind::Wood => Paint::SoftBrown,
        Kind::Stone => Paint::SoftGray,
        Kind::Prestige => Paint::SoftBlue,
        Kind::Residence => Paint::SoftGreen,
    }
}

/// The color and the letter of a kind of cubes.
const fn cube(resource: Resource) -> (Paint, &'static str) {
    match resource {
        Resource::Food => (Paint::Pink, "F"),
        Resource::Wood => (Paint::Brown, "W"),
        Resource::Stone => (Paint::Stone, "S"),
        Resource::Cloth => (Paint::Violet, "C"),
        Resource::Gold => (Paint::Gold, "G"),
    }
}

/// The components that lie on every table, for the catalogue: the road with the places of wide drawings, special
/// buildings, castle, favors, tiles.
pub(crate) fn plates() -> Vec<Plate> {
    let (special, road) = BOARD.cut_top(88);
    let road = road.cut_top(8).1;
    let spaces = Space::all().map(|space| {
        let beside = [-1, 1].into_iter().filter_map(|step| space.moved(step));
        Plate::new(
            components::space(space),
            format!("Space {}", space.number()),
        )
        .at(road::place(space, road, 7))
        .beside(beside.map(components::space).collect())
    });
    let specials = Special::ALL.into_iter().enumerate().map(|(index, one)| {
        let plate = Plate::new(components::special(one), one.name());
        plate.at(special.column(index, Special::COUNT, 6))
    });
    let castle = Plate::new(components::castle(), "Castle");
    let sections = Section::ALL.map(|section| {
        let plate = Plate::new(components::section(section), section.name());
        plate.on(components::castle())
    });
    let favors = FavorLine::ALL.into_iter().flat_map(|line| {
        (1..=MAX_MARKER).map(move |column| {
            let title = format!("{line}, column {column}: {}", line.column(column));
            Plate::new(components::favor(line, column), title)
        })
    });
    let tiles = Tile::ALL.map(|tile| {
        let plate = Plate::new(components::tile(tile), tile.name());
        plate.colored(paint(tile.kind()).light())
    });
    let pawns = [
        Plate::new(components::provost(), "Provost"),
        Plate::new(components::bailiff(), "Bailiff"),
    ];
    let board = spaces.chain(specials).chain([castle]).chain(sections);
    board.chain(favors).chain(tiles).chain(pawns).collect()
}

/// The length of this many steps.
fn times(count: usize, step: i32) -> i32 {
    int(count) * step
}
