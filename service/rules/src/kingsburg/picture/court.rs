//! The King's court: eighteen advisors, their help, and the dice placed on them.

use super::{paint_of, sign};
use crate::kingsburg::components;
use crate::kingsburg::data::{Advisor, Choice, Good, Help};
use crate::kingsburg::view::{GroupView, View};
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, Point, Shape, int};

/// The advisors of each row, from the King's down.
const ROWS: [(usize, usize); 5] = [(16, 2), (13, 3), (9, 4), (5, 4), (0, 5)];

/// The number of advisors in a row of narrow drawings.
const NARROW: usize = 3;

/// The place of an advisor in a court with the King on top.
pub(super) fn place(advisor: Advisor, court: Area) -> Area {
    let index = advisor.index();
    let row = ROWS.iter().position(|(first, _)| index >= *first);
    let row = row.unwrap_or_default();
    let (first, count) = ROWS.get(row).copied().unwrap_or((0, 5));
    let band = court.row(row, ROWS.len(), 6);
    let width = band.column(0, 5, 6).w;
    let missing = i32::try_from(5 - count).unwrap_or_default();
    let left = band.x + missing * (width + 6) / 2;
    let step = i32::try_from(index - first).unwrap_or_default();
    Area::new(left + step * (width + 6), band.y, width, band.h)
}

/// The court with the King on top.
pub(super) fn pyramid(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    for advisor in Advisor::ALL {
        self::advisor(canvas, view, advisor, place(advisor, area));
    }
}

/// The court in equal rows, with the King on top.
pub(super) fn rows(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let rows = Advisor::COUNT / NARROW;
    for advisor in Advisor::ALL {
        let (row, column) = (advisor.index() / NARROW, advisor.index() % NARROW);
        let cell = area.row(rows - 1 - row, rows, 4).column(column, NARROW, 4);
        self::advisor(canvas, view, advisor, cell);
    }
}

fn advisor(canvas: &mut Canvas<'_>, view: &View, advisor: Advisor, area: Area) {
    let groups = view.court.iter().filter(|group| group.advisor == advisor);
    let groups: Vec<&GroupView> = groups.collect();
    let taken = !groups.is_empty();
    let title = format!("{} {}: {}", advisor.number(), advisor, advisor.text());
    let outline = Outline::Rect(area);
    canvas.part(components::advisor(advisor), title, &outline, |canvas| {
        let fill = if taken { Paint::Empty } else { Paint::Panel };
        canvas.bordered(area, 6, (fill, Some((Paint::Line, 1))));
        name(canvas, advisor, area, taken);
        if taken {
            canvas.faded(|canvas| small_help(canvas, advisor, &groups, area));
        } else {
            help(
                canvas,
                advisor,
                Point::new(area.x + 8, area.bottom() - 15),
                18,
            );
        }
    });
    dice(canvas, view, &groups, area);
}

fn name(canvas: &mut Canvas<'_>, advisor: Advisor, area: Area, taken: bool) {
    let middle = area.corner().by(17, 17);
    canvas.disc(middle, 13, (Paint::Ink, None));
    let number = Font::new(14).bold().middle().paint(Paint::Panel);
    canvas.label(middle.by(0, 5), advisor.number(), number);
    let width = area.w - if taken { 60 } else { 38 };
    let font = Font::new(15).bold().down_to(11, advisor.name(), width);
    canvas.name(area.corner().by(34, 22), advisor.name(), font, width);
}

/// Draws the help of an advisor, small: between the name and the dice, or beside the dice. Draws nothing if neither has
/// room.
fn small_help(canvas: &mut Canvas<'_>, advisor: Advisor, groups: &[&GroupView], area: Area) {
    let size = 12;
    let font = Font::new(11).bold();
    let widths = gains(&advisor.help()).into_iter().map(|gain| match gain {
        Gain::Sign(..) => size + 2,
        Gain::Text(text) => font.width(&text) + 3,
    });
    let right = area.x + 8 + widths.sum::<i32>();
    let dice = groups.iter().map(|group| edge(group, area)).min();
    if groups.len() == 1 && area.h >= 72 {
        help(canvas, advisor, Point::new(area.x + 8, area.y + 39), size);
    } else if dice.is_none_or(|dice| right <= dice) {
        help(
            canvas,
            advisor,
            Point::new(area.x + 8, area.bottom() - 12),
            size,
        );
    }
}

/// Draws signs of this size, and texts, from this point on.
fn help(canvas: &mut Canvas<'_>, advisor: Advisor, mut at: Point, size: i32) {
    for gain in gains(&advisor.help()) {
        match gain {
            Gain::Sign(shape, paint) => {
                canvas.shape(shape, at.by(size / 2, 0), size, paint);
                at = at.by(size + 2, 0);
            }
            Gain::Text(text) => {
                let font = Font::new((size * 3 / 4).max(11)).bold();
                canvas.label(at.by(0, font.size() * 7 / 20), &text, font);
                at = at.by(font.width(&text) + 3, 0);
            }
        }
    }
}

enum Gain {
    Sign(Shape, Paint),
    Text(String),
}

/// Lists goods, points, soldiers and tokens, then the choice of the group's owner and the sight of the enemy.
fn gains(help: &Help) -> Vec<Gain> {
    let repeated = |(shape, paint), amount: u8| (0..amount).map(move |_| Gain::Sign(shape, paint));
    let mut gains: Vec<Gain> = Vec::new();
    for good in Good::ALL {
        gains.extend(repeated(sign(good), help.goods.amount(good)));
    }
    if help.vp > 0 {
        gains.push(Gain::Text(format!("{} VP", help.vp)));
    }
    gains.extend(repeated((Shape::Shield, Paint::Silver), help.soldiers));
    if help.plus2 > 0 {
        gains.push(Gain::Text(String::from("+2")));
    }
    match help.choice {
        Some(Choice::OneOf { amount, goods }) if goods.len() == Good::COUNT => {
            gains.push(Gain::Text(format!("{amount} any")));
        }
        Some(Choice::OneOf { amount, goods }) => {
            gains.push(Gain::Text(format!("{amount}×")));
            for (index, good) in goods.iter().enumerate() {
                if index > 0 {
                    gains.push(Gain::Text(String::from("/")));
                }
                let (shape, paint) = sign(*good);
                gains.push(Gain::Sign(shape, paint));
            }
        }
        Some(Choice::Exchange) => gains.push(Gain::Text(String::from("1 for the 2 others"))),
        None => {}
    }
    if help.peek {
        gains.push(Gain::Sign(Shape::Eye, Paint::Bright));
    }
    gains
}

/// The size of dice.
const DIE: i32 = 24;

/// The font of the numbers that are added to dice.
const ADDED: Font = Font::new(12).bold();

/// The number that tokens and the Market add to the sum of dice.
fn added(group: &GroupView) -> String {
    let plus2 = 2 * u16::from(group.plus2);
    match (plus2, group.market_offset) {
        (0, 0) => String::new(),
        (0, offset) => format!("{offset:+}"),
        (plus2, 0) => format!("+{plus2}"),
        (plus2, offset) => format!("+{plus2}{offset:+}"),
    }
}

/// The left edge of a group of dice and of the number added to them.
fn edge(group: &GroupView, area: Area) -> i32 {
    let dice = (DIE + 2) * int(group.values.len());
    area.right() - 5 - dice - ADDED.width(&added(group))
}

/// The groups of dice from the right edge, with the mark of their owner.
fn dice(canvas: &mut Canvas<'_>, view: &View, groups: &[&GroupView], area: Area) {
    let size = DIE;
    for (line, group) in groups.iter().enumerate() {
        let lift = int(line) * 14;
        let mut at = Point::new(area.right() - 16, area.bottom() - 17 - lift);
        let fill = group
            .owner
            .map_or(Paint::White, |owner| paint_of(view, owner));
        for (index, value) in group.values.iter().enumerate().rev() {
            match (group.owner, group.dice.get(index)) {
                (Some(owner), Some(die)) => {
                    let fill = if die.is_white() { Paint::White } else { fill };
                    let title = format!("{} of {}", value, canvas.look.names.of(owner));
                    let outline = Outline::Rect(Area::around(at, size));
                    canvas.part(components::die(owner, *die), title, &outline, |canvas| {
                        canvas.die(*value, at, size, fill);
                    });
                }
                (Some(_) | None, _) => canvas.die(*value, at, size, fill),
            }
            at = at.by(-size - 2, 0);
        }
        canvas.label(at.by(11, 4), added(group), ADDED.end());
        if let Some(owner) = group.owner {
            let corner = Point::new(area.right() - 14, area.y + 16 + lift);
            canvas.seat_marker(owner, corner, 20, fill);
        }
    }
}
