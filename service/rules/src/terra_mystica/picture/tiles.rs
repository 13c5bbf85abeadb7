//! Rounds, power actions, bonus cards, favor tiles, town tiles; factions while they are chosen.

use std::cmp::Ordering;

use super::{bits, cult_paint, in_setup, piece};
use crate::table::picture::{Area, Canvas, Outline, Paint, Point, Shape};
use crate::terra_mystica::components;
use crate::terra_mystica::data::{BonusCard, Faction, FavorTile, PowerAction, TownTile};
use crate::terra_mystica::view::{PoolView, View};
use crate::terra_mystica::words::town_text;

/// The scoring tiles of the six rounds.
pub(super) fn rounds(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "");
    let count = view.scoring_tiles.len();
    for ((place, round), tile) in (0..).zip(1_u8..).zip(view.scoring_tiles) {
        let row = inner.row(place, count, 2);
        let order = round.cmp(&view.round);
        let text = tile
            .name()
            .replace(" or ", "/")
            .replace(" on the cult board", "");
        let component = components::scoring(tile);
        canvas.part(
            component,
            format_args!("Round {round}: {tile}"),
            &Outline::Rect(row),
            |canvas| {
                if order == Ordering::Equal {
                    canvas.bordered(row, 4, (Paint::Glow, Some((Paint::Accent, 2))));
                }
                let font = canvas.font(12);
                let font = match order {
                    Ordering::Less => font.faint(),
                    Ordering::Equal => font.bold(),
                    Ordering::Greater => font,
                };
                let at = Point::new(row.x + 10, row.middle().y + 4);
                canvas.label(at, round, font.bold().middle());
                let width = row.w - 28;
                let font = font.down_to(11, &text, width);
                canvas.text(at.by(14, 0), text, font, width);
            },
        );
    }
}

/// The power actions with their prices; used ones are grey.
pub(super) fn power_actions(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "");
    for (index, action) in PowerAction::ALL.into_iter().enumerate() {
        let cell = inner.column(index, PowerAction::COUNT, 2);
        let used = view.used_power_actions.contains(&action);
        let state = if used { ", used" } else { "" };
        let title = format!("{action} for {} power{state}", action.power());
        let component = components::power_action(action);
        canvas.part(component, title, &Outline::Rect(cell), |canvas| {
            let at = Point::new(cell.middle().x, cell.y + 18);
            let paint = if used { Paint::Empty } else { Paint::Violet };
            canvas.edged(Shape::Octagon, at, 34, (paint, Paint::Line));
            let font = canvas.font(14).bold().middle();
            let price = if used {
                String::from("×")
            } else {
                action.power().to_string()
            };
            canvas.label(at.by(0, 5), price, font.paint(paint.on()));
            let font = canvas.font(11);
            let font = if used { font.faint() } else { font };
            let at = Point::new(cell.middle().x, cell.bottom() - 5);
            bits::centered(canvas, bits::of_power(action), at, font);
        });
    }
}

/// The bonus cards that nobody holds, with the coins on them.
pub(super) fn bonus_pool(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let inner = canvas.panel(area, "Bonus cards");
    let count = view.bonus_pool.len().max(3);
    for (index, pooled) in view.bonus_pool.iter().enumerate() {
        let rows = if count > 4 { 2 } else { 1 };
        let cell = inner.cell(index, (count.div_ceil(rows), rows), 4);
        bonus(canvas, pooled, cell);
    }
}

fn bonus(canvas: &mut Canvas<'_>, PoolView { card, coins }: &PoolView, cell: Area) {
    let title = format!("{}: {card}, {coins} coins on it", card.id());
    canvas.part(
        components::bonus(*card),
        title,
        &Outline::Rect(cell),
        |canvas| {
            canvas.rect(cell, 4, Paint::SoftSand);
            let width = cell.w - 8 - if *coins > 0 { 18 } else { 0 };
            effect(canvas, *card, cell.corner().by(4, 13), (width, cell.h));
            if *coins > 0 {
                let at = Point::new(cell.right() - 11, cell.y + 11);
                canvas.shape(Shape::Coin, at, 19, Paint::Gold);
                let font = canvas.font(11).bold().middle().paint(Paint::Dark);
                canvas.label(at.by(0, 4), coins, font);
            }
        },
    );
}

/// Draws the income and effect of a bonus card from this base line on: in words if they fit this width and height,
/// otherwise in signs.
pub(super) fn effect(
    canvas: &mut Canvas<'_>,
    card: BonusCard,
    at: Point,
    (width, height): (i32, i32),
) {
    let font = canvas.font(11);
    let lines = usize::try_from((height - 4) / 13).unwrap_or(0);
    if font.fits(card.name(), (width, lines)) {
        canvas.lines(at, card.name(), font, (width, lines));
    } else {
        bits::row(canvas, bits::of_bonus(card), at, font);
    }
}

/// Favor tiles and town tiles; the factions while they are chosen.
pub(super) fn supplies(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    if in_setup(view) && view.players.iter().any(|player| player.board.is_none()) {
        return factions(canvas, area);
    }
    let (favors, towns) = area.cut_top(area.h * 11 / 20);
    let inner = canvas.panel(favors, "Favor tiles");
    for (index, (tile, left)) in view.favor_pool.iter().enumerate() {
        favor(canvas, (*tile, *left), inner.cell(index, (3, 4), 3));
    }
    let inner = canvas.panel(towns.cut_top(6).1, "Town tiles");
    let count = view.town_pool.len();
    for (index, (tile, left)) in view.town_pool.iter().enumerate() {
        town(canvas, (*tile, *left), inner.column(index, count, 3));
    }
}

fn favor(canvas: &mut Canvas<'_>, (tile, left): (FavorTile, u8), cell: Area) {
    let title = format!("{}: {tile}, {left} left", tile.id());
    canvas.part(
        components::favor(tile),
        title,
        &Outline::Rect(cell),
        |canvas| {
            canvas.rect(cell, 3, Paint::Empty);
            let (edge, rest) = cell.cut_left(18);
            let paint = if left > 0 {
                cult_paint(tile.cult())
            } else {
                Paint::Line
            };
            canvas.rect(edge, 3, paint);
            let font = canvas.font(13).bold().middle().paint(paint.on());
            canvas.label(edge.middle().by(0, 5), tile.steps(), font);
            let font = canvas.font(11);
            let font = if left == 0 { font.faint() } else { font };
            let at = Point::new(rest.x + 3, rest.middle().y + 4);
            let count = if left == 1 {
                String::new()
            } else {
                format!("×{left}")
            };
            bits::row(canvas, bits::of_favor(tile), at, font);
            canvas.label(
                Point::new(rest.right() - 2, at.y),
                count,
                font.faint().end(),
            );
        },
    );
}

fn town(canvas: &mut Canvas<'_>, (tile, left): (TownTile, u8), cell: Area) {
    let title = format!("{}: {}, {left} left", tile.id(), town_text(tile));
    canvas.part(
        components::town(tile),
        title,
        &Outline::Rect(cell),
        |canvas| {
            let fill = if left > 0 {
                Paint::SoftSand
            } else {
                Paint::Empty
            };
            canvas.rect(cell, 3, fill);
            let font = canvas.font(11).middle();
            let font = if left == 0 { font.faint() } else { font };
            let at = Point::new(cell.middle().x, cell.y + 10);
            let points = format!("{} VP", tile.vp());
            canvas.text(at, points, font.bold(), cell.w);
            let mut at = at;
            let gifts = bits::of_town(tile).into_iter();
            for bits in gifts.filter(|bits| !bits.is_empty()) {
                at = at.by(0, 12);
                bits::centered(canvas, bits, at, font);
            }
            let below = Point::new(at.x, cell.bottom() - 2);
            canvas.label(below, format_args!("×{left}"), font);
        },
    );
}

fn factions(canvas: &mut Canvas<'_>, area: Area) {
    let inner = canvas.panel(area, "Factions");
    for (index, faction) in Faction::ALL.into_iter().enumerate() {
        let cell = inner.cell(index, (2, 7), 3);
        let paint = piece(faction.home());
        let title = format!("{faction}, {}", faction.home());
        canvas.part(
            components::faction(faction),
            title,
            &Outline::Rect(cell),
            |canvas| {
                canvas.rect(cell, 4, paint);
                let font = canvas.font(13).bold().paint(paint.on());
                let at = Point::new(cell.x + 8, cell.middle().y + 5);
                canvas.name(at, faction.name(), font, cell.w - 12);
            },
        );
    }
}
