//! The map: hexes with their terrains, structures, towns and bridges.

use super::{ground, paint_of};
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};
use crate::terra_mystica::components;
use crate::terra_mystica::data::{River, Structure};
use crate::terra_mystica::view::{BridgeView, SpaceView, View};

/// The scale of a map: the point where it begins, and half the width of a hex.
type Scale = (Point, i32);

/// The width of the map, in halves of hexes.
pub(super) const COLUMNS: i32 = 26;

/// The distance from the middle of a hex to its upper corner.
const fn radius(half: i32) -> i32 {
    half * 1155 / 1000
}

/// The height of a map whose hexes have this half width.
pub(super) const fn height(half: i32) -> i32 {
    8 * radius(half) * 3 / 2 + 2 * radius(half)
}

/// The middle of the hex at this row and position in half hexes.
fn middle((row, half_column): (u8, u8), (corner, half): Scale) -> Point {
    let x = (i32::from(half_column) + 1) * half;
    let y = i32::from(row) * radius(half) * 3 / 2 + radius(half);
    corner.by(x, y)
}

/// The corners of a hex.
pub(super) fn outline(place: (u8, u8), scale: Scale) -> Vec<Point> {
    corners(middle(place, scale), scale.1)
}

fn hexagon(canvas: &mut Canvas<'_>, at: Point, half: i32, paints: (Paint, Paint)) {
    let corners = corners(Point::new(0, 0), half);
    canvas.tile("hex", (at, &corners), paints);
}

fn corners(at: Point, half: i32) -> Vec<Point> {
    let (high, low) = (radius(half), radius(half) / 2);
    vec![
        at.by(0, -high),
        at.by(half, -low),
        at.by(half, low),
        at.by(0, high),
        at.by(-half, low),
        at.by(-half, -low),
    ]
}

pub(super) fn map(canvas: &mut Canvas<'_>, view: &View, scale: Scale) {
    // All water is filled at once, since most of its hexes are never named.
    let (corner, half) = scale;
    let water = Area::new(corner.x, corner.y, COLUMNS * half, height(half));
    canvas.rect(water, 6, Paint::River);
    for river in River::all() {
        self::river(canvas, view, river, scale);
    }
    for space in &view.spaces {
        hex(canvas, view, space, scale);
    }
    for bridge in &view.bridges {
        self::bridge(canvas, view, bridge, scale);
    }
}

fn river(canvas: &mut Canvas<'_>, view: &View, river: River, scale: Scale) {
    let town = view.towns.iter().find(|town| town.river == Some(river));
    let (component, at) = (components::river(river), middle(river.place(), scale));
    let area = Outline::Polygon(outline(river.place(), scale));
    if town.is_none() && !canvas.look.is_interactive(component) {
        return;
    }
    canvas.part(component, river, &area, |canvas| {
        hexagon(canvas, at, scale.1, (Paint::River, Paint::River));
        if let Some(town) = town {
            canvas.seat_marker(town.seat, at, scale.1.max(18), paint_of(view, town.seat));
        }
    });
}

fn hex(canvas: &mut Canvas<'_>, view: &View, space: &SpaceView, scale: Scale) {
    let land = space.space;
    let (fill, sign) = ground(space.terrain);
    let (at, half) = (middle(land.place(), scale), scale.1);
    let is_large = half > 20;
    let title = format!("{land}, {}", space.terrain);
    let area = Outline::Polygon(outline(land.place(), scale));
    canvas.part(components::land(land), title, &area, |canvas| {
        hexagon(canvas, at, half, (fill, Paint::Paper));
        if space.structure.is_none() {
            let (lift, size) = if is_large { (-6, 26) } else { (-6, 13) };
            canvas.edged(sign, at.by(0, lift), size, (fill, fill.on()));
        }
        let font = canvas.font(11).middle().paint(fill.on());
        canvas.label(at.by(0, if is_large { half - 6 } else { 10 }), land, font);
    });
    if let Some((structure, owner)) = space.structure.zip(space.owner) {
        let (lift, size) = if is_large { (-5, half + 1) } else { (-7, 14) };
        building(
            canvas,
            view,
            (space, structure, owner),
            (at.by(0, lift), size),
        );
    }
}

/// The outline of a structure.
pub(super) const fn shape(structure: Structure) -> Shape {
    match structure {
        Structure::Dwelling => Shape::House,
        Structure::TradingHouse => Shape::TradingHouse,
        Structure::Temple => Shape::Round,
        Structure::Stronghold => Shape::Castle,
        Structure::Sanctuary => Shape::Temple,
    }
}

fn building(
    canvas: &mut Canvas<'_>,
    view: &View,
    (space, structure, owner): (&SpaceView, Structure, Seat),
    (at, size): (Point, i32),
) {
    let land = space.space;
    let in_town = view.towns.iter().any(|town| town.spaces.contains(&land));
    let town = if in_town { ", in a town" } else { "" };
    let who = canvas.look.names.of(owner);
    let title = format!("{structure} of {who}{town}");
    let paint = paint_of(view, owner);
    let area = Outline::Rect(Area::around(at, size));
    canvas.part(components::structure(land), title, &area, |canvas| {
        let shape = shape(structure);
        canvas.shape(shape, at, size, paint);
        if size > 20 {
            let font = canvas.font(13).bold().middle().paint(paint.on());
            canvas.label(at.by(0, 9), owner.number(), font);
        }
        if in_town {
            let corner = at.by(size / 2 - 1, 2 - size / 2);
            canvas.edged(Shape::Flag, corner, 14, (Paint::Gold, Paint::Dark));
        }
    });
}

fn bridge(canvas: &mut Canvas<'_>, view: &View, bridge: &BridgeView, scale: Scale) {
    let Some(component) = components::bridge(bridge.a, bridge.b) else {
        return;
    };
    let (a, b) = (
        middle(bridge.a.place(), scale),
        middle(bridge.b.place(), scale),
    );
    let third = |from: i32, to: i32| from + (to - from) * 3 / 10;
    let points = [
        Point::new(third(a.x, b.x), third(a.y, b.y)),
        Point::new(third(b.x, a.x), third(b.y, a.y)),
    ];
    let who = canvas.look.names.of(bridge.seat);
    let title = format!("bridge of {who} between {} and {}", bridge.a, bridge.b);
    let area = Outline::Polygon(points.to_vec());
    canvas.part(component, title, &area, |canvas| {
        canvas.polyline(&points, (Paint::Dark, 9));
        canvas.polyline(&points, (paint_of(view, bridge.seat), 6));
    });
}
