//! The map: provinces joined by their borders, roads, seas with ships, wars.

use super::paint_of;
use super::place::Map;
use crate::mythotopia::components;
use crate::mythotopia::data::{Border, BorderKind, DRAGON_STRENGTH, Symbol};
use crate::mythotopia::stage::Building;
use crate::mythotopia::view::{ProvinceView, SeaView, View};
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape, int};
use crate::table::{Count, Seat};

pub(super) fn map(canvas: &mut Canvas<'_>, view: &View, map: Map) {
    canvas.rect(map.area, 8, Paint::River);
    borders(canvas, view, map);
    for sea in &view.seas {
        self::sea(canvas, view, sea, map.waters(sea.sea));
    }
    for place in &view.provinces {
        province(canvas, view, place, map.tile(place.province));
    }
}

/// Draws borders as lines: thin for open land, dashed for hills, a wall for mountains; roads are components.
fn borders(canvas: &mut Canvas<'_>, view: &View, map: Map) {
    let ends = |border: Border| {
        let row = border.row();
        [map.tile(row.a).middle(), map.tile(row.b).middle()]
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
        if canvas.is_phone() {
            let name = sea
                .sea
                .name()
                .replace("Inland Sea ", "")
                .replace(" Sea", "");
            canvas.name(area.corner().by(8, 12), name, Font::new(11), area.w - 10);
        } else {
            let name = sea.sea.name();
            let font = Font::new(13).bold().down_to(11, name, area.w - 12);
            canvas.name(area.corner().by(9, 16), name, font, area.w - 10);
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
        let title = format!(
            "{} of {}",
            Count(*ships, "ship"),
            canvas.look.names.of(seat)
        );
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
    let mut title = format!("{}: {owner}", place.province);
    let signs = [
        place.building.map(Building::name),
        place.castle.then_some("castle"),
        place.runestone.then_some("runestone"),
        place.dragon.then_some("dragon"),
        row.rugged.then_some("rugged"),
    ];
    for sign in signs.into_iter().flatten() {
        title += &format!(", {sign}");
    }
    title + &format!(", {}", row.symbol)
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
            let name = place.province.name();
            let (left, font) = if canvas.is_phone() {
                (3, Font::new(11))
            } else {
                let (paint, letter) = symbol(row.symbol);
                let corner = area.corner().by(9, 10);
                canvas.disc(corner, 8, (paint, Some((Paint::Bright, 1))));
                let font = Font::new(11).bold().middle().paint(paint.on());
                canvas.label(corner.by(0, 4), letter, font);
                (20, Font::new(13).bold())
            };
            let room = area.w - left - 2;
            let font = font.down_to(Font::LEAST, name, room).paint(fill.on());
            canvas.name(area.corner().by(left, 14), name, font, room);
            buildings(canvas, place, (area, fill));
        },
    );
    forces(canvas, view, place, area);
}

/// The building, the castle, the dragon, the runestone; the strength of the neutral side. On a phone they are between
/// the name and the forces, with the symbol of the province before them.
fn buildings(canvas: &mut Canvas<'_>, place: &ProvinceView, (area, fill): (Area, Paint)) {
    let (mut at, step, small) = if canvas.is_phone() {
        (area.corner().by(8, 23), 12, 12)
    } else {
        (Point::new(area.x + 11, area.bottom() - 12), 19, 18)
    };
    if canvas.is_phone() {
        let (paint, letter) = symbol(place.province.row().symbol);
        canvas.disc(at, 6, (paint, None));
        let font = Font::new(11).bold().middle().paint(paint.on());
        canvas.label(at.by(0, 4), letter, font);
        at = at.by(step + 1, 0);
    }
    match (place.controller, place.building) {
        (None, _) => {
            let size = if canvas.is_phone() { 12 } else { 14 };
            let font = Font::new(size).bold().middle();
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

/// Armies and mercenaries, from the right edge of the lower line.
fn forces(canvas: &mut Canvas<'_>, view: &View, place: &ProvinceView, area: Area) {
    let (size, step) = if canvas.is_phone() {
        (17, 14)
    } else {
        (22, 24)
    };
    let inset = size / 2 + 2;
    for (back, force) in place.forces.iter().rev().enumerate() {
        let left = step * int(back);
        let at = Point::new(area.right() - inset - left, area.bottom() - inset);
        let paint = paint_of(view, force.seat);
        let who = canvas.look.names.of(force.seat);
        let title = format!(
            "{} and {} of {who}",
            Count(force.armies, "army"),
            Count(force.mercenaries, "mercenary")
        );
        let outline = Outline::Disc(Area::around(at, size + 2));
        let total = force.armies + force.mercenaries;
        canvas.part(
            components::force(force.seat, place.province),
            title,
            &outline,
            |canvas| {
                canvas.shape(Shape::Army, at, size, paint);
                let font = Font::new(if size > 20 { 12 } else { 11 });
                let font = font.bold().middle().paint(paint.on());
                canvas.label(at.by(0, if size > 20 { 8 } else { 7 }), total, font);
            },
        );
    }
}
