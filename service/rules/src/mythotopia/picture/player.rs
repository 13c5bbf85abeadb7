//! A player: points, tokens, pieces in stock, piles, and the reserve.

use super::{cards, paint_of};
use crate::mythotopia::components::{self, DECK, DISCARD, HAND, REMOVED, STOCK, TOKENS};
use crate::mythotopia::view::{PlayerView, View};
use crate::table::Seat;
use crate::table::picture::{Area, Canvas, Outline, Paint, PlayerRow, Point, Shape};

pub(super) fn player(canvas: &mut Canvas<'_>, view: &View, seat: Seat, area: Area) {
    let Some(player) = view.players.iter().find(|player| player.seat == seat) else {
        return;
    };
    let active = view.turn.as_ref().map(|turn| turn.active_player);
    let note = match () {
        () if player.has_chosen => "has chosen",
        () if active == Some(seat) => "on turn",
        () => player.color.name(),
    };
    let strip = PlayerRow {
        seat,
        paint: paint_of(view, seat),
        points: Some(player.points.into()),
        unit: "VP",
        leads: view
            .players
            .iter()
            .all(|other| other.points <= player.points),
        role: note,
        state: "",
    };
    canvas.player(area, &strip, |canvas, inner| {
        let (stock, rest) = inner.cut_top(28);
        self::stock(canvas, player, (stock, strip.paint));
        let (piles, rest) = rest.cut_top(42);
        self::piles(canvas, player, piles);
        reserve(canvas, player, rest);
    });
}

fn stock(canvas: &mut Canvas<'_>, player: &PlayerView, (area, paint): (Area, Paint)) {
    let (pieces, tokens) = area.cut_left(area.w * 3 / 4);
    let stock = player.stock;
    let title = format!(
        "stock: {} armies, {} ships, {} towns, {} cities",
        stock.armies, stock.ships, stock.towns, stock.cities
    );
    let component = components::of(player.seat, STOCK);
    canvas.part(component, title, &Outline::Rect(pieces), |canvas| {
        let signs = [
            (Shape::Army, stock.armies),
            (Shape::Ship, stock.ships),
            (Shape::House, stock.towns),
            (Shape::TradingHouse, stock.cities),
        ];
        let (font, base) = (canvas.font(12), pieces.y + 13);
        let mut next = pieces.x;
        for (index, (shape, number)) in signs.into_iter().enumerate() {
            let x = next.max(pieces.column(index, signs.len(), 0).x);
            next = canvas.amount(Point::new(x, base), (shape, paint), number, font) - 2;
        }
    });
    let [ones, twos, threes] = player.tokens;
    let total = u16::from(ones) + 2 * u16::from(twos) + 3 * u16::from(threes);
    let title = format!("tokens: {ones} of 1, {twos} of 2, {threes} of 3");
    let component = components::of(player.seat, TOKENS);
    canvas.part(component, title, &Outline::Rect(tokens), |canvas| {
        let sign = (Shape::Coin, Paint::Gold);
        canvas.amount(
            tokens.corner().by(0, 13),
            sign,
            total,
            canvas.font(14).bold(),
        );
    });
}

fn piles(canvas: &mut Canvas<'_>, player: &PlayerView, area: Area) {
    let piles = [
        (HAND, "hand", usize::from(player.hand_count)),
        (DECK, "deck", usize::from(player.deck_count)),
        (DISCARD, "discard", player.discard.len()),
        (REMOVED, "removed", player.removed.len()),
    ];
    for (index, (what, name, number)) in piles.into_iter().enumerate() {
        let cell = Area { h: 38, ..area }.column(index, piles.len(), 3);
        let title = format!("{name}: {number} cards");
        let component = components::of(player.seat, what);
        canvas.part(component, title, &Outline::Rect(cell), |canvas| {
            canvas.rect(cell, 4, Paint::Empty);
            let at = Point::new(cell.middle().x, cell.y + 18);
            canvas.label(at, number, canvas.font(15).bold().middle());
            canvas.text(at.by(0, 14), name, canvas.font(11).faint().middle(), cell.w);
        });
    }
}

fn reserve(canvas: &mut Canvas<'_>, player: &PlayerView, area: Area) {
    let count = player.reserve.len();
    let text = format!("reserve {count} of {}", player.reserve_limit);
    canvas.text(
        area.corner().by(0, 11),
        text,
        canvas.font(12).bold(),
        area.w,
    );
    let rest = area.cut_top(17).1;
    let columns = if area.w > 300 { 3 } else { 2 };
    let rows = count.max(player.reserve_limit.into());
    let rows = rows.div_ceil(columns).max(2);
    for (index, card) in player.reserve.iter().enumerate() {
        cards::card(canvas, card, rest.cell(index, (columns, rows), 3));
    }
}
