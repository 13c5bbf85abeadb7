//! A faction board: points, goods, power, tracks, the remaining structures, and tiles.

use super::map::shape;
use super::tiles::effect;
use super::{cult_paint, paint_of};
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Font, Outline, Paint, PlayerRow, Point, Shape};
use crate::terra_mystica::components;
use crate::terra_mystica::data::{BonusCard, FavorTile, SpecialAction, Structure};
use crate::terra_mystica::view::{BoardView, View};

pub(super) fn player(canvas: &mut Canvas<'_>, view: &View, seat: Seat, area: Area) {
    let board = view.board(seat);
    let best = view
        .players
        .iter()
        .filter_map(|player| Some(player.board.as_ref()?.vp));
    let best = best.max();
    let (role, state) = match board {
        Some(board) if board.passed => (board.faction.name(), "passed"),
        Some(board) if view.first_player == seat => (board.faction.name(), "first"),
        Some(board) => (board.faction.name(), ""),
        None => ("", "no faction yet"),
    };
    let strip = PlayerRow {
        seat,
        paint: paint_of(view, seat),
        points: board.map(|board| board.vp.into()),
        unit: "VP",
        leads: board.is_some_and(|board| best == Some(board.vp)),
        role,
        state,
    };
    canvas.player(area, &strip, |canvas, inner| {
        let Some(board) = board else {
            return;
        };
        let (goods, rest) = inner.cut_top(28);
        self::goods(canvas, (seat, board), goods);
        let (power, rest) = rest.cut_top(30);
        self::power(canvas, (seat, board), power);
        let (built, rest) = rest.cut_top(28);
        structures(canvas, board, strip.paint, built);
        holds(canvas, (seat, board), rest);
    });
}

fn goods(canvas: &mut Canvas<'_>, (seat, board): (Seat, &BoardView), area: Area) {
    let goods = [
        (components::COINS, (Shape::Coin, Paint::Gold), board.coins),
        (
            components::WORKERS,
            (Shape::Cube, Paint::White),
            board.workers,
        ),
        (
            components::PRIESTS,
            (Shape::Priest, Paint::Violet),
            board.priests,
        ),
    ];
    let count = goods.len();
    for (index, (what, sign, number)) in goods.into_iter().enumerate() {
        let cell = area.column(index, count, 2);
        let title = format!("{number} {what}");
        let outline = Outline::Rect(Area { h: 26, ..cell });
        canvas.part(components::purse(seat, what), title, &outline, |canvas| {
            let font = Font::new(17).bold();
            let font = if number == 0 { font.faint() } else { font };
            canvas.amount(cell.corner().by(1, 13), sign, number, font);
        });
    }
}

/// The three bowls, then shipping or leaps, and digging.
fn power(canvas: &mut Canvas<'_>, (seat, board): (Seat, &BoardView), area: Area) {
    let bowls = Area {
        w: 78,
        h: 28,
        ..area
    };
    let [one, two, three] = board.power_bowls;
    let title = format!("power: {one}, {two}, {three}");
    let component = components::purse(seat, components::POWER);
    canvas.part(component, title, &Outline::Rect(bowls), |canvas| {
        let paints = [Paint::Panel, Paint::SoftViolet, Paint::Violet];
        for ((place, paint), tokens) in (0..).zip(paints).zip(board.power_bowls) {
            let at = bowls.corner().by(13 + 26 * place, 14);
            canvas.disc(at, 12, (paint, Some((Paint::Violet, 2))));
            let font = Font::new(14).bold().middle().paint(paint.on());
            canvas.label(at.by(0, 5), tokens, font);
        }
    });
    tracks(canvas, (seat, board), area.cut_left(84).1);
}

/// Draws shipping, or the range of leaps, and digging.
fn tracks(canvas: &mut Canvas<'_>, (seat, board): (Seat, &BoardView), area: Area) {
    let leaps = board.leap_range.map(|range| (Shape::Leap, range - 1));
    let moves = board.shipping.map(|level| (Shape::Ship, level)).or(leaps);
    let digs = Some((Shape::Spade, board.terraforming_level));
    let tracks = [
        (components::SHIPPING, moves),
        (components::TERRAFORMING, digs),
    ];
    for (index, (what, track)) in tracks.into_iter().enumerate() {
        let cell = Area { h: 28, ..area }.column(index, 2, 2);
        let title = match track {
            Some((Shape::Leap, level)) => format!("leaps: level {level}"),
            Some((_, level)) => format!("{what}: level {level}"),
            None => format!("no {what}"),
        };
        let outline = Outline::Rect(cell);
        canvas.part(components::purse(seat, what), title, &outline, |canvas| {
            canvas.rect(cell.inset(2), 4, Paint::Empty);
            let at = Point::new(cell.middle().x - 15, cell.middle().y);
            match track {
                Some((shape, level)) => {
                    canvas.amount(at, (shape, Paint::Sky), level, Font::new(12).bold());
                }
                None => {
                    let font = Font::new(12).middle().faint();
                    canvas.label(cell.middle().by(0, 4), "–", font);
                }
            }
        });
    }
}

/// Draws the structures that are left to build.
fn structures(canvas: &mut Canvas<'_>, board: &BoardView, paint: Paint, area: Area) {
    for (index, structure) in Structure::ALL.into_iter().enumerate() {
        let cell = area.column(index, Structure::COUNT, 0);
        let left = board.structures_left.get(structure.index()).copied();
        let left = left.unwrap_or_default();
        let font = Font::new(13);
        let font = if left == 0 { font.faint() } else { font };
        let sign = (
            shape(structure),
            if left == 0 { Paint::Empty } else { paint },
        );
        canvas.amount(cell.corner().by(0, 13), sign, left, font);
    }
}

/// The bonus card, favor tiles, and special actions.
fn holds(canvas: &mut Canvas<'_>, (seat, board): (Seat, &BoardView), area: Area) {
    let mut y = area.y;
    if let Some(card) = board.bonus_card {
        let row = Area::new(area.x, y, area.w, 17);
        let title = format!("{}: {card}", card.id());
        canvas.part(
            components::bonus(card),
            title,
            &Outline::Rect(row),
            |canvas| {
                canvas.rect(row, 3, Paint::SoftSand);
                effect(canvas, card, row.corner().by(4, 13), (row.w - 6, row.h));
            },
        );
        y += 20;
    }
    let mut at = Point::new(area.x, y);
    for tile in &board.favor_tiles {
        let cell = Area::new(at.x, at.y, 18, 17);
        let paint = cult_paint(tile.cult());
        canvas.rect(cell, 3, paint);
        let font = Font::new(12).bold().middle().paint(paint.on());
        canvas.label(cell.middle().by(0, 5), tile.steps(), font);
        at = at.by(21, 0);
    }
    for action in specials(board) {
        let used = board.used_special.contains(&action);
        let text = brief(action);
        let font = Font::new(11).paint(if used { Paint::Faint } else { Paint::Bright });
        let width = font.width(text) + 8;
        if at.x + width > area.right() {
            at = Point::new(area.x, at.y + 20);
        }
        let cell = Area::new(at.x, at.y, width, 17);
        let state = if used { ", used" } else { "" };
        let title = format!("{action}{state}");
        canvas.part(
            components::special(seat, action),
            title,
            &Outline::Rect(cell),
            |canvas| {
                let paint = if used { Paint::Empty } else { Paint::Violet };
                canvas.rect(cell, 5, paint);
                canvas.label(cell.corner().by(4, 13), text, font);
            },
        );
        at = at.by(width + 3, 0);
    }
    if board.keys > 0 {
        let font = Font::new(11);
        canvas.label(at.by(2, 13), format_args!("keys {}", board.keys), font);
    }
}

/// The special actions that a player has.
fn specials(board: &BoardView) -> impl Iterator<Item = SpecialAction> {
    let stands = board.structures_left.get(Structure::Stronghold.index()) == Some(&0);
    let own = board.faction.sheet().stronghold_action.filter(|_| stands);
    let has_favor = board.favor_tiles.contains(&FavorTile::Fav6);
    let actions = [
        (board.bonus_card == Some(BonusCard::Bon1)).then_some(SpecialAction::Bon1),
        (board.bonus_card == Some(BonusCard::Bon2)).then_some(SpecialAction::Bon2),
        has_favor.then_some(SpecialAction::Fav6),
        own,
    ];
    actions.into_iter().flatten()
}

/// The name of a special action, without its origin.
const fn brief(action: SpecialAction) -> &'static str {
    match action {
        SpecialAction::Bon1 => "spade",
        SpecialAction::Bon2 | SpecialAction::Fav6 => "cult step",
        SpecialAction::ActS => "trading house",
        SpecialAction::ActA
        | SpecialAction::ActW
        | SpecialAction::ActC
        | SpecialAction::ActG
        | SpecialAction::ActN => action.name(),
    }
}
