//! Cards: piles of the Supply, and cards in a row.

use crate::dominion::components;
use crate::dominion::data::{Card, CardType, Pile};
use crate::table::Component;
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape};

/// The color of a card: that of its most particular type.
pub(super) fn paint(card: Card) -> Paint {
    let paints = [
        (CardType::Attack, Paint::SoftRed),
        (CardType::Reaction, Paint::SoftBlue),
        (CardType::Curse, Paint::SoftViolet),
        (CardType::Treasure, Paint::SoftYellow),
        (CardType::Victory, Paint::SoftGreen),
    ];
    let mut paints = paints.into_iter().filter(|(kind, _)| card.is(*kind));
    paints.next().map_or(Paint::SoftGray, |(_, paint)| paint)
}

/// The types of a card, for people who do not see colors.
fn types(card: Card) -> String {
    let types = card.sheet().types.iter().map(|kind| kind.name());
    types.collect::<Vec<_>>().join(", ")
}

/// The bonuses and the effect of a card, in brief.
fn brief(card: Card) -> String {
    let sheet = card.sheet();
    let plus = sheet.plus;
    let given = [
        (plus.cards, if plus.cards == 1 { "card" } else { "cards" }),
        (
            plus.actions,
            if plus.actions == 1 {
                "action"
            } else {
                "actions"
            },
        ),
        (plus.buys, if plus.buys == 1 { "buy" } else { "buys" }),
        (plus.coins, if plus.coins == 1 { "coin" } else { "coins" }),
    ];
    let given = given.into_iter().filter(|(amount, _)| *amount > 0);
    let mut parts: Vec<String> = given
        .map(|(amount, what)| format!("+{amount} {what}"))
        .collect();
    let says_more = !sheet.text.is_empty();
    if parts.is_empty() || says_more {
        parts.push(sheet.text.to_owned());
    }
    parts.join(". ")
}

/// The price as a coin.
fn price(canvas: &mut Canvas<'_>, card: Card, middle: Point) {
    canvas.shape(Shape::Coin, middle, 22, Paint::Gold);
    let font = Font::new(13).bold().middle().paint(Paint::Dark);
    canvas.label(middle.by(0, 5), card.cost(), font);
}

/// A pile of the Supply: price, name, number, effect.
pub(super) fn pile(canvas: &mut Canvas<'_>, Pile { card, count }: Pile, area: Area) {
    let title = format!(
        "{card}, {}: costs {}, {count} left. {}",
        types(card),
        card.cost(),
        card.sheet().printed()
    );
    canvas.part(
        components::card(card),
        title,
        &Outline::Rect(area),
        |canvas| {
            let fill = if count == 0 {
                Paint::Empty
            } else {
                paint(card)
            };
            canvas.bordered(area, 6, (fill, Some((Paint::Line, 1))));
            price(canvas, card, area.corner().by(15, 16));
            let number = Font::new(15).bold().end();
            let number = if count == 0 { number.faint() } else { number };
            let narrow = area.w < 112;
            let at = if narrow {
                Point::new(area.right() - 7, area.y + 21)
            } else {
                Point::new(area.right() - 8, area.y + 21)
            };
            canvas.label(at, format_args!("×{count}"), number);
            let (left, base, width) = if narrow {
                (area.x + 7, area.y + 44, area.w - 12)
            } else {
                (area.x + 31, area.y + 21, area.w - 66)
            };
            let font = Font::new(14).bold().down_to(11, card.name(), width);
            canvas.text(Point::new(left, base), card.name(), font, width);
            let below = if narrow { base + 15 } else { area.y + 44 };
            let lines = usize::try_from((area.bottom() - below + 8) / 13).unwrap_or(0);
            if lines > 0 {
                let at = Point::new(area.x + 7, below);
                canvas.lines(at, &brief(card), Font::new(11), (area.w - 12, lines));
            }
        },
    );
}

/// Cards side by side, each kind once with its number.
pub(super) fn row(canvas: &mut Canvas<'_>, cards: &[(Component, Card, u8)], area: Area) {
    let most = if canvas.is_phone() { 4 } else { 6 };
    let columns = cards.len().clamp(most, 7);
    let rows = cards.len().div_ceil(columns).max(1);
    for (index, (component, card, count)) in cards.iter().enumerate() {
        let cell = area.cell(index, (columns, rows), 5);
        let outline = Outline::Rect(cell);
        canvas.part(
            *component,
            format_args!("{count} {card}"),
            &outline,
            |canvas| {
                canvas.bordered(cell, 6, (paint(*card), Some((Paint::Dark, 1))));
                let at = cell.corner().by(6, 18);
                if *count > 1 {
                    let number = Font::new(14).bold().end();
                    canvas.label(
                        Point::new(cell.right() - 6, at.y),
                        format_args!("×{count}"),
                        number,
                    );
                }
                let width = cell.w - 10;
                let base = if *count > 1 { 35 } else { 18 };
                let font = Font::new(14).bold().down_to(11, card.name(), width);
                canvas.text(cell.corner().by(6, base), card.name(), font, width);
                let lines = usize::try_from((cell.h - base - 12) / 13).unwrap_or(0);
                if lines > 0 {
                    let at = cell.corner().by(6, base + 18);
                    canvas.lines(at, &brief(*card), Font::new(11), (width, lines));
                }
            },
        );
    }
}
