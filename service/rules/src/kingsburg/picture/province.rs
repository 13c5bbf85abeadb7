//! A player's province: goods, and the twenty buildings.

use super::side::leads;
use super::{paint, sign};
use crate::kingsburg::components;
use crate::kingsburg::data::{Building, COLUMNS, Good, ROWS};
use crate::kingsburg::view::{PlayerView, View};
use crate::table::Component;
use crate::table::picture::{Area, Canvas, Outline, Paint, PlayerRow, Point, Shape};

pub(super) fn province(canvas: &mut Canvas<'_>, view: &View, player: &PlayerView, area: Area) {
    let strip = PlayerRow {
        seat: player.seat,
        paint: paint(player),
        points: Some(player.vp.into()),
        unit: "VP",
        leads: leads(view, player),
        role: "",
        state: "",
    };
    canvas.player(area, &strip, |canvas, inner| {
        let (goods, sheet) = inner.cut_top(24);
        self::goods(canvas, player, goods);
        canvas.rect(sheet, 4, Paint::Empty);
        for building in Building::ALL {
            let cell = sheet.row(building.row_index(), ROWS, 2);
            let cell = cell.column(usize::from(building.column()) - 1, COLUMNS, 2);
            self::building(canvas, player, building, cell);
        }
    });
}

/// Goods, +2 tokens and soldiers.
fn goods(canvas: &mut Canvas<'_>, player: &PlayerView, area: Area) {
    let seat = player.seat;
    let goods = Good::ALL.map(|good| {
        let amount = player.goods.amount(good).to_string();
        (
            components::good(seat, good),
            sign(good),
            amount,
            good.name(),
        )
    });
    let plus2 = (Shape::Square, Paint::SoftYellow);
    let tokens = (
        components::tokens(seat),
        plus2,
        player.plus2.to_string(),
        "+2 tokens",
    );
    let shield = (Shape::Shield, Paint::Silver);
    let soldiers = (
        components::soldiers(seat),
        shield,
        player.soldiers.to_string(),
        "soldiers",
    );
    for (index, (component, sign, amount, what)) in
        goods.into_iter().chain([tokens, soldiers]).enumerate()
    {
        let cell = area.column(index, Good::COUNT + 2, 2);
        amount_of(canvas, component, sign, (&amount, what), cell);
    }
}

fn amount_of(
    canvas: &mut Canvas<'_>,
    component: Component,
    sign: (Shape, Paint),
    (amount, what): (&str, &str),
    cell: Area,
) {
    let outline = Outline::Rect(Area {
        h: cell.h - 4,
        ..cell
    });
    canvas.part(
        component,
        format_args!("{amount} {what}"),
        &outline,
        |canvas| {
            let font = canvas.font(15).bold();
            let font = if amount == "0" { font.faint() } else { font };
            let at = Point::new(cell.x + 1, cell.y + 10);
            canvas.amount(at, sign, amount, font);
            if what == "+2 tokens" {
                let font = canvas.font(11).bold().middle().paint(Paint::Ink);
                canvas.label(at.by(9, 4), "+2", font);
            }
        },
    );
}

fn building(canvas: &mut Canvas<'_>, player: &PlayerView, building: Building, cell: Area) {
    let fill = paint(player);
    let built = player.buildings.contains(&building);
    let next = player
        .rows
        .get(building.row_index())
        .copied()
        .unwrap_or_default()
        + 1;
    let component = components::building(player.seat, building);
    let crane = player.buildings.contains(&Building::Crane);
    let price = building.price(crane);
    let title = match building.vp() {
        0 => format!("{building}: {price}"),
        vp => format!("{building}: {price}, {vp} VP"),
    };
    canvas.part(component, title, &Outline::Rect(cell), |canvas| {
        let open = !built && building.column() == next;
        if built {
            canvas.rect(cell, 3, fill);
        } else if open {
            canvas.rect(cell, 3, Paint::SoftYellow);
        }
        let ink = match (built, open) {
            (true, _) => fill.on(),
            (false, true) => Paint::Ink,
            (false, false) => Paint::Faint,
        };
        let font = canvas.font(11).middle().paint(ink);
        let bold = built && font.bold().width(building.name()) <= cell.w - 4;
        let font = if bold { font.bold() } else { font };
        let low = cell.h < 44;
        let top = match (built, low) {
            (true, _) => {
                cell.middle().y
                    - if building.name().contains(' ') && !low {
                        2
                    } else {
                        -4
                    }
            }
            (false, true) => cell.y + 12,
            (false, false) => cell.y + 13,
        };
        let top = Point::new(cell.middle().x, top);
        let lines = if low { 1 } else { 2 };
        let below = canvas.name_lines(top, building.name(), font, (cell.w - 4, lines));
        if open {
            cost(canvas, price, cell);
        } else if !built {
            let at = Point::new(cell.middle().x, cell.bottom() - 5);
            if below <= at.y {
                let vp = format!("{} VP", building.vp());
                canvas.label(at, vp, canvas.font(11).middle().faint());
            }
        }
    });
}

fn cost(canvas: &mut Canvas<'_>, price: crate::kingsburg::data::Goods, cell: Area) {
    let parts = Good::ALL.into_iter().filter(|good| price.amount(*good) > 0);
    let parts: Vec<Good> = parts.collect();
    let count = i32::try_from(parts.len()).unwrap_or(0);
    let width = if cell.w < 60 { 17 } else { 22 };
    let mut at = Point::new(cell.middle().x - count * width / 2, cell.bottom() - 8);
    for good in parts {
        let (shape, paint) = sign(good);
        canvas.shape(shape, at.by(5, 0), 11, paint);
        canvas.label(at.by(11, 4), price.amount(good), canvas.font(11).bold());
        at = at.by(width, 0);
    }
}
