//! Wars, point cards, and pieces without an owner.

use super::paint_of;
use crate::mythotopia::components;
use crate::mythotopia::stage::{Side, Strength};
use crate::mythotopia::view::{PointCardView, View, WarView};
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape, int};

/// The wars with their current strengths, the defender first.
pub(super) fn wars(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(
        area,
        if view.wars.is_empty() {
            "No wars"
        } else {
            "Wars"
        },
    );
    let rows = view.wars.len().max(4);
    let columns = if rows > 5 { 2 } else { 1 };
    let rows = rows.div_ceil(columns);
    for (index, war) in view.wars.iter().enumerate() {
        self::war(canvas, view, war, inner.cell(index, (columns, rows), 3));
    }
}

/// The track of a war: each side with its strength, the strongest one marked.
fn war(canvas: &mut Canvas<'_>, view: &View, war: &WarView, row: Area) {
    let font = Font::new(13).bold();
    let base = row.middle().y;
    canvas.name(
        Point::new(row.x, base + 5),
        war.province.name(),
        font,
        row.w * 2 / 5,
    );
    let best = war.strengths.iter().map(|side| side.strength).max();
    for (index, side) in war.strengths.iter().enumerate() {
        let at = Point::new(row.x + row.w * 2 / 5 + 14 + 56 * int(index), base);
        self::side(canvas, view, *side, at);
        if Some(side.strength) == best {
            let line = [at.by(-10, 12), at.by(34, 12)];
            canvas.polyline(&line, (Paint::Accent, 3));
        }
    }
}

fn side(canvas: &mut Canvas<'_>, view: &View, Strength { side, strength }: Strength, at: Point) {
    match side {
        Side::Player(seat) => canvas.seat_marker(seat, at, 20, paint_of(view, seat)),
        Side::Neutral => canvas.shape(Shape::Shield, at, 19, Paint::Silver),
    }
    canvas.label(at.by(14, 6), strength, Font::new(16).bold());
}

/// The point cards in play with the tokens on them, and the bank.
pub(super) fn points(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "Tokens to win");
    let count = view.point_cards.len() + 1;
    let rows = count.div_ceil(2);
    for (index, card) in view.point_cards.iter().enumerate() {
        point_card(canvas, card, inner.cell(index, (2, rows), 4));
    }
    let cell = inner.cell(count - 1, (2, rows), 4);
    let tokens: Vec<(u8, u8)> = (1..).zip(view.bank).collect();
    let title = format!(
        "Bank: {}, {}, {} tokens of 1, 2, 3",
        view.bank[0], view.bank[1], view.bank[2]
    );
    canvas.part(components::bank(), title, &Outline::Rect(cell), |canvas| {
        stacks(canvas, "Bank", &tokens, cell);
    });
}

fn point_card(canvas: &mut Canvas<'_>, card: &PointCardView, cell: Area) {
    let tokens: Vec<(u8, u8)> = card
        .tokens
        .iter()
        .map(|stack| (stack.token.value, stack.count))
        .collect();
    let left: u16 = tokens.iter().map(|(_, count)| u16::from(*count)).sum();
    let title = format!("{}: {left} tokens left", card.card);
    let component = components::point_card(card.card);
    canvas.part(component, title, &Outline::Rect(cell), |canvas| {
        stacks(canvas, card.card.name(), &tokens, cell);
    });
}

/// Draws a name, and tokens by value, each with their number.
fn stacks(canvas: &mut Canvas<'_>, name: &str, tokens: &[(u8, u8)], cell: Area) {
    let left = tokens.iter().any(|(_, count)| *count > 0);
    canvas.rect(
        cell,
        4,
        if left {
            Paint::SoftYellow
        } else {
            Paint::Empty
        },
    );
    let base = cell.middle().y;
    let mut x = cell.right() - 4;
    for (value, count) in tokens.iter().rev().filter(|(_, count)| *count > 0) {
        let number = format!("×{count}");
        let font = Font::new(11);
        canvas.label(Point::new(x, base + 4), &number, font.end());
        x -= font.width(&number) + 10;
        canvas.disc(
            Point::new(x, base),
            9,
            (Paint::Gold, Some((Paint::Dark, 1))),
        );
        let font = Font::new(12).bold().middle().paint(Paint::Dark);
        canvas.label(Point::new(x, base + 4), value, font);
        x -= 12;
    }
    let width = x - cell.x - 4;
    let font = Font::new(12).down_to(11, name, width);
    canvas.name(Point::new(cell.x + 5, base + 4), name, font, width);
}

/// Roads, castles and mercenaries that are left, and the province pile.
pub(super) fn supply(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "");
    let supply = view.supply;
    let facts = [
        ("roads", supply.roads),
        ("castles", supply.castles),
        ("mercenaries", supply.mercenaries),
        ("provinces", view.province_pile_size),
    ];
    for (index, (what, number)) in facts.into_iter().enumerate() {
        let at = inner.column(index, facts.len(), 0).middle();
        canvas.label(at.by(0, 1), number, Font::new(15).bold().middle());
        canvas.label(at.by(0, 14), what, Font::new(11).faint().middle());
    }
}
