//! Building tiles: their effects in few signs, and those that can still be built.

use super::{cube, paint, times};
use crate::caylus::components;
use crate::caylus::data::{Cubes, Effect, Goods, Kind, Resource, Tile, Trade};
use crate::caylus::view::View;
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape};

/// A cube with its letter.
pub(super) fn piece(canvas: &mut Canvas<'_>, resource: Resource, at: Point, size: i32) {
    let (paint, letter) = cube(resource);
    canvas.shape(Shape::Cube, at, size, paint);
    let font = canvas.font(11).bold().middle().paint(paint.on());
    canvas.label(at.by(0, 4), letter, font);
}

/// Draws cubes side by side from this point on. Returns the point where the next sign can begin.
fn cubes(canvas: &mut Canvas<'_>, cubes: Cubes, mut at: Point) -> Point {
    for resource in Resource::ALL {
        for _ in 0..cubes.count(resource) {
            piece(canvas, resource, at.by(8, 0), 18);
            at = at.by(16, 0);
        }
    }
    at
}

/// Draws the effect of a tile: cubes as cubes, everything else in few words.
pub(super) fn effect(canvas: &mut Canvas<'_>, tile: Tile, area: Area) {
    let font = canvas.font(11);
    let words = match tile.sheet().effect {
        Effect::None => given(tile),
        Effect::Produce(options) => {
            let mut at = area.corner().by(0, 9);
            for (index, option) in options.iter().enumerate() {
                if index > 0 {
                    canvas.label(at.by(2, 4), "/", font);
                    at = at.by(7, 0);
                }
                at = cubes(canvas, *option, at);
            }
            return;
        }
        Effect::SellCube(deniers) => format!("sell a cube for {deniers} d"),
        Effect::BuyCubes { price, most: 1 } => format!("buy a cube for {price} d"),
        Effect::BuyCubes { price, most } => format!("buy {most} cubes for {price} d each"),
        Effect::BuildCraft(kind) => format!("build {kind}"),
        Effect::BuildPrestige => String::from("build prestige"),
        Effect::Transform => String::from("1 d, 1 C: residence"),
        Effect::Trade(options) => {
            let options: Vec<String> = options.iter().map(trade).collect();
            options.join(", ")
        }
        Effect::Alchemy => String::from("2 cubes → 1 G"),
    };
    canvas.lines(area.corner().by(0, 10), &words, font, (area.w, 2));
}

/// The prestige points, income and favors of a tile that takes no workers.
fn given(tile: Tile) -> String {
    let sheet = tile.sheet();
    let facts = [
        (sheet.vp, "VP"),
        (sheet.income, "d a turn"),
        (sheet.favors.into(), "favor"),
    ];
    let facts = facts.into_iter().filter(|(amount, _)| *amount > 0);
    let facts: Vec<String> = facts
        .map(|(amount, what)| format!("{amount} {what}"))
        .collect();
    facts.join(", ")
}

fn trade(Trade { pay, gain }: &Trade) -> String {
    format!("{} → {}", short(*pay), short(*gain))
}

/// `2 d`, `3 C`, `4 VP`.
fn short(goods: Goods) -> String {
    let mut parts: Vec<String> = Vec::new();
    if goods.deniers > 0 {
        parts.push(format!("{} d", goods.deniers));
    }
    for resource in Resource::ALL {
        let count = goods.cubes.count(resource);
        if count > 0 {
            parts.push(format!("{count} {}", cube(resource).1));
        }
    }
    if goods.vp > 0 {
        parts.push(format!("{} VP", goods.vp));
    }
    parts.join(" ")
}

/// The tiles that can be built, each with its price and points.
pub(super) fn supply(canvas: &mut Canvas<'_>, view: &View, area: Area, columns: usize) {
    let inner = canvas.panel(area, "Tiles to build");
    let all = [Kind::Wood, Kind::Stone, Kind::Prestige].into_iter();
    let all: Vec<Tile> = all.flat_map(Tile::of_kind).collect();
    let rows = all.len().div_ceil(columns);
    for (index, tile) in all.into_iter().enumerate() {
        let left = [&view.supply.wood, &view.supply.stone, &view.supply.prestige];
        let left = left
            .into_iter()
            .flatten()
            .filter(|one| **one == tile)
            .count();
        let cell = inner.cell(index, (columns, rows), 3);
        self::tile(canvas, (tile, left), cell);
    }
}

fn tile(canvas: &mut Canvas<'_>, (tile, left): (Tile, usize), area: Area) {
    let sheet = tile.sheet();
    let any = if sheet.any_cube {
        " and a cube of any kind"
    } else {
        ""
    };
    let title = format!(
        "{tile}, {}: {}{any}, {} VP, {left} left",
        tile.kind(),
        sheet.cost,
        sheet.vp
    );
    canvas.part(
        components::tile(tile),
        title,
        &Outline::Rect(area),
        |canvas| {
            let fill = if left > 0 {
                paint(tile.kind())
            } else {
                Paint::Empty
            };
            canvas.rect(area, 4, fill);
            let ink = if left > 0 { Paint::Ink } else { Paint::Faint };
            let count = match left {
                0 | 1 => String::new(),
                many => format!("×{many}"),
            };
            let font = canvas.font(12).bold().paint(ink);
            let room = area.w - 11 - font.label_width(&count);
            let font = font.down_to(Font::LEAST, tile.name(), room);
            let at = area.corner().by(5, 13);
            canvas.name(at, tile.name(), font, room);
            canvas.label(at.by(font.width(tile.name()).min(room) + 3, 0), count, font);
            if left == 0 {
                return;
            }
            let font = canvas.font(11);
            let vp = match sheet.vp {
                0 => String::new(),
                vp => format!("{vp} VP"),
            };
            let end = Point::new(area.right() - 4, area.bottom() - 5);
            canvas.label(end, &vp, font.end());
            let room = area.w - 12 - font.label_width(&vp);
            let at = Point::new(area.x + 5, area.bottom() - 9);
            let at = price(canvas, sheet.cost, (at, room));
            if sheet.any_cube {
                canvas.label(at.by(2, 4), "+1", font);
            }
        },
    );
}

/// Draws the cubes that a tile costs: one by one if there is room, otherwise each kind with its number. Returns the
/// point where the next sign can begin.
fn price(canvas: &mut Canvas<'_>, cost: Cubes, (mut at, room): (Point, i32)) -> Point {
    let counts = Resource::ALL.map(|resource| usize::from(cost.count(resource)));
    let one_by_one = times(counts.into_iter().sum(), 12) + 3 <= room;
    for resource in Resource::ALL {
        let count = cost.count(resource);
        if count == 0 {
            continue;
        }
        let shown = if one_by_one { count } else { 1 };
        for _ in 0..shown {
            let (paint, letter) = cube(resource);
            canvas.shape(Shape::Cube, at.by(6, 0), 15, paint);
            let font = canvas.font(11).bold().middle().paint(paint.on());
            canvas.label(at.by(6, 4), letter, font);
            at = at.by(12, 0);
        }
        if !one_by_one {
            canvas.label(at.by(3, 4), format_args!("×{count}"), canvas.font(11));
            at = at.by(20, 0);
        }
    }
    at
}
