//! The table as a picture: prizes, and the prizes, cards and bid of each player.

use super::components;
use super::data::{Card, points, suit};
use super::view::{PlayerView, View};
use crate::table::picture::{Area, Canvas, Heading, Look, Outline, Paint, Plate, PlayerRow};
use crate::table::{Component, Count};

/// The table as SVG.
pub(crate) fn picture(view: &View, look: &Look<'_>) -> String {
    let mut canvas = Canvas::new(look);
    let moment = format!("turn {} of {}", view.turn, view.options.cards);
    let prompt = canvas.heading(&Heading {
        title: "Goofspiel",
        moment: &moment,
        unit: "points",
        paint: &Paint::of_seat,
    });
    let left = if canvas.is_phone() { 6 } else { 8 };
    let width = canvas.width() - 2 * left;
    let mut top = canvas.heading_height() + 8;
    let mut next_row = |height: i32| {
        let area = Area::new(left, top, width, height);
        top += height + 8;
        area
    };
    let height = if look.is_phone() { 138 } else { 128 };
    prizes(&mut canvas, view, next_row(height + 20));
    for player in &view.players {
        self::player(&mut canvas, view, player, next_row(height - 12));
    }
    let height = if look.is_wide() { top.max(800) } else { top };
    canvas.finish(height, &format!("Goofspiel, {moment}. {prompt}"))
}

/// The prizes of this turn, in bright color, and those to come.
fn prizes(canvas: &mut Canvas<'_>, view: &View, area: Area) {
    let title = format!("Prizes: {} offered", Count(points(view.offered), "point"));
    let inner = canvas.panel(area, &title);
    let all = suit(view.options.cards);
    for (index, card) in all.iter().enumerate() {
        let cell = cell(canvas, inner, index, all.len());
        let paint = if view.offered.contains(card) {
            Paint::Gold
        } else if view.to_come.contains(card) {
            Paint::SoftGray
        } else {
            continue;
        };
        let title = format!("{card}, {}", Count(card.value(), "point"));
        self::card(
            canvas,
            (components::prize(card), card),
            title,
            (cell, paint),
        );
    }
}

/// The place of a card among all of its suit.
fn cell(canvas: &Canvas<'_>, area: Area, place: usize, cards: usize) -> Area {
    let rows = if canvas.is_phone() && cards > 7 { 2 } else { 1 };
    area.cell(place, (cards.div_ceil(rows), rows), 4)
}

fn card(
    canvas: &mut Canvas<'_>,
    (component, card): (Component, Card),
    title: String,
    (cell, paint): (Area, Paint),
) {
    canvas.part(component, title, &Outline::Rect(cell), |canvas| {
        canvas.bordered(cell, 5, (paint, Some((Paint::Dark, 1))));
        let (name, is_number) = (card.name(), (Card::Two..=Card::Ten).contains(&card));
        let name = if is_number { name } else { &name[..1] };
        let font = canvas.font(22).bold().middle().paint(paint.on());
        canvas.label(cell.middle().by(0, 8), name, font);
    });
}

/// A player: points, prizes won, and the cards that are left; the bid of this turn beside them.
fn player(canvas: &mut Canvas<'_>, view: &View, player: &PlayerView, area: Area) {
    let seat = player.seat;
    let won: Vec<&str> = player.won.iter().map(Card::name).collect();
    let note = match (player.has_bid, player.bid) {
        (true, Some(card)) => format!("bids the {card}"),
        (true, None) => String::from("has bid"),
        (false, _) if canvas.look.acts(seat) => String::from("thinks"),
        (false, _) => String::new(),
    };
    let note = match won[..] {
        [] => note,
        _ if note.is_empty() => format!("won {}", won.join(" ")),
        _ => format!("{note} · won {}", won.join(" ")),
    };
    let strip = PlayerRow {
        seat,
        paint: Paint::of_seat(seat),
        points: Some(player.points.into()),
        unit: "points",
        leads: view
            .players
            .iter()
            .all(|other| other.points <= player.points),
        role: "",
        state: &note,
    };
    canvas.player(area, &strip, |canvas, inner| {
        let all = suit(view.options.cards);
        for (index, card) in all.iter().enumerate() {
            if !player.hand.contains(card) {
                continue;
            }
            let cell = cell(canvas, inner, index, all.len());
            let is_bid = player.bid == Some(card);
            let paint = if is_bid { strip.paint } else { Paint::Empty };
            let title = if is_bid {
                format!("{card}, the bid")
            } else {
                card.to_string()
            };
            self::card(
                canvas,
                (components::card(seat, card), card),
                title,
                (cell, paint),
            );
        }
    });
}

/// Every prize.
pub(crate) fn plates() -> Vec<Plate> {
    let prizes = Card::ALL.map(|card| Plate::new(components::prize(card), card.name()));
    prizes.into_iter().collect()
}
