//! The table as a picture: the map, cults, rounds, power actions, tiles, and the faction boards.

pub mod bits;
pub mod cults;
pub mod map;
pub mod player;
pub mod tiles;

use super::components;
use super::data::{
    BonusCard, CULT_TOP, Cult, Faction, FavorTile, Land, PRIEST_SPACES, PowerAction, River,
    ScoringTile, Terrain, TownTile, direct,
};
use super::stage::Phase;
use super::view::View;
use crate::table::Seat;
use crate::table::picture::{
    Area, Canvas, Column, Heading, Look, Paint, Plate, Point, Shape, framed,
};

/// The upper left corner of the map of wide drawings, and half the width of its hexes.
const MAP: (Point, i32) = (Point::new(8, 54), 33);

/// The table as SVG.
pub(crate) fn picture(view: &View, look: &Look<'_>) -> String {
    let moment = match (view.round, view.phase) {
        (0, _) => String::from("set-up"),
        (round, _) => format!("round {round} of 6"),
    };
    let heading = Heading {
        title: "Terra Mystica",
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
    cults::cults(canvas, view, Area::new(880, 54, 312, 204));
    tiles::rounds(canvas, view, Area::new(880, 264, 312, 158));
    tiles::power_actions(canvas, view, Area::new(880, 428, 312, 74));
    tiles::bonus_pool(canvas, view, Area::new(880, 508, 312, 84));
    tiles::supplies(canvas, view, Area::new(880, 598, 312, 194));
    let players = Area::new(8, 598, 866, 194);
    let count = view.players.len();
    for (index, seat) in seats_in_order(view).into_iter().enumerate() {
        player::player(canvas, view, seat, players.column(index, count, 6));
    }
}

/// Draws the board first, and the rest below it. Returns the height.
fn stacked(canvas: &mut Canvas<'_>, view: &View) -> i32 {
    let mut column = Column::new(canvas);
    let half = if canvas.is_phone() { 14 } else { 30 };
    let board = column.next(map::height(half));
    let left = (canvas.width() - map::COLUMNS * half) / 2;
    map::map(canvas, view, (Point::new(left, board.y), half));
    let are_choosing = view.players.iter().any(|player| player.board.is_none());
    if are_choosing {
        tiles::supplies(canvas, view, column.next(194));
    }
    let seats = seats_in_order(view);
    for (seat, area) in seats.iter().zip(column.players(seats.len(), [170, 194])) {
        player::player(canvas, view, *seat, area);
    }
    let [cults, rounds] = column.two([204, 158]);
    cults::cults(canvas, view, cults);
    tiles::rounds(canvas, view, rounds);
    let [power, bonus] = column.two([74, 84]);
    tiles::power_actions(canvas, view, power);
    tiles::bonus_pool(canvas, view, bonus);
    if !are_choosing {
        tiles::supplies(canvas, view, column.next(194));
    }
    column.height()
}

/// The seats in turn order.
fn seats_in_order(view: &View) -> Vec<Seat> {
    view.turn_order.clone()
}

/// The color of a seat: the home of its faction, or the color that it drew.
fn paint_of(view: &View, seat: Seat) -> Paint {
    let player = view.players.iter().find(|player| player.seat == seat);
    let board = player.and_then(|player| player.board.as_ref());
    let home = board.map(|board| board.faction.home());
    let home = home.or_else(|| player.and_then(|player| player.color));
    home.map_or_else(|| Paint::of_seat(seat), piece)
}

/// The color of the pieces of a home terrain.
const fn piece(home: Terrain) -> Paint {
    match home {
        Terrain::Desert => Paint::Yellow,
        Terrain::Plains => Paint::Brown,
        Terrain::Swamp => Paint::Black,
        Terrain::Lakes => Paint::Blue,
        Terrain::Forest => Paint::Green,
        Terrain::Mountains => Paint::Gray,
        Terrain::Wasteland => Paint::Red,
    }
}

/// The color and the sign of a terrain.
const fn ground(terrain: Terrain) -> (Paint, Shape) {
    match terrain {
        Terrain::Desert => (Paint::Desert, Shape::SignDesert),
        Terrain::Plains => (Paint::Plains, Shape::SignPlains),
        Terrain::Swamp => (Paint::Swamp, Shape::SignSwamp),
        Terrain::Lakes => (Paint::Lakes, Shape::SignLakes),
        Terrain::Forest => (Paint::Forest, Shape::SignForest),
        Terrain::Mountains => (Paint::Mountains, Shape::SignMountains),
        Terrain::Wasteland => (Paint::Wasteland, Shape::SignWasteland),
    }
}

/// The color of a cult.
const fn cult_paint(cult: Cult) -> Paint {
    match cult {
        Cult::Fire => Paint::Red,
        Cult::Water => Paint::Blue,
        Cult::Earth => Paint::Brown,
        Cult::Air => Paint::Gray,
    }
}

/// Returns whether the game is still in its set-up.
fn in_setup(view: &View) -> bool {
    view.phase == Phase::Setup
}

/// The components that lie on every table, for the catalogue: the map with the places of wide drawings, cults, tiles,
/// cards, factions.
pub(crate) fn plates() -> Vec<Plate> {
    let lands = Land::all().map(|land| {
        let neighbors = direct(land).iter().map(components::land);
        Plate::new(
            components::land(land),
            format!("{land}, {}", land.printed()),
        )
        .colored(ground(land.printed()).0.light())
        .within(map::outline(land.place(), MAP))
        .beside(neighbors.collect())
    });
    let rivers = River::all().map(|river| {
        Plate::new(components::river(river), format!("River {river}"))
            .colored(Paint::River.light())
            .within(map::outline(river.place(), MAP))
    });
    let cults = Cult::ALL.into_iter().flat_map(|cult| {
        let track = Plate::new(components::cult(cult), format!("{cult}, 0 to {CULT_TOP}"));
        let spaces = (1..).zip(PRIEST_SPACES).map(move |(place, slot)| {
            let title = format!("{cult}: {slot}");
            Plate::new(components::priest_space(cult, place), title).on(components::cult(cult))
        });
        [track.colored(cult_paint(cult).light())]
            .into_iter()
            .chain(spaces)
    });
    let tiles = FavorTile::ALL.map(|tile| Plate::new(components::favor(tile), tile.name()));
    let towns = TownTile::ALL.map(|tile| Plate::new(components::town(tile), tile.name()));
    let cards = BonusCard::ALL.map(|card| Plate::new(components::bonus(card), card.name()));
    let scoring = ScoringTile::ALL.map(|tile| Plate::new(components::scoring(tile), tile.name()));
    let power = PowerAction::ALL.map(|one| Plate::new(components::power_action(one), one.name()));
    let factions = Faction::ALL.map(|faction| {
        let plate = Plate::new(components::faction(faction), faction.name());
        plate.colored(piece(faction.home()).light())
    });
    let map = lands.chain(rivers).chain(cults);
    let taken = tiles.into_iter().chain(towns).chain(cards).chain(scoring);
    map.chain(taken).chain(power).chain(factions).collect()
}
