//! The map: provinces joined by their borders, roads, seas with ships, wars.

use super::paint_of;
use crate::mythotopia::components;
use crate::mythotopia::data::{
    Border, BorderKind, DRAGON_STRENGTH, MAP_SIZE, Province, Sea, Symbol,
};
use crate::mythotopia::stage::Building;
use crate::mythotopia::view::{ProvinceView, SeaView, View};
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape, int};

/// The size of a province and of a sea on a map of full size.
const TILE: (i32, i32) = (92, 52);
const WATERS: (i32, i32) = (116, 54);

/// An area around a place of the full map, on a map of this area.
fn around((x, y): (i32, i32), (width, height): (i32, i32), area: Area) -> Area {
    let (full_w, full_h) = MAP_SIZE;
    let (w, h) = (width * area.w / full_w, (height * area.h / full_h).max(34));
    let middle = Point::new(area.x + x * area.w / full_w, area.y + y * area.h / full_h);
    Area::new(middle.x - w / 2, middle.y - h / 2, w, h)
}

/// The place of a province.
pub(super) fn tile(province: Province, area: Area) -> Area {
    around(province.middle(), TILE, area)
}

/// The place where the ships of a sea are.
pub(super) fn waters(sea: Sea, area: Area) -> Area {
    around(sea.middle(), WATERS, area)
}

pub(super) fn map(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    canvas.rect(area, 8, Paint::River);
    borders(canvas, view, area);
    for sea in &view.seas {
        self::sea(canvas, view, sea, waters(sea.sea, area));
    }
    for place in &view.provinces {
        province(canvas, view, place, tile(place.province, area));
    }
}

/// Draws borders as lines: thin for open land, dashed for hills, a wall for mountains; roads are components.
fn borders(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let ends = |border: Border| {
        let row = border.row();
        [tile(row.a, area).middle(), tile(row.b, area).middle()]
    };
    let looks = [
        (BorderKind::Normal, Paint::Plains, 4, None),
        (BorderKind::Hills, Paint::Brown, 5, Some("7 8")),
        (BorderKind::Mountains, Paint::Black, 9, None),
    ];
    for (kind, paint, width, dashes) in looks {
        let ways = Border::all().filter(|border| border.row().kind == kind);
        let ways: Vec<[Point; 2]> = ways.map(ends).collect();
        canvas.ways(&ways, (paint, width), dashes);
    }
    for border in &view.roads {
        let (row, ends) = (border.row(), ends(*border));
        let title = format!("Road {} to {}", row.a, row.b);
        let outline = Outline::Polygon(ends.to_vec());
        canvas.part(components::road(*border), title, &outline, |canvas| {
            canvas.polyline(&ends, (Paint::Dark, 10));
            canvas.polyline(&ends, (Paint::Gold, 6));
        });
    }
}

fn sea(canvas: &mut Canvas<'_>, view: &View, sea: &SeaView, area: Area) {
    let outline = Outline::Rect(area);
    canvas.part(components::sea(sea.sea), sea.sea, &outline, |canvas| {
        canvas.bordered(area, 20, (Paint::SoftBlue, Some((Paint::Sky, 2))));
        // At the left edge, which no province covers.
        if canvas.is_phone() {
            let name = sea
                .sea
                .name()
                .replace("Inland Sea ", "")
                .replace(" Sea", "");
            canvas.text(area.corner().by(8, 12), name, Font::new(11), area.w - 10);
        } else {
            let name = sea.sea.name();
            let font = Font::new(13).bold().down_to(11, name, area.w - 12);
            canvas.text(area.corner().by(9, 16), name, font, area.w - 10);
        }
    });
    let fleets = (0..)
        .map(Seat::at)
        .zip(&sea.ships)
        .filter(|(_, ships)| **ships > 0);
    for (index, (seat, ships)) in fleets.enumerate() {
        let (first, step) = if canvas.is_phone() {
            (13, 14)
        } else {
            (15, 27)
        };
        let at = Point::new(area.x + first + step * int(index), area.bottom() - 14);
        let paint = paint_of(view, seat);
        let title = format!("{ships} ships of {}", canvas.look.names.of(seat));
        let outline = Outline::Disc(Area::around(at, 26));
        canvas.part(
            components::ships(seat, sea.sea),
            title,
            &outline,
            |canvas| {
                canvas.shape(Shape::Ship, at, 24, paint);
                let font = Font::new(11).bold().middle().paint(Paint::Ink);
                canvas.label(at.by(8, -4), ships, font);
            },
        );
    }
}

/// A letter and a color for the symbol of a province.
pub(super) const fn symbol(symbol: Symbol) -> (Paint, &'static str) {
    match symbol {
        Symbol::Army => (Paint::Red, "A"),
        Symbol::Ship => (Paint::Blue, "S"),
        Symbol::Food => (Paint::Green, "F"),
        Symbol::Stone => (Paint::Stone, "T"),
        Symbol::Gold => (Paint::Gold, "G"),
    }
}

fn title(canvas: &Canvas<'_>, place: &ProvinceView) -> String {
    let row = place.province.row();
    let owner = match place.controller {
        Some(seat) => canvas.look.names.who(seat).to_string(),
        None => format!("neutral, strength {}", strength(place)),
    };
    let building = place.building.map_or("", Building::name);
    format!("{}: {owner} {building}, {}", place.province, row.symbol)
}

/// The strength of the neutral side.
fn strength(place: &ProvinceView) -> u8 {
    place.province.row().strength + if place.dragon { DRAGON_STRENGTH } else { 0 }
}

fn province(canvas: &mut Canvas<'_>, view: &View, place: &ProvinceView, area: Area) {
    let row = place.province.row();
    let war = view.wars.iter().any(|war| war.province == place.province);
    let outline = Outline::Rect(area);
    let fill = place
        .controller
        .map_or(Paint::Panel, |seat| paint_of(view, seat));
    canvas.part(
        components::province(place.province),
        title(canvas, place),
        &outline,
        |canvas| {
            let edge = if war {
                (Paint::Red, 4)
            } else {
                (Paint::Dark, 1)
            };
            canvas.bordered(area, 7, (fill, Some(edge)));
            let (paint, letter) = symbol(row.symbol);
            let corner = area.corner().by(9, 10);
            if canvas.is_phone() {
                let number = place.province.printed_number();
                let font = Font::new(12).bold().paint(fill.on());
                canvas.label(area.corner().by(5, 13), number, font);
            } else {
                canvas.disc(corner, 8, paint, Some((Paint::Bright, 1)));
                let font = Font::new(11).bold().middle().paint(paint.on());
                canvas.label(corner.by(0, 4), letter, font);
                let name = place.province.name();
                let font = Font::new(13).bold().down_to(11, name, area.w - 24);
                canvas.text(
                    area.corner().by(20, 14),
                    name,
                    font.paint(fill.on()),
                    area.w - 22,
                );
            }
            buildings(canvas, place, (area, fill));
        },
    );
    forces(canvas, view, place, area);
}

/// The building, the castle, the dragon, the runestone; the strength of the neutral side.
fn buildings(canvas: &mut Canvas<'_>, place: &ProvinceView, (area, fill): (Area, Paint)) {
    let mut at = Point::new(area.x + 11, area.bottom() - 12);
    let step = if canvas.is_phone() { 13 } else { 19 };
    let small = if canvas.is_phone() { 13 } else { 18 };
    match (place.controller, place.building) {
        (None, _) => {
            let font = Font::new(14).bold().middle();
            canvas.label(at.by(0, 5), strength(place), font);
        }
        (Some(_), Some(building)) => {
            let sign = match building {
                Building::Town => Shape::House,
                Building::City => Shape::TradingHouse,
                Building::Citadel => Shape::Temple,
            };
            canvas.edged(sign, at, small, (Paint::White, Paint::Dark));
        }
        (Some(_), None) => {}
    }
    at = at.by(step, 0);
    let signs = [
        (place.castle, Shape::Castle, Paint::Stone),
        (place.runestone, Shape::Rock, Paint::Violet),
        (place.dragon, Shape::Star, Paint::Red),
    ];
    for (_, sign, paint) in signs.into_iter().filter(|(there, ..)| *there) {
        canvas.edged(sign, at, small, (paint, Paint::Dark));
        at = at.by(step, 0);
    }
    if place.province.row().rugged && !canvas.is_phone() {
        let corner = Point::new(area.right() - 9, area.bottom() - 8);
        canvas.edged(Shape::SignMountains, corner, 14, (fill, fill.on()));
    }
}

/// Armies and mercenaries, from the right edge of the lower line; on a small map, every other one above it.
fn forces(canvas: &mut Canvas<'_>, view: &View, place: &ProvinceView, area: Area) {
    for (back, force) in place.forces.iter().rev().enumerate() {
        let (left, up) = if canvas.is_phone() {
            (16 * int(back / 2), 15 * int(back % 2))
        } else {
            (24 * int(back), 0)
        };
        let at = Point::new(area.right() - 14 - left, area.bottom() - 13 - up);
        let paint = paint_of(view, force.seat);
        let who = canvas.look.names.of(force.seat);
        let title = format!(
            "{} armies and {} mercenaries of {who}",
            force.armies, force.mercenaries
        );
        let outline = Outline::Disc(Area::around(at, 24));
        let total = force.armies + force.mercenaries;
        canvas.part(
            components::force(force.seat, place.province),
            title,
            &outline,
            |canvas| {
                canvas.shape(Shape::Army, at, 22, paint);
                let font = Font::new(12).bold().middle().paint(paint.on());
                canvas.label(at.by(0, 8), total, font);
            },
        );
    }
}
